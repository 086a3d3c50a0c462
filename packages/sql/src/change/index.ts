// Changes of a database's schema, as data: what a table, a field, a reference is to be, and what a plan says of it. The server
// makes these trees out of what is sent; a dialect plans them as statements and carries them out (dialects/<name>/change).
export type * from './change.ts';
export type * from './editor.ts';
export { foldType } from './fold-type.ts';
export { misfitFailure, misfitText } from './misfit.ts';
export { constraintName, freeName, TakenNames } from './names.ts';
export { singleReferences } from './references.ts';
