// Texts of the document as TypeScript literals: nothing else of it gets into the client.

/** A string literal. U+2028, U+2029 end lines in older readers, `<` could end a script that holds the text. */
export const literal = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u2028\u2029<]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A union of string literals. */
export const union = (names: readonly string[]): string =>
  names.length === 0 ? 'never' : names.map(literal).join(' | ');

/** The type of an object. A member of `optional` may be missing. */
export const objectType = (members: readonly (readonly [name: string, type: string])[], optional = false): string =>
  members.length === 0
    ? 'Record<never, never>'
    : `{ ${members.map(([name, type]) => `${literal(name)}${optional ? '?' : ''}: ${type}`).join('; ')} }`;
