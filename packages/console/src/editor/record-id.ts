/** Stands in an address in place of the id while a record is new. */
export const newRecord = 'create';

/** The id an editor's address names; null for a new record. */
export const recordIdOf = (segment: string): string | null => (segment === newRecord ? null : segment);
