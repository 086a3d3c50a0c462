// A reply as the answer to a request. A raw body goes out as it is, everything else in the format the caller asks for.
import { addAbortSignal, Readable } from 'node:stream';
import { chain, fail, type MaybePromise } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shortAnswer } from '../call/byte-budget.ts';
import { contentDisposition } from '../call/content-disposition.ts';
import { downloadOf, formatFor, negotiate, type ReplyFormat } from '../call/formats/index.ts';
import {
  type ByteRange,
  chunksOf,
  discard,
  isRaw,
  type RawBody,
  type Reply,
  type RowStream,
  type StreamBody,
  type Validators,
} from '../call/reply.ts';
import type { Platform } from '../gateway/platform.ts';
import type { HttpCall } from './call.ts';
import { contentRange, isNotModified, rangeOf } from './conditions.ts';
import { countPieces, cutIntoPieces, sizeOf, streamPieces } from './pieces.ts';
import { jsonText, printBody } from './print.ts';

/** Answers a call: the reply with the headers of all answers of the API, and `file=` as a download. */
export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  call: HttpCall,
  answer: Reply,
  platform: Platform,
): MaybePromise<unknown> {
  const { body } = answer;
  reply.status(answer.status ?? 200).header('Cache-Control', 'no-store');
  if (answer.headers) reply.headers(answer.headers);
  if (call.writtenHeaders) writeHeaders(reply, call.writtenHeaders);
  const download = downloadOf(call.query.get('file'), call.path);
  if (download) reply.header('Content-Disposition', contentDisposition(download.name));
  setHeaders(request, reply);
  if (isRaw(body)) return sendRaw(request, reply, body, platform);
  const negotiated = download?.format ?? negotiate(call.query.get('accept') ?? call.header('accept'));
  if (!negotiated) {
    discard(answer);
    throw fail('http.notAcceptable', { content: 'rows' in body ? '' : jsonText(body).slice(0, 500) });
  }
  const format = formatFor(call, negotiated);
  if ('rows' in body) return sendRows(request, reply, body.rows, format, platform);
  return chain(
    printBody(body, format, () => call.memory),
    (text) => sendWhole(request, reply, format.contentType, text),
  );
}

/** Headers that steps of a call wrote for its answer. */
export function writeHeaders(reply: FastifyReply, headers: ReadonlyMap<string, string>): void {
  for (const [name, value] of headers) reply.header(name, value);
}

/** The headers of every answer of the API, whatever headers a reply has. */
export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('X-Request-Id', request.id)
    // A browser must not take stored text for a page.
    .header('X-Content-Type-Options', 'nosniff');
  if (request.server.stopping.isAnnounced) reply.header('Connection', 'close');
  if (request.corsHeaders) setCorsHeaders(reply, request.corsHeaders);
}

/** Caches must not give the answer for one origin to another. */
function setCorsHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  const vary = String(reply.getHeader('Vary') ?? '');
  if (!/(^|,) *(\*|origin) *(,|$)/i.test(vary)) reply.header('Vary', vary === '' ? 'Origin' : `${vary}, Origin`);
  reply.headers(headers);
}

/** HEAD keeps every header of the GET, its length included, and sends no body. */
export function sendWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  content: string | Buffer | Buffer[],
): FastifyReply {
  reply.header('Content-Type', type);
  if (request.method === 'HEAD') {
    const size = Array.isArray(content) ? sizeOf(content) : Buffer.byteLength(content);
    return reply.header('Content-Length', size).send();
  }
  if (Array.isArray(content)) return sendLong(request, reply, content);
  return content.length <= shortAnswer ? reply.send(content) : sendLong(request, reply, cutIntoPieces(content));
}

/** Sends pieces of content. Throws `http.noMemory` or `http.answersUnread` where it is too much beside other answers. */
function sendLong({ call }: FastifyRequest, reply: FastifyReply, pieces: Buffer[]): FastifyReply {
  const size = sizeOf(pieces);
  const memory = call?.memory;
  // What the text had in memory is gone with it.
  const before = memory?.bytes ?? 0;
  if (size > before) memory?.take(size - before);
  else memory?.release(before - size);
  return reply.header('Content-Length', size).send(streamPieces(pieces, memory));
}

// ---- raw bodies ----

/**
 * Sends a raw body with its type, length and validators and no other headers than `reply` has already: an answer of the
 * API, or a page beside it. A caller who has the content already gets a 304, one who requests a range that part (206).
 */
