// Planning the change of a table: its steps make another text of it, and the difference of the two is one statement. A second
// one goes before where foreign keys have to make way for a change of the columns they are of.
import {
  type ReferenceDefinition,
  type SchemaChange,
  singleReferences,
  type TableStep,
} from '../../../change/index.ts';
import type { PlannedChange, PlannedStatement } from '../../network/index.ts';
import { clauseText, definitionOf, renamedClauses } from './column-text.ts';
import { alterTable, renameColumns, without } from './difference.ts';
import { changedClauses, isNullable, isSameType, keepsValues, newColumn } from './fields.ts';
import {
  type Check,
  checkDuplicates,
  checksOfNew,
  checksOfType,
  checkTargets,
  checkValues,
  lossOfField,
} from './fit.ts';
import { readIncoming } from './incoming.ts';
import { addFieldKeys, addPrimaryKey, addReference, coverReferences, targetType, unsupported } from './keys.ts';
import type { PlannedState } from './state.ts';
import {
  beginsWith,
  type ColumnText,
  columnById,
  columnNamed,
  type ForeignKeyText,
  isOnlyOf,
  isSameTable,
  nextId,
  type TableText,
} from './table-text.ts';
import { typeOfClauses } from './type-words.ts';

type AlterTable = Extract<SchemaChange, { kind: 'alterTable' }>;
type Step<K extends TableStep['kind']> = Extract<TableStep, { kind: K }>;

/** A change in planning. */
interface Alteration {
  apiName: string;
  before: TableText;
  after: TableText;
  /** What columns refer to alone, and all columns that refer to something. */
  references: { single: Map<string, ReferenceDefinition>; columns: Set<string> };
  state: PlannedState;
  checks: Check[];
  losses: PlannedChange['losses'];
  /** Values may be lost: it cannot be undone. */
  mayLose: boolean;
}

export async function planAlter({ table, steps }: AlterTable, state: PlannedState): Promise<PlannedChange> {
  const before = await state.table(table.native, table.name);
  const references = steps.flatMap((step) => (step.kind === 'addReference' ? [step.reference] : []));
  const alteration: Alteration = {
    apiName: table.name,
    before,
    after: copyOf(before),
    references: {
      single: singleReferences(references),
      columns: new Set(references.flatMap(({ columns }) => columns)),
    },
    state,
    checks: [],
    losses: [],
    mayLose: false,
  };
  for (const step of steps) await takeStep(alteration, step);
  // These go by what all others have made.
  for (const step of steps) if (step.kind === 'setPrimaryKey') setPrimaryKey(alteration, step);
  for (const step of steps) if (step.kind === 'addReference') await takeReference(alteration, step);
  for (const step of steps) if (step.kind === 'renameTable') await renameTable(alteration, step.newName);
  coverReferences(alteration.after, table.name);
  assertReadable(alteration);
  const statements = await statementsOf(alteration);
  if (state.isPlanned(before.native)) alteration.checks = [];
  if (!isSameTable(alteration.after.native, before.native)) state.put(before.native, undefined);
  state.put(alteration.after.native, alteration.after);
  return { table: table.name, checks: alteration.checks, losses: alteration.losses, statements };
}

/** It stays in its database: a table is moved by nobody who only calls it differently. */
async function renameTable({ apiName, before, after, state }: Alteration, newName: string): Promise<void> {
  const wanted = await state.context.nativeName(newName);
  if (wanted.name !== newName) throw unsupported(apiName, 'it can not be moved to another database by a new name');
  after.native = { ...before.native, name: newName };
}

/** A column is written back whole: with what the server does not show as it is, that would change it. */
function assertReadable(alteration: Alteration): void {
  for (const { id, name, garbled = [], clauses } of alteration.before.columns) {
    const next = columnById(alteration.after, id);
    if (!next || garbled.length === 0 || definitionOf(next.clauses) === definitionOf(clauses)) continue;
    const kept = garbled.find((clause) => next.clauses.some(({ text }) => text === clause.text));
    if (kept)
      throw unsupported(
        alteration.apiName,
        `the server does not show whether the ${kept.kind} of field '${name}' has question marks or other characters there; give it anew`,
      );
    // It could not be put back.
    alteration.mayLose = true;
  }
}

