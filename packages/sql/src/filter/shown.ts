/** A piece of a request as an error message quotes it: as written, but not endlessly. */
export const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
