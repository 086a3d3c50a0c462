// Names of operations, as generators of clients make functions of them: `getShopTableProductById`.

const words = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');

/** Names that are given once each. */
export function createOperationIds(): (service: string, verb: string, path: string) => string {
  const taken = new Set<string>();
  return (service, verb, path) => {
    const parts = path.split('/').map((part) => (part.startsWith('{') ? `By${words(part)}` : words(part)));
    const base = `${verb.toLowerCase()}${words(service)}${parts.join('')}${path.endsWith('}/') ? 'Folder' : ''}`;
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}_${count}`;
    taken.add(id);
    return id;
  };
}
