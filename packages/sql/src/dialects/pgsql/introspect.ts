// What a PostgreSQL database says about itself, from its system catalogues
// (https://www.postgresql.org/docs/current/catalogs.html), 12 and newer.
import type { SimpleType, TableDescription } from '@sluice/contract';
import {
  type Column,
  type ForeignKey,
  fieldDescription,
  labelOf,
  makeTable,
  naturalOrder,
  pluralOf,
  relationsOf,
  type Table,
} from '../../schema/index.ts';
import type { NamedTable, RunQuery, SchemaReader, TextRow } from '../network/index.ts';
import { nativeType, simpleType } from './types.ts';

export interface PgsqlTable extends NamedTable {
  /** Number of the table in the catalogues. */
  oid: string;
}

/**
 * Tables, views and foreign tables the user may do something with. Partitions are parts of their table and left out.
 * `$1` is the schema to show, all when it is null; `$2` the schema whose tables have bare names, the connection's own
 * when it is null.
 */
const listSql = `select c.oid, n.nspname, c.relname, obj_description(c.oid, 'pg_class'),
    n.nspname = coalesce($2, current_schema()), c.relkind in ('v', 'm')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and ($1::text is null or n.nspname = $1)
    and has_schema_privilege(n.oid, 'usage')
    and (has_table_privilege(c.oid, 'select, insert, update, delete')
      or has_any_column_privilege(c.oid, 'select, insert, update'))
  order by 5 desc, 2, 3`;

/** Columns of a constraint in their order, as JSON. */
const columnsOf = (relation: string, numbers: string) => `(select json_agg(a.attname order by k.n)
    from unnest(${numbers}) with ordinality as k (number, n)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)`;

/** Those of partitions stand for the one of their table. */
const keysSql = `select f.conrelid, f.confrelid, f.conname, f.confupdtype, f.confdeltype,
    ${columnsOf('f.conrelid', 'f.conkey')}, ${columnsOf('f.confrelid', 'f.confkey')},
    exists (select from pg_index i where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
      and i.indnkeyatts = cardinality(f.conkey)
      and (i.indkey::int2[])[0:i.indnkeyatts - 1] <@ f.conkey and f.conkey <@ (i.indkey::int2[])[0:i.indnkeyatts - 1])
  from pg_constraint f where f.contype = 'f' and f.conparentid = 0 order by f.oid`;

/** The columns of a table; behind a domain stands the type it is made of. */
const columnsSql = `with recursive types as (
    select a.attnum, a.atttypid as type, a.atttypmod as size, false as required, null::text collate "C" as value
    from pg_attribute a where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
    union all
    select s.attnum, t.typbasetype, t.typtypmod, s.required or t.typnotnull, coalesce(s.value, t.typdefault)
    from types s join pg_type t on t.oid = s.type where t.typtype = 'd')
  select a.attname, format_type(s.type, s.size), a.attnotnull or s.required,
    coalesce(pg_get_expr(d.adbin, d.adrelid), s.value), a.attidentity, a.attgenerated,
    col_description(a.attrelid, a.attnum)
  from types s join pg_type t on t.oid = s.type and t.typtype <> 'd'
    join pg_attribute a on a.attrelid = $1 and a.attnum = s.attnum
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  order by a.attnum`;

/** The keys of indexes; a part that is an expression has no name. */
const indexesSql = `select i.indisprimary, i.indisunique, i.indpred is not null, json_agg(a.attname order by k.n)
  from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (number, n)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number <> 0
  where i.indrelid = $1 and i.indisvalid and k.n <= i.indnkeyatts
  group by i.indexrelid, i.indisprimary, i.indisunique, i.indpred order by i.indexrelid`;

/** Resolves a schema of the configuration: blank or `all`, `default`, or a name. */
export function resolveSchema(schema: string): { only: string | null; isDefault: boolean } {
  const word = schema.toLowerCase();
  return { only: word === '' || word === 'all' || word === 'default' ? null : schema, isDefault: word === 'default' };
}

/** How the catalogues of an engine are read; `listSql` answers what `listSql` of PostgreSQL does. */
type Catalogues = Pick<SchemaReader<PgsqlTable>, 'keys' | 'table'> & { listSql: string };

export function schemaReader(schema: string, catalogues?: Catalogues): SchemaReader<PgsqlTable> {
  const { only, isDefault } = resolveSchema(schema);
  const { listSql: sql, keys, table } = catalogues ?? { listSql, keys: readKeys, table: readTable };
  return {
    list: async (runQuery) => toTables(await runQuery(sql, [only, only]), isDefault),
    keys,
    table,
    nativeName: (name, runQuery) => nativeName(name, runQuery, only, isDefault),
  };
}

/**
 * Where a table of an API name is made: `crm.todo` in the schema crm where there is one that is shown, else under all of
 * that name in the schema whose tables have bare names.
 */
