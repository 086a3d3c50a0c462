// The address of a request taken apart: service, path below it, parameters (contract/http-basics.md §1).
import { fail } from '@sluice/contract';
import type { Query } from '../gateway/call.ts';

export interface Address {
  /** Lower-cased; empty for the list of services. */
  service: string;
  /** Below the service, decoded; case and a trailing slash are kept. */
  path: string;
  query: Query;
}

/** Takes the target of a request under `/api` apart; anything but clean UTF-8 is a 400. */
export function parseAddress(target: string): Address {
  const own = withoutAuthority(target);
  const mark = own.indexOf('?');
  const [rawPath, rawQuery] = mark < 0 ? [own, ''] : [own.slice(0, mark), own.slice(mark + 1)];
  const parts = rawPath.split('/').slice(2);
  if (parts[0] !== undefined && /^v[0-9.]+$/.test(parts[0])) parts.shift();
  const [service = '', ...rest] = parts.map((part) => decode(part, 'path', false));
  return { service: service.toLowerCase(), path: rest.join('/'), query: parseQuery(rawQuery) };
}

/** A client may name the host in the target too (`GET http://host/api`, RFC 9112 §3.2.2). */
const withoutAuthority = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');

/** The path of a target as it is told in logs and messages: without the query, and not endless. */
export const pathOf = (target = '/') => withoutAuthority(target).split('?')[0]!.slice(0, 200);

/** `a=1&b=x+y` by name; the first value of a repeated name counts. */
export function parseQuery(raw: string): Query {
  const values = new Map<string, string>();
  if (raw !== '') {
    for (const pair of raw.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'query', true);
      if (!values.has(name)) values.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1), 'query', true));
    }
  }
  return { get: (name) => values.get(name), has: (name) => values.has(name), names: () => [...values.keys()] };
}

function decode(text: string, where: string, plusIsBlank: boolean): string {
  const plain = plusIsBlank && text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!plain.includes('%')) return plain;
  let decoded: string;
  try {
    decoded = decodeURIComponent(plain);
  } catch (cause) {
    throw fail('http.invalidUtf8', { where }, { cause });
  }
  if (decoded.includes('\0')) throw fail('http.badAddress', { problem: 'it holds a NUL character.' });
  return decoded;
}
