// What Amazon Redshift says about itself: the catalogues of PostgreSQL 8, read without the functions it does not have
// (https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-functions.html). Its keys are declared and not
// enforced (https://docs.aws.amazon.com/redshift/latest/dg/t_Defining_constraints.html); there are no indexes.

import { type ForeignKey, naturalOrder, type Table } from '../../schema/index.ts';
import type { RunQuery, SchemaReader, TextRow } from '../network/index.ts';
import { exists, type Index, type PgsqlTable, schemaReader, toForeignKey, toTable } from '../pgsql/introspect.ts';

/** Parameters and columns are those of pgsql/introspect.ts. */
const listSql = `select c.oid, n.nspname, c.relname, d.description, n.nspname = coalesce($2::varchar, current_schema()),
    c.relkind in ('v', 'm')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_description d on d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_class'::regclass
  where c.relkind in ('r', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'catalog_history')
    and ($1::varchar is null or n.nspname = $1::varchar) and has_schema_privilege(n.nspname, 'usage')
    and (has_table_privilege(c.oid, 'select') or has_table_privilege(c.oid, 'insert')
      or has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete'))
  order by 5 desc, 2, 3`;

/** Constraints; their columns are lists of numbers, `{1,2}`. */
const constraintsSql = `select conrelid, confrelid, conname, confupdtype, confdeltype, conkey, confkey, contype
  from pg_constraint where contype in ('f', 'p', 'u')`;

const columnNamesSql = `select a.attrelid, a.attnum, a.attname from pg_attribute a
  where a.attnum > 0 and a.attrelid in (select conrelid from pg_constraint union select confrelid from pg_constraint)`;

const columnsSql = `select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_get_expr(d.adbin, d.adrelid), c.description, a.attnum
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_description c on c.objoid = a.attrelid and c.objsubid = a.attnum and c.classoid = 'pg_class'::regclass
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`;

const keyColumnsSql = `select contype, conkey from pg_constraint where conrelid = $1 and contype in ('p', 'u')`;

export const redshiftReader = (schema: string): SchemaReader<PgsqlTable> =>
  schemaReader(schema, { listSql, keys: readKeys, table: readTable });

/** `{1,2}` */
const parseNumbers = (list: string | null | undefined): string[] => (list ?? '').replace(/[{}]/g, '').split(',');

async function readKeys(runQuery: RunQuery, list: ReadonlyMap<string, PgsqlTable>): Promise<ForeignKey[]> {
  const byOid = new Map([...list.values()].map((entry) => [entry.oid, entry]));
  const constraints = await runQuery(constraintsSql);
  const names = new Map((await runQuery(columnNamesSql)).map(([table, number, name]) => [`${table}.${number}`, name]));
  const columnNames = (table: string | null | undefined, numbers: string | null | undefined) =>
    JSON.stringify(parseNumbers(numbers).map((number) => names.get(`${table}.${number}`)));
  const keyColumnsId = (table: string | null | undefined, numbers: string | null | undefined) =>
    `${table} ${parseNumbers(numbers).sort().join(',')}`;
  const unique = new Set(constraints.flatMap((row) => (row[7] === 'f' ? [] : [keyColumnsId(row[0], row[5])])));
  const keys = constraints.flatMap(([from, to, name, onUpdate, onDelete, ownNumbers, refNumbers, type]) => {
    if (type !== 'f') return [];
    const isOne = unique.has(keyColumnsId(from, ownNumbers)) ? 't' : 'f';
    const row = [from, to, name, onUpdate, onDelete, columnNames(from, ownNumbers), columnNames(to, refNumbers), isOne];
    return toForeignKey(row as TextRow, byOid);
  });
  return keys.sort((a, b) => naturalOrder(a.table, b.table));
}

async function readTable(
  runQuery: RunQuery,
  entry: PgsqlTable,
  keys: readonly ForeignKey[],
): Promise<Table | undefined> {
  const rows = await runQuery(columnsSql, [entry.oid]);
  if (rows.length === 0 && !(await exists(runQuery, entry))) return undefined;
  const names = new Map(rows.map((row) => [row[5], row[0] ?? null]));
  const indexes = (await runQuery(keyColumnsSql, [entry.oid])).map(
    ([type, numbers]): Index => ({
      isPrimary: type === 'p',
      isUnique: true,
      isPartial: false,
      columns: parseNumbers(numbers).map((number) => names.get(number) ?? null),
    }),
  );
  return toTable(entry, rows.map(toPgsqlRow), indexes, keys);
}

/**
 * A row as PostgreSQL answers it. What Redshift counts up itself has the call of a function for its default; without
 * `default_` it takes no value from outside (https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_TABLE_NEW.html, IDENTITY).
 */
function toPgsqlRow([name, type, isRequired, expression, comment]: TextRow): TextRow {
  const identity = /^"?(default_)?identity"?\(/.exec(expression ?? '');
  const isAlways = identity !== null && identity[1] === undefined;
  return [
    name ?? '',
    type ?? '',
    isRequired ?? '',
    identity ? null : (expression ?? null),
    identity ? 'd' : '',
    isAlways ? 's' : '',
    comment ?? null,
  ];
}
