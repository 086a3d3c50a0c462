// A table as `show create table` writes it, in parts that can be changed: columns, keys, foreign keys. Columns have ids, so
// that a renamed one stays the same in keys; what is not understood is left to the server, which keeps it.
import type { Table } from '../../../schema/index.ts';
import type { RunQuery } from '../../network/index.ts';
import { type Clause, clausesOf } from './column-text.ts';
import { quoteLiteral, quoteName, quoteTable } from './quoting.ts';
import { splitAtCommas, type Token, textOf, tokensOf, unquoteName } from './tokens.ts';

export type Native = Table['native'];

export interface TableText {
  kind: 'table';
  native: Native;
  columns: ColumnText[];
  keys: KeyText[];
  foreignKeys: ForeignKeyText[];
  /** The next number that is counted up. */
  autoIncrement: string | undefined;
}

export interface ColumnText {
  id: number;
  name: string;
  clauses: Clause[];
  /** What the server does not show as it is: it must not be written back. */
  garbled?: Clause[];
}

/** A primary key, a unique one or an index. */
export interface KeyText {
  id: number;
  kind: 'primary' | 'unique' | 'plain' | 'other';
  /** `UNIQUE KEY` */
  words: string;
  /** null: the primary key. */
  name: string | null;
  parts: KeyPart[];
  /** `USING BTREE COMMENT 'x'` */
  end: string;
}

/** A column, with a length or a direction behind it; else an expression, without a column. */
export interface KeyPart {
  column: number | undefined;
  text: string;
}

export interface ForeignKeyText {
  id: number;
  name: string;
  columns: number[];
  target: Native;
  /** Columns of the same table have ids. */
  refColumns: (string | number)[];
  /** `ON DELETE CASCADE` */
  rules: string;
}

/** A view, as far as dropping it takes. */
export interface ViewText {
  kind: 'view';
  native: Native;
  sql: string;
}

let lastId = 0;
export const nextId = (): number => {
  lastId += 1;
  return lastId;
};

/** Reads a table or a view; undefined when there is none. */
export async function readTableText(runQuery: RunQuery, native: Native): Promise<TableText | ViewText | undefined> {
  const sql = await readCreateSql(runQuery, native);
  if (sql === undefined) return undefined;
  if (!/^create (?:temporary )?table\b/i.test(sql)) return { kind: 'view', native, sql };
  const table = parseTable(native, sql);
  for (const column of table.columns) await restoreCharacters(runQuery, native, column);
  return table;
}

/**
 * The server shows a literal default and the words of an enum without the characters beyond U+FFFF: as question marks. The
 * default itself can be read; of the words it is not known whether they have real ones.
 */
async function restoreCharacters(runQuery: RunQuery, native: Native, column: ColumnText): Promise<void> {
  for (const clause of column.clauses) {
    if (!/'[^']*\?/.test(clause.text)) continue;
    if (clause.kind === 'type') column.garbled = [...(column.garbled ?? []), clause];
    if (clause.kind !== 'default' || !/^default '/i.test(clause.text)) continue;
    const value = `default(t.${quoteName(column.name)})`;
    // The first needs no record, but a field that may be null; the second any record.
    const sources = [
      `select ${value} from (select 1) as nothing left join ${quoteTable(native)} as t on false`,
      `select ${value} from ${quoteTable(native)} as t limit 1`,
    ];
    let literal: string | null | undefined;
    for (const sql of sources) literal ??= (await runQuery(sql))[0]?.[0];
    if (literal === null || literal === undefined) column.garbled = [...(column.garbled ?? []), clause];
    else if (clause.text.replaceAll('?', '') !== `default ${quoteLiteral(literal)}`.replaceAll('?', ''))
      clause.text = `DEFAULT ${quoteLiteral(literal)}`;
  }
}

