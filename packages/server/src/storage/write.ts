// POST, of which PUT is another name: files, folders, and lists of them (contract/files.md §3); 501 for PATCH (§4).
import { Readable } from 'node:stream';
import { Failure, fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { isMultipart } from '../call/formats/multipart.ts';
import { isRecord } from '../call/payload.ts';
import { fileNameOf } from '../fetch/index.ts';
import { transfer } from './copy.ts';
import { extractInto, isExtracted } from './extract.ts';
import { authorizePath, type FileService, makeFolders, requireFolder, shownFolder } from './file-service.ts';
import { forItems, itemPath, itemsOf, type PathItem } from './items.ts';
import { readParts } from './parts.ts';
import { childPath, folderPath, nameOf, parentOf, parsePath } from './path.ts';
import type { Storage } from './storage.ts';

/** Changing properties is not offered by any storage. */
export function refuseProperties(kind: 'file' | 'folder' | 'container'): never {
  throw fail('file.propertiesNotImplemented', { kind });
}

const fileResult = (path: string) => ({ name: nameOf(path), path, type: 'file' });

export async function writeFolderCall(call: Call, service: FileService, folderText: string): Promise<Reply> {
  const { storage, container } = service;
  const { path: folder } = parsePath(folderText);
  const { query } = call;
  const fileName = headerText(call, 'x-file-name');
  if (fileName !== undefined) {
    const path = childPath(folder, fileName);
    const type = call.header('content-type');
    if (isExtracted(call, path, type))
      return answer(await extractInto(call, service, folder, () => call.stream()), 201);
    authorizePath(call, call.verb, path);
    await writeFile(storage, path, () => call.stream(), truthy(query.get('check_exist')));
    return answer(fileResult(path), 201);
  }
  const folderName = headerText(call, 'x-folder-name');
  if (folderName !== undefined) {
    const path = childPath(folder, folderName);
    authorizePath(call, call.verb, path);
    await makeFolders(storage, path);
    return answer({ name: nameOf(path), path }, 201);
  }
  const url = query.get('url');
  if (url) return answer(await importFile(call, service, folder, url), 201);
  if (isMultipart(call.header('content-type') ?? '')) {
    const results = await writeParts(call, service, folder);
    if (results.length > 0) return answer({ resource: results }, 201);
  } else {
    const items = itemsOf(await call.body());
    if (items)
      return answer(
        { resource: await forItems(items, (item) => writeItem(call, storage, container, folder, item)) },
        201,
      );
  }
  await makeFolders(storage, folder);
  return answer({ name: nameOf(folder), path: folderPath(folder) }, 201);
}

export async function writeFileCall(call: Call, service: FileService, fileText: string): Promise<Reply> {
  const { storage } = service;
  const { path } = parsePath(fileText);
  await checkVersion(storage, path, call.header('if-match'));
  const isNew = truthy(call.query.get('check_exist'));
  const type = call.header('content-type') ?? '';
  if (!isMultipart(type)) {
    if (isExtracted(call, path, type))
      return answer(await extractInto(call, service, parentOf(path), () => call.stream()), 201);
    await writeFile(storage, path, () => call.stream(), isNew);
    return answer(fileResult(path), 201);
  }
  // With `extract` the part may be a zip, whose name does not matter.
  if (!truthy(call.query.get('extract'))) await checkTarget(storage, path, isNew);
  let result: Record<string, unknown> | undefined;
  await readParts(
    call,
    async ({ type: partType, source }, others) => {
      const content = () => Readable.from(whole(source, others));
      if (isExtracted(call, path, partType)) result = await extractInto(call, service, parentOf(path), content);
      else {
        await writeFile(storage, path, content, isNew);
        result = fileResult(path);
      }
    },
    () => fail('file.severalFiles', { name: nameOf(path) }),
  );
  if (!result) throw fail('file.noFile', { name: nameOf(path) });
  return answer(result, 201);
}

/** A part, which ends well only when the body has ended with no other part. */
async function* whole(source: Readable, others: Promise<void>): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield chunk as Buffer;
  await others;
}

