// What was typed and not saved, kept in this tab while a session is lost (design.md, Console). Never a secret: the form hands over
// its values without them. A draft belongs to the person who typed it.
import { createStore } from '../ui/store.ts';
import type { DraftTitle } from './title.ts';

const prefix = 'sluice.draft.';
/** How long a draft is worth offering, in milliseconds. */
const maxDraftAge = 24 * 60 * 60 * 1000;
/** Characters of a draft, and how many one person has: the storage of a tab holds a few million characters. */
const maxDraftLength = 1_000_000;
const maxDrafts = 20;

/** Where a draft belongs. */
export interface DraftPlace {
  /** Whose it is. */
  owner: number | string;
  /** What it is of: `role.7`, `data.shop/product`. */
  form: string;
}

/** What is kept. */
export interface Draft {
  values: unknown;
  /** Of the record it was made of, where the instance tells. */
  version?: string;
  /** What the form is called, and where it opens. */
  title: DraftTitle;
  address: string;
}

export type StoredDraft = Draft & { form: string; at: number };

/** Counts up when a draft is kept or deleted. */
export const draftChanges = createStore(0);
const noteChange = () => draftChanges.set(draftChanges.get() + 1);

/** The forms that are open: each offers its draft itself. */
export const openForms = createStore<readonly string[]>([]);

const keyOf = ({ owner, form }: DraftPlace) => `${prefix}${owner}.${form}`;

/** A stored draft; a broken or old one counts as none. */
function readDraft(key: string): Omit<StoredDraft, 'form'> | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<StoredDraft> | null;
    const { at, values, version, title, address = '' } = stored ?? {};
    if (typeof at !== 'number' || Date.now() - at >= maxDraftAge || !values || typeof values !== 'object') return null;
    if (typeof title?.key !== 'string' || typeof address !== 'string') return null;
    return { at, values, title, address, ...(typeof version === 'string' ? { version } : {}) };
  } catch {
    return null;
  }
}

export const findDraft = (place: DraftPlace): Draft | null => readDraft(keyOf(place));

/** The drafts of a person, newest first. */
export function listDrafts(owner: number | string): StoredDraft[] {
  const start = keyOf({ owner, form: '' });
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(start))
    .flatMap((key) => {
      const draft = readDraft(key);
      return draft ? [{ ...draft, form: key.slice(start.length) }] : [];
    })
    .sort((a, b) => b.at - a.at);
}

export function storeDraft(place: DraftPlace, draft: Draft): void {
  const stored = JSON.stringify({ at: Date.now(), ...draft });
  try {
    // An older draft of the form would be offered as the last one.
    if (stored.length > maxDraftLength) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), stored);
    for (const { form } of listDrafts(place.owner).slice(maxDrafts)) deleteDraft({ owner: place.owner, form });
  } catch {
    // Full or forbidden storage: the form itself is still there.
  }
  noteChange();
}

export function deleteDraft(place: DraftPlace): void {
  sessionStorage.removeItem(keyOf(place));
  noteChange();
}
