// What a table, a field, a relation and a routine of a database are, whatever the engine, and the words for them.
export { fieldDescription } from './field.ts';
export { labelOf, nameIndex, naturalOrder, pluralOf } from './names.ts';
export { oncePer, oncePerTable } from './once-per.ts';
export { type ForeignKey, relationsOf } from './relations.ts';
export {
  columnWithoutTable,
  type Routine,
  type RoutineEntry,
  type RoutineKind,
  type RoutineParameter,
  type RoutineResult,
  type Routines,
} from './routine.ts';
export {
  type Column,
  type ColumnExpressions,
  columnNamed,
  isComparable,
  isReadable,
  makeTable,
  type Table,
  type TableEntry,
  type TableParts,
} from './table.ts';