async function nativeName(
  apiName: string,
  runQuery: RunQuery,
  only: string | null,
  isDefault: boolean,
): Promise<Table['native']> {
  if (only === null && !isDefault && apiName.includes('.')) {
    const parts = apiName.split('.');
    const schemas = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
    const rows = await runQuery(
      `select nspname from pg_namespace where nspname in (select json_array_elements_text($1::json))
        and nspname !~ '^pg_' and nspname <> 'information_schema' order by length(nspname)`,
      [JSON.stringify(schemas)],
    );
    const schema = rows[0]?.[0];
    if (schema && apiName.length > schema.length + 1) return { schema, name: apiName.slice(schema.length + 1) };
  }
  const [row] = await runQuery('select coalesce($1, current_schema())', [only]);
  // Without a schema of its own the database says what is missing.
  return { schema: row?.[0] ?? null, name: apiName };
}

function toTables(rows: TextRow[], isDefault: boolean): PgsqlTable[] {
  const tables = new Map<string, PgsqlTable>();
  for (const [oid = '', owner = '', name = '', comment, isOwn, isView] of rows) {
    if (isDefault && isOwn !== 't') continue;
    const apiName = isOwn === 't' ? String(name) : `${owner}.${name}`;
    // A table `a.b` of the naming schema goes before the table b of a schema a.
    if (tables.has(apiName)) continue;
    tables.set(apiName, {
      name: apiName,
      oid: String(oid),
      native: { schema: String(owner), name: String(name) },
      comment: comment || null,
      isView: isView === 't',
    });
  }
  return [...tables.values()];
}

const ruleNames = new Map<string, string>(
  Object.entries({
    a: 'NO ACTION',
    r: 'RESTRICT',
    c: 'CASCADE',
    n: 'SET NULL',
    d: 'SET DEFAULT',
  }),
);

async function readKeys(runQuery: RunQuery, list: ReadonlyMap<string, PgsqlTable>): Promise<ForeignKey[]> {
  const byOid = new Map([...list.values()].map((entry) => [entry.oid, entry]));
  const keys = (await runQuery(keysSql)).flatMap((row) => toForeignKey(row, byOid));
  return keys.sort((a, b) => naturalOrder(a.table, b.table));
}

/** A key whose tables are both shown; its columns come as JSON. */
export function toForeignKey(row: TextRow, byOid: ReadonlyMap<string, PgsqlTable>): ForeignKey[] {
  const [from = '', to = '', name, onUpdate, onDelete, columns, refColumns, isOne] = row;
  const [table, target] = [byOid.get(String(from)), byOid.get(String(to))];
  // Records of a hidden table cannot be related records.
  if (!table || !target) return [];
  const key: ForeignKey = {
    table: table.name,
    columns: JSON.parse(String(columns)) as string[],
    refTable: target.name,
    refColumns: JSON.parse(String(refColumns)) as string[],
    onUpdate: ruleNames.get(String(onUpdate)) ?? '',
    onDelete: ruleNames.get(String(onDelete)) ?? '',
    isOne: isOne === 't',
  };
  key.constraint = {
    constraint_name: String(name),
    constraint_type: 'FOREIGN KEY',
    table_schema: table.native.schema ?? '',
    table_name: table.native.name,
    column_name: key.columns.join(','),
    referenced_table_schema: target.native.schema ?? '',
    referenced_table_name: target.native.name,
    referenced_column_name: key.refColumns.join(','),
    update_rule: key.onUpdate,
    delete_rule: key.onDelete,
  };
  return [key];
}

export interface Index {
  isPrimary: boolean;
  isUnique: boolean;
  isPartial: boolean;
  columns: (string | null)[];
}

async function readTable(
  runQuery: RunQuery,
  entry: PgsqlTable,
  keys: readonly ForeignKey[],
): Promise<Table | undefined> {
  const rows = await runQuery(columnsSql, [entry.oid]);
  if (rows.length === 0 && !(await exists(runQuery, entry))) return undefined;
  const indexes = (await runQuery(indexesSql, [entry.oid])).map(
    ([primary, unique, partial, columns]): Index => ({
      isPrimary: primary === 't',
      isUnique: unique === 't',
      isPartial: partial === 't',
      columns: JSON.parse(String(columns)) as (string | null)[],
    }),
  );
  return toTable(entry, rows, indexes, keys);
}

