// What a remote service answered, as a reply: in the format that the caller takes, and without what would have an effect on this
// instance's own address.
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { negotiate } from '../../call/formats/index.ts';
import { parseJson } from '../../call/formats/json.ts';
import type { OutsideResponse } from '../../fetch/open.ts';

/** A text that is answered, from the remote service or from the cache. */
export interface RemoteText {
  text: string;
  /** The whole `Content-Type`. */
  type: string;
}

/** What becomes of a text on its way. */
export interface TextOptions {
  /** Replaces addresses; absent: they stay. */
  replaceLinks?: ((text: string) => string) | undefined;
  /** Keeps a text that is short enough; absent: none is kept. */
  keep?: ((text: RemoteText) => void) | undefined;
}

/** Bytes of an answer that is converted, or searched for links: it is in memory. */
const maxWhole = 4 * 1024 * 1024;
/** Bytes of an answer that is read to its end where it need not be: scripts see it then. */
const maxStart = 1024 * 1024;
/** Bytes of a refusal. */
const maxRefusal = 64 * 1024;

const jsonType = /^(application|text)\/([^;]+\+)?json *(;|$)/i;
const textType = /^text\/|^[^;]+[/+](xml|javascript|x-www-form-urlencoded) *(;|$)/i;
/** What is sent bit by bit, for as long as its caller listens. */
const endlessType = /^text\/event-stream *(;|$)/i;
const rowsType = /^[^;]+\/(x-)?(nd-?json|json-?lines|jsonl)/i;

/** What a service sends has no rights at this instance's address (as scripts: docs/design.md, difference 75). */
const inert = { 'Content-Security-Policy': 'sandbox' };

/** Answers what a remote service answered with a status below 300. */
export async function replyOf(call: Call, response: OutsideResponse, options: TextOptions): Promise<Reply> {
  const { status, headers } = response;
  const kept = { status, headers: callerHeaders(headers) };
  if (status === 204 || status === 205) {
    response.discard();
    return { ...kept, body: { text: '', type: 'text/plain' } };
  }
  const type = headers['content-type'] ?? '';
  const isText = jsonType.test(type) || textType.test(type);
  if (endlessType.test(type) || rowsType.test(type) || !(isText || type === ''))
    return { ...kept, ...(await streamed(response, type)), headers: { ...kept.headers, ...inert } };
  const isWhole = options.replaceLinks !== undefined || !takes(call, type);
  const limit = isWhole ? maxWhole : maxStart;
  const { bytes, rest } = await readStart(response.content(Number.POSITIVE_INFINITY), limit);
  if (rest && isWhole) {
    await rest.return?.(undefined);
    throw fail('remote.tooLarge', { limit });
  }
  if (rest) {
    const body = { open: () => Readable.from(rest), type: type || unknownType, ...sizeOf(response) };
    return { ...kept, headers: { ...kept.headers, ...inert }, body };
  }
  if (bytes.length === 0) return { ...kept, body: { text: '', type: type || 'text/plain' } };
  const text = decode(bytes, type);
  if (text === undefined)
    return { ...kept, headers: { ...kept.headers, ...inert }, body: { bytes, type: type || unknownType } };
  const found = { text: options.replaceLinks?.(text) ?? text, type: type || typeOf(text) };
  options.keep?.(found);
  const reply = replyOfText(call, found);
  const isSame = 'text' in reply.body && found.text === text;
  return {
    ...reply,
    status,
    headers: { ...withLinks(kept.headers, options), ...reply.headers },
    // Its own bytes, in whatever way they are letters.
    ...(isSame ? { body: { bytes, type: found.type } } : {}),
  };
}

/** A text in the format that the caller takes: as it is, or JSON in the format of this server, any other text as a value. */
export function replyOfText(call: Call, { text, type }: RemoteText): Reply {
  const asItIs: Reply = { headers: { ...inert }, body: { text, type } };
  if (takes(call, type)) return asItIs;
  if (!jsonType.test(type)) return answer(text);
  try {
    return answer(parseJson(text));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return asItIs;
  }
}

/** Whether a caller takes a text as it is. Without an Accept, and where it takes anything, JSON goes out as JSON. */
function takes(call: Call, type: string): boolean {
  const accept = (call.query.get('accept') ?? call.header('accept'))?.trim() ?? '';
  if (jsonType.test(type)) return negotiate(accept)?.name === 'json' && !/^text\/plain *(;|$)/i.test(accept);
  const media = mediaOf(type);
  const group = media.split('/')[0];
  return accept.split(',').some((part) => ['*/*', media, `${group}/*`].includes(mediaOf(part)));
}

const mediaOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

const unknownType = 'application/octet-stream';

