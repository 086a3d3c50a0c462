import { type Kysely, sql } from 'kysely';
import type { AnyDb, StoreDialect } from '../dialects/index.ts';
import { folded, lookupOwners } from '../tables.ts';
import { addColumn } from './add-column.ts';
import type { MigrationLog } from './index.ts';

/** Columns in which rows of a table must differ, and what to do with rows that do not when the index is made. */
interface UniqueRule {
  table: string;
  columns: string[];
  duplicates:
    | { kind: 'rename'; maxLength: number; fold: (name: string) => string }
    | { kind: 'keepNewest' }
    /** An administrator has to decide: a login is never changed by itself. */
    | { kind: 'leave' };
}

const exact = (name: string) => name;
const renameDuplicates = (maxLength: number, fold = folded) => ({ kind: 'rename', maxLength, fold }) as const;

/**
 * Every rule by which system records must differ, except for those whose key is their name. All but that of lookup keys
 * have had their index since their table was made; a store restored from a dump without indexes gets them here.
 */
export const uniqueRules: UniqueRule[] = [
  { table: 'role', columns: ['name_folded'], duplicates: renameDuplicates(64) },
  { table: 'service', columns: ['name_folded'], duplicates: renameDuplicates(40) },
  { table: 'app', columns: ['name_folded'], duplicates: renameDuplicates(64) },
  { table: 'email_template', columns: ['name_folded'], duplicates: renameDuplicates(64) },
  { table: 'lookup', columns: ['owner', 'name'], duplicates: renameDuplicates(255, exact) },
  { table: 'user_to_app_to_role', columns: ['user_id', 'app_id'], duplicates: { kind: 'keepNewest' } },
  { table: 'app', columns: ['api_key'], duplicates: { kind: 'leave' } },
  { table: 'user', columns: ['email_folded'], duplicates: { kind: 'leave' } },
  { table: 'user', columns: ['username_folded'], duplicates: { kind: 'leave' } },
];

/** Makes the unique indexes; lookup keys get a column that says whose they are. */
export async function uniqueNames(db: Kysely<unknown>, dialect: StoreDialect, log: MigrationLog): Promise<void> {
  await addOwner(db, dialect);
  const existing = new Set((await dialect.uniqueIndexes(db)).map(({ table, columns }) => keyOf(table, columns)));
  for (const rule of uniqueRules) if (!existing.has(keyOf(rule.table, rule.columns))) await makeUnique(db, rule, log);
}

/** The order of the columns in an index does not matter. */
const keyOf = (table: string, columns: string[]) => `${table} ${[...columns].sort().join()}`;

async function addOwner(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await addColumn(db, dialect, { table: 'lookup', column: 'owner', type: dialect.types.text(80) }, (added) =>
    added.notNull().defaultTo(''),
  );
  const parts = lookupOwners.map((kind) => {
    const text = dialect.concat(sql.lit(`${kind} `), sql.ref(`${kind}_id`));
    return sql`coalesce(${text}, '')`;
  });
  // In the words of lookupOwner.
  await anyTable(db)
    .updateTable('lookup')
    .set({ owner: dialect.concat(...parts) })
    .execute();
}

const anyTable = (db: Kysely<unknown>) => db as unknown as AnyDb;

async function makeUnique(db: Kysely<unknown>, rule: UniqueRule, log: MigrationLog): Promise<void> {
  const { table, columns, duplicates } = rule;
  const groups = await duplicatesOf(db, rule);
  if (groups.length > 0 && duplicates.kind === 'leave') {
    const ids = groups.map((rows) => rows.map(({ id }) => id));
    log.warn(
      { table, columns, ids },
      'Rows that are to differ are alike. They stay, and no index keeps further ones out.',
    );
    return;
  }
  for (const rows of groups) {
    if (duplicates.kind === 'rename') await rename(db, rule, rows, log);
    if (duplicates.kind === 'keepNewest') await keepNewest(db, rule, rows, log);
  }
  await db.schema
    .createIndex(`${table}_${columns.join('_')}_once`)
    .unique()
    .on(table)
    .columns(columns)
    .execute();
}

type Row = Record<string, unknown>;

/** Rows that are alike, those of one group together; the last of a group is the one that has counted so far. */
async function duplicatesOf(db: Kysely<unknown>, { table, columns }: UniqueRule): Promise<Row[][]> {
  const groupKeys = await anyTable(db)
    .selectFrom(table)
    .select(columns)
    .groupBy(columns)
    .having(sql`count(*)`, '>', 1)
    .execute();
  const groups: Row[][] = [];
  for (const values of groupKeys) {
    let query = anyTable(db).selectFrom(table).selectAll();
    for (const column of columns) query = query.where(column, '=', values[column]);
    // A private lookup key is shown to no caller: the other one has counted so far.
    if (table === 'lookup') query = query.orderBy('private', 'desc');
    groups.push(await query.orderBy('id').execute());
  }
  return groups;
}

/** All but the last get a number after their name, so that the name keeps meaning the same row. */
async function rename(db: Kysely<unknown>, rule: UniqueRule, rows: Row[], log: MigrationLog): Promise<void> {
  const { table, columns, duplicates } = rule;
  if (duplicates.kind !== 'rename') return;
  const { fold, maxLength } = duplicates;
  let others = anyTable(db).selectFrom(table).select('name');
  for (const column of columns.filter((column) => !column.startsWith('name')))
    others = others.where(column, '=', rows[0]?.[column]);
  const taken = new Set((await others.execute()).map(({ name }) => fold(String(name))));
  for (const { id, name } of rows.slice(0, -1)) {
    const free = freeName(String(name), maxLength, (other) => taken.has(fold(other)));
    taken.add(fold(free));
    await anyTable(db).updateTable(table).set({ name: free, version: sql`version + 1` }).where('id', '=', id).execute();
    log.warn({ table, id, from: name, to: free }, 'A name that was there twice got a number behind it.');
  }
}

/** `name_2`, `name_3` …: the first that is free, cut so that it fits. */
function freeName(name: string, maxLength: number, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const free = Array.from(name)
      .slice(0, maxLength - suffix.length)
      .join('')
      .concat(suffix);
    if (!isTaken(free)) return free;
  }
}

async function keepNewest(db: Kysely<unknown>, { table }: UniqueRule, rows: Row[], log: MigrationLog): Promise<void> {
  const newest = rows.at(-1);
  for (const row of rows.slice(0, -1)) {
    await anyTable(db).deleteFrom(table).where('id', '=', row.id).execute();
    log.warn({ table, deleted: row, kept: newest?.id }, 'Of assignments that were there twice the newest stays.');
  }
}
