// Copies and moves inside a container (contract/files.md §3). Targets are always new.
import { fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { deleteTree } from './delete.ts';
import { authorizePath, authorizeTree, requireFolder } from './file-service.ts';
import { folderPath, parsePath } from './path.ts';
import type { Storage } from './storage.ts';

export interface Transfer {
  /** As the caller sent it. */
  source: string;
  target: string;
  type: 'file' | 'folder';
  deletesSource: boolean;
}

/** Copies or moves once the caller may read the source, and delete it, and write the target, in every path of a folder. */
export async function transfer(
  call: Call,
  storage: Storage,
  { source: text, target, type, deletesSource }: Transfer,
): Promise<void> {
  const source = parsePath(text).path;
  if (source === '') throw fail('file.emptyPath');
  authorizePath(call, 'GET', source);
  if (deletesSource) authorizePath(call, 'DELETE', source);
  if (type === 'file') await transferFile(storage, source, target, deletesSource);
  else await transferFolder(call, storage, source, target, deletesSource);
}

async function transferFile(storage: Storage, source: string, target: string, deletesSource: boolean): Promise<void> {
  const entry = await storage.stat(source);
  if (entry?.type !== 'file') throw fail('file.sourceMissing', { path: source });
  if (await storage.stat(target)) throw fail('file.exists', { path: target });
  if (deletesSource && storage.move) return storage.move(source, target);
  await copyFile(storage, source, target);
  if (deletesSource) await storage.deleteFile(source);
}

async function copyFile(storage: Storage, source: string, target: string): Promise<void> {
  if (storage.copy) return storage.copy(source, target);
  await storage.write(target, await storage.read(source), { isNew: true });
}

async function transferFolder(call: Call, storage: Storage, source: string, target: string, deletesSource: boolean) {
  await requireFolder(storage, source);
  if (`${target}/`.toLowerCase().startsWith(`${source}/`.toLowerCase()))
    throw fail('file.intoItself', { path: folderPath(source) });
  await authorizeTree(call, storage, deletesSource ? ['GET', 'DELETE'] : ['GET'], source);
  if (!call.caller.user?.isAdmin)
    for await (const { path } of storage.list(source, { isRecursive: true, namesOnly: true }))
      authorizePath(call, call.verb, target + path.slice(source.length));
  await storage.makeFolder(target);
  for await (const { path, type } of storage.list(source, { isRecursive: true, namesOnly: true })) {
    const place = target + path.slice(source.length);
    if (type === 'folder') await storage.makeFolder(place);
    else await copyFile(storage, path, place);
  }
  if (deletesSource) await deleteTree(call, storage, source, { force: true });
}
