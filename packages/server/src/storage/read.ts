// GET: listings, properties, files and zips (contract/files.md §2).
import { fail, truthy } from '@sluice/contract';
import type { Row, Rows } from '@sluice/sql';
import { answer, type Call, type Reply } from '../call/call.ts';
import { contentDisposition } from '../call/content-disposition.ts';
import { parseCommaList } from '../call/list-query.ts';
import { contentTypeOf } from './content-type.ts';
import { type FileService, mayUse } from './file-service.ts';
import { itemsOf } from './items.ts';
import { folderPath, nameOf, parsePath } from './path.ts';
import { readSelection } from './selection.ts';
import type { Storage, StorageEntry } from './storage.ts';
import { openZip } from './zip.ts';

/** Entries of a listing that is answered as one value; a longer one goes out as it comes. */
const batchLength = 500;
/** Bytes of a file that its properties may hold. */
const maxContent = 10 * 1024 * 1024;

export async function readFolderCall(call: Call, { storage }: FileService, folderText: string): Promise<Reply> {
  const { path } = parsePath(folderText);
  const { query } = call;
  const flag = (name: string) => truthy(query.get(name));
  if (path === '' && flag('as_access_list')) return answerItems(accessList(storage));
  const folder = path === '' ? undefined : await storage.stat(path);
  if (path !== '' && folder?.type !== 'folder') throw fail('file.folderNotFound', { path: folderPath(path) });
  if (flag('include_properties')) {
    const modified = folder?.modified ?? null;
    return answer({ name: nameOf(path), path: folderPath(path), last_modified: modified?.toUTCString() ?? null });
  }
  if (flag('zip')) {
    const name = path === '' ? `${call.service}_${Math.floor(Date.now() / 1000)}.zip` : `${nameOf(path)}.zip`;
    const items = itemsOf(await call.body());
    const selection = items && (await readSelection(call, storage, path, items));
    const open = () => openZip(storage, path, (file) => mayUse(call, 'GET', file), selection);
    return fileReply({ open, type: 'application/zip' }, contentDisposition(name));
  }
  return answerItems(listItems(call, storage, path));
}

/** The entries of a folder as a call asks for them. */
async function* listItems({ query }: Call, storage: Storage, folder: string): AsyncGenerator<unknown> {
  const isWanted = (name: string) => !query.has(name) || truthy(query.get(name));
  const wanted = { file: isWanted('include_files'), folder: isWanted('include_folders') };
  const search = query.get('search')?.toLowerCase() ?? '';
  const namesOnly = truthy(query.get('as_list'));
  const fields = parseCommaList(query.get('fields')) ?? ['*'];
  const isRecursive = truthy(query.get('full_tree'));
  const nameStart = folder === '' ? 0 : folder.length + 1;
  for await (const entry of storage.list(folder, { isRecursive, namesOnly, skipsDenied: true })) {
    if (!wanted[entry.type] || !nameOf(entry.path).toLowerCase().includes(search)) continue;
    yield namesOnly ? shownPath(entry) : project(itemOf(entry, entry.path.slice(nameStart)), fields);
  }
}

function project(item: Record<string, unknown>, fields: string[]): Record<string, unknown> {
  if (fields.includes('*')) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => fields.includes(key)));
}

/** What roles may name: every folder (contract/http-basics.md §9). */
async function* accessList(storage: Storage): AsyncGenerator<string> {
  yield '';
  yield '*';
  for await (const { type, path } of storage.list('', { isRecursive: true, namesOnly: true, skipsDenied: true }))
    if (type === 'folder') {
      yield `${path}/`;
      yield `${path}/*`;
    }
}

const shownPath = ({ type, path }: StorageEntry): string => (type === 'folder' ? folderPath(path) : path);

function itemOf(entry: StorageEntry, name: string): Record<string, unknown> {
  const path = shownPath(entry);
  const last_modified = entry.modified?.toUTCString() ?? null;
  if (entry.type === 'folder') return { path, last_modified, name, type: 'folder' };
  const content_type = contentTypeOf(path, entry.contentType);
  return { path, content_type, last_modified, content_length: entry.size, name, type: 'file' };
}

/** A short list as a value, a long one as it comes. */
async function answerItems(items: AsyncGenerator<unknown>): Promise<Reply> {
  const first = await takeItems(items);
  if (first.length < batchLength) return answer({ resource: first });
  const batches = async function* () {
    for (let batch = first; batch.length > 0; batch = await takeItems(items)) yield rowsOfItems(batch);
  };
  return { body: { rows: { batches: batches(), meta: async () => '' } } };
}

async function takeItems(items: AsyncGenerator<unknown>): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < batchLength) {
    const { done, value } = await items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Items are texts where only paths are listed; formats print them like records. */
const rowsOfItems = (items: unknown[]): Rows => ({
  count: items.length,
  json: () => JSON.stringify(items),
  list: () => items as Row[],
  withKeys: () => [],
});

export async function readFileCall(call: Call, { storage }: FileService, fileText: string): Promise<Reply> {
  const { path } = parsePath(fileText);
  const { query } = call;
  const entry = await findFile(storage, path);
  if (truthy(query.get('include_properties'))) return readProperties(call, storage, entry);
  return openFile(storage, entry, truthy(query.get('download')));
}

export async function findFile(storage: Storage, path: string): Promise<StorageEntry> {
  const entry = await storage.stat(path);
  if (entry?.type !== 'file') throw fail('file.notFound', { path });
  return entry;
}

/** A file as an answer, also to a call of a public path. */
export function openFile(
  storage: Storage,
  { path, size, etag, modified, contentType }: StorageEntry,
  isDownload = false,
): Reply {
  const disposition = isDownload ? contentDisposition(nameOf(path)) : /\.html?$/i.test(path) ? undefined : 'inline';
  return fileReply(
    {
      // A length and a validator that were asked for before are those of this content, or there is none.
      open: (range) => storage.read(path, range, etag),
      type: contentTypeOf(path, contentType),
      ...(size === null ? {} : { size }),
      ...(etag === null ? {} : { etag }),
      ...(modified === null ? {} : { lastModified: modified }),
      ...(storage.hasRanges && size !== null ? { hasRanges: true } : {}),
    },
    disposition,
  );
}

/** Stored content never runs as a page of this address: a browser gives it no origin and no scripts. */
const fileReply = (body: Extract<Reply['body'], { open: unknown }>, disposition: string | undefined): Reply => ({
  headers: {
    'Cache-Control': 'private',
    Expires: '0',
    Pragma: 'public',
    'Content-Security-Policy': 'sandbox',
    ...(disposition === undefined ? {} : { 'Content-Disposition': disposition }),
  },
  body,
});

async function readProperties({ query }: Call, storage: Storage, entry: StorageEntry): Promise<Reply> {
  const { type: _type, name, ...item } = itemOf(entry, nameOf(entry.path));
  const { path, ...rest } = item;
  const properties = { path, name, ...rest };
  if (!truthy(query.get('content'))) return answer(properties);
  if ((entry.size ?? 0) > maxContent) throw fail('file.tooLargeToShow', { path: entry.path, limit: maxContent });
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(entry.path, entry.size ? { start: 0, end: entry.size - 1 } : undefined))
    chunks.push(chunk);
  const isBase64 = !query.has('is_base64') || truthy(query.get('is_base64'));
  return answer({ ...properties, content: Buffer.concat(chunks).toString(isBase64 ? 'base64' : 'utf8') });
}
