// The address of a request taken apart: service, path below it, parameters (contract/http-basics.md §1).
import { fail } from '@sluice/contract';
import type { Query } from './call.ts';

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
  // Behind `/api/` and the version, which may be left out.
  const below = rawPath.indexOf('/', 1);
  const rest = below < 0 ? '' : rawPath.slice(below + 1).replace(/^v[0-9.]+(\/|$)/, '');
  const slash = rest.indexOf('/');
  const service = decode(slash < 0 ? rest : rest.slice(0, slash), 'path').toLowerCase();
  return { service, path: slash < 0 ? '' : decode(rest.slice(slash + 1), 'path'), query: parseQuery(rawQuery) };
}

/** A client may name the host in the target too (`GET http://host/api`, RFC 9112 §3.2.2). */
const withoutAuthority = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');

/** The path of a target as it is told in logs and messages: without the query, and not endless. */
export const pathOf = (target = '/') => withoutAuthority(target).split('?')[0]!.slice(0, 200);

/** Parameters by name. */
class Parameters implements Query {
  private readonly values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values;
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  names(): string[] {
    return [...this.values.keys()];
  }
}

const noParameters = new Parameters(new Map());

/** Parameters that are not of an address: those a step gives a call. */
export const queryOf = (values: ReadonlyMap<string, string>): Query => new Parameters(values);

/** `a=1&b=x+y` by name. */
export function parseQuery(raw: string): Query {
  if (raw === '') return noParameters;
  const values = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'query');
    if (!values.has(name)) values.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1), 'query'));
  }
  return new Parameters(values);
}

/** In a query `+` is a blank, and a `%` that begins no escape is one: people type `name like '%Love%'` into an address bar. */
function decode(text: string, where: 'path' | 'query'): string {
  const isQuery = where === 'query';
  const blanks = isQuery && text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!blanks.includes('%')) return blanks;
  const plain = isQuery ? blanks.replace(/%(?![\da-f]{2})/gi, '%25') : blanks;
  let decoded: string;
  try {
    decoded = decodeURIComponent(plain);
  } catch (cause) {
    throw fail('http.invalidUtf8', { where }, { cause });
  }
  if (decoded.includes('\0')) throw fail('http.badAddress', { problem: 'it holds a NUL character.' });
  return decoded;
}
