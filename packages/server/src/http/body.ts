// Reading a request's body, whole or as it comes: late, once, never more than the limit.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import type { Reservation } from '../call/byte-budget.ts';

/** Whether a request has a body, as its head says; one of no bytes counts. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Chunks that are joined while more come: each takes a kilobyte of memory, however short it is. */
const joinedChunks = 256;

/**
 * The bytes of a body, counted in `reservation` as they come. More than `limit` is a 413, before anything is buffered where the length
 * is announced; a body that breaks off or comes in tiny chunks is a 400, one that there is no room for a 429, 503 or 408.
 */
export function readBytes(request: IncomingMessage, limit: number, reservation?: Reservation): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    refuseAnnouncedLength(request, limit);
    // The request is gone already: none of the events below would come.
    if (request.destroyed) throw fail('http.bodyBroken');
    const check = chunkCheck(limit);
    let received: Buffer[] = [];
    let last: Buffer[] = [];
    const refuse = (failure: Failure) => {
      request.off('data', take);
      request.pause();
      received = last = [];
      reject(failure);
    };
    const take = (chunk: Buffer) => {
      const failure = check(chunk);
      if (failure) return refuse(failure);
      last.push(chunk);
      if (last.length === joinedChunks) {
        received.push(Buffer.concat(last));
        last = [];
      }
      try {
        reservation?.take(chunk.length);
      } catch (error) {
        refuse(error as Failure);
      }
    };
    if (reservation)
      reservation.peer = { isAwaited: () => !request.complete, breakOff: () => refuse(fail('http.bodyTooSlow')) };
    request.on('data', take);
    request.on('end', () => {
      const chunks = [...received, ...last];
      // One chunk is the common case: nothing is copied for it.
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('error', (cause) => reject(fail('http.bodyBroken', undefined, { cause })));
    request.on('close', () => {
      if (!request.complete) reject(fail('http.bodyBroken'));
    });
  });
}

const streamed = new WeakSet<IncomingMessage>();

/** Whether a body is being read as it comes, and may take as long as it likes. */
export const isStreamed = (request: IncomingMessage): boolean => streamed.has(request);

/** The bytes of a body as they come, with the failures of `readBytes`; an unread rest is discarded. */
export function streamBytes(request: IncomingMessage, limit: number): Readable {
  refuseAnnouncedLength(request, limit);
  streamed.add(request);
  return Readable.from(boundedChunks(request, limit));
}

async function* boundedChunks(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const check = chunkCheck(limit);
  try {
    // Destroying the request would close the connection, and the answer is not sent yet.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const failure = check(chunk);
      if (failure) throw failure;
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof Failure ? cause : fail('http.bodyBroken', undefined, { cause });
  } finally {
    // What is left is not wanted any more, so it has the time of a body that is not streamed.
    streamed.delete(request);
    // The connection may be kept for another request, which comes after the rest.
    request.resume();
  }
}

/** Bytes of a tiny chunk: it costs as much to receive as one of 64 KB. */
const tinyChunk = 16;

/** Tiny chunks a body may come in: enough for a long text that is written token by token. */
const maxTinyChunks = (limit: number) => Math.max(1000, Math.floor(limit / 100));

/** Counts the chunks of a body, and answers a failure when they are too much or, on average, too many tiny ones. */
function chunkCheck(limit: number): (chunk: Buffer) => Failure | undefined {
  const max = maxTinyChunks(limit);
  let chunks = 0;
  let size = 0;
  return ({ length }) => {
    chunks += 1;
    size += length;
    if (size > limit) return fail('http.bodyTooLarge', { limit });
    if (chunks > max && size < chunks * tinyChunk) return fail('http.chunksTooSmall', { max, bytes: tinyChunk });
    return undefined;
  };
}

function refuseAnnouncedLength({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw fail('http.bodyTooLarge', { limit });
}

/** Bytes as text; anything but UTF-8 is a 400. A byte order mark is removed. */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw fail('http.invalidUtf8', { where: 'body' });
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

const byteOrderMark = 0xfeff;