/** Of an answer that says no type. */
function typeOf(text: string): string {
  try {
    parseJson(text);
    return 'application/json; charset=utf-8';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

/** Bytes as letters; undefined where they are none. */
function decode(bytes: Buffer, type: string): string | undefined {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** An answer as it comes: nothing of it is kept in memory, however long it is. */
async function streamed(response: OutsideResponse, type: string): Promise<Pick<Reply, 'body'>> {
  const { size } = sizeOf(response);
  // What is over already is there for all steps of the call.
  if (size !== undefined && size <= maxRefusal) return { body: { bytes: await response.bytes(size), type } };
  return {
    body: {
      open: () => response.content(Number.POSITIVE_INFINITY),
      type,
      ...sizeOf(response),
      ...(endlessType.test(type) ? { isOpenEnded: true } : {}),
    },
  };
}

/** How many bytes there will be, where the answer says so and they are sent as they are. */
function sizeOf({ headers }: OutsideResponse): { size?: number } {
  const size = Number(headers['content-length']);
  const isPlain = /^(identity)?$/i.test((headers['content-encoding'] ?? '').trim());
  return isPlain && Number.isSafeInteger(size) && size >= 0 ? { size } : {};
}

/** The bytes of a stream, where they are no more than `limit`; else all of them to be read, those that were read first. */
async function readStart(source: Readable, limit: number): Promise<{ bytes: Buffer; rest?: AsyncGenerator<Buffer> }> {
  const iterator: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let size = 0;
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
    chunks.push(step.value);
    size += step.value.length;
    if (size > limit) return { bytes: Buffer.alloc(0), rest: joined(chunks, iterator) };
  }
  return { bytes: Buffer.concat(chunks, size) };
}

async function* joined(chunks: Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    while (chunks.length > 0) yield chunks.shift() as Buffer;
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
  } finally {
    await iterator.return?.();
  }
}

// ---- headers ----

/**
 * What stays behind: how the answer was sent, what the answers of this server say themselves, and what a browser would do to all
 * that is at this address, the console included.
 */
const leftOut = new RegExp(
  `^(${[
    ...['connection', 'keep-alive', 'proxy-.*', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length'],
    ...['content-encoding', 'content-type', 'date', 'x-request-id', 'x-content-type-options', 'cdn-loop'],
    ...['access-control-.*', 'cross-origin-.*', 'content-security-policy.*', 'permissions-policy', 'referrer-policy'],
    ...['set-cookie2?', 'clear-site-data', 'strict-transport-security', 'public-key-pins.*', 'expect-ct', 'alt-svc'],
    ...['service-worker-allowed', 'origin-agent-cluster', 'refresh', 'report-to', 'reporting-endpoints', 'nel'],
    ...['www-authenticate', 'x-frame-options', 'sourcemap', 'x-sourcemap', 'speculation-rules', 'no-vary-search'],
    ...['expires', 'pragma', 'age', 'content-md5', 'digest', 'content-digest', 'repr-digest', 'early-data'],
  ].join('|')})$`,
);

/** The headers of a remote service that a caller gets. */
function callerHeaders(headers: OutsideResponse['headers']): Record<string, string> {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || leftOut.test(name) || named.has(name)) return [];
    const text = Array.isArray(value) ? value.join(', ') : value;
    // Calls have credentials: what the service lets everybody keep is not for caches that others share.
    if (name === 'cache-control' && !/private|no-store|no-cache/i.test(text)) return [];
    return [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

const linkHeaders = new Set(['location', 'content-location', 'link']);

const withLinks = (headers: Record<string, string>, { replaceLinks }: TextOptions): Record<string, string> =>
  replaceLinks
    ? Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, linkHeaders.has(name) ? replaceLinks(text) : text]),
      )
    : headers;

// ---- refusals ----

/** A status of 300 and above, with the words of the service; `hide` takes out what callers must not see. */
export async function refusalOf(response: OutsideResponse, hide: (text: string) => string): Promise<Failure> {
  const { status, headers } = response;
  const text = await wordsOf(response);
  const known = status >= 300 && status <= 599;
  const seconds = Number(headers['retry-after']);
  const words = hide(text) || STATUS_CODES[status] || `The remote service answered with the status ${status}.`;
  return fail(
    'remote.refused',
    { text: words },
    {
      ...(known ? { status, code: status } : {}),
      ...(Number.isInteger(seconds) && seconds > 0 ? { retryAfter: Math.min(seconds, 86_400) } : {}),
    },
  );
}

async function wordsOf(response: OutsideResponse): Promise<string> {
  try {
    const { bytes, rest } = await readStart(response.content(Number.POSITIVE_INFINITY), maxRefusal);
    await rest?.return?.(undefined);
    return rest ? '' : (decode(bytes, response.headers['content-type'] ?? '') ?? '');
  } catch {
    return '';
  }
}
