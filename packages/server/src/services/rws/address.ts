// The address that a call leads to: the base, the path of the call, and its query as the rules of parameters leave it.
import { fail } from '@sluice/contract';
import type { Call } from '../../call/call.ts';
import type { Fills } from '../engines/remote-calls.ts';
import { isAbout, type ParameterRule } from './config.ts';

export interface Target {
  address: string;
  /** The parameters by which kept answers are told apart. */
  cacheQuery: Pair[];
}

type Pair = readonly [name: string, value: string];

/** Characters of an address. */
const maxAddress = 8_000;

/** Throws `remote.badPath` for a path that would not stay below the base. */
export function targetOf(
  call: Pick<Call, 'verb' | 'path' | 'query'>,
  base: URL,
  { parameters, keepsSlash }: { parameters: readonly ParameterRule[]; keepsSlash: boolean },
  fills: Fills,
): Target {
  const { outbound, cacheQuery } = queryOf(call, parameters, fills);
  const path = escapePath(call.path, keepsSlash);
  const place = path === '' ? base.pathname : `${base.pathname.replace(/\/+$/, '')}/${path}`;
  const search = outbound.map((pair) => pair.map(escapeText).join('=')).join('&');
  const joint = search === '' ? '' : base.search === '' ? '?' : '&';
  const address = `${base.origin}${place}${base.search}${joint}${search}`;
  // What is escaped stays where it is, and this is why it does.
  if (address.length > maxAddress || new URL(address).pathname !== place) throw fail('remote.badPath');
  return { address, cacheQuery };
}

/** A path of a call, percent-encoded part by part. */
function escapePath(path: string, keepsSlash: boolean): string {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain === '') return '';
  const parts = plain.split('/');
  // An empty part or a dot is another place for many servers than for roles.
  if (parts.some((part) => part === '' || part === '.' || part === '..')) throw fail('remote.badPath');
  return parts.map(escapeText).join('/') + (keepsSlash && path.endsWith('/') ? '/' : '');
}

function escapeText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    // Half a character, from a script.
    throw fail('remote.badPath', undefined, { cause });
  }
}

/** What callers identify themselves with here; it is for others only where a rule without a value names it. */
const ownNames = new Set(['api_key', 'session_token']);

function queryOf(
  { verb, query }: Pick<Call, 'verb' | 'query'>,
  parameters: readonly ParameterRule[],
  fills: Fills,
): { outbound: Pair[]; cacheQuery: Pair[] } {
  const rules = parameters
    .filter((rule) => isAbout(rule, verb))
    .map((rule) => ({ ...rule, name: rule.name?.trim() ?? '', value: rule.value ?? '' }));
  const isListing = ({ name, value, exclude }: (typeof rules)[number]) =>
    !exclude && value === '' && ownNames.has(name.toLowerCase());
  const listed = new Set(rules.filter(isListing).map(({ name }) => name.toLowerCase()));
  const outbound: Pair[] = [];
  const cacheQuery: Pair[] = [];
  for (const [sentName, sentValue] of numbered(query.pairs())) {
    const name = sentName.replace(/\[.*$/s, '').toLowerCase();
    if (ownNames.has(name) && !listed.has(name)) continue;
    const pair = [sentName, fills.sent(sentValue)] as const;
    const excluded = rules.filter((rule) => rule.exclude && rule.name.toLowerCase() === name);
    if (!excluded.some((rule) => rule.outbound)) outbound.push(pair);
    if (!excluded.some((rule) => rule.cache_key)) cacheQuery.push(pair);
  }
  for (const rule of rules) {
    if (rule.exclude || isListing(rule)) continue;
    const pair = [rule.name, fills.rule(rule.value)] as const;
    if (rule.outbound) outbound.push(pair);
    if (rule.cache_key) cacheQuery.push(pair);
  }
  return { outbound, cacheQuery };
}

/** `a[]` of a list becomes `a[0]`, `a[1]` … */
function numbered(pairs: readonly Pair[]): Pair[] {
  const counts = new Map<string, number>();
  return pairs.map(([name, value]) => {
    if (!name.endsWith('[]')) return [name, value];
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return [`${name.slice(0, -1)}${count}]`, value];
  });
}
