// Keys, indexes and foreign keys of a table in planning.
import { fail } from '@sluice/contract';
import { constraintName, type FieldDefinition, freeName, type ReferenceDefinition } from '../../../change/index.ts';
import type { ServerFacts } from '../driver.ts';
import { clauseText } from './column-text.ts';
import { withNullability } from './fields.ts';
import { maxNameLength } from './quoting.ts';
import type { PlannedState } from './state.ts';
import {
  beginsWith,
  type ColumnText,
  columnById,
  columnNamed,
  type ForeignKeyText,
  isOnlyOf,
  isSameTable,
  type KeyText,
  nextId,
  type TableText,
} from './table-text.ts';
import { typeOfClauses } from './type-words.ts';

/** Indexes of a table: no build of either server has more, by default they have 64. */
const maxKeys = 128;

/** Characters of a text that an index without uniqueness looks at. */
const indexedLength = 191;

const isLong = (type: string): boolean => /text|blob|^json/i.test(type);

export const unsupported = (table: string, problem: string) => fail('schema.unsupported', { table, problem });

export function addPrimaryKey(table: TableText, names: readonly string[]): void {
  const columns = names.flatMap((name) => columnNamed(table, name) ?? []);
  for (const column of columns) column.clauses = withNullability(column.clauses, false);
  table.keys.push({
    id: nextId(),
    kind: 'primary',
    words: 'PRIMARY KEY',
    name: null,
    parts: columns.map(({ id }) => ({ column: id, text: '' })),
    end: '',
  });
}

/** The indexes that a field's flags ask for. Keys and references have theirs already, and are not shown as indexed. */
export function addFieldKeys(
  table: TableText,
  apiName: string,
  column: ColumnText,
  { isUnique, isIndex }: Pick<FieldDefinition, 'isUnique' | 'isIndex'>,
  { isKey, facts }: { isKey: boolean; facts: ServerFacts },
): void {
  const isPrimary = table.keys.some(
    (key) => key.kind === 'primary' && key.parts.some((part) => part.column === column.id),
  );
  const type = clauseText(column.clauses, 'type') ?? '';
  if (isUnique && !table.keys.some((key) => key.kind === 'unique' && isOnlyOf(key, column.id))) {
    if (isLong(type) && !facts.isMariaDb)
      throw unsupported(apiName, `field '${column.name}' of type ${type} is too long for a unique index`);
    addKey(table, apiName, 'unique', [column.id]);
  }
  if (isIndex && !isKey && !isPrimary && !table.keys.some((key) => key.kind === 'plain' && isOnlyOf(key, column.id)))
    addKey(table, apiName, 'plain', [column.id]);
}

export function addKey(
  table: TableText,
  apiName: string,
  kind: 'unique' | 'plain',
  columns: readonly number[],
  wantedName?: string,
): void {
  if (table.keys.length >= maxKeys) throw unsupported(apiName, `no table can have more than ${maxKeys} indexes`);
  const names = columns.map((id) => columnById(table, id)?.name ?? '');
  const name = wantedName ?? constraintName(kind === 'unique' ? 'unique' : 'index', apiName, names, maxNameLength);
  table.keys.push({
    id: nextId(),
    kind,
    words: kind === 'unique' ? 'UNIQUE KEY' : 'KEY',
    name: freeName(name, ['PRIMARY', ...table.keys.flatMap((key) => key.name ?? [])], maxNameLength),
    parts: columns.map((id) => {
      const type = clauseText(columnById(table, id)?.clauses ?? [], 'type') ?? '';
      return { column: id, text: kind === 'plain' && isLong(type) ? `(${indexedLength})` : '' };
    }),
    end: '',
  });
}

/** The column that a reference of one column is to has the type that the reference must have. */
export async function targetType(
  table: TableText,
  reference: ReferenceDefinition,
  state: PlannedState,
): Promise<string | undefined> {
  const target = await targetOf(table, reference, state);
  const column = columnNamed(target, reference.refColumns[0] ?? '');
  return column && typeOfClauses(column.clauses);
}

async function targetOf(table: TableText, { refTable }: ReferenceDefinition, state: PlannedState): Promise<TableText> {
  const native = await state.context.nativeName(refTable);
  return isSameTable(native, table.native) ? table : state.table(native, refTable);
}

/** `names` of columns are looked up by `idOf`, by their names in the table when absent. */
export async function addReference(
  table: TableText,
  apiName: string,
  reference: ReferenceDefinition,
  state: PlannedState,
  idOf = (name: string): number | undefined => columnNamed(table, name)?.id,
): Promise<ForeignKeyText> {
  const target = await targetOf(table, reference, state);
  const names = await state.foreignKeyNames(table.native.schema);
  const name = names.claim(constraintName('reference', apiName, reference.columns, maxNameLength));
  const columns = reference.columns.map((column) => {
    const id = idOf(column);
    if (id === undefined) throw unsupported(apiName, `there is no field '${column}' for the foreign key`);
    return id;
  });
  const isOwn = target === table;
  const { schema } = target.native;
  const key: ForeignKeyText = {
    id: nextId(),
    name,
    columns,
    target: schema === table.native.schema ? target.native : { ...target.native, schema: schema ?? state.database },
    refColumns: reference.refColumns.map((column) => (isOwn ? (idOf(column) ?? column) : column)),
    rules: [
      ...(reference.onDelete === null ? [] : [`on delete ${reference.onDelete.toLowerCase()}`]),
      ...(reference.onUpdate === null ? [] : [`on update ${reference.onUpdate.toLowerCase()}`]),
    ].join(' '),
  };
  table.foreignKeys.push(key);
  return key;
}

/**
 * Gives foreign keys the index that they need, under their own name. The server would make one by itself, and drop it
 * again when another could serve: what is done could then not be undone exactly.
 */
export function coverReferences(table: TableText, apiName: string): void {
  for (const { name, columns } of table.foreignKeys)
    if (!table.keys.some((key) => beginsWith(key, columns))) addKey(table, apiName, 'plain', columns, name);
}

/** Keys of a table that are of this column alone, or of others besides. */
export const keysWith = (table: TableText, column: number): KeyText[] =>
  table.keys.filter(({ parts }) => parts.some((part) => part.column === column));
