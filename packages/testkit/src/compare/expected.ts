// Differences that are meant: a list in a file, so that a run says only what nobody announced.
import { readFileSync } from 'node:fs';
import type { Difference } from './compare.ts';

/** All that is named has to fit. A difference that is meant has a reason; a line without a difference is a mistake. */
export interface Expectation {
  why: string;
  /** A piece of the call's title, such as `405` in the name of its group or `PUT shop/_table`. */
  call?: string;
  /** `status`, `header allow`, `body error.message`; with a `*` at its end what begins so. */
  place: string;
  was?: string;
  now?: string;
}

/** Reads a list of expectations; throws when it is none. */
export function readExpectations(file: string): Expectation[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isExpectation = (item: unknown): item is Expectation => {
    if (typeof item !== 'object' || item === null) return false;
    const { why, place, ...rest } = item as Record<string, unknown>;
    const named = Object.entries(rest);
    return (
      typeof why === 'string' &&
      typeof place === 'string' &&
      named.every(([key, value]) => ['call', 'was', 'now'].includes(key) && typeof value === 'string')
    );
  };
  if (!Array.isArray(list) || !list.every(isExpectation))
    throw new Error(`${file} has to be a list of { "why", "place", and maybe "call", "was", "now" }, all texts.`);
  return list;
}

/** The expectation a difference meets. */
export function expectationOf(
  expectations: readonly Expectation[],
  title: string,
  difference: Difference,
): Expectation | undefined {
  return expectations.find(
    ({ call, place, was, now }) =>
      (call === undefined || title.includes(call)) &&
      (place.endsWith('*') ? difference.place.startsWith(place.slice(0, -1)) : difference.place === place) &&
      (was === undefined || difference.was === was) &&
      (now === undefined || difference.now === now),
  );
}
