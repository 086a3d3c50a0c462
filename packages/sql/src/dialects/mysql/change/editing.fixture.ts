// A fresh database with an editor, and fields as a caller of the API would mean them.
import type { FieldDefinition, SchemaChange, SchemaEditor, TableStep } from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';
import type { Column, Table } from '../../../schema/index.ts';
import { openMysqlDatabase } from '../connect.ts';
import type { MysqlOptions } from '../driver.ts';

/** A fresh database, as the testkit makes it. */
interface Server {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  run(sql: string): Promise<unknown[][]>;
  drop(): Promise<void>;
}

export interface Editing {
  server: Server;
  database: Database;
  editor: SchemaEditor;
  /** Runs SQL beside the editor. */
  run: Server['run'];
  table(name: string): Promise<Table>;
  alter(name: string, makeSteps: (column: (name: string) => Column) => TableStep[]): Promise<SchemaChange>;
  /** Everything there is, to be compared: tables, triggers and records. */
  everything(): Promise<string>;
  close(): Promise<void>;
}

export async function startEditing(server: Server, options: Partial<MysqlOptions> = {}): Promise<Editing> {
  const database = openMysqlDatabase({ ...server, schema: 'default', ...options });
  const table = async (name: string) => database.table(name, { refresh: true });
  return {
    server,
    database,
    editor: database.schemaEditor as SchemaEditor,
    run: server.run,
    table,
    async alter(name, makeSteps) {
      const found = await table(name);
      const columnOf = (column: string) => {
        const result = found.columns.find(({ native }) => native === column);
        if (!result) throw new Error(`no column ${column}`);
        return result;
      };
      return { kind: 'alterTable', table: found, steps: makeSteps(columnOf) };
    },
    everything: () => readEverything(server.run, server.database),
    async close() {
      await database.close();
      await server.drop();
    },
  };
}

/** Every table, trigger and record of a database. */
export async function readEverything(run: Server['run'], database: string): Promise<string> {
  const names = (
    await run(`select table_name from information_schema.tables where table_schema = '${database}' order by 1`)
  ).map(([name]) => `\`${String(name).replaceAll('`', '``')}\``);
  const texts: string[] = [];
  for (const name of names) {
    texts.push(
      String((await run(`show create table ${name}`))[0]?.[1]),
      JSON.stringify(await run(`select * from ${name}`)),
    );
  }
  texts.push(JSON.stringify((await run('show triggers')).map((row) => row.slice(0, 4))));
  return texts.map(withSortedKeys).join('\n');
}

/** A foreign key that goes and comes back takes the index that the server made for it to the end of the list. */
const withSortedKeys = (sql: string): string => {
  const [lines, isKey] = [
    sql.split('\n').map((line) => line.replace(/,$/, '')),
    (line: string) => /^ {2}(UNIQUE )?KEY /.test(line),
  ];
  return [...lines.filter((line) => !isKey(line)), ...lines.filter(isKey).sort()].join('\n');
};

/** A field: nullable text unless something else is said. */
export const field = (
  name: string,
  facts: Partial<Omit<FieldDefinition, 'type'>> & {
    type?: string;
    length?: number;
    scale?: number;
    isFixedLength?: boolean;
    isMultibyte?: boolean;
  } = {},
): FieldDefinition => {
  const { type = 'string', length = null, scale = null, isFixedLength = false, isMultibyte = false, ...rest } = facts;
  return {
    name,
    type: { type, length, scale, isFixedLength, isMultibyte },
    allowNull: true,
    default: null,
    isAutoIncrement: false,
    isPrimaryKey: false,
    isUnique: false,
    isIndex: false,
    ...rest,
  };
};

export const id = (name = 'id', type = 'id'): FieldDefinition =>
  field(name, { type, allowNull: false, isAutoIncrement: true, isPrimaryKey: true });

export const createTable = (
  name: string,
  fields: FieldDefinition[],
  references: Extract<SchemaChange, { kind: 'createTable' }>['references'] = [],
): SchemaChange => ({ kind: 'createTable', name, fields, references });

export const reference = (
  column: string | string[],
  refTable: string,
  refColumn: string | string[] = 'id',
  rules: { onDelete?: string; onUpdate?: string } = {},
) => ({
  columns: [column].flat(),
  refTable,
  refColumns: [refColumn].flat(),
  onUpdate: rules.onUpdate ?? null,
  onDelete: rules.onDelete ?? null,
});
