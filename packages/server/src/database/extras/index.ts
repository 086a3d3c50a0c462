// What a service says of its tables beyond their database: other names, labels, rules, virtual fields and relations
// (contract/database-schema.md §3). Kept in the store, read once, and put on the tables as the database describes them;
// what writes them is schema/write.ts.
export { applyOverrides, overrideLabels } from './apply-overrides.ts';
export {
  type Extras,
  type ExtrasPlan,
  type FollowMoves,
  type PreparedChange,
  parseExtras,
  type RecordChanges,
  type SchemaChangeFacts,
  type SchemaChangeRecord,
  type ServiceExtras,
  type UnfinishedChange,
} from './extras.ts';
export { findLeftChanges } from './pending.ts';
export { openExtrasStore } from './store.ts';
