// Whether the first row of delimited text names its columns. Pure.
import type { Cell } from '../read/read-data.ts';
import { isBooleanWord, isCommaNumber, isNumber, isUuid, parseAs } from './shapes.ts';

const isData = (text: string): boolean =>
  isNumber(text) ||
  isCommaNumber(text) ||
  isBooleanWord(text) ||
  isUuid(text) ||
  /^0\d+$/.test(text) ||
  (['date', 'time', 'datetime'] as const).some((type) => parseAs(text, type) !== null);

const maxHeading = 100;
const sampleRows = 200;

/**
 * Headings are texts, none of which is a value of its column. Two may be alike only where a column tells them from data, by having
 * nothing but numbers, dates and the like. A single row is data.
 */
export function hasHeader(rows: readonly Cell[][]): boolean {
  const [first = [], ...others] = rows.slice(0, sampleRows + 1);
  const headings = first.map((cell) => cell?.trim() ?? '');
  if (others.length === 0 || headings.every((heading) => heading === '')) return false;
  const named = headings.filter((heading) => heading !== '');
  if (named.some((heading) => isData(heading) || heading.length > maxHeading || heading.includes('\n'))) return false;
  const isUnlike = (column: number): boolean => {
    const values = others.map((row) => row[column]?.trim() ?? '').filter((value) => value !== '');
    return values.length > 0 && values.every(isData);
  };
  const areDifferent = new Set(named.map((heading) => heading.toLowerCase())).size === named.length;
  if (!areDifferent && !headings.some((heading, column) => heading !== '' && isUnlike(column))) return false;
  return !headings.some((heading, column) => heading !== '' && others.some((row) => row[column]?.trim() === heading));
}
