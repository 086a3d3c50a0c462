// What a call is answered with. A reply belongs to its call: steps may replace its parts. The content of its body may be
// shared, since services hand out what they cache, and must not be changed in place.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Row, Rows } from '@sluice/sql';
import { parseJson, streamJson } from './formats/json.ts';

export interface Reply {
  status?: number;
  /** Headers that do not follow from the body. */
  headers?: Record<string, string>;
  body: ReplyBody;
}

export type ReplyBody = FormattedBody | RawBody;

/**
 * Goes out in the format the caller asks for: JSON, XML or CSV. `json` is a finished JSON text, parsed
 * again only where it must be; `fields` as in `RowStream`.
 */
export type FormattedBody = { value: unknown } | { json: string; fields?: readonly string[] } | { rows: RowStream };

/** Goes out as it is. */
export type RawBody = (TextBody | BytesBody | StreamBody) & Validators;

interface TextBody {
  text: string;
  /** The whole `Content-Type`. */
  type: string;
}

interface BytesBody {
  bytes: Uint8Array;
  type: string;
}

/** Bytes that go out as they come. */
export interface StreamBody {
  /**
   * Opens the source: all its bytes, or those of a range. Nothing may be open before, since an answer may need none of it:
   * a HEAD, a 304, a reply that a step replaces.
   */
  open(range?: ByteRange): MaybePromise<Readable>;
  type: string;
  /** How many bytes there are, where that is known. */
  size?: number;
  /** `open` can give a part, so callers may request one; takes a `size`. */
  hasRanges?: boolean;
  /** Goes on for as long as its caller stays, whatever its pauses (server-sent events): it ends when the server stops. */
  isOpenEnded?: boolean;
}

/** The first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What tells a caller that they have the content already. */
export interface Validators {
  /** The whole validator, with its quotes. */
  etag?: string;
  /** Counts by whole seconds. */
  lastModified?: Date;
}

/** Records that go out as they come, `{"resource":[…]}`, however many there are. */
export interface RowStream {
  batches: AsyncIterable<Rows>;
  /** Names of the fields, for the header line of CSV where there is no record. */
  fields?: readonly string[];
  /** The text of `,"meta":{…}`, or nothing; asked for when `count` records are out. */
  meta(count: number): Promise<string>;
}

/** Rows of values, without keys that join them to others. */
export const rowsOf = (list: Row[]): Rows => ({
  count: list.length,
  json: () => JSON.stringify(list),
  list: () => list,
  withKeys: () => [],
});

/** A 200 with a value. */
export const answer = (value: unknown, status = 200): Reply => ({ status, body: { value } });

export const isRaw = (body: ReplyBody): body is RawBody => 'type' in body;

/**
 * A reply as a value, for a step that wants to look into it: what `value`, `json` and `rows` show on the wire, and of a
 * raw body what `valueOfBytes` makes of it; a `text` is the text. The reply can be sent afterwards as before: rows and
 * streams, which can be read only once, are replaced in it by what was read. What is longer than `limit` bytes, unless it
 * is a value already, fails with `call.answerTooLarge`; then, and when its source fails, the reply cannot be sent.
 */
export function readValue(reply: Reply, limit: number): MaybePromise<unknown> {
  const { body } = reply;
  if ('value' in body) return body.value;
  if ('rows' in body || 'open' in body) return readSource(reply, body, limit);
  const content = 'json' in body ? body.json : 'text' in body ? body.text : body.bytes;
  if (Buffer.byteLength(content) > limit) throw fail('call.answerTooLarge', { limit });
  if ('json' in body) return JSON.parse(body.json);
  return 'text' in body ? body.text : valueOfBytes(body.bytes, body.type);
}

async function readSource(
  reply: Reply,
  body: { rows: RowStream } | (StreamBody & Validators),
  limit: number,
): Promise<unknown> {
  try {
    if ('rows' in body) {
      reply.body = { json: (await collectBytes(streamJson(body.rows), limit)).toString() };
      return JSON.parse(reply.body.json);
    }
    const { type, size = 0, etag, lastModified } = body;
    if (size > limit || body.isOpenEnded) throw fail('call.answerTooLarge', { limit });
    const bytes = await collectBytes(chunksOf(await body.open(), body.size), limit);
    reply.body = { bytes, type, etag, lastModified };
    return valueOfBytes(bytes, type);
  } catch (error) {
    discard({ body });
    reply.body = { rows: failingRows(error) };
    throw error;
  }
}

/** Replaces a source that was read in part: its rest must not pass for an answer. */
function failingRows(error: unknown): RowStream {
  const reject = () => Promise.reject(error);
  return { batches: { [Symbol.asyncIterator]: () => ({ next: reject }) }, meta: reject };
}

/** The bytes of a body that goes out as it is; more than `limit` fails with `call.answerTooLarge`. It cannot be sent afterwards. */
export async function readBytes(body: RawBody, limit: number): Promise<Uint8Array> {
  if ('open' in body) {
    if ((body.size ?? 0) > limit || body.isOpenEnded) throw fail('call.answerTooLarge', { limit });
    return collectBytes(chunksOf(await body.open(), body.size), limit);
  }
  const bytes = 'text' in body ? Buffer.from(body.text) : body.bytes;
  if (bytes.length > limit) throw fail('call.answerTooLarge', { limit });
  return bytes;
}

async function collectBytes(pieces: AsyncIterable<string | Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += chunk.length;
    if (size > limit) throw fail('call.answerTooLarge', { limit });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The bytes of a stream; one that has more or fewer of them than `size` fails. */
export async function* chunksOf(stream: Readable, size?: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of stream) {
    const chunk: Uint8Array = typeof piece === 'string' ? Buffer.from(piece) : piece;
    count += chunk.length;
    if (size !== undefined && count > size) break;
    yield chunk;
  }
  if (size !== undefined && count !== size) throw new Error(`a stream of ${size} bytes had ${count}`);
}

const jsonTypePattern = /^(application|text)\/([^;]+\+)?json *(;|$)/i;
const textTypePattern = /^text\/|^[^;]+[/+](xml|javascript|x-www-form-urlencoded) *(;|$)/i;

/**
 * Bytes of a JSON type parsed, those of another type that is text as text, others as base64. JSON that no body of a call
 * may hold (malformed, too deep, integers past 2^53) is its text, and a text that is no UTF-8 is base64.
 */
export function valueOfBytes(bytes: Uint8Array, type: string): unknown {
  const isJson = jsonTypePattern.test(type);
  if (!(isJson || textTypePattern.test(type)) || !isUtf8(bytes)) return Buffer.from(bytes).toString('base64');
  const text = new TextDecoder().decode(bytes);
  if (!isJson) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return text;
  }
}

/** Ends the rows of a reply that will not be sent. Their errors are ignored from then on. A stream is not open yet. */
export function discard({ body }: Pick<Reply, 'body'>): void {
  if ('rows' in body) Promise.resolve(body.rows.batches[Symbol.asyncIterator]().return?.()).catch(() => {});
}
