// What a SQLite file says about itself. Read by pragmas as table-valued functions, whose arguments are bound values, so
// that no name has to be quoted (https://sqlite.org/pragma.html#pragfunc).
import { fail, type SimpleType, type TableDescription } from '@sluice/contract';
import { TakenNames } from '../../change/index.ts';
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
  type TableEntry,
} from '../../schema/index.ts';
import type { SqliteValue } from './driver/index.ts';
import { isFixedLength, isMultibyte, nativeType, simpleType } from './types.ts';

/** Runs a statement and gives its rows, values in the order of its columns. */
export type RunQuery = (sql: string, parameters?: readonly unknown[]) => Promise<SqliteValue[][]>;

export type TableKind = 'table' | 'view' | 'virtual';

/** What is known of every table: cheap, and all that relations need. */
export interface Catalogue {
  tables: Map<string, { kind: TableKind; withoutRowid: boolean }>;
  /** In the order they are declared; targets and columns by their real names. */
  keys: ForeignKey[];
  /** Tables that have triggers. */
  tablesWithTriggers: Set<string>;
}

/** What deciding between the lanes needs to know of a table. */
export interface TableFacts {
  kind: TableKind;
  hasTriggers: boolean;
  /** Columns that are computed, by expressions of any cost. */
  hasGenerated: boolean;
  /** A write evaluates expressions (CHECK, an index, a default) or may replace other rows (ON CONFLICT). */
  hasRules: boolean;
  /** A row of a length that does not belong on the main thread was met since the table was described. */
  hasLongRows: boolean;
  /** Real names of the columns that foreign keys point to. */
  referenced: Set<string>;
  /** Real names of all columns that are kept. */
  columns: string[];
  /** The column that is another name of the rowid. */
  rowid: string | undefined;
  /** The index that a table without rowid is. */
  keyIndex: string | undefined;
  /** Real names of the columns of each index; an expression has none and is empty. */
  indexes: Map<string, string[]>;
}

const fold = (name: string) => name.toLowerCase();

/** Shadow tables of virtual tables and SQLite's own are left out. */
const tableList = `select name, type, wr from pragma_table_list
  where schema = 'main' and type in ('table', 'view', 'virtual') and name not like 'sqlite\\_%' escape '\\'`;

export async function readCatalogue(runQuery: RunQuery): Promise<Catalogue> {
  const list = await runQuery(tableList);
  const tables: Catalogue['tables'] = new Map(
    list
      .map(([name, type, wr]) => [String(name), { kind: type as TableKind, withoutRowid: Number(wr) === 1 }] as const)
      .sort(([a], [b]) => naturalOrder(a, b)),
  );
  const triggers = await runQuery("select distinct tbl_name from sqlite_schema where type = 'trigger'");
  return {
    tables,
    keys: await readKeys(runQuery, tables),
    tablesWithTriggers: new Set(triggers.map(([name]) => fold(String(name)))),
  };
}

async function readKeys(runQuery: RunQuery, tables: Catalogue['tables']): Promise<ForeignKey[]> {
  // The pragma numbers the keys of a table from the last declared to the first.
  const rows = await runQuery(`select t.name, f.id, f."table", f."from", f."to", f.on_update, f.on_delete
    from pragma_table_list as t, pragma_foreign_key_list(t.name) as f
    where t.schema = 'main' and t.type = 'table' order by t.name, f.id desc, f.seq`);
  const realNames = new Map([...tables.keys()].map((name) => [fold(name), name]));
  const keys = new Map<string, ForeignKey>();
  for (const row of rows) {
    const [table, id, target, from, to, onUpdate, onDelete] = row.map((cell) =>
      cell === null ? '' : String(cell),
    ) as [string, string, string, string, string, string, string];
    const refTable = realNames.get(fold(target));
    // A target that does not exist has no records to relate to.
    if (refTable === undefined || !tables.has(table)) continue;
    const keyId = `${table}\n${id}`;
    const key = keys.get(keyId) ?? { table, columns: [], refTable, refColumns: [], onUpdate, onDelete };
    key.columns.push(from);
    key.refColumns.push(to);
    keys.set(keyId, key);
  }
  const list = [...keys.values()].sort((a, b) => naturalOrder(a.table, b.table));
  const targets = await readTargets(runQuery, list);
  // A key that names no columns points to the primary key of its target; names may differ in case from the real ones.
  for (const key of list) {
    const target = targets.get(key.refTable);
    key.refColumns = key.refColumns.includes('')
      ? (target?.primary ?? [])
      : key.refColumns.flatMap((name) => target?.realNames.get(fold(name)) ?? []);
  }
  return list.filter((foreignKey) => foreignKey.refColumns.length === foreignKey.columns.length);
}

