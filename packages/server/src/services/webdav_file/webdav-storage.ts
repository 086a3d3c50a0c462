// A folder of a WebDAV server as a `Storage`. A file is written beside and moved into place. What a DELETE or a MOVE does
// with a folder is the server's: both take all that is in it, so folders are looked into before.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fail } from '@sluice/contract';
import { folderPath, joinPath, parentOf, temporaryPrefix } from '../../storage/path.ts';
import {
  abandonedAfter,
  createNameCheck,
  createPathLocks,
  createSweeper,
  type FoundEntry,
  isListedName,
  listFolders,
  serverText,
} from '../../storage/remote.ts';
import type { Storage, StorageEntry } from '../../storage/storage.ts';
import { createDavClient, type DavResponse, type DavServer } from './dav-client.ts';
import { type DavEntry, readMultistatus } from './multistatus.ts';

/** How often, and after how many milliseconds, a request is repeated that another one has locked out. */
const lockedTries = 8;
const lockedPause = 100;

const properties = (names: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop>${names.map((name) => `<D:${name}/>`).join('')}</D:prop></D:propfind>`;
const typeAlone = properties(['resourcetype']);
const allFacts = properties(['resourcetype', 'getcontentlength', 'getlastmodified', 'getetag']);

/** The storage of an address and all below it. `rootParts` are the folders of the container, made when they are missing. */
export async function openWebdavStorage(server: DavServer): Promise<Storage> {
  const client = await createDavClient(server);
  const basePath = decodeURIComponent(server.base.pathname).replace(/\/+$/, '');
  const baseAddress = server.base.href.replace(/\/+$/, '');
  const addressOf = (path: string, isFolder = false) =>
    `${baseAddress}${path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`}${isFolder ? '/' : ''}`;
  const temporaryFolder = temporaryPrefix;
  const lock = createPathLocks();
  const sweepSoon = createSweeper(() => removeAbandoned());

  /** Sends a request whose answer has no content that matters; one that is locked out is tried again. */
  const act = async (
    method: string,
    path: string,
    request: Parameters<typeof client.request>[2] & { isFolder?: boolean } = {},
  ) => {
    for (let tries = 1; ; tries += 1) {
      const response = await client.request(method, addressOf(path, request.isFolder), request);
      response.body.on('error', () => {}).resume();
      if (response.status !== 423 || tries === lockedTries || typeof request.body === 'object') return response;
      await wait(lockedPause);
    }
  };

  const propfind = (path: string, isFolder: boolean, depth: '0' | '1', body: string) =>
    client.request('PROPFIND', addressOf(path, isFolder), {
      headers: { depth, 'content-type': 'application/xml; charset=utf-8', accept: 'application/xml, text/xml' },
      body,
    });

  const stat = async (path: string): Promise<StorageEntry | undefined> => {
    let response = await propfind(path, path === '', '0', allFacts);
    // Some servers send folders on to the address with a slash.
    if (response.status >= 301 && response.status <= 308) {
      response.body.resume();
      response = await propfind(path, true, '0', allFacts);
    }
    if (isMissing(response)) return void response.body.resume();
    requireGood(response, path);
    for await (const entry of readMultistatus(response.body, server.base)) return storageEntry(path, entry);
    return undefined;
  };

  async function* readFolder(folder: string, namesOnly: boolean, isShown = isListedName): AsyncGenerator<FoundEntry> {
    const response = await propfind(folder, true, '1', namesOnly ? typeAlone : allFacts);
    if (isMissing(response)) return void response.body.resume();
    requireGood(response, folder);
    const start = `${folder === '' ? basePath : `${basePath}/${folder}`}/`;
    try {
      for await (const entry of readMultistatus(response.body, server.base)) {
        const name = entry.path.startsWith(start) ? entry.path.slice(start.length) : '';
        if (isShown(name)) yield storageEntry(joinPath(folder, name), entry);
      }
    } finally {
      response.body.destroy();
    }
  }
  const list = (folder: string, options = {}) => listFolders(readFolder, folder, options);
  const names = createNameCheck((folder) => list(folder, { namesOnly: true }));

  /** Looks before: some servers answer as if they had made one that is there. */
  const makeCollection = async (path: string): Promise<void> => {
    const before = await stat(path);
    if (before?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
    if (before) throw fail('file.exists', { path });
    const response = await act('MKCOL', path, { isFolder: true });
    if (response.status < 300) return;
    const existing = response.status === 405 || response.status === 301 ? await stat(path) : undefined;
    if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
    if (existing) throw fail('file.exists', { path });
    if (response.status === 409) throw fail('file.folderMissing', { path: parentOf(path) });
    throw answerFailure(response, path);
  };
  const ensureCollection = (path: string) =>
    makeCollection(path).catch((error: { key?: string }) => {
      if (error.key !== 'file.folderExists') throw error;
    });

  /** The root is made by the first call, with the folders it lies in. */
  let rooted: Promise<void> | undefined;
  const withRoot = async (): Promise<void> => {
    rooted ??= ensureRoot(client, server.base).then(sweepSoon);
    const making = rooted;
    await making.catch((error) => {
      if (rooted === making) rooted = undefined;
      throw error;
    });
  };

  /** Moves a file to a path that has none, or, for a whole new file, onto the one it replaces. */
  const place = async (source: string, path: string, isNew: boolean): Promise<void> => {
    const existing = await stat(path);
    if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
    if (existing && (isNew || !(await names.isSameName(path)))) throw fail('file.exists', { path });
    const move = (overwrite: string) =>
      act('MOVE', source, { headers: { destination: addressOf(path), overwrite, depth: 'infinity' } });
    let response = await move(existing ? 'T' : 'F');
    if (response.status === 412) {
      if (isNew) throw fail('file.exists', { path });
      response = await move('T');
    }
    if (response.status === 409) throw fail('file.folderMissing', { path: parentOf(path) });
    if (response.status !== 201 && response.status !== 204) throw answerFailure(response, path);
  };

  const removeAbandoned = async (): Promise<void> => {
    for await (const { path, type, modified } of readFolder(temporaryFolder, false, (name) => name !== ''))
      if (type === 'file' && modified && modified.getTime() < Date.now() - abandonedAfter) await act('DELETE', path);
  };

  const storage: Storage = {
    hasRanges: true,
    async stat(path) {
      await withRoot();
      return stat(path);
    },
    async *list(folder, options) {
      await withRoot();
      yield* list(folder, options);
    },
    async read(path, range) {
      await withRoot();
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const response = await client.request('GET', addressOf(path), { headers });
      if (response.status === (range ? 206 : 200)) {
        const first = /^bytes (\d+)-/.exec(response.headers['content-range'] ?? '')?.[1];
        if (!range || Number(first) === range.start) return response.body;
      }
      response.body.destroy();
      if (isMissing(response)) throw fail('file.notFound', { path });
      if (response.status === 200 || response.status === 206)
        throw fail('file.storageFailed', { text: 'it did not send the part that was asked for' });
      throw answerFailure(response, path);
    },
    async write(path, source, { isNew = false } = {}) {
      const temporary = `${temporaryFolder}/${randomUUID()}${names.suffix}`;
      let isThere = false;
      try {
        await withRoot();
        sweepSoon();
        if (parentOf(path) !== '' && (await stat(parentOf(path)))?.type !== 'folder')
          throw fail('file.folderMissing', { path: parentOf(path) });
        await ensureCollection(temporaryFolder);
        isThere = true;
        const response = await act('PUT', temporary, {
          headers: { 'content-type': 'application/octet-stream' },
          body: source,
        });
        if (response.status >= 300) throw answerFailure(response, path);
        await names.learn(temporary, async (other) => (await stat(other)) !== undefined);
        await lock(path, () => place(temporary, path, isNew));
      } catch (error) {
        source.destroy();
        if (isThere) await act('DELETE', temporary).catch(() => {});
        throw error;
      }
    },
    async makeFolder(path) {
      await withRoot();
      await lock(path, () => makeCollection(path));
    },
    async deleteFile(path) {
      await withRoot();
      if ((await stat(path))?.type !== 'file') return false;
      const response = await act('DELETE', path);
      if (isMissing(response)) return false;
      if (response.status >= 300 || response.status === 207) throw answerFailure(response, path);
      return true;
    },
    async deleteFolder(path) {
      await withRoot();
      if (path === '' || (await stat(path))?.type !== 'folder') return;
      for await (const _entry of readFolder(path, true, (name) => name !== '')) throw fail('file.notEmpty');
      const response = await act('DELETE', path, { isFolder: true });
      if (!isMissing(response) && (response.status >= 300 || response.status === 207))
        throw answerFailure(response, path);
    },
    async move(source, target) {
      await withRoot();
      await lock(target, () => place(source, target, true));
    },
    async close() {
      client.close();
    },
  };
  return storage;
}

/** Makes the folders of the container that are missing, beginning with the innermost. */
async function ensureRoot(client: Awaited<ReturnType<typeof createDavClient>>, base: URL): Promise<void> {
  const folder = `${base.href.replace(/\/+$/, '')}/`;
  const found = await client.request('PROPFIND', folder, { headers: { depth: '0' }, body: typeAlone });
  found.body.resume();
  if (!isMissing(found)) return requireGood(found, '');
  const parent = new URL('..', folder);
  if (parent.href !== folder) await ensureRoot(client, parent);
  const made = await client.request('MKCOL', folder);
  made.body.resume();
  // Another call made it meanwhile.
  if (made.status >= 300 && made.status !== 405) throw answerFailure(made, '');
}

function storageEntry(path: string, { properties }: DavEntry): StorageEntry {
  const { resourcetype, getcontentlength, getlastmodified, getetag } = properties;
  const time = typeof getlastmodified === 'string' ? new Date(getlastmodified) : undefined;
  const modified = time && !Number.isNaN(time.getTime()) ? time : null;
  const isFolder = typeof resourcetype === 'object' && resourcetype !== null && 'collection' in resourcetype;
  if (isFolder) return { path, type: 'folder', size: null, modified, contentType: null, etag: null };
  const length = getcontentlength === undefined || getcontentlength === '' ? Number.NaN : Number(getcontentlength);
  const size = Number.isSafeInteger(length) && length >= 0 ? length : null;
  // A weak one may stay while the content changes.
  const etag = typeof getetag === 'string' && /^"[\x21\x23-\x7e]{0,200}"$/.test(getetag) ? getetag : null;
  return { path, type: 'file', size, modified, contentType: null, etag };
}

const isMissing = ({ status }: DavResponse): boolean => status === 404 || status === 410;

function requireGood(response: DavResponse, path: string): void {
  if (response.status === 207) return;
  response.body.resume();
  throw answerFailure(response, path);
}

function answerFailure({ status, headers }: DavResponse, path: string): Error {
  if (status === 403) return fail('file.denied', { path });
  if (status === 507 || status === 413) return fail('file.full');
  if (status === 503) return fail('file.unreachable', { text: 'it answers with 503' });
  if (status >= 300 && status < 400)
    return fail('file.storageFailed', {
      text: `it sends the call to another address, ${serverText(headers.location ?? '')}`,
    });
  return fail('file.storageFailed', { text: `${status}` });
}
