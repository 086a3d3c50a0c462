/**
 * The beginning of a text, for what is kept in memory. A plain `slice` keeps the whole text that it is a part of: of a path that is
 * its address with every parameter.
 */
export const cutText = (text: string, maxLength: number): string => Buffer.from(text.slice(0, maxLength)).toString();