/** A header with a name: bytes of UTF-8 where it is that. */
function headerText(call: Call, name: string): string | undefined {
  const value = call.header(name);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII
  if (value === undefined || /^[\x00-\x7f]*$/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** Refuses a write before its body is read; the storage decides again when the file is complete. */
async function checkTarget(storage: Storage, path: string, isNew: boolean): Promise<void> {
  await requireFolder(storage, parentOf(path));
  const existing = await storage.stat(path);
  if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
  if (isNew && existing) throw fail('file.exists', { path });
}

/** Refuses to replace a file that is not the one its caller has read (If-Match, RFC 9110 §13.1.1). */
async function checkVersion(storage: Storage, path: string, ifMatch: string | undefined): Promise<void> {
  if (ifMatch === undefined) return;
  const file = await storage.stat(path);
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (file?.type !== 'file' || !(tags.includes('*') || tags.includes(file.etag ?? '')))
    throw fail('file.stale', { path });
}

async function writeFile(storage: Storage, path: string, source: () => Readable, isNew: boolean): Promise<void> {
  await checkTarget(storage, path, isNew);
  await storage.write(path, source(), { isNew });
}

/** Writes what an address of the caller leads to; nothing is fetched for a name that may not be written. */
async function importFile(call: Call, service: FileService, folder: string, url: string) {
  const { storage, fetch, uploadLimit } = service;
  const path = childPath(folder, call.query.get('filename') || fileNameOf(url));
  const isNew = truthy(call.query.get('check_exist'));
  const check = async () => {
    authorizePath(call, call.verb, path);
    await checkTarget(storage, path, isNew);
  };
  const mayBeZip = truthy(call.query.get('extract'));
  if (mayBeZip) await requireFolder(storage, folder);
  else await check();
  const { content, contentType } = await fetch(url, { limit: uploadLimit, signal: call.signal });
  try {
    if (isExtracted(call, path, contentType)) return await extractInto(call, service, folder, () => content);
    if (mayBeZip) await check();
    await storage.write(path, content, { isNew });
    return fileResult(path);
  } finally {
    content.destroy();
  }
}

/** Writes each file of a multipart body; those that fail are named when the others are written. */
async function writeParts(call: Call, service: FileService, folder: string): Promise<Record<string, unknown>[]> {
  const { storage } = service;
  const isNew = truthy(call.query.get('check_exist'));
  const results: Record<string, unknown>[] = [];
  const failures = new Map<string, Failure>();
  await readParts(call, async ({ name, type, source }) => {
    await requireFolder(storage, folder);
    try {
      const path = childPath(folder, name);
      if (isExtracted(call, path, type)) results.push(await extractInto(call, service, folder, () => source));
      else {
        authorizePath(call, call.verb, path);
        await writeFile(storage, path, () => source, isNew);
        results.push(fileResult(path));
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.set(name, error);
      source.resume();
    }
  });
  const [failure] = failures.values();
  if (failure && failures.size === 1 && results.length === 0) throw failure;
  if (failure) {
    const context = Object.fromEntries([...failures].map(([name, { message }]) => [name, [message]]));
    const names = [...failures.keys()].join(', ');
    throw fail('file.notUploaded', { folder: shownFolder(folder), names }, { context, cause: failure });
  }
  return results;
}

async function writeItem(call: Call, storage: Storage, container: string, folder: string, item: PathItem) {
  const { path, type } = itemPath(folder, item);
  authorizePath(call, call.verb, path);
  const { source_path: source, source_container: sourceContainer, delete_source, content, is_base64 } = item;
  if (typeof source === 'string' && source !== '') {
    if (sourceContainer && sourceContainer !== container)
      throw fail('file.otherContainer', { container: String(sourceContainer).slice(0, 200) });
    await requireFolder(storage, parentOf(path));
    const deletesSource = delete_source === true || truthy(delete_source);
    await transfer(call, storage, { source, target: path, type, deletesSource });
  } else if (type === 'folder') await makeFolders(storage, path);
  else {
    const text =
      typeof content === 'string'
        ? content
        : isRecord(content) || Array.isArray(content)
          ? JSON.stringify(content)
          : String(content ?? '');
    const bytes = Buffer.from(text, truthy(is_base64) ? 'base64' : 'utf8');
    await writeFile(
      storage,
      path,
      () => Readable.from(bytes.length > 0 ? [bytes] : []),
      truthy(call.query.get('check_exist')),
    );
  }
  return { name: nameOf(path), path: type === 'folder' ? folderPath(path) : path, type };
}
