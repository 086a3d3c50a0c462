import { ExactNumber, toExactJson } from '@sluice/contract';

/**
 * A list as the text of an array, as PostgreSQL reads it (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO); its
 * `box[]` alone has another delimiter.
 */
export const arrayText = (values: readonly unknown[], delimiter = ','): string =>
  `{${values.map((value) => element(value, delimiter)).join(delimiter)}}`;

function element(value: unknown, delimiter: string): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof ExactNumber) return value.text;
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return arrayText(value, delimiter);
  return `"${elementText(value).replace(/["\\]/g, '\\$&')}"`;
}

function elementText(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'object' ? toExactJson(value) : String(value);
}
