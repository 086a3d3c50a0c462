// Reading a request's body, whole or as it comes: late, once, never more than the limit.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
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
    const received = new Received();
    const bounds = new Bounds(limit);
    const refuse = (failure: Failure) => {
      request.off('data', take);
      request.pause();
      received.clear();
      reject(failure);
    };
    const take = (chunk: Buffer) => {
      const failure = bounds.add(chunk);
      if (failure) return refuse(failure);
      received.add(chunk);
      hold?.add(chunk.length, refuse);
    };
    request.on('data', take);
    request.on('end', () => {
      hold?.complete();
      resolve(received.whole());
    });
    request.on('error', (cause) => reject(fail('http.bodyBroken', undefined, { cause })));
    request.on('close', () => {
      if (!request.complete) reject(fail('http.bodyBroken'));
    });
  });
}

/** Bytes of a chunk that is a crumb: it costs as much to receive as one of 64 KB. */
const crumb = 16;

/** Crumbs a body may come in: enough for those who write a long text token by token. */
const maxCrumbs = (limit: number) => Math.max(1000, Math.floor(limit / 100));

/** What has come of a body, against what may come. */
class Bounds {
  private readonly limit: number;
  private bytes = 0;
  private chunks = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The failure, if this chunk is too much. */
  add(chunk: Buffer): Failure | undefined {
    this.bytes += chunk.length;
    this.chunks += 1;
    if (this.bytes > this.limit) return fail('http.bodyTooLarge', { limit: this.limit });
    const max = maxCrumbs(this.limit);
    return this.chunks > max && this.bytes < this.chunks * crumb
      ? fail('http.chunksTooSmall', { max, bytes: crumb })
      : undefined;
  }
}

/** Bytes of a chunk that is kept as it came; smaller ones are copied together. */
const largeChunk = 4096;

/**
 * The chunks of a body so far. A caller may send them a byte at a time: each would keep some hundred bytes of memory, and the
 * buffer it was received in.
 */
class Received {
  private chunks: Buffer[] = [];
  /** What small chunks are copied into, and how much of it is taken. */
  private gathered = Buffer.alloc(0);
  private taken = 0;

  add(chunk: Buffer): void {
    // One chunk is the common case: nothing is copied for it.
    if (chunk.length >= largeChunk || this.chunks.length === 0) {
      this.endGathering();
      this.chunks.push(chunk);
      return;
    }
    if (this.taken + chunk.length > this.gathered.length) {
      this.endGathering();
      this.gathered = Buffer.allocUnsafe(16 * largeChunk);
    }
    this.taken += chunk.copy(this.gathered, this.taken);
  }

  clear(): void {
    this.chunks = [];
    this.gathered = Buffer.alloc(0);
    this.taken = 0;
  }

  whole(): Buffer {
    this.endGathering();
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }

  private endGathering(): void {
    if (this.taken > 0) this.chunks.push(this.gathered.subarray(0, this.taken));
    this.gathered = this.gathered.subarray(this.taken);
    this.taken = 0;
  }
}

/** The bytes of a body as they come, with the failures of `readBytes`; an unread rest is discarded. */
export function streamBytes(request: IncomingMessage, limit: number): Readable {
  refuseAnnouncedLength(request, limit);
  return Readable.from(boundedChunks(request, limit));
}

async function* boundedChunks(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const bounds = new Bounds(limit);
  try {
    // Destroying the request would close the connection, and the answer is not sent yet.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const failure = bounds.add(chunk);
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
