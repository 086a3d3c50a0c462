// What is typed and not saved: the guard that asks before it is lost (guard.tsx), and drafts, which outlive a session (drafts.ts). A
// form takes part with `useUnsavedGuard` and `useDraft`, and shows `DraftNotice`.

export { DraftNotice } from './draft-notice.tsx';
export { deleteDraft as discardDraft, listDrafts } from './drafts.ts';
export { confirmLoss, type Place, UnsavedGuard, useLetAllPass, useUnsavedGuard } from './guard.tsx';
export { titleText } from './title.ts';
export { useDraft } from './use-draft.ts';
export { useKeptDrafts } from './use-kept-drafts.ts';
