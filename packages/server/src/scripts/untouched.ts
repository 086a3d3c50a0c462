// What a script left as it was stays as it was, although its language has other numbers and lists than JSON.
import { ExactNumber } from '@sluice/contract';

/**
 * The value after a script with every part of the one before that it did not change: a number that is the same double, an empty
 * list in place of an empty object (PHP has one kind).
 */
export function keepUntouched(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after))
    return after.map((item, index) => keepUntouched(before[index], item));
  if (!isPlain(before) || !isPlain(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      Object.hasOwn(before, name) ? keepUntouched(before[name], value) : value,
    ]),
  );
}

/** Whether a script left a value as it was. */
export function isSame(before: unknown, after: unknown): boolean {
  if (before instanceof ExactNumber || typeof before === 'number') {
    const number = Number(before);
    return Number.isFinite(number) ? number === after : after === null;
  }
  if (Array.isArray(before))
    return (
      Array.isArray(after) &&
      before.length === after.length &&
      before.every((item, index) => isSame(item, after[index]))
    );
  if (!isPlain(before)) return before === after || (before === undefined && after === null);
  const names = Object.keys(before).filter((name) => before[name] !== undefined);
  if (Array.isArray(after)) return after.length === 0 && names.length === 0;
  if (!isPlain(after)) return false;
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => Object.hasOwn(after, name) && isSame(before[name], after[name]))
  );
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