const copyOf = (table: TableText): TableText => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column })),
  keys: [...table.keys],
  foreignKeys: [...table.foreignKeys],
});

async function takeStep(alteration: Alteration, step: TableStep): Promise<void> {
  if (step.kind === 'addField') await addField(alteration, step);
  else if (step.kind === 'changeField') await changeField(alteration, step);
  else if (step.kind === 'dropField') dropField(alteration, step);
  else if (step.kind === 'renameField') {
    const column = existing(alteration, step.column.native);
    renameColumn(alteration.after, column, step.newName);
  }
}

/** What is computed, or checked, goes by the names of columns. */
function renameColumn(table: TableText, column: ColumnText, newName: string): void {
  for (const each of table.columns) each.clauses = renamedClauses(each.clauses, column.name, newName);
  column.name = newName;
}

/** The id of a column by the name it had before, or of one that is new. */
const idOf =
  ({ before, after }: Alteration) =>
  (name: string): number | undefined => {
    const id = columnNamed(before, name)?.id;
    return id !== undefined && columnById(after, id) ? id : columnNamed(after, name)?.id;
  };

function existing(alteration: Alteration, name: string): ColumnText {
  const old = columnNamed(alteration.before, name);
  const column = old && columnById(alteration.after, old.id);
  if (!column) throw unsupported(alteration.apiName, `it has no field '${name}' any more`);
  return column;
}

async function typeContext({ after, references, state }: Alteration, name: string) {
  const reference = references.single.get(name.toLowerCase());
  return {
    facts: state.facts,
    isUnicode: await state.isUnicode(),
    target: reference && (await targetType(after, reference, state)),
  };
}

async function addField(alteration: Alteration, { field }: Step<'addField'>): Promise<void> {
  const { after, before, apiName, state, references, checks } = alteration;
  const { clauses, isCountedKey } = newColumn(field, await typeContext(alteration, field.name));
  const column: ColumnText = { id: nextId(), name: field.name, clauses };
  after.columns.push(column);
  const isKey = references.columns.has(field.name);
  if (field.isPrimaryKey || isCountedKey) extendPrimaryKey(after, field.name);
  addFieldKeys(after, apiName, column, field, { isKey, facts: state.facts });
  checks.push(...checksOfNew(before.native, field, column, isKey));
}

function extendPrimaryKey(table: TableText, name: string): void {
  const index = table.keys.findIndex(({ kind }) => kind === 'primary');
  const old = index < 0 ? [] : (table.keys.splice(index, 1)[0]?.parts ?? []);
  const names = old.flatMap(({ column }) => (column === undefined ? [] : (columnById(table, column)?.name ?? [])));
  addPrimaryKey(table, [...names, name]);
}

async function changeField(
  alteration: Alteration,
  { column: { native: name }, change }: Step<'changeField'>,
): Promise<void> {
  const { after, before, apiName, state, references, checks } = alteration;
  const column = existing(alteration, name);
  const old = column.clauses;
  column.clauses = changedClauses(old, column.name, change, await typeContext(alteration, name));
  const [oldType, newType] = [clauseText(old, 'type') ?? '', clauseText(column.clauses, 'type') ?? ''];
  if (!isSameType(oldType, newType)) checks.push(...checksOfType(before.native, name, oldType, newType));
  if (change.sql !== undefined || !keepsValues(oldType, newType)) alteration.mayLose = true;
  if (isNullable(old) && !isNullable(column.clauses) && change.sql === undefined)
    checks.push(checkValues(before.native, name));
  const isKey = references.columns.has(name) || after.foreignKeys.some(({ columns }) => columns.includes(column.id));
  if (change.isUnique === false) dropKeys(after, column.id, 'unique');
  if (change.isIndex === false && !isKey) {
    dropKeys(after, column.id, 'plain');
    const wider = after.keys.find(
      ({ kind, parts }) => kind === 'plain' && parts.some((part) => part.column === column.id),
    );
    if (wider) throw unsupported(apiName, `index '${wider.name}' of field '${name}' is of other fields too`);
  }
  addFieldKeys(
    after,
    apiName,
    column,
    { isUnique: change.isUnique ?? false, isIndex: change.isIndex ?? false },
    { isKey, facts: state.facts },
  );
  const wasUnique = before.keys.some((key) => key.kind === 'unique' && isOnlyOf(key, column.id));
  if (change.isUnique && !wasUnique) checks.push(checkDuplicates(before.native, [name]));
}

