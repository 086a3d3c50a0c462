import type {
  FieldChange,
  FieldDefinition,
  ReferenceDefinition,
  SchemaChange,
  SchemaEditor,
  TableStep,
  TypeDefinition,
} from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';
import type { Column, Table } from '../../../schema/index.ts';
import { openSqlite } from '../driver/index.ts';

export const aType = (type: string, parts: Partial<TypeDefinition> = {}): TypeDefinition => ({
  type,
  length: null,
  scale: null,
  isFixedLength: false,
  isMultibyte: false,
  ...parts,
});

/** A field that allows null, of a simple type or a native one. */
export const aField = (
  name: string,
  type: string | TypeDefinition,
  parts: Partial<FieldDefinition> = {},
): FieldDefinition => ({
  name,
  type: typeof type === 'string' ? aType(type) : type,
  allowNull: true,
  default: null,
  isAutoIncrement: false,
  isPrimaryKey: false,
  isUnique: false,
  isIndex: false,
  ...parts,
});

export const anId = (name = 'id'): FieldDefinition =>
  aField(name, 'id', { isAutoIncrement: true, isPrimaryKey: true, allowNull: false });

export const aReference = (
  columns: string | string[],
  refTable: string,
  refColumns: string | string[] = 'id',
  parts: Partial<ReferenceDefinition> = {},
): ReferenceDefinition => ({
  columns: [columns].flat(),
  refTable,
  refColumns: [refColumns].flat(),
  onUpdate: null,
  onDelete: null,
  ...parts,
});

/** Steps on a table, by the names of its columns. */
export function stepsOn(table: Table) {
  const column = (name: string): Column => {
    const found = table.columns.find((each) => each.native === name);
    if (!found) throw new Error(`no column ${name}`);
    return found;
  };
  return {
    add: (field: FieldDefinition): TableStep => ({ kind: 'addField', field }),
    change: (name: string, change: FieldChange): TableStep => ({ kind: 'changeField', column: column(name), change }),
    rename: (name: string, newName: string): TableStep => ({ kind: 'renameField', column: column(name), newName }),
    drop: (name: string): TableStep => ({ kind: 'dropField', column: column(name) }),
    reference: (reference: ReferenceDefinition): TableStep => ({ kind: 'addReference', reference }),
    key: (...columns: string[]): TableStep => ({ kind: 'setPrimaryKey', columns }),
    renameTable: (newName: string): TableStep => ({ kind: 'renameTable', newName }),
  };
}

export type Steps = ReturnType<typeof stepsOn>;

/** The alteration of a table as it is described now. */
export async function anAlteration(
  database: Database,
  name: string,
  steps: (on: Steps) => TableStep[],
): Promise<SchemaChange> {
  const table = await database.table(name);
  return { kind: 'alterTable', table, steps: steps(stepsOn(table)) };
}

export const editorOf = (database: Database): SchemaEditor => database.schemaEditor as SchemaEditor;

export const creation = (
  name: string,
  fields: FieldDefinition[],
  references: ReferenceDefinition[] = [],
): SchemaChange => ({
  kind: 'createTable',
  name,
  fields,
  references,
});

/** Everything a file holds: its schema and all records of its tables. */
export function contentOf(path: string): { schema: string[]; rows: Record<string, unknown[]> } {
  const file = openSqlite(path);
  try {
    const schema = file
      .run('select type, name, tbl_name, sql from sqlite_schema order by rowid')
      .rows.map((row) => row.join('|'));
    const names = file.run("select name from sqlite_schema where type = 'table'").rows.map(([name]) => String(name));
    const rows = names.map((name) => [name, file.run(`select * from "${name.replaceAll('"', '""')}"`).rows]);
    return { schema, rows: Object.fromEntries(rows) };
  } finally {
    file.close();
  }
}

export const read = (path: string, sql: string): unknown[][] => {
  const file = openSqlite(path);
  try {
    return file.run(sql, [], false).rows;
  } finally {
    file.close();
  }
};
