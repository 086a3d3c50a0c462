// Bounds the size of an entry: the audit must not grow with what people store.
import { isRecord } from '../call/payload.ts';

/** Bytes of JSON that `before` and `after` may have, each. */
const sideLimit = 16_000;
/**
 * How fields are cut: the characters a text may have, and how deep into objects texts are cut one by one; what is deeper is
 * cut as the text of its JSON. The next step is taken while the whole is still too large; the last always holds some thirty
 * fields.
 */
const cutSteps = [
  { maxLength: 2_000, depth: 1 },
  { maxLength: 400, depth: 1 },
  { maxLength: 400, depth: 0 },
  { maxLength: 60, depth: 0 },
];

/** A text of at most `maxLength` characters that every database accepts: without NUL and without halves of characters. */
export const truncate = (text: string, maxLength: number): string =>
  startOf(text, maxLength)
    .replaceAll('\0', '\uFFFD')
    .replace(/\p{Surrogate}/gu, '\uFFFD');

/** The beginning of a text, with no half of a character at its end. */
const startOf = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');

/** The fields of a record as JSON text of limited size; a text that was cut says how long it was. */
export function shortenedJson(fields: Record<string, unknown>): string {
  let text = '';
  for (const { maxLength, depth } of cutSteps) {
    text = JSON.stringify(shortenFields(fields, maxLength, depth));
    if (Buffer.byteLength(text) <= sideLimit) break;
  }
  return text;
}

const shortenFields = (fields: Record<string, unknown>, maxLength: number, depth: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortenValue(value, maxLength, depth)]));

function shortenValue(value: unknown, maxLength: number, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value, maxLength);
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  if (json.length <= maxLength) return value;
  return depth > 0 && isRecord(value) ? shortenFields(value, maxLength, depth - 1) : shortenText(json, maxLength);
}

const shortenText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${startOf(text, maxLength)}… (cut, ${text.length} characters)`;
