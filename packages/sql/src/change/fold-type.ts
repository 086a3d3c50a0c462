/** A quoted part of a type, whole or to the end; or what stands before the next one. */
const parts = /'(?:[^'\\]|\\.|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|[^'"`]+/g;

/**
 * A type as types are compared: in lower case, with one blank where there are several. What stands in quotes is as it is: the
 * words of an enum, a name.
 */
export const foldType = (type: string): string =>
  type.trim().replace(parts, (part) => (/^['"`]/.test(part) ? part : part.replace(/\s+/g, ' ').toLowerCase()));
