// Declarations, `tableColumns` and migrations say the same of every table; what differs is listed here with its reason.
import { type ResourceField, resources } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from './index.ts';
import { type Column, tableColumns } from './tables.ts';

/**
 * Every column that is not as the fields of the declarations of its table have it:
 * hidden – no field shows it; required – the field may be null, the column not; short – it holds less than the field.
 */
const differences: Record<string, string> = {
  'app.name_folded: hidden': 'names differ whatever their case',
  'app.version: hidden': 'the ETag',
  'app.api_key: required': 'made where none is sent',
  'app.type: required': 'has a default',
  'custom.version: hidden': 'the ETag',
  'audit.created_date: required': 'the platform writes it',
  'email_template.name_folded: hidden': 'names differ whatever their case',
  'email_template.version: hidden': 'the ETag',
  'email_template.name: required': 'its absence is refused with words of its own',
  'lookup.owner: hidden': 'one key of a name for each owner, nobody included',
  'lookup.version: hidden': 'the ETag',
  'role.name_folded: hidden': 'names differ whatever their case',
  'role.version: hidden': 'the ETag',
  'role_service_access.version: hidden': 'the ETag',
  'role_service_access.role_id: required': 'a row is written within its role',
  'role_service_access.verb_mask: required': 'has a default',
  'role_service_access.requestor_mask: required': 'has a default',
  'role_service_access.filter_op: required': 'has a default',
  'service.name_folded: hidden': 'names differ whatever their case',
  'service.version: hidden': 'the ETag',
  'service.label: required': 'the name where none is sent',
  'service.config: required': 'an empty configuration where none is sent',
  'service_doc.version: hidden': 'the ETag',
  'service_doc.service_id: required': 'a definition is written within its service',
  'service_doc.format: required': 'has a default',
  'user.confirm_code: hidden': 'a secret of an invitation',
  'user.email_folded: hidden': 'addresses differ whatever their case',
  'user.email_skeleton: hidden': 'finds addresses that look alike',
  'user.is_sys_admin: hidden': 'tells administrators from users',
  'user.tokens_valid_from: hidden': 'ends older tokens',
  'user.username_folded: hidden': 'user names differ whatever their case',
  'user.version: hidden': 'the ETag',
  'user.password: short': 'holds a hash',
  'user.security_answer: short': 'holds a hash',
  'user_to_app_to_role.version: hidden': 'the ETag',
  'user_to_app_to_role.user_id: required': 'the field is required',
  'user_to_app_to_role.app_id: required': 'the field is required',
  'user_to_app_to_role.role_id: required': 'the field is required',
};

/** The tables of declarations that share one; the others are called like their resource. */
const sharedTables = new Map([
  ['admin', 'user'],
  ['owned_lookup', 'lookup'],
]);
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

const typeOf = ({ kind }: ResourceField) => (['text', 'date', 'json'].includes(kind) ? 'text' : 'integer');

/** How the column of a field differs from it. */
function* differencesOf(field: ResourceField, column: MigratedColumn | undefined): Generator<string> {
  if (!column) return yield 'missing';
  if (column.type !== typeOf(field)) yield `is ${column.type}`;
  const acceptsNull = field.kind === 'json' || 'anyOf' in field;
  if (acceptsNull && !column.isNullable) yield 'required';
  if (!acceptsNull && column.isNullable) yield 'nullable';
  if (column.length !== undefined && column.length < lengthOf(field)) yield 'short';
}

for (const engine of ['sqlite', 'pgsql', 'mysql'] as const) {
  describe.skipIf(engine !== 'sqlite' && (await engineMissing(engine)))(`the tables of a store on ${engine}`, () => {
    let store: Store;
    let database: TestDatabase | undefined;
    let columns: MigratedColumn[];

    beforeAll(async () => {
      if (engine !== 'sqlite') database = await freshDatabase(engine);
      const url = database?.url ?? 'sqlite::memory:';
      store = await openStore({ url, dataFolder: '', log: { info() {}, warn() {} } });
      const { rows } = await columnQueries[engine].execute(store.db);
      columns = rows.filter(({ table }) => table !== journal).map(migratedColumn);
    });
    afterAll(async () => {
      await store?.close();
      await database?.drop();
    });

    test('are made by the migrations as tableColumns has them', () => {
      const described = Object.entries(tableColumns).flatMap(([table, tableColumns]) =>
        Object.entries(tableColumns as Record<string, Column>).map(([column, rest]) => ({ table, column, ...rest })),
      );
      const nameOf = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;
      expect(byName(columns, nameOf, comparable)).toEqual(byName(described, nameOf, comparable));
    });

    test('hold what their resources declare, but for the differences listed above', () => {
      const found = new Set<string>();
      const shown = new Set<string>();
      const tables = new Set<string>();
      for (const { name, fields } of Object.values(resources)) {
        const table = sharedTables.get(name) ?? name;
        tables.add(table);
        for (const [fieldName, field] of Object.entries(fields) as [string, ResourceField][]) {
          if (field.rules.computed) continue;
          const place = `${table}.${fieldName}`;
          shown.add(place);
          const column = columns.find((item) => `${item.table}.${item.column}` === place);
          for (const difference of differencesOf(field, column)) found.add(`${place}: ${difference}`);
        }
      }
      for (const { table, column } of columns)
        if (tables.has(table) && !shown.has(`${table}.${column}`)) found.add(`${table}.${column}: hidden`);
      expect([...found].sort()).toEqual(Object.keys(differences).sort());
    });
  });
}
