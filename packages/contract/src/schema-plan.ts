// What `POST {db}/_plan` answers: what a write of `_schema` would do (docs/adr/0014).

import type { UsageSentence } from './usage-sentences.ts';

/** How a failure in the middle is undone; `none`: not at all. */
export type PlanUndo = 'transaction' | 'counterSteps' | 'none';

/** A place that names a table or a field. */
export interface UsageEntry {
  kind: 'role' | 'recordFilter' | 'extras' | 'virtualRelation' | 'foreignKey';
  /** The id of the record of the store it stands in, a role or a service, and its name for people. */
  id: number | null;
  name: string;
  /** Where in it, in a line for people, and why it stays where it does. */
  detail: string;
  /** The same as data, for clients that tell it in another language; absent on older servers. */
  sentence?: UsageSentence;
  /** `follows`: a rename rewrites it, or need not; `stays`: somebody has to look at it. */
  onRename: 'follows' | 'stays';
  onDrop: 'removed' | 'stays';
}

/** What a change would do to one table. */
export interface PlannedTable {
  name: string;
  /** The name it is known by afterwards, which roles and extras follow; null where it stays. */
  new_name: string | null;
  /** SQL in the order it would be run; empty where only what the service says of the table changes. */
  statements: string[];
  undo: PlanUndo;
  /** Records that would not fit: with any of them the change is refused. */
  misfits: { field: string; records: number; problem: string; text: string }[];
  /** What is lost: values of a field, or (`field` null) whole records. */
  losses: { field: string | null; records: number }[];
  /** What else names the table or the fields that are renamed or dropped; of roles and other services only administrators hear. */
  used_by: (UsageEntry & { field: string | null })[];
}
