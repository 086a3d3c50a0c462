// The files and folders that a call names for one zip (docs/storage.md).
import { fail } from '@sluice/contract';
import { authorizePath, type PathCall } from './file-service.ts';
import { itemPath, type PathItem } from './items.ts';
import { folderPath, parentOf } from './path.ts';
import type { Storage, StorageEntry } from './storage.ts';

const maxItems = 1_000;
/** Items that a storage is asked for at once. */
const atOnce = 16;

/**
 * What the items name, each once, without what lies in a folder that is named, too. Throws before anything is sent: where the
 * caller may not read an item, where there is none, and where it is not in the folder of the call.
 */
export async function readSelection(
  call: PathCall,
  storage: Storage,
  folder: string,
  items: PathItem[],
): Promise<StorageEntry[]> {
  if (items.length > maxItems) throw fail('file.tooManyItems', { limit: maxItems });
  const selected = { file: new Set<string>(), folder: new Set<string>() };
  for (const item of items) {
    const { path, type } = itemPath(folder, item);
    if (folder !== '' && !path.startsWith(folderPath(folder)))
      throw fail('file.notInFolder', { path, folder: folderPath(folder) });
    authorizePath(call, 'GET', path);
    selected[type].add(path);
  }
  const isInSelected = (path: string): boolean => {
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent))
      if (selected.folder.has(parent)) return true;
    return false;
  };
  const wanted = (['folder', 'file'] as const).flatMap((type) =>
    [...selected[type]].filter((path) => !isInSelected(path)).map((path) => ({ type, path })),
  );
  const entries: StorageEntry[] = [];
  for (let from = 0; from < wanted.length; from += atOnce)
    entries.push(
      ...(await Promise.all(
        wanted.slice(from, from + atOnce).map(async ({ type, path }) => {
          const entry = await storage.stat(path);
          if (entry?.type === type) return entry;
          throw type === 'file'
            ? fail('file.notFound', { path })
            : fail('file.folderNotFound', { path: folderPath(path) });
        }),
      )),
    );
  return entries;
}
