// What is typed and not saved: the guard that asks before it is lost (guard.tsx), and drafts, which outlive a session (drafts.ts). A
// form takes part with `useUnsavedGuard` and `useDraft`, and shows `DraftNotice`.

export { DraftNotice } from './draft-notice.tsx';
export { confirmLoss, type Place, UnsavedGuard, useLetAllPass, useUnsavedGuard } from './guard.tsx';
export { KeptDrafts } from './kept-drafts.tsx';
export { useDraft } from './use-draft.ts';
