// "What can this one do, and why?": asks system/access/explain about a call of a person, an app or a role, and shows the
// decision. It stands inside the editors of these three; saving is theirs. A call that is already known needs no panel.

export { ExplainPanel } from './explain-panel.tsx';
export { ExplainedCall } from './explained-call.tsx';
export type { ExplainSubject } from './question.ts';
