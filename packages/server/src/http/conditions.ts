// Conditions and ranges of requests for content that has validators (RFC 9110 §13 and §14).
import { fail } from '@sluice/contract';
import type { FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { ByteRange, Validators } from '../call/reply.ts';

/** Whether the caller has the content already. Validators are compared weakly, and count more than the date. */
export function isNotModified({ method, headers }: FastifyRequest, { etag, lastModified }: Validators): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    if (etag === undefined) return false;
    const opaque = etag.replace(/^W\//, '');
    return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((tag) => tag === opaque);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified !== undefined && wholeSeconds(lastModified) <= since;
}

/** Dates of headers have no fractions of seconds. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;

/**
 * The part of `size` bytes that a GET requests; undefined where all of them are sent: for several ranges, a unit other than
 * bytes, a part of other content. Throws `http.rangeNotSatisfiable` for a range beyond the end, or one that cannot be read.
 */
export function rangeOf(
  { method, headers }: FastifyRequest,
  validators: Validators,
  size: number,
): ByteRange | undefined {
  if (method !== 'GET' || headers.range === undefined || !isOfSameContent(headers['if-range'], validators))
    return undefined;
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) throw beyondTheEnd(size);
  return ranges !== -2 && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
}

/** Whether the caller's part is of this content, compared strongly; without the header it is for them to know. */
function isOfSameContent(ifRange: string | string[] | undefined, { etag, lastModified }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (typeof ifRange === 'string' && /^"/.test(ifRange)) return ifRange === etag;
  return lastModified !== undefined && ifRange === lastModified.toUTCString();
}

export const contentRange = (size: number, range?: ByteRange): string =>
  `bytes ${range ? `${range.start}-${range.end}` : '*'}/${size}`;

function beyondTheEnd(size: number) {
  const cause = Object.assign(new Error('range'), { headers: { 'Content-Range': contentRange(size) } });
  return fail('http.rangeNotSatisfiable', undefined, { cause });
}
