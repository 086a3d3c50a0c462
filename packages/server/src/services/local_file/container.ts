// Where the container of a local file service lies: below the folder `files` of the data folder, or at an absolute path that
// neither is in the data folder nor holds it.
import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { Failure, fail } from '@sluice/contract';
import { parsePath } from '../../storage/path.ts';

/** Refuses what is neither a relative path nor an absolute one; does not touch the disk. */
export function checkContainer(container: string): void {
  const name = container.trim();
  const refuse = (problem: string) => fail('file.badContainer', { container: name.slice(0, 200), problem });
  if (name.includes('\0')) throw refuse('it holds a NUL character.');
  if (isAbsolute(name)) return;
  try {
    parsePath(name.replace(/^\.\//, ''));
  } catch (error) {
    throw error instanceof Failure ? refuse('it is neither a plain relative path nor one from the root.') : error;
  }
}

/** The real path of a container, made when it is missing. Throws `file.badContainer`. */
export async function openContainer(container: string, dataFolder: string): Promise<string> {
  checkContainer(container);
  const name = container
    .trim()
    .replace(/^\.\//, '')
    .replace(/(.)\/$/, '$1');
  const refuse = (problem: string) => fail('file.badContainer', { container: name.slice(0, 200), problem });
  const managed = join(dataFolder, 'files');
  await mkdir(managed, { recursive: true, mode: 0o700 });
  const folder = isAbsolute(name) ? name : join(managed, name === '' || name === 'local' ? 'app' : name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refuse(`it cannot be made (${(error as NodeJS.ErrnoException).code}).`);
  }
  const [root, data, files] = await Promise.all([realpath(folder), realpath(dataFolder), realpath(managed)]);
  if (!isAbsolute(name)) {
    if (!isBelow(root, files)) throw refuse('it leads out of the data folder by a link.');
  } else if (isBelow(root, data) || isBelow(data, root)) {
    if (!isBelow(root, files) || root === files) throw refuse('it holds files of the platform itself.');
  }
  return root;
}

/** Whether a real path is a folder or below it. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
