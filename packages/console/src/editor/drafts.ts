// What was typed and not saved, kept in this tab for the time a session is lost (design.md, Console). Never a secret:
// the screen hands over a form without them.
import { currentSession } from '../api/index.ts';

const keyOf = (resource: string, id: string) => `sluice.draft.${currentSession()?.id ?? 'anyone'}.${resource}.${id}`;

/** How long a draft is worth offering, in milliseconds. */
const draftAge = 24 * 60 * 60 * 1000;

export function keepDraft(resource: string, id: string, values: object): void {
  try {
    sessionStorage.setItem(keyOf(resource, id), JSON.stringify({ at: Date.now(), values }));
  } catch {
    // Full or forbidden storage: the form itself is still there.
  }
}

/** The draft of a record, or null; a broken or old one counts as none. */
export function findDraft(resource: string, id: string): Record<string, unknown> | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(resource, id)) ?? 'null');
    const { at, values } = (kept ?? {}) as { at?: number; values?: Record<string, unknown> };
    return typeof at === 'number' && Date.now() - at < draftAge && values && typeof values === 'object' ? values : null;
  } catch {
    return null;
  }
}

export const dropDraft = (resource: string, id: string): void => sessionStorage.removeItem(keyOf(resource, id));
