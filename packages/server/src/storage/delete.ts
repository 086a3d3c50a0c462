// DELETE: a file, a folder, or a list of them (contract/files.md §5).
import { fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { authorizePath, authorizeTree, type FileService, type PathCall } from './file-service.ts';
import { forItems, itemPath, itemsOf, type PathItem } from './items.ts';
import { folderPath, nameOf, parsePath } from './path.ts';
import type { Storage } from './storage.ts';

/** Files that are deleted at once, as many as object storages take. */
const deleteBatch = 1_000;

export async function deleteFileCall(call: Call, { storage }: FileService, fileText: string): Promise<Reply> {
  const { path } = parsePath(fileText);
  const wasThere = await storage.deleteFile(path);
  if (!wasThere && !truthy(call.query.get('no_check'))) throw fail('file.deleteMissing', { path });
  return answer({ name: nameOf(path), path });
}

export async function deleteFolderCall(call: Call, { storage }: FileService, folderText: string): Promise<Reply> {
  const { path } = parsePath(folderText);
  const force = truthy(call.query.get('force'));
  const items = itemsOf(await call.body());
  if (items) return answer({ resource: await forItems(items, (item) => deleteItem(call, storage, path, item, force)) });
  if (path === '') throw fail('file.noResources');
  const keepsFolder = truthy(call.query.get('content_only'));
  await deleteTree(call, storage, path, { force, keepsFolder });
  return answer({ name: nameOf(path), path: folderPath(path) });
}

async function deleteItem(call: Call, storage: Storage, folder: string, item: PathItem, force: boolean) {
  const { path, type } = itemPath(folder, item);
  authorizePath(call, 'DELETE', path);
  if (type === 'folder') await deleteTree(call, storage, path, { force });
  else if (!(await storage.deleteFile(path))) throw fail('file.deleteMissing', { path });
  return { name: nameOf(path), path: type === 'folder' ? folderPath(path) : path, type };
}

/** Deletes a folder with `force` in all it holds, once the caller may delete each of it. */
export async function deleteTree(
  call: PathCall,
  storage: Storage,
  folder: string,
  { force, keepsFolder = false }: { force: boolean; keepsFolder?: boolean },
): Promise<void> {
  if (!force) {
    for await (const _entry of storage.list(folder, { namesOnly: true })) throw fail('file.notEmpty');
    if (!keepsFolder) await storage.deleteFolder(folder);
    return;
  }
  await authorizeTree(call, storage, ['DELETE'], folder);
  const folders: string[] = [];
  let files: string[] = [];
  for await (const { path, type } of storage.list(folder, { isRecursive: true, namesOnly: true })) {
    if (type === 'folder') folders.push(path);
    else if (files.push(path) === deleteBatch) {
      await deleteFiles(storage, files);
      files = [];
    }
  }
  await deleteFiles(storage, files);
  for (const path of folders.reverse()) await storage.deleteFolder(path);
  if (!keepsFolder) await storage.deleteFolder(folder);
}

async function deleteFiles(storage: Storage, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  if (storage.deleteFiles) await storage.deleteFiles(paths);
  else for (const path of paths) await storage.deleteFile(path);
}
