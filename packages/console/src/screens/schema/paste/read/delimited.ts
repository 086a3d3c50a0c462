// CSV and its relatives as rows of texts. Pure.
import type { Work } from './slices.ts';

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** A quoted field that is longer was never closed. */
const maxQuotedLength = 1_000_000;
const rowsPerStep = 500;
/** So much of a text tells its delimiter. */
const sampleLength = 64 * 1024;
const maxSampleRows = 100;

/**
 * The rows of a delimited text; lines without any character are left out. A field may be quoted, with doubled quotes and line breaks
 * inside; a quote that does not end where a field ends is an ordinary character.
 */
export function* parseDelimited(text: string, delimiter: Delimiter): Work<string[][]> {
  const rows: string[][] = [];
  let row: string[] = [];
  let index = 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (index <= text.length) {
    const quoted = text[index] === '"' ? readQuoted(text, index, delimiter) : null;
    const end = quoted?.end ?? endOfPlain(text, index, delimiter);
    row.push(quoted?.value ?? text.slice(index, end));
    if (text[end] === delimiter) {
      index = end + 1;
      continue;
    }
    endRow();
    index = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    if (rows.length % rowsPerStep === 0) yield;
  }
  return rows;
}

const isFieldEnd = (sign: string | undefined, delimiter: Delimiter): boolean =>
  sign === undefined || sign === delimiter || sign === '\n' || sign === '\r';

function endOfPlain(text: string, from: number, delimiter: Delimiter): number {
  let index = from;
  while (!isFieldEnd(text[index], delimiter)) index += 1;
  return index;
}

/** The quoted field that begins at `from`; null when its quotes do not end where a field ends. */
function readQuoted(text: string, from: number, delimiter: Delimiter): { value: string; end: number } | null {
  let index = from + 1;
  while (index - from < maxQuotedLength) {
    const quote = text.indexOf('"', index);
    if (quote < 0) return null;
    if (text[quote + 1] === '"') {
      index = quote + 2;
      continue;
    }
    if (!isFieldEnd(text[quote + 1], delimiter)) return null;
    return { value: text.slice(from + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
  return null;
}

/** The delimiter that cuts the first rows into most columns, the same number in nearly every row; a comma when none does. */
export function guessDelimiter(text: string): Delimiter {
  const scores = delimiters.map((delimiter) => ({ delimiter, score: scoreOf(text.slice(0, sampleLength), delimiter) }));
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).delimiter;
}

function scoreOf(sample: string, delimiter: Delimiter): number {
  const work = parseDelimited(sample, delimiter);
  let step = work.next();
  while (!step.done) step = work.next();
  // The sample may end within a row.
  const rows = step.value.slice(0, Math.min(maxSampleRows, Math.max(1, step.value.length - 1)));
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns = 1, frequency = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return columns === 1 ? 0 : (frequency / rows.length) * 1000 + columns;
}