export function sendRaw(
  request: FastifyRequest,
  reply: FastifyReply,
  body: RawBody,
  platform: Platform,
): MaybePromise<unknown> {
  if (body.etag !== undefined) reply.header('ETag', body.etag);
  if (body.lastModified) reply.header('Last-Modified', body.lastModified.toUTCString());
  if (reply.statusCode === 200 && isNotModified(request, body)) return reply.status(304).send();
  if ('open' in body) return sendStream(request, reply, body, platform);
  return sendWhole(request, reply, body.type, 'text' in body ? body.text : bufferOf(body.bytes));
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// ---- streams ----

/** Milliseconds for which a caller may read nothing of a streamed answer. */
const idleTimeout = 60_000;

async function sendRows(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: RowStream,
  format: ReplyFormat,
  platform: Platform,
): Promise<void> {
  const rest = rows.batches[Symbol.asyncIterator]();
  const first = await rest.next();
  reply.header('Content-Type', format.contentType);
  if (request.method === 'HEAD') {
    await rest.return?.();
    reply.send();
    return;
  }
  const end = () => Promise.resolve(rest.return?.()).catch((error: unknown) => platform.metrics.countFailure(error));
  const batches = streamItems(first, rest, request, reply, platform);
  if (reply.raw.destroyed) await end();
  else reply.raw.once('close', end);
  sendPieces(request, reply, format.stream({ ...rows, batches }), platform);
}

async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  body: StreamBody & Validators,
  platform: Platform,
): Promise<void> {
  reply.header('Content-Type', body.type);
  let { size } = body;
  let range: ByteRange | undefined;
  if (body.hasRanges && size !== undefined && reply.statusCode === 200) {
    reply.header('Accept-Ranges', 'bytes');
    range = rangeOf(request, body, size);
    if (range) {
      reply.status(206).header('Content-Range', contentRange(size, range));
      size = range.end - range.start + 1;
    }
  }
  if (size !== undefined) reply.header('Content-Length', size);
  if (request.method === 'HEAD') {
    reply.send();
    return;
  }
  const stream = await body.open(range);
  // The reader of the stream gets its errors; the caller may be gone before there is one.
  const end = () => stream.on('error', () => {}).destroy();
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
  if (body.isOpenEnded) {
    sendOpenEnded(request, reply, stream, platform);
    return;
  }
  const rest = chunksOf(stream, size);
  const first = await rest.next().catch((error: unknown) => {
    if (!isClosedByCaller(reply, error)) throw error;
  });
  if (first) sendPieces(request, reply, streamItems(first, rest, request, reply, platform), platform);
}

/** Milliseconds without traffic after which the other side of an open-ended answer is probed. */
const probeDelay = 60_000;

/** Sends the head at once, and what comes whenever it comes. It ends well when the server stops: there is another one to ask. */
function sendOpenEnded(request: FastifyRequest, reply: FastifyReply, stream: Readable, platform: Platform): void {
  const { signal } = request.server.stopping;
  // It may be silent for hours: that its caller is gone without a word, the system finds out.
  request.socket.setKeepAlive(true, probeDelay);
  const chunks = async function* () {
    try {
      yield* chunksOf(addAbortSignal(signal, stream));
    } catch (error) {
      if (signal.aborted || isClosedByCaller(reply, error)) return;
      reportBreak(request, platform, error);
      throw error;
    }
  };
  reply.send(Readable.from(countPieces(chunks(), request.call?.memory)));
  reply.raw.flushHeaders();
}

function sendPieces(
  { call }: FastifyRequest,
  reply: FastifyReply,
  source: AsyncIterable<string | Uint8Array>,
  { settings }: Platform,
): void {
  // Nothing goes out for so long where the caller does not read, or the source has nothing: it may take its own time for each piece.
  reply.raw.setTimeout(idleTimeout + settings.queryTimeout, () => reply.raw.destroy());
  // What was read before counts again as it is handed out.
  call?.memory?.release(call.memory.bytes);
  reply.send(Readable.from(countPieces(source, call?.memory)));
}

/**
 * The first item and those after it. The first is read before the answer begins, so that an early error is answered as
 * one; a later error closes the connection: an answer cut short must not look whole.
 */
async function* streamItems<T>(
  first: IteratorResult<T>,
  rest: AsyncIterator<T>,
  request: FastifyRequest,
  reply: FastifyReply,
  platform: Platform,
): AsyncGenerator<T> {
  try {
    for (let step = first; !step.done; step = await rest.next()) {
      await pause();
      yield step.value;
    }
  } catch (error) {
    if (!isClosedByCaller(reply, error)) reportBreak(request, platform, error);
    throw error;
  } finally {
    await rest.return?.();
  }
}

/** Counts and logs the failure of an answer that has begun: it cannot be answered any more. */
function reportBreak({ id, log }: FastifyRequest, { metrics }: Platform, error: unknown): void {
  metrics.countFailure(error);
  log.warn({ reqId: id, err: error }, 'an answer was broken off');
}

/** Whether a stream fails only because the caller went away. */
const isClosedByCaller = (reply: FastifyReply, error: unknown) =>
  reply.raw.destroyed && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
