// Names of fields and tables from headings and file names. Pure.

/** The longest name that every engine takes. */
const maxLength = 63;

/** Letters that are more than one with an accent. */
const spelledOut = new Map(
  Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd' }),
);

/** A name in snake_case of letters a–z, digits and `_`, beginning with a letter; empty when nothing of the text can be in one. */
export function toName(text: string): string {
  const spaced = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase();
  const plain = spaced
    .replace(/[^\x20-\x7e]/g, (letter) => spelledOut.get(letter) ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxLength);
  return /^\d/.test(plain) ? `n_${plain}`.slice(0, maxLength) : plain;
}

/** The name, or the name with the first number that makes it another than all `taken`. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const candidate = name.slice(0, maxLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** A name for each heading, all of them different. A column without a heading is called by its place. */
export function toFieldNames(headings: readonly (string | null)[]): string[] {
  const taken = new Set<string>();
  return headings.map((heading, index) => {
    const name = uniqueName(toName(heading ?? '') || `column_${index + 1}`, taken);
    taken.add(name);
    return name;
  });
}

/** A name for a table, from the name of a file. */
export const toTableName = (fileName: string): string =>
  toName(fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, ''));
