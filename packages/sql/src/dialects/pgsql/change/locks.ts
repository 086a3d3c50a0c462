// What a change locks before its catalogues are read.
import { fail } from '@sluice/contract';
import type { SchemaChange } from '../../../change/index.ts';
import type { Table } from '../../../schema/index.ts';
import type { PlanContext } from '../../network/index.ts';
import { quoteTable } from './words.ts';

type Mode = 'access exclusive' | 'share row exclusive';

/** A table as it is listed here, and whether only such a lock is needed as a foreign key needs on what it references. */
interface Wanted {
  native: Table['native'];
  mode: Mode;
  /** Its API name where the change is of it: it has to exist. */
  table?: string;
}

/** What is no table of its own (views, foreign tables) locks itself; so does what this account has no right to lock. */
const lockableSql = `select n.nspname, c.relname,
    c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'update, delete, truncate')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and (n.nspname, c.relname) in (select coalesce(t ->> 0, current_schema()), t ->> 1 from json_array_elements($1::json) t)`;

/** Dropping a foreign key locks what it references as well. */
const targetsSql = `select distinct tn.nspname, t.relname
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
  where f.contype = 'f' and n.nspname = coalesce($1, current_schema()) and c.relname = $2
    and ($3::json is null or exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any (f.conkey)
      and a.attname in (select json_array_elements_text($3::json))))`;

/** In one order for all changes, by name: no two of them wait for each other. */
export async function locksOf(changes: readonly SchemaChange[], context: PlanContext): Promise<string[]> {
  const wanted: Wanted[] = [];
  for (const change of changes) wanted.push(...(await wantedBy(change, context)));
  const rows = await context.runQuery(lockableSql, [
    JSON.stringify(wanted.map(({ native }) => [native.schema, native.name])),
  ]);
  const isLockable = new Map(rows.map(([schema, name, lockable]) => [keyOf(schema, name), lockable === 't']));
  const made = new Set(changes.flatMap((change) => (change.kind === 'createTable' ? [change.name] : [])));
  const modes = new Map<string, { native: Table['native']; mode: Mode }>();
  for (const { native, mode, table } of wanted) {
    const key = keyOf(native.schema, native.name);
    const lockable = isLockable.get(key);
    if (lockable === undefined && table !== undefined && !made.has(table)) throw fail('table.unknown', { table });
    if (!lockable || modes.get(key)?.mode === 'access exclusive') continue;
    modes.set(key, { native, mode });
  }
  return [...modes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { native, mode }]) => `lock table ${quoteTable(native)} in ${mode} mode`);
}

const keyOf = (schema: unknown, name: unknown) => JSON.stringify([schema, name]);

async function wantedBy(change: SchemaChange, context: PlanContext): Promise<Wanted[]> {
  const references =
    change.kind === 'createTable'
      ? change.references
      : change.kind === 'alterTable'
        ? change.steps.flatMap((step) => (step.kind === 'addReference' ? [step.reference] : []))
        : [];
  const wanted: Wanted[] = [];
  for (const { refTable } of references)
    wanted.push({ native: await context.nativeName(refTable), mode: 'share row exclusive' });
  if (change.kind === 'createTable') return wanted;
  const { native, name } = change.table;
  const dropped =
    change.kind === 'dropTable'
      ? null
      : change.steps.flatMap((step) => (step.kind === 'dropField' ? [step.column.native] : []));
  if (dropped === null || dropped.length > 0) {
    const parameter = dropped === null ? null : JSON.stringify(dropped);
    for (const [schema = null, target] of await context.runQuery(targetsSql, [native.schema, native.name, parameter]))
      wanted.push({ native: { schema, name: String(target) }, mode: 'access exclusive' });
  }
  return [...wanted, { native, mode: 'access exclusive', table: name }];
}
