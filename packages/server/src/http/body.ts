// Reading a request's body: late, once, never more than the limit.
import type { IncomingMessage } from 'node:http';
import { fail } from '@sluice/contract';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes of a body; more than `limit` is a 413, told before anything is buffered where the length is announced. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw fail('http.bodyTooLarge', { limit });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > limit) throw fail('http.bodyTooLarge', { limit });
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Bytes as text; anything but UTF-8 is a 400. A byte order mark is taken off. */
export function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw fail('http.invalidUtf8', { where: 'body' }, { cause });
  }
}
