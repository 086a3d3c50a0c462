// What an instance keeps on disk is private on the machine, whatever rights its folder and files had before.
import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The platform's own files in its data folder: the store and the key, with the files made beside them. */
const platformFile = /^(sluice\.sqlite|secret\.key)([-.].*)?$/;

/**
 * Takes the rights of others away from the platform's files in the data folder, and from the folder of its databases with
 * all files in it. New files are made private. The data folder itself is the administrator's, and may hold other things.
 */
export function keepPrivate(dataFolder: string): void {
  const databases = join(dataFolder, 'db');
  // First of all, so that nobody else can put another file in the place of one of these meanwhile.
  revokeOthersAccess(databases, 'folder');
  for (const { name } of filesOf(databases)) revokeOthersAccess(join(databases, name), 'file');
  for (const { name } of filesOf(dataFolder))
    if (platformFile.test(name)) revokeOthersAccess(join(dataFolder, name), 'file');
}

function filesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return [];
  }
}

/** Leaves alone what is missing, is a link, has a second name elsewhere or belongs to someone else. */
function revokeOthersAccess(path: string, kind: 'file' | 'folder'): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o077) === 0) return;
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile() || stats.nlink > 1) return;
  try {
    chmodSync(path, stats.mode & 0o7700);
  } catch {
    // Rights of a file system that has none, or of another user's file, are not ours to set.
  }
}
