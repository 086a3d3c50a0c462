import { useEffect, useRef, useState } from 'react';
import { currentSession, currentToken } from '../api/index.ts';
import { type Draft, deleteDraft, findDraft, openForms, storeDraft } from './drafts.ts';
import type { DraftTitle } from './title.ts';

/** How long typing rests before a draft is kept, in milliseconds. */
const draftDelay = 400;

interface DraftOptions<T extends object> {
  /** What it is of: `role.7`. One form has one name. */
  form: string;
  /** What the form is called where its draft is offered, and the address that opens it. */
  title: DraftTitle;
  address: string;
  version?: string | null | undefined;
  isDirty: boolean;
  /** Changes whenever something is typed. */
  typed: unknown;
  /** What is kept, without secrets; null where nothing is to be kept. */
  toDraft: () => T | null;
}

/**
 * Keeps unsaved input, and finds earlier input. It belongs to the person who opened the form: another person may sign in
 * over it.
 */
export function useDraft<T extends object>(options: DraftOptions<T>) {
  const { form, isDirty, typed } = options;
  const [owner] = useState(() => currentSession()?.id ?? 'anyone');
  const [found, setFound] = useState(() => findDraft({ owner, form }));
  const latest = useRef(options);
  latest.current = options;
  const hasStored = useRef(false);
  const forget = () => {
    hasStored.current = false;
    deleteDraft({ owner, form });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each key typed
  useEffect(() => {
    const store = () => {
      const { title, address, version, toDraft } = latest.current;
      const values = toDraft();
      if (!values) return;
      hasStored.current = true;
      storeDraft({ owner, form }, { values, title, address, ...(version ? { version } : {}) } satisfies Draft);
    };
    if (!isDirty) {
      // Taken back by hand.
      if (hasStored.current) forget();
      return;
    }
    const timer = setTimeout(store, draftDelay);
    return () => {
      clearTimeout(timer);
      // The session ended under the form: there is no later.
      if (currentToken() === null) store();
    };
  }, [isDirty, typed, owner, form]);

  useEffect(() => {
    openForms.set([...openForms.get(), form]);
    return () => openForms.set(openForms.get().filter((open) => open !== form));
  }, [form]);

  return {
    /** What was typed earlier, until it is restored or discarded. */
    found: found as (Draft & { values: T }) | null,
    /** The one found is no longer offered. */
    dismiss: () => setFound(null),
    /** Forgets what is kept: it is saved, or given up. */
    forget: () => {
      forget();
      setFound(null);
    },
  };
}
