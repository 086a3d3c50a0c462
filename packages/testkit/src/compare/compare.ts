// What is different between two answers, said so that a person finds the place.
import type { NormalAnswer } from './normalise.ts';

export interface Difference {
  /** `status`, `header allow`, `body resource.0.name`, `body line 3`. */
  place: string;
  was: string;
  now: string;
}

/** Characters that are printed of a value. */
const maxValueLength = 300;
const absent = '(absent)';

/** Compares two answers; an empty list means that they are the same to the byte. */
export function differences(was: NormalAnswer, now: NormalAnswer): Difference[] {
  const list: Difference[] = [];
  if (was.status !== now.status) list.push({ place: 'status', was: `${was.status}`, now: `${now.status}` });
  for (const name of [...new Set([...Object.keys(was.headers), ...Object.keys(now.headers)])].sort()) {
    const [before, after] = [was.headers[name], now.headers[name]];
    if (before !== after) list.push({ place: `header ${name}`, was: before ?? absent, now: after ?? absent });
  }
  return was.body === now.body ? list : [...list, ...bodyDifferences(was.body, now.body)];
}

/** At least one difference, since the texts are not the same. */
function bodyDifferences(was: string, now: string): Difference[] {
  const [before, after] = [parsed(was), parsed(now)];
  const list = before && after ? [...valueDifferences('', before.value, after.value)] : [];
  // Values tell all of a text only where it is written as anybody would write them.
  const isWhole = list.length > 0 && isPlain(was, before) && isPlain(now, after);
  return isWhole ? list : [...list, lineDifference(was, now)];
}

const isPlain = (text: string, json: { value: unknown } | undefined) => JSON.stringify(json?.value) === text;

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function* valueDifferences(path: string, was: unknown, now: unknown): Generator<Difference> {
  const [before, after] = [JSON.stringify(was), JSON.stringify(now)];
  if (before === after) return;
  const place = `body ${path}`.trimEnd();
  const differ = (a: string | undefined, b: string | undefined): Difference => ({
    place,
    was: shorten(a ?? absent),
    now: shorten(b ?? absent),
  });
  if (!isObject(was) || !isObject(now) || Array.isArray(was) !== Array.isArray(now)) {
    yield differ(before, after);
    return;
  }
  if (Array.isArray(was) && Array.isArray(now) && isReordered(was, now)) {
    yield { ...differ(before, after), place: `${place} (the order)` };
    return;
  }
  const keys = new Set([...Object.keys(was), ...Object.keys(now)]);
  const order = (value: object) =>
    Object.keys(value)
      .filter((key) => key in was && key in now)
      .join(', ');
  if (order(was) !== order(now)) yield { ...differ(order(was), order(now)), place: `${place} (the order of the keys)` };
  for (const key of keys) yield* valueDifferences(path === '' ? key : `${path}.${key}`, was[key], now[key]);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether two lists hold the same items in different orders. */
function isReordered(was: unknown[], now: unknown[]): boolean {
  if (was.length !== now.length || was.length < 2) return false;
  const [before, after] = [was, now].map((list) => list.map((item) => JSON.stringify(item)).sort());
  return before!.join('\n') === after!.join('\n');
}

function lineDifference(was: string, now: string): Difference {
  const [before, after] = [was.split('\n'), now.split('\n')];
  const line = before.findIndex((text, at) => text !== after[at]);
  const at = line === -1 ? before.length : line;
  const lines = `line ${at + 1}${before.length === after.length ? '' : ` of ${before.length} or ${after.length}`}`;
  const [a, b] = [before[at] ?? absent, after[at] ?? absent];
  let commonLength = 0;
  while (commonLength < a.length && a[commonLength] === b[commonLength]) commonLength += 1;
  // A little of what is the same, to find the place.
  const start = Math.max(0, commonLength - 40);
  return { place: `body ${lines}`, was: shorten(a.slice(start)), now: shorten(b.slice(start)) };
}

/** A value as it is printed: on one line, with characters that cannot be seen as their escapes. */
function shorten(text: string): string {
  const visible = text.slice(0, maxValueLength).replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
  return text.length <= maxValueLength ? visible : `${visible}… (${text.length} characters)`;
}
