// Planning a new table: one statement, with its keys.
import { type FieldDefinition, type SchemaChange, singleReferences } from '../../../change/index.ts';
import type { PlannedChange } from '../../network/index.ts';
import { createTable } from './difference.ts';
import { newColumn } from './fields.ts';
import { addFieldKeys, addPrimaryKey, addReference, coverReferences, targetType } from './keys.ts';
import { quoteTable } from './quoting.ts';
import type { PlannedState } from './state.ts';
import { nextId, type TableText } from './table-text.ts';

type CreateTable = Extract<SchemaChange, { kind: 'createTable' }>;

export async function planCreate(
  { name, fields, references }: CreateTable,
  state: PlannedState,
): Promise<PlannedChange> {
  const native = await state.context.nativeName(name);
  const table: TableText = { kind: 'table', native, columns: [], keys: [], foreignKeys: [], autoIncrement: undefined };
  const primary = new Set<string>();
  const single = singleReferences(references);
  // Those that others of the table reference come first: their types are needed.
  const ordered = [...fields].sort((a, b) => Number(isReference(a)) - Number(isReference(b)));
  for (const field of ordered) {
    const reference = single.get(field.name.toLowerCase());
    const { clauses, isCountedKey } = newColumn(field, {
      facts: state.facts,
      isUnicode: await state.isUnicode(),
      target: reference && isReference(field) ? await targetType(table, reference, state) : undefined,
    });
    table.columns.push({ id: nextId(), name: field.name, clauses });
    if (field.isPrimaryKey || isCountedKey) primary.add(field.name);
  }
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  table.columns = fields.flatMap((field) => columns.get(field.name) ?? []);
  const inOrder = fields.filter((field) => primary.has(field.name)).map((field) => field.name);
  if (inOrder.length > 0) addPrimaryKey(table, inOrder);
  const referring = new Set(references.flatMap((reference) => reference.columns));
  for (const field of fields) {
    const column = columns.get(field.name);
    const isKey = referring.has(field.name);
    if (column) addFieldKeys(table, name, column, field, { isKey, facts: state.facts });
  }
  for (const reference of references) await addReference(table, name, reference, state);
  coverReferences(table, name);
  state.put(native, table);
  return {
    table: name,
    checks: [],
    losses: [],
    statements: [{ sql: createTable(table), undo: [`drop table ${quoteTable(native)}`], touches: [native] }],
  };
}

const isReference = (field: FieldDefinition): boolean => field.type.type.trim().toLowerCase() === 'reference';
