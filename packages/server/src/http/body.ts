// Reading a request's body: late, once, never more than the limit.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { fail } from '@sluice/contract';

/**
 * The bytes of a body; more than `limit` is a 413, told before anything is buffered where the length is announced, and
 * one that breaks off is a 400.
 */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) throw fail('http.bodyTooLarge', { limit });
    // Gone before anyone asked for it: none of the events below would come.
    if (request.destroyed) throw fail('http.bodyBroken');
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.pause();
        reject(fail('http.bodyTooLarge', { limit }));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', (cause) => reject(fail('http.bodyBroken', undefined, { cause })));
    request.on('close', () => {
      if (!request.complete) reject(fail('http.bodyBroken'));
    });
  });
}

/** Bytes as text; anything but UTF-8 is a 400. A byte order mark is taken off. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw fail('http.invalidUtf8', { where: 'body' });
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

const byteOrderMark = 0xfeff;
