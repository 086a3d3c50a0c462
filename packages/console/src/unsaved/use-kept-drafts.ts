import { useMemo } from 'react';
import { useStore } from '../ui/index.ts';
import { draftChanges, listDrafts, openForms } from './drafts.ts';

/** What is kept of forms that are not open, newest first; a form that is open offers its own. */
export function useKeptDrafts(owner: number | string) {
  const changes = useStore(draftChanges);
  const open = useStore(openForms);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when a draft changes
  const stored = useMemo(() => listDrafts(owner), [owner, changes]);
  return stored.filter(({ form, address }) => address !== '' && !open.includes(form));
}
