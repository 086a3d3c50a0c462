/** A text of a request as an error message quotes it: as written, but cut off at some length. */
export const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
