// Which files a page of the console needs beyond those of the sign-in page. The server names them in the page it sends, so that
// the browser asks for them at once (server/src/http/pages.ts).

const entry = 'index.html';
/** What every page in the frame needs: the frame, and the words. English is always there to fall back on. */
const framed = ['src/frame/frame.tsx', 'src/text/en/index.ts'];

/**
 * The files of each address of the list of screens, by its path.
 * @param manifest Vite's
 * @param screenList the text of screens/index.ts
 * @returns {Record<string, string[]>}
 */
export function preloadsOf(manifest, screenList) {
  const first = filesOfParts(manifest, [entry]);
  const addresses = [...screenList.matchAll(/path: '(\/[\w-]+)'.*?frame: '(\w+)'.*?load: async \(\) =>([^\n]*)/gs)];
  return Object.fromEntries(
    addresses.map(([, path, frame, load]) => {
      const screen = /import\('\.\/([^']+)'\)/.exec(load)?.[1];
      const keys = [...(frame === 'none' ? [] : framed), ...(screen ? [`src/screens/${screen}`] : [])];
      return [path, [...filesOfParts(manifest, keys)].filter((file) => !first.has(file))];
    }),
  );
}

/** Scripts and styles of parts and of all they import. */
export function filesOfParts(manifest, keys) {
  const [parts, files] = [new Set(), new Set()];
  const add = (key) => {
    if (parts.has(key)) return;
    parts.add(key);
    const part = manifest[key];
    if (!part) throw new Error(`The build has no part ${key}.`);
    files.add(part.file);
    for (const file of part.css ?? []) files.add(file);
    part.imports?.forEach(add);
  };
  keys.forEach(add);
  return files;
}