/** The statement that would make a table or a view; undefined when there is none. */
export async function readCreateSql(runQuery: RunQuery, native: Native): Promise<string | undefined> {
  try {
    const [row] = await runQuery(`show create table ${quoteTable(native)}`);
    return String(row?.[1]);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** ER_NO_SUCH_TABLE, ER_BAD_DB_ERROR */
const isMissing = (error: unknown): boolean => [1146, 1049].includes((error as { errno?: number }).errno ?? 0);

export function parseTable(native: Native, sql: string): TableText {
  const tokens = tokensOf(sql);
  const bodyIndex = tokens.findIndex(({ kind }) => kind === 'group');
  const body = tokens[bodyIndex]?.text.slice(1, -1) ?? '';
  const table: TableText = {
    kind: 'table',
    native,
    columns: [],
    keys: [],
    foreignKeys: [],
    autoIncrement: tokens
      .slice(bodyIndex + 1)
      .map(({ text }) => /^auto_increment=(\d+)$/i.exec(text)?.[1])
      .find((number) => number !== undefined),
  };
  for (const item of splitAtCommas(tokensOf(body))) addItem(table, body, item);
  return table;
}

function addItem(table: TableText, body: string, item: Token[]): void {
  const [first] = item;
  if (first?.kind === 'name') {
    table.columns.push({
      id: nextId(),
      name: unquoteName(first.text),
      clauses: clausesOf(textOf(body, item.slice(1))),
    });
    return;
  }
  const groupIndex = item.findIndex(({ kind }) => kind === 'group');
  const lead = item.slice(0, groupIndex);
  const words = lead
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text.toUpperCase())
    .join(' ');
  const name = lead.find(({ kind }) => kind === 'name');
  const group = item[groupIndex]?.text ?? '()';
  const rest = item.slice(groupIndex + 1);
  if (words === 'CONSTRAINT FOREIGN KEY' && name)
    table.foreignKeys.push(foreignKeyOf(table, unquoteName(name.text), group, body, rest));
  else if (/\bKEY$/.test(words))
    table.keys.push({
      id: nextId(),
      kind: keyKinds.get(words) ?? 'other',
      words,
      name: name ? unquoteName(name.text) : null,
      parts: partsOf(table, group),
      end: textOf(body, rest),
    });
}

const keyKinds = new Map<string, KeyText['kind']>([
  ['PRIMARY KEY', 'primary'],
  ['UNIQUE KEY', 'unique'],
  ['KEY', 'plain'],
]);

function partsOf(table: TableText, group: string): KeyPart[] {
  const inside = group.slice(1, -1);
  return splitAtCommas(tokensOf(inside)).map((tokens) => {
    const [first] = tokens;
    const column = first?.kind === 'name' ? columnNamed(table, unquoteName(first.text))?.id : undefined;
    return { column, text: textOf(inside, column === undefined ? tokens : tokens.slice(1)) };
  });
}

function foreignKeyOf(table: TableText, name: string, group: string, body: string, rest: Token[]): ForeignKeyText {
  // REFERENCES `table` (…), or REFERENCES `database`.`table` (…)
  const groupIndex = rest.findIndex(({ kind }) => kind === 'group');
  const names = rest
    .slice(0, groupIndex)
    .filter(({ kind }) => kind === 'name')
    .map(({ text }) => unquoteName(text));
  const target: Native = {
    schema: names.length > 1 ? (names[0] as string) : table.native.schema,
    name: names.at(-1) ?? '',
  };
  const refNames = namesIn(rest[groupIndex]?.text ?? '()');
  const isOwn = isSameTable(target, table.native);
  return {
    id: nextId(),
    name,
    columns: namesIn(group).map((column) => columnNamed(table, column)?.id ?? 0),
    target,
    refColumns: isOwn ? refNames.map((column) => columnNamed(table, column)?.id ?? column) : refNames,
    rules: textOf(body, rest.slice(groupIndex + 1)),
  };
}

const namesIn = (group: string): string[] =>
  tokensOf(group.slice(1, -1)).flatMap(({ kind, text }) => (kind === 'name' ? [unquoteName(text)] : []));

export const isSameTable = (a: Native, b: Native): boolean => a.schema === b.schema && a.name === b.name;

/** A column by its name, whose letter case does not matter to the server. */
export const columnNamed = (table: TableText, name: string): ColumnText | undefined =>
  table.columns.find((column) => column.name === name) ??
  table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());

export const columnById = (table: TableText, id: number): ColumnText | undefined =>
  table.columns.find((column) => column.id === id);

const nameById = (table: TableText, id: number): string => columnById(table, id)?.name ?? '';

/** A key as it is written in a table and behind `add`. */
export function keySql(table: TableText, { words, name, parts, end }: KeyText): string {
  const list = parts.map(
    ({ column, text }) =>
      `${column === undefined ? '' : quoteName(nameById(table, column))}${/^\(/.test(text) || text === '' ? text : ` ${text}`}`,
  );
  return [words.toLowerCase(), name === null ? '' : quoteName(name), `(${list.join(', ')})`, end]
    .filter((part) => part !== '')
    .join(' ');
}

export function foreignKeySql(table: TableText, key: ForeignKeyText): string {
  const columns = key.columns.map((id) => quoteName(nameById(table, id))).join(', ');
  const refColumns = key.refColumns.map((column) =>
    quoteName(typeof column === 'number' ? nameById(table, column) : column),
  );
  const target = key.refColumns.some((column) => typeof column === 'number') ? table.native : key.target;
  const place = target.schema === table.native.schema ? quoteName(target.name) : quoteTable(target);
  const sql = `constraint ${quoteName(key.name)} foreign key (${columns}) references ${place} (${refColumns.join(', ')})`;
  return key.rules === '' ? sql : `${sql} ${key.rules.toLowerCase()}`;
}

/** Whether a key begins with these columns, whole and in this order: such a one serves a foreign key. */
export const beginsWith = ({ parts, kind }: KeyText, columns: readonly number[]): boolean =>
  kind !== 'other' && columns.every((id, index) => parts[index]?.column === id && !parts[index]?.text.startsWith('('));

/** Whether a key is of exactly this column. */
export const isOnlyOf = (key: KeyText, column: number): boolean =>
  key.kind !== 'other' && key.parts.length === 1 && key.parts[0]?.column === column;
