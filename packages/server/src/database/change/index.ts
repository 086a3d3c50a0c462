// Changes of the database itself: what is sent of a table as a tree of steps (read-*), in the order that references need,
// carried out together with the extras of the service, or only planned. What the steps become is @sluice/sql's.
export { applyChanges } from './apply.ts';
export { orderByReferences } from './order.ts';
export { planChanges } from './plan.ts';
export {
  type ReadContext,
  readDeferredReferences,
  readFieldDrops,
  readFieldsChange,
  readRelationDrops,
  readRelationsChange,
  readTableChange,
  readTableDrop,
} from './read-table.ts';
export { type TableChange, TableState } from './table-state.ts';
export { settleForReader, settleUnfinished } from './unfinished.ts';
