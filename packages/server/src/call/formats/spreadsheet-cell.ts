// Cells of a CSV file that a spreadsheet opens: what it would run as a formula is made a text by a prefix, which an
// import takes off again (docs/design.md, difference 12).

const prefix = "'";

/** What begins a formula, in one spreadsheet or another. */
const formula = /^[=@\t\r+-]/;
const number = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Five digits and more, as far apart as people write them: nothing in it can be called or referred to. */
const phone = /^\+\(?\d([ ()./-]{0,2}\d){4,14}$/;

const needsPrefix = (text: string): boolean =>
  text.startsWith(prefix) || (formula.test(text) && !number.test(text) && !phone.test(text));

/** A cell no spreadsheet runs. One that begins with the prefix gets another, so that every cell can be told again. */
export const cellForSpreadsheet = (text: string): string => (needsPrefix(text) ? prefix + text : text);

/** The text `cellForSpreadsheet` was given. An apostrophe it would not have written belongs to the text. */
export function cellOfSpreadsheet(cell: string): string {
  const text = cell.slice(prefix.length);
  return cell.startsWith(prefix) && needsPrefix(text) ? text : cell;
}
