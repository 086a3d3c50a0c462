// A copy of a file's schema in memory, without its records. Changes are planned on it, each on what those before it
// leave, and what SQLite would refuse shows before the file is touched.
import { openSqlite, type Sqlite } from '../driver/index.ts';
import { isWord, nameOf, quoteName, type Token, tokensOf } from './tokens.ts';

/** A table as the schema has it. */
export interface TableState {
  name: string;
  kind: 'table' | 'view' | 'virtual' | 'shadow';
  sql: string;
  isStrict: boolean;
  hasRowid: boolean;
  columns: ColumnState[];
  indexes: IndexState[];
  /** The texts of its triggers. */
  triggers: { name: string; sql: string }[];
}

export interface ColumnState {
  name: string;
  type: string;
  isNotNull: boolean;
  hasDefault: boolean;
  /** Its place in the primary key, from 1; 0 outside of it. */
  keyPlace: number;
  isGenerated: boolean;
}

export interface IndexState {
  name: string;
  /** Absent for those that constraints bring. */
  sql: string | undefined;
  isUnique: boolean;
  isPartial: boolean;
  /** `c`: CREATE INDEX, `u`: a UNIQUE constraint, `pk`: the primary key. */
  origin: string;
  /** An expression has no name. */
  columns: (string | undefined)[];
}

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Copies the schema of a file. What SQLite cannot make here (a module it lacks) is left out. */
export function copySchema(database: Sqlite): Sqlite {
  const shadow = openSqlite(':memory:');
  const entries = database.run(
    `select s.sql from sqlite_schema as s left join pragma_table_list as t on t.schema = 'main' and t.name = s.name
     where s.sql is not null and s.name not like 'sqlite\\_%' escape '\\' and coalesce(t.type, '') <> 'shadow'
     order by case s.type when 'table' then 0 when 'view' then 1 when 'index' then 2 else 3 end, s.rowid`,
  ).rows;
  shadow.exec('pragma foreign_keys = off; begin');
  for (const [sql] of entries) {
    try {
      shadow.exec(String(sql));
    } catch {
      // A change that needs it is refused in SQLite's words.
    }
  }
  return shadow;
}

/** Reads a table by its name in any case; undefined when there is none. */
export function readTableState(database: Sqlite, tableName: string): TableState | undefined {
  const [row] = database.run(
    `select t.name, t.type, t.strict, t.wr, s.sql from pragma_table_list as t join sqlite_schema as s on s.name = t.name
     where t.schema = 'main' and s.type in ('table', 'view') and lower(t.name) = lower(?)`,
    [tableName],
  ).rows;
  if (!row) return undefined;
  const name = String(row[0]);
  // A view may be about what is gone, and is dropped all the same.
  const isView = row[1] === 'view';
  const columns = database.run(
    'select name, type, "notnull", dflt_value is not null, pk, hidden from pragma_table_xinfo(?) where hidden <> 1',
    [isView ? '' : name],
  ).rows;
  const indexes = new Map<string, IndexState>();
  for (const [index, unique, partial, origin, sql, column] of database.run(
    `select l.name, l."unique", l.partial, l.origin, s.sql, i.name
     from pragma_index_list(?) as l join pragma_index_info(l.name) as i left join sqlite_schema as s on s.name = l.name
     order by s.rowid, i.seqno`,
    [name],
  ).rows) {
    const state = indexes.get(String(index)) ?? {
      name: String(index),
      sql: sql === null ? undefined : String(sql),
      isUnique: Number(unique) === 1,
      isPartial: Number(partial) === 1,
      origin: String(origin),
      columns: [],
    };
    state.columns.push(column === null ? undefined : String(column));
    indexes.set(state.name, state);
  }
  const triggers = database.run(
    "select name, sql from sqlite_schema where type = 'trigger' and lower(tbl_name) = lower(?) order by rowid",
    [name],
  ).rows;
  return {
    name,
    kind: row[1] as TableState['kind'],
    isStrict: Number(row[2]) === 1,
    hasRowid: Number(row[3]) === 0,
    sql: String(row[4]),
    columns: columns.map(([column, type, notNull, hasDefault, pk, hidden]) => ({
      name: String(column),
      type: String(type ?? ''),
      isNotNull: Number(notNull) === 1,
      hasDefault: Number(hasDefault) === 1,
      keyPlace: Number(pk),
      isGenerated: Number(hidden) > 1,
    })),
    indexes: [...indexes.values()],
    triggers: triggers.map(([trigger, sql]) => ({ name: String(trigger), sql: String(sql) })),
  };
}