function dropKeys(table: TableText, column: number, kind: 'unique' | 'plain'): void {
  table.keys = table.keys.filter((key) => key.kind !== kind || !isOnlyOf(key, column));
}

/** With a column go the foreign keys it is part of; wider indexes lose it. */
function dropField(alteration: Alteration, { column: { native: name } }: Step<'dropField'>): void {
  const { after, before } = alteration;
  const { id } = existing(alteration, name);
  after.columns = after.columns.filter((column) => column.id !== id);
  after.foreignKeys = after.foreignKeys.filter(({ columns }) => !columns.includes(id));
  after.keys = after.keys
    .map((key) => ({ ...key, parts: key.parts.filter((part) => part.column !== id) }))
    .filter(({ parts }) => parts.length > 0);
  alteration.losses.push(lossOfField(before.native, name));
  alteration.mayLose = true;
}

function setPrimaryKey(alteration: Alteration, { columns }: Step<'setPrimaryKey'>): void {
  const { after, before, checks } = alteration;
  const ids = columns.map((name) => {
    const id = idOf(alteration)(name);
    if (id === undefined) throw unsupported(alteration.apiName, `there is no field '${name}' for the primary key`);
    return id;
  });
  const old = after.keys.find(({ kind }) => kind === 'primary');
  if (old?.parts.map(({ column }) => column).join() === ids.join()) return;
  after.keys = after.keys.filter((key) => key !== old);
  if (ids.length === 0) return;
  for (const id of ids) {
    const stored = columnById(before, id);
    if (stored && isNullable(stored.clauses)) checks.push(checkValues(before.native, stored.name));
  }
  addPrimaryKey(
    after,
    ids.map((id) => columnById(after, id)?.name ?? ''),
  );
  const stored = ids.flatMap((id) => columnById(before, id)?.name ?? []);
  if (stored.length === ids.length) checks.push(checkDuplicates(before.native, stored));
}

async function takeReference(alteration: Alteration, { reference }: Step<'addReference'>): Promise<void> {
  const { after, before, apiName, state, checks } = alteration;
  const key = await addReference(after, apiName, reference, state, idOf(alteration));
  const stored = key.columns.flatMap((id) => columnById(before, id)?.name ?? []);
  if (stored.length < key.columns.length) return;
  const isOwn = key.refColumns.some((column) => typeof column === 'number');
  const target = isOwn ? before.native : key.target;
  const exists = isOwn || !state.isPlanned(target);
  checks.push(
    checkTargets(before.native, stored, exists ? { native: target, names: reference.refColumns } : undefined),
  );
}

// ---- statements ----

async function statementsOf({ apiName, before, after, state, mayLose }: Alteration): Promise<PlannedStatement[]> {
  const retyped = after.columns.flatMap((column) => {
    const old = columnById(before, column.id);
    return old && typeOfClauses(old.clauses) !== typeOfClauses(column.clauses) ? [column.id] : [];
  });
  const isOf = (columns: (string | number)[]) => columns.some((column) => retyped.includes(column as number));
  const inTheWay = before.foreignKeys.filter(
    (key) => after.foreignKeys.includes(key) && (isOf(key.columns) || isOf(key.refColumns)),
  );
  const freed: TableText = { ...before, foreignKeys: without(before.foreignKeys, inTheWay) };
  const renamed = copyOf(freed);
  // In one statement with others the server may refuse to rename columns of foreign keys, be it to undo the statement.
  if (state.facts.renamesColumns)
    for (const column of renamed.columns) {
      const newName = columnById(after, column.id)?.name ?? column.name;
      if (newName !== column.name) renameColumn(renamed, column, newName);
    }
  const others = await foreignKeysOfOthers(apiName, before, after, retyped, state, mayLose);

  const statements: PlannedStatement[] = others.map(({ table, free }) => statement(table, free));
  if (inTheWay.length > 0) statements.push(statement(before, freed));
  const renaming = renameColumns(freed, renamed);
  if (renaming !== undefined) {
    const undo = renameColumns(renamed, freed) ?? '';
    statements.push({ sql: renaming, undo: [undo], touches: [before.native] });
  }
  // A foreign key to the table itself is checked against what the table was: it waits for what it needs to be there.
  const late = without(after.foreignKeys, renamed.foreignKeys).filter((key) => isToNew(key, before, after, retyped));
  if (late.length > 0 && mayLose)
    throw unsupported(apiName, 'a foreign key to the table itself can not be made in a step with what may lose values');
  const changed: TableText = { ...after, foreignKeys: without(after.foreignKeys, late) };
  const main = alterTable(renamed, changed);
  if (main !== undefined) {
    const undo = alterTable(changed, renamed);
    const touches = [before.native];
    statements.push(mayLose || undo === undefined ? { sql: main, touches } : { sql: main, undo: [undo], touches });
  }
  if (late.length > 0) statements.push(statement(changed, after));
  statements.push(...others.map(({ free, mended }) => statement(free, mended)));
  return statements;
}

