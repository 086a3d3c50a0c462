// extract=true: a zip that is uploaded becomes the files in it (contract/files.md §3). All of it is checked before the first byte
// is written, so a bad zip changes nothing.
import type { Readable } from 'node:stream';
import { Failure, fail, type MaybePromise, truthy } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { deleteTree } from './delete.ts';
import { authorizePath, authorizeTree, type FileService, requireFolder } from './file-service.ts';
import { folderPath, nameOf, parentOf } from './path.ts';
import type { Storage } from './storage.ts';
import { withTemporaryFile } from './temporary-file.ts';
import { readZip, type ZipContent } from './unzip.ts';

/** Whether an upload is to be extracted: the call says so, and it is a zip by its type or name. */
export function isExtracted({ query }: Call, name: string, contentType: string | null | undefined): boolean {
  if (!truthy(query.get('extract'))) return false;
  return /^\s*application\/(x-)?zip(-compressed)?\s*(;|$)/i.test(contentType ?? '') || /\.zip$/i.test(name);
}

/** Extracts a zip into a folder, which `clean` empties first; the zip itself is not kept. */
export async function extractInto(
  call: Call,
  { storage, uploadLimit, temporaryFolder }: FileService,
  folder: string,
  open: () => MaybePromise<Readable>,
) {
  await requireFolder(storage, folder);
  const isCleaned = truthy(call.query.get('clean'));
  if (isCleaned) await authorizeCleaning(call, storage, folder);
  await withTemporaryFile(temporaryFolder, await open(), async (file) => {
    const content = await readZip(file, { folder, limit: uploadLimit, signal: call.signal });
    const isNew = truthy(call.query.get('check_exist'));
    const missing = isCleaned ? new Set(content.folders) : await checkTargets(storage, content, isNew);
    for (const path of missing) authorizePath(call, call.verb, path);
    for (const { path } of content.files) authorizePath(call, call.verb, path);
    if (isCleaned) await clean(call, storage, folder);
    await writeContent(storage, content, missing, isNew);
  });
  return { name: nameOf(folder), path: folderPath(folder), type: 'file' };
}

async function authorizeCleaning(call: Call, storage: Storage, folder: string): Promise<void> {
  authorizePath(call, 'DELETE', folder);
  await authorizeTree(call, storage, ['DELETE'], folder);
}

async function clean(call: Call, storage: Storage, folder: string): Promise<void> {
  try {
    await deleteTree(call, storage, folder, { force: true, keepsFolder: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw fail('file.notCleaned', { path: folderPath(folder), reason: error.message }, { cause: error });
  }
}

/** Refuses what could not be written because of what is there; answers the folders that are not. */
export async function checkTargets(
  storage: Storage,
  { folders, files }: ZipContent,
  isNew: boolean,
): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const path of folders) {
    await pause();
    const existing = missing.has(parentOf(path)) ? undefined : await storage.stat(path);
    if (existing?.type === 'file') throw fail('file.exists', { path });
    if (!existing) missing.add(path);
  }
  for (const { path } of files) {
    await pause();
    const existing = missing.has(parentOf(path)) ? undefined : await storage.stat(path);
    if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
    if (existing && isNew) throw fail('file.exists', { path });
  }
  return missing;
}

async function writeContent(storage: Storage, { files }: ZipContent, missing: Set<string>, isNew: boolean) {
  for (const path of missing)
    await storage.makeFolder(path).catch((error: { key?: string }) => {
      // Another call made it meanwhile.
      if (error.key !== 'file.folderExists') throw error;
    });
  for (const { path, open } of files) await storage.write(path, open(), { isNew });
}
