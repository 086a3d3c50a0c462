// Cells as the text spreadsheets exchange: fields separated by tabs, quoted where they contain tabs, quotes or line breaks. Pure.

/** A rectangle of texts, row by row. */
export type CellTexts = readonly (readonly string[])[];

/** The text a spreadsheet accepts. */
export const toTsv = (cells: CellTexts): string => cells.map((row) => row.map(quoteTsv).join('\t')).join('\n');

const quoteTsv = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * The cells of a text that was copied elsewhere. Tabs separate its cells. A text of several lines without a tab
 * that has the same number of commas in each line is read as CSV. Anything else is one column, a row for each line.
 */
export function fromClipboard(text: string): string[][] {
  const byTab = parseDelimited(text, '\t');
  if (byTab.some((row) => row.length > 1)) return byTab;
  const byComma = parseDelimited(text, ',');
  const [first] = byComma;
  const isCsv = byComma.length > 1 && first!.length > 1 && byComma.every((row) => row.length === first!.length);
  return isCsv ? byComma : byTab;
}

/**
 * The fields of a delimited text. A field may be quoted, with doubled quotes and line breaks inside; a quote that is never
 * closed is an ordinary character. A line break at the end of the text begins no row.
 */
export function parseDelimited(text: string, delimiter: '\t' | ','): string[][] {
  const rows: string[][] = [[]];
  let index = 0;
  for (;;) {
    const quoted = text[index] === '"' ? readQuotedField(text, index, delimiter) : null;
    const end = quoted?.end ?? endOfPlainField(text, index, delimiter);
    rows.at(-1)!.push(quoted?.value ?? text.slice(index, end));
    if (end >= text.length) return rows;
    const isDelimiter = text[end] === delimiter;
    index = end + (!isDelimiter && text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    if (isDelimiter) continue;
    if (index >= text.length) return rows;
    rows.push([]);
  }
}

function endOfPlainField(text: string, from: number, delimiter: string): number {
  let index = from;
  while (index < text.length && text[index] !== delimiter && text[index] !== '\n' && text[index] !== '\r') index++;
  return index;
}

/** The quoted field that begins at `from`; null when its quotes do not end where a field ends. */
function readQuotedField(text: string, from: number, delimiter: string): { value: string; end: number } | null {
  let index = from + 1;
  for (;;) {
    const quote = text.indexOf('"', index);
    if (quote < 0) return null;
    const next = text[quote + 1];
    if (next === '"') {
      index = quote + 2;
      continue;
    }
    if (next !== undefined && next !== delimiter && next !== '\n' && next !== '\r') return null;
    return { value: text.slice(from + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
}
