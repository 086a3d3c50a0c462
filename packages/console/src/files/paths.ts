// Paths of file services as the console holds them: without slashes at their ends, the container itself is ''. Pure.

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A path of an address or an answer, whose ends may have slashes. */
export const trimSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Whether a path is a folder or lies below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The folders a path lies in, itself included, outermost first. */
export const foldersTo = (path: string): string[] =>
  path === '' ? [] : path.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));

const encodeParts = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The path of a file below `/api/v2`. */
export const filePath = (service: string, path: string): string =>
  `${encodeURIComponent(service)}/${encodeParts(path)}`;

/** The path of a folder below `/api/v2`. */
export const folderPath = (service: string, path: string): string =>
  path === '' ? `${encodeURIComponent(service)}/` : `${filePath(service, path)}/`;

/** The address of a public file beside the API. */
export const publicAddress = (base: string, service: string, path: string): string =>
  `${base}/${filePath(service, path)}`;

/** A name and its ending: `a.tar.gz` → `a`, `.tar.gz`; `.env` has no ending. */
export function splitName(name: string): [stem: string, ending: string] {
  const ending = /(\.tar)?\.[^.]+$/i.exec(name.slice(1))?.[0] ?? '';
  return [name.slice(0, name.length - ending.length), ending];
}

/** The first of `a`, `a (2)`, `a (3)` … that is free; names that differ in case alone are one to some storages. */
export function freeName(name: string, taken: Iterable<string>): string {
  const lowerCased = new Set([...taken].map((other) => other.toLowerCase()));
  const [stem, ending] = splitName(name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem} (${number})${ending}`;
    if (!lowerCased.has(candidate.toLowerCase())) return candidate;
  }
}

/** Why a name cannot be given, as a key of texts; null for one that can. The server decides in the end. */
export function nameProblem(name: string): 'name.empty' | 'name.slash' | 'name.dots' | 'name.long' | null {
  if (name.trim() === '') return 'name.empty';
  if (/[/\\]/.test(name)) return 'name.slash';
  if (name === '.' || name === '..') return 'name.dots';
  return new TextEncoder().encode(name).length > 255 ? 'name.long' : null;
}

/** Whether everybody may read a path: it is listed, or a folder that it lies in. */
export const isPublic = (path: string, publicPaths: readonly string[]): boolean =>
  publicPaths.some((text) => {
    const listed = trimSlashes(text);
    return listed !== '' && isWithin(path, listed);
  });
