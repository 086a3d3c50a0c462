// A container of OpenStack's Swift as an object store, by plain calls (https://docs.openstack.org/api-ref/object-store/).
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { type Failure, fail } from '@sluice/contract';
import { pacedStream, upload } from '../../storage/object-calls.ts';
import { nextPage, type ObjectStore, objectLimits, type StoredObject } from '../../storage/objects.ts';
import { readJson, readText, type SwiftOptions, sendCall } from './swift-call.ts';
import { openSession, type SwiftSession } from './swift-login.ts';

/** Deletes that are under way at once. */
const deletesAtOnce = 16;
/** Largest object of one upload, and so of a copy: larger ones are made of segments. */
const largestObject = 5 * 1024 ** 3;

type Init = RequestInit & { headers?: Record<string, string>; duplex?: 'half' };

/** Opens a container, which is made when it is missing. */
export async function openSwiftStore(options: SwiftOptions): Promise<ObjectStore> {
  const { container, words } = options;
  let opening: Promise<SwiftSession> | undefined;
  const session = async (): Promise<SwiftSession> => {
    const current = await opening?.catch(() => undefined);
    if (!current || current.until < Date.now()) opening = openSession(options);
    return opening as Promise<SwiftSession>;
  };

  /** A call on a key, or on the container; signs in again, once, where the token is not good any more. */
  const call = async (key: string, init: Init = {}, query = ''): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const { url, token } = await session();
      const address = `${url}/${encodeURIComponent(container)}${key === '' ? '' : `/${encodeKey(key)}`}${query}`;
      const response = await sendCall(address, { ...init, headers: { ...init.headers, 'x-auth-token': token } });
      if (response.status !== 401) return response;
      opening = undefined;
      // A stream can be sent only once.
      if (attempt === 2 || init.duplex) return response;
      await response.body?.cancel();
    }
  };

  const failureOf = async (response: Response, path: string): Promise<Failure> => {
    const { status, statusText } = response;
    // Its texts are pages; the status says it as well.
    await response.body?.cancel().catch(() => {});
    const text = words(`${status} ${statusText}`);
    if (status === 401) return fail('file.loginRefused', { text });
    if (status === 403) return fail('file.denied', { path });
    if (status === 412) return fail('file.exists', { path });
    if (status === 413 || status === 507) return fail('file.full');
    if (status === 503) return fail('file.unreachable', { text });
    return fail('file.storageFailed', { text });
  };
  /** Ends a call whose answer has nothing to read. */
  const settle = async (response: Response, path: string): Promise<void> => {
    if (!response.ok) throw await failureOf(response, path);
    await readText(response);
  };

  const opened = await call('', { method: 'HEAD' });
  if (opened.status === 404) await settle(await call('', { method: 'PUT' }), container);
  else await settle(opened, container);

  return {
    maxKey: 1024,
    async head(key) {
      const response = await call(key, { method: 'HEAD' });
      if (response.status === 404) return undefined;
      if (!response.ok) throw await failureOf(response, key);
      const { headers } = response;
      return {
        key,
        size: Number(headers.get('content-length') ?? 0),
        modified: dateOf(headers.get('last-modified') ?? ''),
        etag: quoted(headers.get('etag')),
        contentType: headers.get('content-type'),
      };
    },
    async *list(prefix, { isFlat, limit = objectLimits.page }) {
      let marker = '';
      for (;;) {
        const query = new URLSearchParams({ format: 'json', limit: String(limit), prefix, marker });
        if (isFlat) query.set('delimiter', '/');
        const response = await call('', {}, `?${query}`);
        if (response.status === 404) throw fail('file.storageFailed', { text: 'the container is gone' });
        if (!response.ok) throw await failureOf(response, prefix);
        // An empty list may come without a body.
        const page = await readJson(response);
        const items = Array.isArray(page) ? (page as ListItem[]) : [];
        yield* items.map(describe);
        const last = items.at(-1);
        if (!last || items.length < limit) return;
        marker = nextPage(last.name ?? last.subdir ?? '', marker) ?? '';
      }
    },
    async get(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const response = await call(key, { headers });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) throw await failureOf(response, key);
      if (range && response.status !== 206) {
        await response.body?.cancel();
        throw fail('file.storageFailed', { text: 'it did not send the part that was asked for' });
      }
      return pacedStream(response.body ? Readable.fromWeb(response.body as WebStream) : Readable.from([]));
    },
    put: (key, source, { isNew, contentType }) =>
      upload(source, async ({ body, signal }) => {
        const headers = { 'content-type': contentType, ...(isNew ? { 'if-none-match': '*' } : {}) };
        await settle(await call(key, { method: 'PUT', headers, body: body as never, duplex: 'half', signal }), key);
      }),
    async putMarker(key) {
      await settle(await call(key, { method: 'PUT', headers: { 'content-type': 'application/directory' } }), key);
    },
    async delete(keys) {
      const remove = async (key: string) => {
        const response = await call(key, { method: 'DELETE' });
        if (response.status !== 404) await settle(response, key);
      };
      for (let at = 0; at < keys.length; at += deletesAtOnce)
        await Promise.all(keys.slice(at, at + deletesAtOnce).map(remove));
    },
    async copy({ key, size }, target) {
      if (size === null || size > largestObject) return false;
      const from = `/${encodeURIComponent(container)}/${encodeKey(key)}`;
      // A condition would be one on the source.
      const response = await call(target, { method: 'PUT', headers: { 'x-copy-from': from } });
      if (response.status === 404) throw fail('file.sourceMissing', { path: key });
      await settle(response, target);
      return true;
    },
  };
}

interface ListItem {
  name?: string;
  subdir?: string;
  bytes?: number;
  hash?: string;
  content_type?: string;
  /** In UTC, without saying so. */
  last_modified?: string;
}

const describe = ({ name, subdir, bytes, hash, content_type, last_modified }: ListItem): StoredObject => ({
  key: name ?? subdir ?? '',
  size: bytes ?? null,
  modified: last_modified ? dateOf(last_modified.replace(/Z?$/, 'Z')) : null,
  etag: quoted(hash),
  contentType: content_type ?? null,
});

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/');
const quoted = (etag: string | null | undefined) => (etag ? `"${etag.replaceAll('"', '')}"` : null);

function dateOf(text: string): Date | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}
