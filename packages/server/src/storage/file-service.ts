// What the calls of a file service share: the open service, and who may do what to a path.
import { fail, type Verb } from '@sluice/contract';
import { componentOf } from '../access/decide.ts';
import { decideFor } from '../access/gate.ts';
import type { Call } from '../call/call.ts';
import type { Fetch } from '../fetch/index.ts';
import type { OpenService } from '../service/service.ts';
import { folderPath, joinPath } from './path.ts';
import type { Storage, StorageEntry } from './storage.ts';

/** A file service as its calls get it. */
export interface FileService extends OpenService {
  storage: Storage;
  /** As it is configured. */
  container: string;
  /** Opens what an address of a caller leads to. */
  fetch: Fetch;
  /** Most bytes of one upload, also of one that is fetched or extracted. */
  uploadLimit: number;
  /** Where files are kept that only one call needs. */
  temporaryFolder: string;
}

/** Whose rights count, and in which service: of a call on it, or of another that reaches its files. */
export type PathCall = Pick<Call, 'caller' | 'service'>;

/** Whether the caller's role gives a verb on a path: the one question behind every path that is not the address itself. */
export const mayUse = ({ caller, service }: PathCall, verb: Verb, path: string): boolean =>
  decideFor(caller, verb, service, componentOf(path)).allowed;

/** Throws the refusal of a call inside another where the caller may not (contract/role-access.md §3). */
export function authorizePath(call: PathCall, verb: Verb, path: string): void {
  if (!mayUse(call, verb, path)) throw fail('access.deniedInside', { verb, component: path, service: call.service });
}

/** As `authorizePath`, for everything below a folder, before anything is done to it. */
export async function authorizeTree(
  call: PathCall,
  storage: Storage,
  verbs: readonly Verb[],
  folder: string,
): Promise<void> {
  // Nothing is refused to administrators, so nothing needs to be listed.
  if (call.caller.user?.isAdmin) return;
  for await (const { path } of storage.list(folder, { isRecursive: true, namesOnly: true }))
    for (const verb of verbs) authorizePath(call, verb, path);
}

export async function requireFolder(storage: Storage, path: string): Promise<StorageEntry | undefined> {
  if (path === '') return undefined;
  const entry = await storage.stat(path);
  if (entry?.type !== 'folder') throw fail('file.folderMissing', { path });
  return entry;
}

/** Makes a folder and the parents it lacks. Throws `file.folderExists` where it is there already. */
export async function makeFolders(storage: Storage, path: string): Promise<void> {
  if (path === '') throw fail('file.folderExists', { path: '/' });
  await makeParents(storage, path);
  await storage.makeFolder(path);
}

/** Makes the folders that a path lies in, as far as they are missing. */
export async function makeParents(storage: Storage, path: string): Promise<void> {
  const parts = path.split('/').slice(0, -1);
  let folder = '';
  let isMissing = false;
  for (const part of parts) {
    folder = joinPath(folder, part);
    if (!isMissing && (await storage.stat(folder))?.type === 'folder') continue;
    isMissing = true;
    await storage.makeFolder(folder).catch((error: { key?: string }) => {
      // Another call made it meanwhile.
      if (error.key !== 'file.folderExists') throw error;
    });
  }
}

/** The name of a folder as answers show it. */
export const shownFolder = (path: string): string => (path === '' ? '/' : folderPath(path));
