// What an entry may take: the audit must not grow with what people store.
import { isRecord } from '../call/payload.ts';

/** Bytes of JSON that `before` and `after` may have, each. */
const sideLimit = 16_000;
/**
 * How it is cut: characters a text may have, and how deep into objects texts are looked for; what is deeper is cut as the
 * text of its JSON. The next when the whole is too large still; some thirty fields always fit into the last.
 */
const ways = [
  { most: 2_000, depth: 1 },
  { most: 400, depth: 1 },
  { most: 400, depth: 0 },
  { most: 60, depth: 0 },
];

/** A text in at most so many characters, as every database takes it: without NUL and without halves of characters. */
export const cut = (text: string, most: number): string =>
  start(text, most)
    .replaceAll('\0', '\uFFFD')
    .replace(/\p{Surrogate}/gu, '\uFFFD');

/** The beginning of a text, with no half of a character at its end. */
const start = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** The fields of a record as JSON text of limited size; what was cut says how long it was. */
export function shortened(fields: Record<string, unknown>): string {
  let text = '';
  for (const { most, depth } of ways) {
    text = JSON.stringify(shortFields(fields, most, depth));
    if (Buffer.byteLength(text) <= sideLimit) break;
  }
  return text;
}

const shortFields = (fields: Record<string, unknown>, most: number, depth: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value, most, depth)]));

function short(value: unknown, most: number, depth: number): unknown {
  if (typeof value === 'string') return shortText(value, most);
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  if (json.length <= most) return value;
  return depth > 0 && isRecord(value) ? shortFields(value, most, depth - 1) : shortText(json, most);
}

const shortText = (text: string, most: number): string =>
  text.length <= most ? text : `${start(text, most)}… (cut, ${text.length} characters)`;