interface Target {
  realNames: Map<string, string>;
  primary: string[];
}

/** Columns and primary keys of the tables that foreign keys point to. */
async function readTargets(runQuery: RunQuery, keys: ForeignKey[]): Promise<Map<string, Target>> {
  const names = [...new Set(keys.map((foreignKey) => foreignKey.refTable))];
  const rows = await runQuery(
    'select t.value, c.name, c.pk from json_each(?) as t, pragma_table_info(t.value) as c order by t.value, c.pk',
    [JSON.stringify(names)],
  );
  const targets = new Map<string, Target>();
  for (const [table, column, pk] of rows) {
    const target: Target = targets.get(String(table)) ?? { realNames: new Map(), primary: [] };
    target.realNames.set(fold(String(column)), String(column));
    if (Number(pk) > 0) target.primary.push(String(column));
    targets.set(String(table), target);
  }
  return targets;
}

/** The list of names as `_table` shows it. Views are said to be tables (contract/database-schema.md §6). */
export const entriesOf = (catalogue: Catalogue): TableEntry[] =>
  [...catalogue.tables.keys()].map((name) => {
    const label = labelOf(name);
    return { name, label, plural: pluralOf(label), description: null, is_view: false };
  });

/** The real name behind a name in any case. */
export function findRealName(catalogue: Catalogue, name: string): string | undefined {
  if (catalogue.tables.has(name)) return name;
  const folded = fold(name);
  return [...catalogue.tables.keys()].find((tableName) => fold(tableName) === folded);
}

/** What writing a row of a table evaluates, and what reading one does. */
const rulesOfTable = `select
  (select count(*) from pragma_table_xinfo(?1) where hidden > 1),
  (select count(*) from pragma_table_xinfo(?1) where dflt_value like '%(%')
  + (select count(*) from pragma_index_list(?1) as l
     where l.partial or exists (select 1 from pragma_index_xinfo(l.name) where cid = -2)),
  (select sql from sqlite_schema where type = 'table' and name = ?1)`;

const indexesOfTable = `select l.name, l."unique", l.origin, l.partial, i.name
  from pragma_index_list(?) as l, pragma_index_info(l.name) as i order by l.seq, i.seqno`;

/** Reads the facts of a table of the catalogue. */
export async function readFacts(runQuery: RunQuery, catalogue: Catalogue, name: string): Promise<TableFacts> {
  const referenced = catalogue.keys
    .filter((foreignKey) => foreignKey.refTable === name)
    .flatMap((foreignKey) => foreignKey.refColumns);
  const kind = catalogue.tables.get(name)?.kind ?? 'table';
  const [[generated, rules, sql] = []] = kind === 'table' ? await runQuery(rulesOfTable, [name]) : [];
  const columns = kind === 'table' ? await runQuery('select name, type, pk from pragma_table_info(?)', [name]) : [];
  const key = columns.filter(([, , pk]) => Number(pk) > 0);
  const indexes = indexesOf(await runQuery(indexesOfTable, [name]));
  const keyIndex = indexes.find(({ origin }) => origin === 'pk')?.name;
  const withoutRowid = catalogue.tables.get(name)?.withoutRowid ?? false;
  return {
    kind,
    hasTriggers: catalogue.tablesWithTriggers.has(fold(name)),
    hasGenerated: Number(generated) > 0,
    hasRules: Number(rules) > 0 || /\b(check|conflict)\b/i.test(String(sql)),
    hasLongRows: false,
    referenced: new Set(referenced),
    columns: columns.map(([column]) => String(column)),
    rowid: rowidName(
      key.map(([column, type]) => ({ name: String(column), type: String(type) })),
      withoutRowid || keyIndex !== undefined,
    ),
    keyIndex: withoutRowid ? keyIndex : undefined,
    indexes: new Map(indexes.map((index) => [index.name, index.columns])),
  };
}

