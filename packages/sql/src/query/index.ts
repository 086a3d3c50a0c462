// What can be asked of a database: the query tree, before there is SQL, and what answers it. `Database` is who is asked.

export { beginBatches, longestWhole, wholeLength } from './begun-batches.ts';
export type * from './database.ts';
export type * from './filter.ts';
export { FromStep, returningIndex } from './from-step.ts';
export type * from './rows.ts';
export type * from './select.ts';
export { maxCachedText, SizedCache } from './sized-cache.ts';
export type * from './write.ts';
