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

/** Headings are texts, all different, none of which is a value of its column. A single row is data. */
export function hasHeader(rows: readonly Cell[][]): boolean {
  const [first = [], ...others] = rows.slice(0, sampleRows + 1);
  const headings = first.map((cell) => cell?.trim() ?? '');
  if (others.length === 0 || headings.every((heading) => heading === '')) return false;
  const named = headings.filter((heading) => heading !== '');
  if (new Set(named.map((heading) => heading.toLowerCase())).size < named.length) return false;
  if (named.some((heading) => isData(heading) || heading.length > maxHeading || heading.includes('\n'))) return false;
  return !headings.some((heading, column) => heading !== '' && others.some((row) => row[column]?.trim() === heading));
}