/** Describes one table of the catalogue. */
export async function readTable(runQuery: RunQuery, catalogue: Catalogue, name: string): Promise<Table> {
  const columnRows = await runQuery('select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)', [
    name,
  ]);
  const indexes = indexesOf(await runQuery(indexesOfTable, [name]));
  const keys = catalogue.keys.filter((foreignKey) => fold(foreignKey.table) === fold(name));
  // The table went away since the catalogue was read.
  if (columnRows.length === 0) throw fail('table.unknown', { table: name });
  const raw = columnRows.map(toRawColumn).filter((column) => column.hidden !== 1);
  const primary = raw.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const hasKeyIndex = indexes.some((index) => index.origin === 'pk');
  const rowid = rowidName(primary, hasKeyIndex || (catalogue.tables.get(name)?.withoutRowid ?? false));
  const columns = raw.map((column) => describeColumn(column, column.name === rowid, indexes, keys));
  const label = labelOf(name);
  const description: TableDescription = {
    alias: null,
    name,
    label,
    description: null,
    native: [],
    plural: pluralOf(label),
    is_view: false,
    primary_key: primary.map((column) => column.name),
    name_field: null,
    field: columns.map((column) => column.description),
    related: relationsOf(name, catalogue.keys),
    constraints: constraintsOf(keys),
  };
  return makeTable({ name, native: { schema: null, name }, description, columns });
}

/** INTEGER PRIMARY KEY is another name of the rowid, unless SQLite made an index for it. */
const rowidName = ([column, ...more]: { name: string; type: string }[], isIndexed: boolean): string | undefined =>
  column && more.length === 0 && !isIndexed && column.type.trim().toLowerCase() === 'integer' ? column.name : undefined;

interface RawColumn {
  name: string;
  type: string;
  notNull: boolean;
  default: string | null;
  pk: number;
  /** 1 hidden column of a virtual table, 2 and 3 generated. */
  hidden: number;
}

const toRawColumn = ([name, type, notNull, value, pk, hidden]: SqliteValue[]): RawColumn => ({
  name: String(name),
  type: String(type ?? ''),
  notNull: Number(notNull) === 1,
  default: value === null || value === undefined ? null : String(value),
  pk: Number(pk),
  hidden: Number(hidden),
});

interface Index {
  name: string;
  isUnique: boolean;
  origin: string;
  isPartial: boolean;
  columns: string[];
}

function indexesOf(rows: SqliteValue[][]): Index[] {
  const indexes = new Map<string, Index>();
  for (const [name, unique, origin, partial, column] of rows) {
    const index = indexes.get(String(name)) ?? {
      name: String(name),
      isUnique: Number(unique) === 1,
      origin: String(origin),
      isPartial: Number(partial) === 1,
      columns: [],
    };
    // A part of an index that is an expression has no name.
    index.columns.push(column === null ? '' : String(column));
    indexes.set(index.name, index);
  }
  return [...indexes.values()];
}

