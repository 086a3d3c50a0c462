// "What can this one do, and why?": asks system/access/explain about a call of a person, an app or a role, and shows the
// decision. It stands inside the editors of these three; saving is theirs.

export { ExplainPanel } from './explain-panel.tsx';
export type { ExplainSubject } from './question.ts';
