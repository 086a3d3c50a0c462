// What an instance keeps on disk is for nobody else on the machine, whatever rights its folder and files had before.
import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the platform itself keeps in its data folder: the store and the key, with what is made beside them. */
const ownFile = /^(sluice\.sqlite|secret\.key)([-.].*)?$/;

/**
 * Takes rights of others away from the platform's files in the data folder, from the folder of its databases and from
 * these. New ones are made private. The data folder itself is the administrator's, and may hold other things.
 */
export function keepPrivate(dataFolder: string): void {
  const databases = join(dataFolder, 'db');
  // First of all, so that nobody else can put another file in the place of one of these meanwhile.
  withdraw(databases, 'folder');
  for (const { name } of filesOf(databases)) withdraw(join(databases, name), 'file');
  for (const { name } of filesOf(dataFolder)) if (ownFile.test(name)) withdraw(join(dataFolder, name), 'file');
}

function filesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return [];
  }
}

/** What is not there, is a link, has another name elsewhere or belongs to someone else is left as it is. */
function withdraw(path: string, kind: 'file' | 'folder'): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o077) === 0) return;
  if (kind === 'folder' ? !found.isDirectory() : !found.isFile() || found.nlink > 1) return;
  try {
    chmodSync(path, found.mode & 0o7700);
  } catch {
    // Rights of a file system that has none, or of another user's file, are not ours to set.
  }
}
