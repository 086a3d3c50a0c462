// Puts in what `{user.id}` and other lookups stand for, in values that were sent.
import { ExactNumber, fillBraces } from '@sluice/contract';
import type { Lookup } from './lookups.ts';

/** Replaces `{name}` in every text of a value, lists and objects included; unknown names stay as written. */
export function replaceLookups(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') return fillBraces(value, lookup);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map((item) => replaceLookups(item, lookup));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLookups(item, lookup)]));
}
