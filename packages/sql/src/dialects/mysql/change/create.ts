// Planning a new table: one statement, with its keys.
import type { FieldDefinition, ReferenceDefinition, SchemaChange } from '../../../change/index.ts';
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
  const primary: string[] = [];
  // Those that others of the table reference come first: their types are needed.
  for (const field of [...fields].sort((a, b) => Number(isReference(a)) - Number(isReference(b)))) {
    const reference = singleReference(references, field.name);
    const { clauses, isCountedKey } = newColumn(field, {
      facts: state.facts,
      isUnicode: await state.isUnicode(),
      target: reference && isReference(field) ? await targetType(table, reference, state) : undefined,
    });
    table.columns.push({ id: nextId(), name: field.name, clauses });
    if (field.isPrimaryKey || isCountedKey) primary.push(field.name);
  }
  table.columns = fields.flatMap(({ name }) => table.columns.filter((column) => column.name === name));
  const inOrder = fields.filter((field) => primary.includes(field.name)).map((field) => field.name);
  if (inOrder.length > 0) addPrimaryKey(table, inOrder);
  for (const field of fields) {
    const isKey = references.some(({ columns }) => columns.includes(field.name));
    addFieldKeys(table, name, field, { isKey, facts: state.facts });
  }
  for (const reference of references) await addReference(table, name, reference, state);
  coverReferences(table);
  state.put(native, table);
  return {
    table: name,
    checks: [],
    losses: [],
    statements: [{ sql: createTable(table), undo: [`drop table ${quoteTable(native)}`], touches: [native] }],
  };
}

const isReference = (field: FieldDefinition): boolean => field.type.type.trim().toLowerCase() === 'reference';

/** The reference that a column makes alone. */
export const singleReference = (
  references: readonly ReferenceDefinition[],
  name: string,
): ReferenceDefinition | undefined => references.find(({ columns }) => columns.length === 1 && columns[0] === name);
