// Cells of a CSV file that a spreadsheet opens: a prefix makes a text of what it would run as a formula, and an import
// removes the prefix (docs/design.md, difference 12).

const prefix = "'";

/** What begins a formula in any spreadsheet. */
const formula = /^[=@\t\r+-]/;
const number = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Five digits and more, as far apart as people write them: nothing in it can be called or referred to. */
const phone = /^\+\(?\d([ ()./-]{0,2}\d){4,14}$/;

const needsPrefix = (text: string): boolean =>
  text.startsWith(prefix) || (formula.test(text) && !number.test(text) && !phone.test(text));

/** A cell no spreadsheet runs. A text that begins with the prefix gets a second one, so that `unescapeCell` restores it. */
export const escapeCell = (text: string): string => (needsPrefix(text) ? prefix + text : text);

/** The text that `escapeCell` was called with. An apostrophe it would not have written belongs to the text. */
export function unescapeCell(cell: string): string {
  const text = cell.slice(prefix.length);
  return cell.startsWith(prefix) && needsPrefix(text) ? text : cell;
}
