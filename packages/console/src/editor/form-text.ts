/** A text of a loaded record as a form holds it: empty for null and for anything else. */
export const formText = (value: unknown): string => (typeof value === 'string' ? value : '');
