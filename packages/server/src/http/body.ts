// Reading a request's body, whole or as it comes: late, once, never more than the limit.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import { refuseCrumbs } from './crumbs.ts';
import type { BodyHold } from './holding.ts';

/**
 * The bytes of a body, counted in `hold` as they come. More than `limit` is a 413, before anything is buffered where the length
 * is announced; a body that breaks off or comes in crumbs is a 400, one that there is no room for a 429, 503 or 408.
 */
export function readBytes(request: IncomingMessage, limit: number, hold?: BodyHold): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    refuseAnnouncedLength(request, limit);
    // The request is gone already: none of the events below would come.
    if (request.destroyed) throw fail('http.bodyBroken');
    let received: Buffer[] = [];
    let size = 0;
    const refuse = (failure: Failure) => {
      request.off('data', take);
      request.pause();
      received = [];
      reject(failure);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      const failure = refuseSize(request, size, limit);
      if (failure) return refuse(failure);
      received.push(chunk);
      hold?.add(chunk.length, refuse);
    };
    request.on('data', take);
    request.on('end', () => {
      hold?.complete();
      // One chunk is the common case: nothing is copied for it.
      resolve(received.length === 1 ? received[0]! : Buffer.concat(received));
    });
    request.on('error', (cause) => reject(fail('http.bodyBroken', undefined, { cause })));
    request.on('close', () => {
      if (!request.complete) reject(fail('http.bodyBroken'));
    });
  });
}

/** The bytes of a body as they come, with the failures of `readBytes`; an unread rest is discarded. */
export function streamBytes(request: IncomingMessage, limit: number): Readable {
  refuseAnnouncedLength(request, limit);
  return Readable.from(boundedChunks(request, limit));
}

async function* boundedChunks(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    // Destroying the request would close the connection, and the answer is not sent yet.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      const failure = refuseSize(request, size, limit);
      if (failure) throw failure;
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof Failure ? cause : fail('http.bodyBroken', undefined, { cause });
  } finally {
    // The connection may be kept for another request, which comes after the rest.
    request.resume();
  }
}

/** The failure, if what has come so far is too much, or too many crumbs. */
const refuseSize = (request: IncomingMessage, size: number, limit: number): Failure | undefined =>
  size > limit ? fail('http.bodyTooLarge', { limit }) : refuseCrumbs(request, limit);

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
