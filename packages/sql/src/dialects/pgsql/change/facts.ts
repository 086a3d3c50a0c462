// What the catalogues say of a table that is to be changed, beyond its description.
import { fail } from '@sluice/contract';
import type { Table } from '../../../schema/index.ts';
import type { RunQuery } from '../../network/index.ts';

export interface ColumnFacts {
  /** As the database prints it. */
  type: string;
  isNotNull: boolean;
  /** SQL of the default. */
  default: string | null;
  /** `a` and `d` where it is an identity column, else empty. */
  identity: string;
  isGenerated: boolean;
  /** The sequence that belongs to it, quoted. */
  sequence: string | null;
}

export interface IndexFacts {
  name: string;
  isPrimary: boolean;
  isUnique: boolean;
  isPartial: boolean;
  /** The constraint it stands for, and its kind: `p`, `u`, `x`. */
  constraint: string | null;
  constraintKind: string | null;
  /** Its key; a part that is an expression is null. */
  columns: (string | null)[];
}

export type TableKind = 'table' | 'view' | 'materialized view' | 'foreign table';

export interface TableFacts {
  kind: TableKind;
  columns: ReadonlyMap<string, ColumnFacts>;
  indexes: IndexFacts[];
}

const kinds = new Map<string, TableKind>([
  ['r', 'table'],
  ['p', 'table'],
  ['v', 'view'],
  ['m', 'materialized view'],
  ['f', 'foreign table'],
]);

const tableSql = `select c.oid, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = coalesce($1, current_schema()) and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

const columnsSql = `select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
    (select quote_ident(n.nspname) || '.' || quote_ident(s.relname)
      from pg_depend p join pg_class s on s.oid = p.objid and s.relkind = 'S' join pg_namespace n on n.oid = s.relnamespace
      where p.classid = 'pg_class'::regclass and p.refclassid = 'pg_class'::regclass and p.deptype in ('a', 'i')
        and p.refobjid = a.attrelid and p.refobjsubid = a.attnum order by s.oid limit 1)
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped`;

const indexesSql = `select c.relname, i.indisprimary, i.indisunique, i.indpred is not null, o.conname, o.contype,
    json_agg(a.attname order by k.n)
  from pg_index i join pg_class c on c.oid = i.indexrelid
    cross join unnest(i.indkey::int2[]) with ordinality as k (number, n)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number <> 0
    left join pg_constraint o on o.conindid = i.indexrelid and o.conrelid = i.indrelid and o.contype in ('p', 'u', 'x')
  where i.indrelid = $1 and k.n <= i.indnkeyatts
  group by c.relname, i.indisprimary, i.indisunique, i.indpred, o.conname, o.contype order by c.relname`;

/** Throws `table.unknown` where the table is gone. */
export async function readFacts(runQuery: RunQuery, table: Table): Promise<TableFacts> {
  const [row] = await runQuery(tableSql, [table.native.schema, table.native.name]);
  if (!row) throw fail('table.unknown', { table: table.name });
  const [oid, kind] = row;
  const columns = (await runQuery(columnsSql, [oid])).map((values): [string, ColumnFacts] => [
    String(values[0]),
    {
      type: String(values[1]),
      isNotNull: values[2] === 't',
      default: values[5] ? null : (values[3] ?? null),
      identity: values[4] ?? '',
      isGenerated: (values[5] ?? '') !== '',
      sequence: values[6] ?? null,
    },
  ]);
  const indexes = (await runQuery(indexesSql, [oid])).map(
    (values): IndexFacts => ({
      name: String(values[0]),
      isPrimary: values[1] === 't',
      isUnique: values[2] === 't',
      isPartial: values[3] === 't',
      constraint: values[4] ?? null,
      constraintKind: values[5] ?? null,
      columns: JSON.parse(String(values[6])) as (string | null)[],
    }),
  );
  return { kind: kinds.get(String(kind)) ?? 'table', columns: new Map(columns), indexes };
}

/** Names of a schema that begin like those we make. */
export async function readTakenNames(runQuery: RunQuery, schema: string | null): Promise<string[]> {
  const rows = await runQuery(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = coalesce($1, current_schema()) and lower(c.relname) ~ '^(u?ndx|seq)_'
     union all
     select o.conname from pg_constraint o join pg_namespace n on n.oid = o.connamespace
      where n.nspname = coalesce($1, current_schema()) and lower(o.conname) ~ '^(fk|u?ndx)_'`,
    [schema],
  );
  return rows.map(([name]) => String(name));
}
