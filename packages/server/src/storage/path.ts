// Paths of file services: the one place where texts of callers become paths (contract/files.md §1).
import { Failure, fail } from '@sluice/contract';

/** A path as it is addressed: with a trailing slash it is a folder, and the empty one is the container itself. */
export interface StoragePath {
  /** Without slashes at its ends. */
  path: string;
  isFolder: boolean;
}

/** Longest path in characters, and longest part in bytes, as file systems have it. */
export const maxPath = 4_000;
const maxPart = 255;

/** Beginning of the names that storages use for files that are not complete yet: no caller reads or writes them. */
export const temporaryPrefix = '.sluice-tmp';

/** Checks a path of a caller. Throws `file.badPath`; nothing else makes paths of texts. */
export function parsePath(text: string): StoragePath {
  const refuse = (problem: string) => fail('file.badPath', { path: printable(text), problem });
  const isFolder = text === '' || text.endsWith('/');
  const path = isFolder ? text.slice(0, -1) : text;
  if (path.length > maxPath) throw refuse(`it has more than ${maxPath} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\x00-\x1f\x7f]/.test(path)) throw refuse('it holds a control character.');
  if (path.includes('\\')) throw refuse('it holds a backslash.');
  // With the flag u this finds halves of characters only.
  if (/[\ud800-\udfff]/u.test(path)) throw refuse('it is not valid Unicode.');
  if (path === '') {
    if (text === '/') throw refuse('it begins with a slash.');
    return { path, isFolder };
  }
  for (const part of path.split('/')) {
    if (part === '') throw refuse('it has an empty part.');
    if (part === '.' || part === '..') throw refuse(`it has the part '${part}'.`);
    if (part.length > maxPart || Buffer.byteLength(part) > maxPart)
      throw refuse(`a part of it has more than ${maxPart} bytes.`);
    if (part.toLowerCase().startsWith(temporaryPrefix))
      throw refuse(`names that begin with ${temporaryPrefix} are taken.`);
  }
  return { path, isFolder };
}

/** Whether callers could name a path that a storage lists; others have programs beside us made. */
export function isAddressable(path: string): boolean {
  try {
    return parsePath(path).path === path;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** A file or folder by its name in a folder; the name is one part. */
export function childPath(folder: string, name: string): string {
  if (name === '') throw fail('file.emptyPath');
  if (name.includes('/')) throw fail('file.badPath', { path: printable(name), problem: 'a name has no slashes.' });
  return parsePath(joinPath(folder, name)).path;
}

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
/** A folder as answers show it. */
export const folderPath = (path: string): string => (path === '' ? '' : `${path}/`);

const printable = (text: string) => text.replace(/\p{Cc}/gu, '').slice(0, 200);