function describeColumn(raw: RawColumn, isRowid: boolean, indexes: Index[], keys: ForeignKey[]): Column {
  const native = nativeType(raw.type);
  const simple = simpleType(native);
  const key = keys.find((foreignKey) => foreignKey.columns.some((column) => fold(column) === fold(raw.name)));
  const position = key?.columns.findIndex((column) => fold(column) === fold(raw.name)) ?? 0;
  const type: SimpleType = isRowid ? 'id' : key?.columns.length === 1 && simple === 'integer' ? 'reference' : simple;
  const isGenerated = raw.hidden > 1;
  const value = defaultOf(raw.default, type);
  const allowNull = !raw.notNull && raw.pk === 0;
  const description = fieldDescription({
    name: raw.name,
    type,
    db_type: native.text,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    default: value,
    required: !allowNull && value === null && !isRowid && !isGenerated,
    allow_null: allowNull,
    fixed_length: isFixedLength(native),
    supports_multibyte: isMultibyte(native),
    auto_increment: isRowid,
    is_primary_key: raw.pk > 0,
    is_unique: indexes.some(
      (index) => index.isUnique && !index.isPartial && index.origin !== 'pk' && isOnlyColumn(index, raw.name),
    ),
    is_index: raw.pk === 0 && !key && indexes.some((index) => !index.isUnique && index.columns.includes(raw.name)),
    is_foreign_key: key !== undefined,
    ref_table: key?.refTable ?? null,
    ref_field: key?.refColumns[position] ?? null,
    // What the database computes can't be written: said in the words clients know (contract/database-tables.md §10).
    ...(isGenerated ? { validation: { api_read_only: {} } } : {}),
  });
  const column: Column = { name: raw.name, native: raw.name, description };
  if (isGenerated) column.autoValue = 'generated';
  else if (isRowid || (raw.default !== null && !/^null$/i.test(raw.default))) column.autoValue = 'default';
  if (type === 'float' || type === 'double') column.nonFinite = ['Infinity', '-Infinity'];
  return column;
}

const isOnlyColumn = (index: Index, column: string) => index.columns.length === 1 && index.columns[0] === column;

/**
 * A default as a value of the field's type. It stands in the schema as SQL text; an expression stays that text, but
 * CURRENT_TIMESTAMP of a timestamp shows null (contract/database-schema.md §2).
 */
export function defaultOf(sql: string | null, type: SimpleType): unknown {
  const text = sql?.trim() ?? null;
  if (text === null || /^null$/i.test(text)) return null;
  if (type === 'timestamp' && /^current_timestamp$/i.test(text)) return null;
  const quoted = /^'((?:[^']|'')*)'$/.exec(text) ?? /^"((?:[^"]|"")*)"$/.exec(text);
  const value = quoted ? (quoted[1] as string).replaceAll(text[0]?.repeat(2) ?? '', text[0] ?? '') : text;
  switch (type) {
    case 'boolean':
      return /^(true|[1-9]\d*|yes|on|t|y)$/i.test(value);
    case 'integer':
    case 'id':
    case 'reference':
    case 'bigint':
    case 'float':
    case 'double':
    case 'decimal': {
      const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
      const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
      return isExact ? number : value;
    }
    default:
      return value;
  }
}

/** The foreign keys of a table, informative: SQLite tells no names, so they have the ones the contract gives. */
function constraintsOf(keys: ForeignKey[]): TableDescription['constraints'] {
  const constraints: Record<string, Record<string, string>> = {};
  const names = new TakenNames([], Number.MAX_SAFE_INTEGER);
  for (const key of keys) {
    const wanted = `fk_${key.table}_${key.columns.join('_')}`.replaceAll('.', '_').toLowerCase();
    const name = names.claim(wanted);
    constraints[name] = {
      constraint_name: name,
      constraint_type: 'FOREIGN KEY',
      table_schema: '',
      table_name: key.table,
      column_name: key.columns.join(','),
      referenced_table_schema: '',
      referenced_table_name: key.refTable,
      referenced_column_name: key.refColumns.join(','),
      update_rule: key.onUpdate,
      delete_rule: key.onDelete,
    };
  }
  return keys.length === 0 ? [] : constraints;
}