/** All names that tables, indexes, views and triggers have. */
export const namesIn = (database: Sqlite): string[] =>
  database.run('select name from sqlite_schema').rows.map(([name]) => String(name));

/** The column that is another name of the rowid. */
export function rowidColumn({ columns, hasRowid, indexes }: TableState): string | undefined {
  const key = columns.filter(({ keyPlace }) => keyPlace > 0);
  const [column] = key;
  if (!hasRowid || key.length !== 1 || !/^\s*integer\s*$/i.test(column?.type ?? '')) return undefined;
  return indexes.some(({ origin }) => origin === 'pk') ? undefined : column?.name;
}

/** The tables whose foreign keys point to one, itself left out. */
export const referrersOf = (database: Sqlite, table: string): string[] =>
  database
    .run(
      `select distinct t.name from pragma_table_list as t, pragma_foreign_key_list(t.name) as f
       where t.schema = 'main' and t.type = 'table' and lower(f."table") = lower(?) and lower(t.name) <> lower(?)
       order by 1`,
      [table, table],
    )
    .rows.map(([name]) => String(name));

/**
 * What of a schema does not work, by what it is: views and triggers that name what is not there, foreign keys that point to
 * no key.
 */
export function findFaults(shadow: Sqlite): Map<string, string> {
  const faults = new Map<string, string>();
  const attempt = (what: string, sql: string) => {
    try {
      shadow.exec(sql);
    } catch (error) {
      if (!faults.has(what)) faults.set(what, (error as Error).message);
    }
  };
  const list = (sql: string) => shadow.run(sql).rows.map(([name]) => String(name));
  for (const view of list("select name from sqlite_schema where type = 'view'"))
    attempt(`view '${view}'`, `explain select * from ${quoteName(view)}`);
  for (const table of list("select distinct tbl_name from sqlite_schema where type = 'trigger'")) {
    const name = quoteName(table);
    attempt(`a trigger of '${table}' on insert`, `explain insert into ${name} default values`);
    attempt(`a trigger of '${table}' on delete`, `explain delete from ${name}`);
    const columns = columnsOf(shadow, table).map((column) => `${quoteName(column)} = null`);
    if (columns.length > 0) attempt(`a trigger of '${table}' on update`, `explain update ${name} set ${columns}`);
  }
  for (const [table, column, trigger] of findLostTriggerColumns(shadow))
    faults.set(`trigger '${trigger}'`, `no such column: ${table}.${column}`);
  for (const table of list(
    "select distinct t.name from pragma_table_list as t, pragma_foreign_key_list(t.name) where t.schema = 'main'",
  ))
    attempt(`a foreign key of '${table}'`, `pragma foreign_key_check(${quoteName(table)})`);
  return faults;
}

function columnsOf(shadow: Sqlite, table: string): string[] {
  try {
    return shadow
      .run('select name from pragma_table_xinfo(?) where hidden = 0', [table])
      .rows.map(([name]) => String(name));
  } catch {
    // A view on what is gone.
    return [];
  }
}

/** SQLite takes a trigger `update of` a column that does not exist, and never starts it. */
function findLostTriggerColumns(shadow: Sqlite): [table: string, column: string, trigger: string][] {
  const triggers = shadow.run("select name, tbl_name, sql from sqlite_schema where type = 'trigger'").rows;
  return triggers.flatMap(([trigger, table, sql]) => {
    const columns = columnsOf(shadow, String(table));
    return updateColumns(tokensOf(String(sql)))
      .filter((column) => !columns.some((name) => sameName(name, column)))
      .map((column): [string, string, string] => [String(table), column, String(trigger)]);
  });
}

/** The columns of `update of a, b on …`. */
function updateColumns(tokens: Token[]): string[] {
  const body = tokens.findIndex((token) => isWord(token, 'BEGIN'));
  const start = tokens.findIndex((token, index) => isWord(token, 'OF') && isWord(tokens[index - 1], 'UPDATE'));
  if (start < 0 || start > body) return [];
  const end = tokens.findIndex((token, index) => index > start && isWord(token, 'ON'));
  return tokens.slice(start + 1, end).flatMap((token) => (token.kind === 'mark' ? [] : [nameOf(token)]));
}
