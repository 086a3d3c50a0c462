// Files and folders that are dropped or chosen, as a list of files with their paths.
import type { NewUpload } from './queue.ts';

/** Files of one drop; a folder that holds more is better packed. */
export const maxFiles = 10_000;

export interface Dropped {
  files: NewUpload[];
  /** Folders without files, which are made as well. */
  emptyFolders: string[];
  /** There were more than `maxFiles`; the others are left out. */
  isCut: boolean;
}

export const hasFiles = (data: DataTransfer): boolean => data.types.includes('Files');

/** Files of a dialog; those of a folder have paths of their own. */
export const chosenFiles = (list: FileList): Dropped => ({
  files: [...list].slice(0, maxFiles).map((file) => ({ file, path: file.webkitRelativePath || file.name })),
  emptyFolders: [],
  isCut: list.length > maxFiles,
});

/** What was dropped. The list of a drop is gone with its event: this takes hold of it before it waits for anything. */
export function droppedFiles(data: DataTransfer): Promise<Dropped> {
  const entries = [...data.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
  return entries.length > 0 ? walkEntries(entries) : Promise.resolve(chosenFiles(data.files));
}

async function walkEntries(entries: readonly FileSystemEntry[]): Promise<Dropped> {
  const dropped: Dropped = { files: [], emptyFolders: [], isCut: false };
  const pending = [...entries];
  for (let entry = pending.shift(); entry; entry = pending.shift()) {
    const path = entry.fullPath.replace(/^\/+/, '');
    if (isFile(entry)) {
      if (dropped.files.length >= maxFiles) return { ...dropped, isCut: true };
      dropped.files.push({ file: await fileOf(entry), path });
    } else if (isDirectory(entry)) {
      const children = await entriesOf(entry);
      if (children.length === 0) dropped.emptyFolders.push(path);
      pending.push(...children);
    }
  }
  return dropped;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader gives a hundred entries at a time, and none at the end. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const entries: FileSystemEntry[] = [];
  while (entries.length <= maxFiles) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) break;
    entries.push(...batch);
  }
  return entries;
}
