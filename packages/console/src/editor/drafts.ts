// What was typed and not saved, kept in this tab while a session is lost (design.md, Console). Never a secret:
// the screen hands over a form without them.
import { currentSession } from '../api/index.ts';

const keyOf = (resource: string, id: string) => `sluice.draft.${currentSession()?.id ?? 'anyone'}.${resource}.${id}`;

/** How long a draft is worth offering, in milliseconds. */
const maxDraftAge = 24 * 60 * 60 * 1000;

/** A draft, and which version of the record it was made of, where the instance tells. */
export interface Draft {
  values: Record<string, unknown>;
  version?: string;
}

export function storeDraft(resource: string, id: string, values: object, version: string | null): void {
  try {
    sessionStorage.setItem(
      keyOf(resource, id),
      JSON.stringify({ at: Date.now(), values, version: version ?? undefined }),
    );
  } catch {
    // Full or forbidden storage: the form itself is still there.
  }
}

/** The draft of a record, or null; a broken or old one counts as none. */
export function findDraft(resource: string, id: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(resource, id)) ?? 'null');
    const { at, values, version } = (stored ?? {}) as Partial<Draft> & { at?: number };
    const isUsable = typeof at === 'number' && Date.now() - at < maxDraftAge && values && typeof values === 'object';
    if (!isUsable) return null;
    return typeof version === 'string' ? { values, version } : { values };
  } catch {
    return null;
  }
}

export const deleteDraft = (resource: string, id: string): void => sessionStorage.removeItem(keyOf(resource, id));
