// CSV that a spreadsheet may open: a cell it would run as a formula is made a text (docs/design.md, difference 12). Pure.

/** What begins a formula, in one spreadsheet or another. */
const runs = /^[=+\-@\t\r]/;
/** A number is none, whatever its sign. */
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

const cell = (text: string): string => (runs.test(text) && !number.test(text) ? `'${text}` : text);

/** A field of CSV, with its quotes if it has some; then a comma, an end of line, or the end. */
const fields = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\n|\r|$)/g;

/** The same CSV with an apostrophe before each cell that would be run. */
export const forSpreadsheet = (csv: string): string =>
  csv.replaceAll(fields, (_all, field: string, end: string) =>
    field.startsWith('"') ? `"${cell(field.slice(1, -1))}"${end}` : `${cell(field)}${end}`,
  );