/** Whether a foreign key is to columns of its own table that change, or whose index does. */
function isToNew(key: ForeignKeyText, before: TableText, after: TableText, retyped: number[]): boolean {
  const ids = key.refColumns.filter((column) => typeof column === 'number');
  if (ids.length === 0) return false;
  const isCovered = after.keys.some((own) => beginsWith(own, ids) && before.keys.includes(own));
  return !isCovered || ids.some((id) => retyped.includes(id)) || after.native.name !== before.native.name;
}

function statement(from: TableText, to: TableText): PlannedStatement {
  const [sql, undo] = [alterTable(from, to), alterTable(to, from)];
  return { sql: sql ?? '', undo: undo === undefined ? [] : [undo], touches: [from.native] };
}

interface OtherTable {
  table: TableText;
  /** Without the foreign keys that are in the way. */
  free: TableText;
  /** With them again, to what the change makes. */
  mended: TableText;
}

/** Foreign keys of other tables: those to a column of another type make way, and no column they need goes. */
async function foreignKeysOfOthers(
  apiName: string,
  before: TableText,
  after: TableText,
  retyped: number[],
  state: PlannedState,
  mayLose: boolean,
): Promise<OtherTable[]> {
  const droppedKeys = without(before.keys, after.keys);
  if (retyped.length === 0 && droppedKeys.length === 0) return [];
  const result: OtherTable[] = [];
  for (const { native, name } of await readIncoming(state, before.native)) {
    const table = await state.table(native, name);
    const keys = table.foreignKeys.filter((key) => isTo(key, before, state));
    const idsOf = (key: ForeignKeyText) => key.refColumns.map((column) => columnNamed(before, String(column))?.id ?? 0);
    for (const key of keys) {
      const ids = idsOf(key);
      const isUncovered = ids.every((id) => columnById(after, id)) && !after.keys.some((own) => beginsWith(own, ids));
      if (isUncovered) throw unsupported(apiName, `table '${name}' references a field whose index would go`);
    }
    const inTheWay = keys.filter((key) => idsOf(key).some((id) => retyped.includes(id)));
    if (inTheWay.length === 0) continue;
    if (mayLose)
      throw unsupported(apiName, `table '${name}' references a field whose values might not stay what they are`);
    const mendedKeys = inTheWay.map((key) => ({
      ...key,
      id: nextId(),
      target: { ...key.target, name: after.native.name },
      refColumns: idsOf(key).map((id) => columnById(after, id)?.name ?? ''),
    }));
    const free = { ...table, foreignKeys: without(table.foreignKeys, inTheWay) };
    const mended = { ...free, foreignKeys: [...free.foreignKeys, ...mendedKeys] };
    state.put(table.native, mended);
    result.push({ table, free, mended });
  }
  return result;
}

const isTo = ({ target }: ForeignKeyText, table: TableText, { database }: PlannedState): boolean =>
  target.name.toLowerCase() === table.native.name.toLowerCase() &&
  (target.schema ?? database).toLowerCase() === (table.native.schema ?? database).toLowerCase();
