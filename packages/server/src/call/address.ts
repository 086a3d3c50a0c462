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

/** Parses the target of a request under `/api`; anything but clean UTF-8 is a 400. */
export function parseAddress(target: string): Address {
  const originForm = withoutAuthority(target);
  const questionMark = originForm.indexOf('?');
  const [rawPath, rawQuery] =
    questionMark < 0 ? [originForm, ''] : [originForm.slice(0, questionMark), originForm.slice(questionMark + 1)];
  // After `/api/` and the version, which may be left out.
  const slashAfterApi = rawPath.indexOf('/', 1);
  const rest = slashAfterApi < 0 ? '' : rawPath.slice(slashAfterApi + 1).replace(/^v[0-9.]+(\/|$)/, '');
  const slash = rest.indexOf('/');
  const service = decode(slash < 0 ? rest : rest.slice(0, slash), 'path').toLowerCase();
  return { service, path: slash < 0 ? '' : decode(rest.slice(slash + 1), 'path'), query: parseQuery(rawQuery) };
}

/** A client may name the host in the target too (`GET http://host/api`, RFC 9112 §3.2.2). */
const withoutAuthority = (target: string) =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');

/** What a target names at its host, whatever host it names. */
export const pathAndQuery = (target = '/'): string => {
  const text = withoutAuthority(target);
  return text.startsWith('/') ? text : `/${text}`;
};

/** The path of a target for logs and messages: without the query, and of bounded length. */
export const loggedPath = (target = '/') => withoutAuthority(target).split('?')[0]!.slice(0, 200);

/** Parameters by name. */
class Parameters implements Query {
  private readonly values: ReadonlyMap<string, string>;
  /** Further values of repeated names. */
  private readonly repeated: readonly (readonly [string, string])[];

  constructor(values: ReadonlyMap<string, string>, repeated: readonly (readonly [string, string])[] = []) {
    this.values = values;
    this.repeated = repeated;
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

  pairs(): (readonly [string, string])[] {
    return [...this.values, ...this.repeated];
  }
}

const noParameters = new Parameters(new Map());

/** Parameters that do not come from an address: a step gives them to a call. */
export const queryOf = (values: ReadonlyMap<string, string>): Query => new Parameters(values);

/** `a=1&b=x+y` by name. */
export function parseQuery(raw: string): Query {
  if (raw === '') return noParameters;
  const values = new Map<string, string>();
  let repeated: [string, string][] | undefined;
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), 'query');
    if (!values.has(name)) values.set(name, value);
    else {
      repeated ??= [];
      repeated.push([name, value]);
    }
  }
  return new Parameters(values, repeated);
}

/** In a query `+` is a blank, and a `%` that begins no escape is one: people type `name like '%Love%'` into an address bar. */
function decode(text: string, where: 'path' | 'query'): string {
  const isQuery = where === 'query';
  const spaced = isQuery && text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const escaped = isQuery ? spaced.replace(/%(?![\da-f]{2})/gi, '%25') : spaced;
  let decoded: string;
  try {
    decoded = decodeURIComponent(escaped);
  } catch (cause) {
    throw fail('http.invalidUtf8', { where }, { cause });
  }
  if (decoded.includes('\0')) throw fail('http.badAddress', { problem: 'it holds a NUL character.' });
  return decoded;
}
