// What a service says of its tables beyond their database: other names, labels, rules, virtual fields and relations
// (contract/database-schema.md §3). Kept in the store, read once, and put on the tables as the database describes them;
// what writes them is schema/write.ts.
export { applyOverrides, overrideLabels } from './apply-overrides.ts';
export { type Extras, parseExtras, type ServiceExtras } from './extras.ts';
export { openExtrasStore } from './store.ts';
