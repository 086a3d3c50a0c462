// Which of the values that were looked for a row was found by. The database decides what is equal: letter case, accents, blanks
// that pad a text and texts of numbers may not count there (contract/database-tables.md §6.2).

/** The values that found the rows of a key, all as JSON texts. */
export type OwnersOfKey = (key: string) => readonly string[];

/**
 * Rows of one text are of the value with that text, where each row has one and no other value may have found it. Else the
 * values are looked for one by one: `readKeys` gives the keys of the rows that a value finds.
 */
export async function findOwners(
  values: readonly string[],
  keys: Iterable<string>,
  readKeys: (value: string) => Promise<Iterable<string>>,
): Promise<OwnersOfKey> {
  const wanted = new Set(values);
  const found = new Set<string>();
  let areWanted = true;
  for (const key of keys) {
    found.add(key);
    if (!wanted.has(key)) areWanted = false;
  }
  const unsure = areWanted ? lookalikes(values, found) : values;
  if (unsure.length === 0) return (key) => [key];
  const owners = new Map([...found].map((key) => [key, wanted.has(key) ? [key] : []]));
  for (const value of unsure)
    for (const key of new Set(await readKeys(value))) if (key !== value) owners.get(key)?.push(value);
  return (key) => owners.get(key) ?? [];
}

/** The values without a row of their text that may be equal to the text of a row. */
function lookalikes(values: readonly string[], found: ReadonlySet<string>): readonly string[] {
  const texts = values.filter((value) => value.includes('"') && !found.has(value));
  if (texts.length === 0) return texts;
  const foldedKeys = new Set([...found].map(foldText));
  return texts.filter((value) => foldedKeys.has(foldText(value)));
}

/** A text without what databases most often leave out of account. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ +(?="|$)/g, '');
