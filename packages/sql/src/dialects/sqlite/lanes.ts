// Which calls run on the main thread, where nothing can stop them: those whose plan bounds what they cost, whatever the
// values are and whatever the tables hold (docs/adr/0017). No timing decides.
import { Failure } from '@sluice/contract';
import type { BoundFilter, Select, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import { stopFunction } from './driver/index.ts';
import type { TableFacts } from './introspect.ts';

/** Rows that a page may meet on its way, whether or not the answer has them. */
export const maxPageRows = 1000;
/** Bytes of a row that a page may meet: with its rows 8 MB. */
const maxPageRowBytes = 8 * 1024;
/** Columns of a table whose rows are weighed. */
const maxPageColumns = 200;
/** Comparisons of a filter. */
const maxTerms = 20;
/** Values of one IN, and of one that carries values of other records as JSON. */
const maxListLength = 50;
const maxJoinLength = 1000;
/** SQLite looks a row up by a unique key of up to three columns without weighing other ways (`whereShortCut`). */
const maxKeyColumns = 3;
/** Characters or bytes of a row; one longer row sends the reads and writes of its table to the children. */
const maxRowLength = 256 * 1024;

/** What the plan of a read bounds: `row` finds one row at most by its whole key; `none` is everything else. */
export type ReadBound = 'row' | PageBound | 'none';

/** A read that goes through one index, or the key, and meets a number of rows that can be counted before. */
export interface PageBound {
  /** Its statement, for this thread: goes by that index whatever the values are, and stops at a long row. */
  sql: string;
  /** The words that make another statement go by the same index. */
  hint: string;
  /** The condition that stops such a statement at a long entry of the index. */
  entryGuard: string;
  /** Which conditions of the filter the search goes by; none where it goes through all rows in order. */
  searched: number[];
  /** Every row it meets is one of the answer: no sort, no condition left over. Then limit and offset bound it too. */
  isDirect: boolean;
}

/**
 * Finds what bounds a read. `explain` gives the lines of EXPLAIN QUERY PLAN, none for a statement that SQLite cannot
 * run; where it gives undefined, nothing is known yet.
 */
export function readBound(
  query: Select,
  sql: string,
  facts: TableFacts,
  explain: (sql: string) => string[] | undefined,
): ReadBound | undefined {
  const { table, where, group } = query;
  if (facts.kind !== 'table' || facts.hasGenerated || table.hasExpressions) return 'none';
  if (group && group.length > 0) return 'none';
  if (where && findsOneRow(table, where)) return 'row';
  if (facts.columns.length > maxPageColumns || (where && pageTerms(where) > maxTerms)) return 'none';
  const lines = explain(sql);
  if (!lines) return undefined;
  const path = searchPath(lines, query, facts);
  if (!path) return 'none';
  const { hint, entry, searched, isDirect } = path;
  const entryGuard = lengthGuard(entry, facts);
  const guard = `${entryGuard} and ${lengthGuard(facts.columns, facts)}`;
  const page: PageBound = { sql: withHint(sql, table, hint, guard), hint, entryGuard, searched, isDirect };
  const pageLines = explain(page.sql);
  if (!pageLines) return undefined;
  return planText(pageLines) === planText(lines) ? page : 'none';
}

/** The guard looks at the row itself, where an index alone might have been enough. */
const planText = (lines: string[]) => lines.join('\n').replace(' USING COVERING INDEX ', ' USING INDEX ');

/** How a page is read on this thread. */
export type PageLane = 'read' | { countFirst: Select } | 'child';

/** Whether limit and offset bound a page, or its rows are to be counted first, or neither helps. */
export function pageLane(query: Select, { searched, isDirect }: PageBound, facts: TableFacts): PageLane {
  const { table, where, limit, offset = 0 } = query;
  const conditions = where ? conjunction(where) : [];
  if (facts.hasLongRows || conditions.some((node) => node.kind === 'in' && node.values.length > listLimit(node)))
    return 'child';
  if (isDirect && limit !== undefined && limit + offset <= maxPageRows) return 'read';
  const [first, ...more] = searched.map((index) => conditions[index]!);
  if (!first) return 'child';
  const searchedBy = more.reduce((left, right): BoundFilter => ({ kind: 'and', left, right }), first);
  return { countFirst: { table, columns: [], where: searchedBy, limit: maxPageRows + 1 } };
}

/** Writes into a statement of ours which index it goes by, and a first condition. */
export function withHint(sql: string, { native }: Table, hint: string, condition: string): string {
  // No name of a column has this in it: in a name each quote is written twice.
  const source = ` from ${quoted(native.name)}`;
  const end = sql.indexOf(source) + source.length;
  const rest = sql.slice(end);
  const head = `${sql.slice(0, end)} ${hint}`;
  return `${head} where ${condition}${rest.startsWith(' where ') ? ` and ${rest.slice(' where '.length)}` : rest}`;
}

/**
 * Stops where these columns are long together: SQLite knows the length of a value before it reads it, and reaching a
 * column behind it takes as long. Of an index, it has to come first: SQLite tests what the index alone can answer before
 * it looks at the row, and reads an entry whole to find its row.
 */
function lengthGuard(columns: readonly string[], { rowid }: TableFacts): string {
  const lengths = columns.filter((name) => name !== rowid).map((name) => `ifnull(octet_length(${quoted(name)}), 0)`);
  return `(${['0', ...lengths].join(' + ')} <= ${maxPageRowBytes} or ${stopFunction}())`;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const sortLine = /^USE TEMP B-TREE FOR .*ORDER BY$/;
const listLine = /^(LIST SUBQUERY \d+|SCAN json_each VIRTUAL TABLE INDEX \d+:)$/;

const searchByIndex = / USING (?:COVERING )?INDEX (.+) \((.*)\)$/;
const searchByKey = / USING (?:INTEGER )?PRIMARY KEY \((.*)\)$/;
const scanByIndex = / USING (?:COVERING )?INDEX (.+)$/;

/** The index that a plan of one search, or of one scan of all rows, goes by; undefined for any other plan. */
function searchPath([line = '', ...more]: string[], { table, where }: Select, facts: TableFacts) {
  const isSorted = more.some((other) => sortLine.test(other));
  if (!more.every((other) => sortLine.test(other) || listLine.test(other))) return undefined;
  const name = table.native.name;
  const isSearch = line.startsWith(`SEARCH ${name} USING `);
  if (!isSearch && !line.startsWith(`SCAN ${name}`)) return undefined;
  // A scan meets all rows before it sorts them, and any number of them before one that a condition lets through.
  if (!isSearch && (where || isSorted)) return undefined;
  const [, index, indexBounds] = (isSearch ? searchByIndex : scanByIndex).exec(line) ?? [];
  const bounds = indexBounds ?? searchByKey.exec(line)?.[1];
  if (isSearch && bounds === undefined) return undefined;
  const keyHint = facts.keyIndex === undefined ? 'not indexed' : `indexed by ${quoted(facts.keyIndex)}`;
  const hint = index === undefined ? keyHint : `indexed by ${quoted(index)}`;
  const searched = where ? searchedConditions(where, bounds!.split(' AND '), facts) : [];
  if (!searched) return undefined;
  // The key has no entries beside the rows, unless it is an index itself.
  const entry = facts.indexes.get(index ?? facts.keyIndex ?? '') ?? [];
  // What an expression makes may be of any length.
  if (entry.includes('')) return undefined;
  return { hint, entry, searched, isDirect: !isSorted && (!where || searched.length === conjunction(where).length) };
}

/** Which conditions the bounds of a search are; undefined where that is not plain. */
function searchedConditions(where: BoundFilter, bounds: string[], facts: TableFacts): number[] | undefined {
  const offers = conjunction(where).map((node) => boundsOf(node, facts));
  const searched = offers.flatMap((offer, index) => (offer.some((bound) => bounds.includes(bound)) ? [index] : []));
  const used = searched.flatMap((index) => offers[index]!);
  // Each bound is of one condition, and each such condition is whole.
  const isPlain = used.length === bounds.length && bounds.every((bound) => used.includes(bound));
  return isPlain && new Set(used).size === used.length ? searched : undefined;
}

/** The bounds that a condition could be in EXPLAIN QUERY PLAN. */
function boundsOf(node: BoundFilter, { rowid }: TableFacts): string[] {
  if (node.kind !== 'compare' && node.kind !== 'between' && node.kind !== 'in' && node.kind !== 'null') return [];
  if (node.negated) return [];
  const name = node.column.native === rowid ? 'rowid' : node.column.native;
  switch (node.kind) {
    case 'null':
    case 'in':
      return [`${name}=?`];
    case 'between':
      return [`${name}>?`, `${name}<?`];
    case 'compare':
      if (node.value.kind !== 'value' || node.operator === '!=') return [];
      return [`${name}${node.operator[0]}?`];
  }
}

/** Comparisons of a filter; no end of them where one is no plain comparison. */
const pageTerms = (where: BoundFilter): number =>
  conjunction(where).reduce((sum, node) => sum + (node.kind === 'in' ? listTerms(node) : plainTerms(node)), 0);

type InFilter = Extract<BoundFilter, { kind: 'in' }>;

const listTerms = (node: InFilter) =>
  node.values.length <= listLimit(node) && node.values.every(({ kind }) => kind === 'value')
    ? 1
    : Number.POSITIVE_INFINITY;

const listLimit = ({ isJoin }: InFilter) => (isJoin ? maxJoinLength : maxListLength);

/** An insert, or a write to one row by its key, that starts nothing else: no trigger, no check, no search for references. */
export function isShortWrite(write: Exclude<Write, { kind: 'refuse' }>, facts: TableFacts): boolean {
  const { table } = write;
  if (facts.kind !== 'table' || facts.hasTriggers || facts.hasRules || facts.hasGenerated) return false;
  if (table.hasExpressions) return false;
  if (write.kind !== 'delete' && hasLongValue(Object.values(write.values))) return false;
  if (write.kind === 'insert') return true;
  if (facts.hasLongRows || !write.where || !findsOneRow(table, write.where)) return false;
  if (write.kind === 'delete') return facts.referenced.size === 0;
  if (write.missing && !(write.missing instanceof Failure) && !isShortWrite(write.missing, facts)) return false;
  return !Object.keys(write.values).some((field) => facts.referenced.has(table.column(field)?.native ?? ''));
}

/** Whether the values of a row, or of some rows, are together too long for the main thread. */
export function hasLongValue(values: readonly unknown[]): boolean {
  let length = 0;
  for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  return length > maxRowLength;
}

/** The filter demands one value for each column of the key; what else it says costs one row little. */
function findsOneRow({ key }: Table, filter: BoundFilter): boolean {
  if (key.length === 0 || key.length > maxKeyColumns) return false;
  const conditions = conjunction(filter);
  const isKey = ({ native }: Table['key'][number]) =>
    conditions.some(
      (node) =>
        node.kind === 'compare' &&
        node.operator === '=' &&
        !node.negated &&
        node.value.kind === 'value' &&
        node.column.native === native,
    );
  return key.every(isKey) && conditions.reduce((sum, node) => sum + plainTerms(node), 0) <= maxTerms;
}

/** The conditions that are joined by AND. */
const conjunction = (filter: BoundFilter): BoundFilter[] =>
  filter.kind === 'and' ? [...conjunction(filter.left), ...conjunction(filter.right)] : [filter];

/** How many values and columns a condition compares; no end of them where it has a pattern or a function. */
function plainTerms(filter: BoundFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return plainTerms(filter.left) + plainTerms(filter.right);
    case 'not':
      return plainTerms(filter.node);
    case 'compare':
      return isPlainComparison(filter) && filter.value.kind !== 'now' && filter.value.kind !== 'today'
        ? 1
        : Number.POSITIVE_INFINITY;
    case 'null':
      return 1;
    case 'between':
      return filter.low.kind === 'value' && filter.high.kind === 'value' ? 2 : Number.POSITIVE_INFINITY;
    case 'in':
      return !filter.isJoin && filter.values.every(({ kind }) => kind === 'value')
        ? filter.values.length
        : Number.POSITIVE_INFINITY;
    case 'tuples':
      return Number.POSITIVE_INFINITY;
  }
}

const isPlainComparison = ({ operator }: Extract<BoundFilter, { kind: 'compare' }>) => !/[a-z]/.test(operator);