/** A table out of its rows of `columnsSql`. */
export function toTable(
  entry: PgsqlTable,
  rows: readonly TextRow[],
  indexes: Index[],
  keys: readonly ForeignKey[],
): Table {
  const ownKeys = keys.filter((foreignKey) => foreignKey.table === entry.name);
  const primary = indexes.find((index) => index.isPrimary)?.columns.map(String) ?? [];
  const columns = rows.map((row) => describeColumn(row, primary, indexes, ownKeys));
  const label = labelOf(entry.name);
  const description: TableDescription = {
    alias: null,
    name: entry.name,
    label,
    description: entry.comment,
    native: [],
    plural: pluralOf(label),
    is_view: entry.isView ?? false,
    primary_key: primary,
    name_field: null,
    field: columns.map((column) => column.description),
    related: relationsOf(entry.name, keys),
    constraints: constraintsOf(ownKeys),
  };
  return makeTable({ name: entry.name, native: entry.native, description, columns });
}

/** A table may have no columns at all. */
export const exists = async (runQuery: RunQuery, { oid }: PgsqlTable): Promise<boolean> =>
  (await runQuery('select 1 from pg_class where oid = $1', [oid])).length > 0;

function describeColumn(row: TextRow, primary: string[], indexes: Index[], keys: ForeignKey[]): Column {
  const [name, printed, notNull, expression = null, identity, generated, comment] = row.map((cell) => cell ?? '');
  const field = String(name);
  const native = nativeType(String(printed));
  const simple = simpleType(native);
  const isAutoIncrement = identity !== '' || /^nextval\(/.test(expression ?? '');
  const isGenerated = generated !== '';
  const isWhole = (simple === 'integer' || simple === 'bigint') && native.name !== 'oid';
  const key = keys.find((foreignKey) => foreignKey.columns.includes(field));
  const type: SimpleType =
    isAutoIncrement && isWhole && primary.length === 1 && primary[0] === field
      ? 'id'
      : key?.columns.length === 1 && isWhole
        ? 'reference'
        : simple;
  const shownDefault = isAutoIncrement || isGenerated ? null : defaultOf(expression || null, type);
  const allowNull = notNull !== 't';
  const hasDefault = isAutoIncrement || (!!expression && !/^NULL\b/.test(expression));
  const isPrimary = primary.includes(field);
  const description = fieldDescription({
    name: field,
    description: comment || null,
    type,
    db_type: native.text,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    default: shownDefault,
    required: !allowNull && !hasDefault && !isGenerated,
    allow_null: allowNull,
    fixed_length: native.name === 'character',
    auto_increment: isAutoIncrement,
    is_primary_key: isPrimary,
    is_unique: indexes.some(
      (index) => index.isUnique && !index.isPartial && !index.isPrimary && isOnlyColumn(index, field),
    ),
    is_index: !isPrimary && !key && indexes.some((index) => !index.isUnique && index.columns.includes(field)),
    is_foreign_key: key !== undefined,
    ref_table: key?.refTable ?? null,
    ref_field: key?.refColumns[key.columns.indexOf(field)] ?? null,
    // What the database computes can't be written: said in the words clients know (contract/database-tables.md §10).
    ...(isGenerated ? { validation: { api_read_only: {} } } : {}),
  });
  const column: Column = { name: field, native: field, description };
  if (isGenerated) column.autoValue = 'generated';
  else if (hasDefault) column.autoValue = 'default';
  if (native.isArray) column.listDelimiter = native.name === 'box' ? ';' : ',';
  else if (simple === 'double' || simple === 'decimal') column.nonFinite = ['NaN', 'Infinity', '-Infinity'];
  return column;
}

const isOnlyColumn = (index: Index, column: string) => index.columns.length === 1 && index.columns[0] === column;

/**
 * A default as a value of the field's type (contract/database-schema.md §2). The catalogue prints it as SQL: a constant
 * with its type behind it, `'abc'::character varying`, or an expression, which stays that text.
 */
export function defaultOf(expression: string | null, type: SimpleType): unknown {
  if (expression === null || /^NULL\b/.test(expression)) return null;
  const quoted = /^'((?:[^']|'')*)'(?:::[^']+)?$/s.exec(expression);
  const bare = /^\(?(-?[\d.]+(?:e[+-]?\d+)?)\)?(?:::[^']+)?$/i.exec(expression);
  const value = quoted ? (quoted[1] as string).replaceAll("''", "'") : bare ? (bare[1] as string) : expression;
  switch (type) {
    case 'boolean':
      return /^(true|t|1)$/.test(value) ? true : /^(false|f|0)$/.test(value) ? false : value;
    case 'integer':
    case 'id':
    case 'reference':
    case 'bigint':
    case 'double':
    case 'decimal': {
      const number = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
      const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
      return isExact ? number : value;
    }
    default:
      return value;
  }
}

/** The foreign keys of a table, informative. */
const constraintsOf = (keys: ForeignKey[]): TableDescription['constraints'] =>
  keys.length === 0
    ? []
    : Object.fromEntries(keys.map(({ constraint }) => [constraint?.constraint_name?.toLowerCase(), constraint]));
