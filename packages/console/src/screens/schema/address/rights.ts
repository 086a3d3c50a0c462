import { type Verb, verbMask } from '@sluice/contract';

/** Whether a mask of verbs has all of these. */
const hasVerbs = (access: number, verbs: Verb[]): boolean => verbs.every((verb) => (access & verbMask[verb]) !== 0);

/** What someone may do with a table of this `access`; fields and relations are a change of the table, too (contract/database-schema.md §7). */
export const rightsOf = (access: number) => ({
  saveTable: hasVerbs(access, ['PATCH']),
  addParts: hasVerbs(access, ['POST', 'PUT']),
  saveParts: hasVerbs(access, ['PATCH', 'PUT']),
  drop: hasVerbs(access, ['DELETE']),
});
