// Verbs and requestors as roles count them (contract/role-access.md §1).

export const verbMask = { GET: 1, POST: 2, PUT: 4, PATCH: 8, DELETE: 16 } as const;
export type Verb = keyof typeof verbMask;

/** The order in which masks, pickers and `access` lists name the verbs. */
export const verbs = Object.keys(verbMask) as Verb[];
export const allVerbs = 31;

export const requestorMask = { API: 1, SCRIPT: 2 } as const;
export type Requestor = keyof typeof requestorMask;

/** `['GET', 'POST']` for 3. */
export function verbsOf(mask: number): Verb[] {
  return verbs.filter((verb) => (mask & verbMask[verb]) !== 0);
}
