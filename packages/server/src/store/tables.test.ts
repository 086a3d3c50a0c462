// Migrations make the tables that declarations and tables.ts describe, on every engine.
import { inspect } from 'node:util';
import { type ResourceDefinition, type ResourceField, resources } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeDialect } from './dialects/index.ts';
import { openStore, type Store } from './index.ts';
import { createResourceTable } from './migrations/resource-table.ts';
import { snapshotColumns } from './migrations/snapshot.fixture.ts';
import { type Column, declarations, tableColumns } from './tables.ts';

/** Columns that hold less than their field may have: the platform keeps a hash. */
const shorter = ['user.password', 'user.security_answer'];

/** The tables of declarations that share one; the others are called like their resource. */
const sharedTables = new Map([
  ['admin', 'user'],
  ['owned_lookup', 'lookup'],
]);
const declared = Object.entries(declarations) as [keyof typeof declarations, ResourceDefinition][];
const versionColumn: Column = { type: 'integer', isNullable: false };
/** The journal of the migrations is no table of `Tables`. */
const journal = 'migration';
/** Characters of a date: `2026-01-31T12:00:00.000Z`. */
const dateLength = 24;

/** A column of the migrated database; `length` is missing where a text has no bound. */
interface MigratedColumn {
  table: string;
  column: string;
  type: 'text' | 'integer';
  isNullable: boolean;
  isGenerated: boolean;
  length?: number;
}

interface ColumnRow {
  table: string;
  column: string;
  type: string;
  isNullable: unknown;
  isGenerated: unknown;
  length: number | null;
}

const isNullable = sql`is_nullable = 'YES'`;
/** The columns of all tables, in the words of each engine. A key of SQLite holds no null although it is not said. */
const columnQueries: Record<'sqlite' | 'pgsql' | 'mysql', RawBuilder<ColumnRow>> = {
  sqlite: sql`select m.name as "table", c.name as "column", c.type as "type", c."notnull" = 0 and c.pk = 0 as "isNullable",
    c.hidden > 0 as "isGenerated", null as "length"
    from sqlite_master as m, pragma_table_xinfo(m.name) as c where m.type = 'table' and m.name not like 'sqlite_%'`,
  pgsql: sql`select table_name as "table", column_name as "column", data_type as "type", ${isNullable} as "isNullable",
    is_generated = 'ALWAYS' as "isGenerated", character_maximum_length as "length"
    from information_schema.columns where table_schema = current_schema()`,
  mysql: sql`select table_name as \`table\`, column_name as \`column\`, data_type as type, ${isNullable} as isNullable,
    coalesce(generation_expression, '') <> '' as isGenerated, character_maximum_length as length
    from information_schema.columns where table_schema = database()`,
};

function migratedColumn({ table, column, type, isNullable, isGenerated, length }: ColumnRow): MigratedColumn {
  const isVarchar = /^(varchar|character varying)/.test(type);
  // SQLite has the length in the name of the type.
  const bound = isVarchar ? Number(length ?? /\d+/.exec(type)?.[0]) : undefined;
  if (!isVarchar && !/^(text|longtext|bigint|integer|int)$/i.test(type))
    throw new Error(`${table}.${column}: ${type}?`);
  return {
    table,
    column,
    type: isVarchar || /text/i.test(type) ? 'text' : 'integer',
    isNullable: Boolean(isNullable),
    isGenerated: Boolean(isGenerated),
    ...(bound === undefined ? {} : { length: bound }),
  };
}

/** What is compared of a column on both sides. Nothing says whether one that the database works out may be null. */
const comparable = ({ type, isNullable, isGenerated = false }: Column) =>
  isGenerated ? `${type}, generated` : isNullable ? type : `${type}, not null`;

const byName = <Item>(items: Item[], nameOf: (item: Item) => string, describe: (item: Item) => string) =>
  Object.fromEntries(items.map((item) => [nameOf(item), describe(item)]));

/** The fewest characters that the column of a field has to hold. */
const lengthOf = ({ kind, rules }: ResourceField) =>
  kind === 'date' ? dateLength : kind === 'text' ? (rules.max ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;

for (const engine of ['sqlite', 'pgsql', 'mysql'] as const) {
  describe.skipIf(engine !== 'sqlite' && (await engineMissing(engine)))(`the tables of a store on ${engine}`, () => {
    let store: Store;
    let database: TestDatabase | undefined;
    let columns: MigratedColumn[];
    let url: string;

    beforeAll(async () => {
      if (engine !== 'sqlite') database = await freshDatabase(engine);
      url = database?.url ?? 'sqlite::memory:';
      store = await openStore({ url, dataFolder: '', log: { info() {}, warn() {} } });
      const { rows } = await columnQueries[engine].execute(store.db);
      columns = rows.filter(({ table }) => table !== journal).map(migratedColumn);
    });
    afterAll(async () => {
      await store?.close();
      await database?.drop();
    });

    test('are there for every declaration; a step can have these words', () => {
      const missing = declared.filter(([name]) => !columns.some(({ table }) => table === name));
      const steps = missing.map(([name, definition]) => {
        const words = inspect(snapshotColumns(definition, tableColumns[name]), { breakLength: 120 });
        return `await createResourceTable(db, dialect, '${name}', ${words});`;
      });
      expect(steps.join('\n')).toBe('');
    });

    test('are made by the migrations as tableColumns has them', () => {
      const described = Object.entries(tableColumns).flatMap(([table, tableColumns]) =>
        Object.entries(tableColumns as Record<string, Column>).map(([column, rest]) => ({ table, column, ...rest })),
      );
      const nameOf = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;
      expect(byName(columns, nameOf, comparable)).toEqual(byName(described, nameOf, comparable));
    });

    test('hold as much as the fields of their resources may have', () => {
      const short = Object.values(resources).flatMap(({ name, fields }) =>
        (Object.entries(fields) as [string, ResourceField][]).flatMap(([fieldName, field]) => {
          const place = `${sharedTables.get(name) ?? name}.${fieldName}`;
          const length = columns.find(({ table, column }) => `${table}.${column}` === place)?.length;
          return length !== undefined && length < lengthOf(field) ? [place] : [];
        }),
      );
      expect([...new Set(short)]).toEqual(shorter);
    });

    test('are made by the words of a step, too', async () => {
      const dialect = storeDialect(url);
      for (const [name, definition] of declared) {
        const [copy, snapshot] = [`copy_of_${name}`, snapshotColumns(definition, tableColumns[name])];
        await createResourceTable(store.db as never, dialect, copy, snapshot, definition.identifier);
        const { rows } = await columnQueries[engine].execute(store.db);
        const made = rows.filter(({ table }) => table === copy).map(migratedColumn);
        const described = Object.entries({ version: versionColumn, ...tableColumns[name] });
        expect(byName(made, ({ column }) => column, comparable)).toEqual(
          byName(
            described,
            ([column]) => column,
            ([, column]) => comparable(column),
          ),
        );
        const unique = Object.keys(snapshot).filter((column) => snapshot[column]?.isUnique);
        const indexes = (await dialect.uniqueIndexes(store.db as never)).filter(({ table }) => table === copy);
        expect(indexes.map(({ columns }) => columns.join())).toEqual(
          expect.arrayContaining(unique.map((column) => `${column}_folded`)),
        );
      }
    });
  });
}
