// Which calls run on the main thread, where nothing can stop them: those whose plan bounds what they cost, whatever the
// values are and whatever the tables hold (docs/adr/0017). No timing decides.
import { Failure } from '@sluice/contract';
import type { BoundFilter, Select, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import type { TableFacts } from './introspect.ts';

/** Rows of a page on the main thread. */
const maxRows = 100;
/** Rows skipped before that page. */
const maxOffset = 1000;
/** Comparisons of a filter. */
const maxTerms = 20;
/** Values of one IN. */
const maxListLength = 50;
/** SQLite looks a row up by a unique key of up to three columns without weighing other ways (`whereShortCut`). */
const maxKeyColumns = 3;
/** Bytes of a file whose pages are read here: what a page touches is at most the whole file. */
export const maxPageFileBytes = 8 * 1024 * 1024;
/** Rows that a child reads at once, and bytes of a file that all the values of a table fit into. */
const maxRowsAtOnce = 2000;
const maxFileBytesAtOnce = 32 * 1024 * 1024;
/** Characters or bytes of a row; one longer row sends the reads and writes of its table to the children. */
const maxRowLength = 256 * 1024;

/**
 * What the plan of a read bounds: `row` finds one row at most by its whole key; `page` goes through an index or the key
 * and gives each row it meets. `none` is everything else.
 */
export type ReadBound = 'row' | 'page' | 'none';

/** Finds what bounds a read. `explain` gives the lines of EXPLAIN QUERY PLAN; without them nothing is known yet. */
export function readBound(
  { table, where, group }: Select,
  facts: TableFacts,
  explain: () => string[] | undefined,
): ReadBound | undefined {
  if (facts.kind !== 'table' || facts.hasGenerated || table.hasExpressions) return 'none';
  if (group && group.length > 0) return 'none';
  if (where && findsOneRow(table, where)) return 'row';
  const bounds = where ? countBounds(where) : 0;
  if (bounds === undefined || bounds > maxTerms) return 'none';
  const lines = explain();
  if (!lines) return undefined;
  const [line = '', ...more] = lines;
  // A second line is a sort, a subquery, or several searches.
  if (more.length > 0) return 'none';
  // What is searched by stands in brackets at the end; with as many bounds as conditions none is left over.
  if (where) return /^SEARCH /.test(line) && line.split('?').length - 1 === bounds ? 'page' : 'none';
  return /^SCAN /.test(line) ? 'page' : 'none';
}

/** Whether a read runs on the main thread. `isSmallFile`: the file has at most `maxPageFileBytes`. */
export function runsInline(
  bound: ReadBound | undefined,
  { limit, offset = 0 }: Pick<Select, 'limit' | 'offset'>,
  facts: TableFacts,
  isSmallFile: boolean,
): boolean {
  if (!bound || bound === 'none' || facts.hasLongRows) return false;
  return bound === 'row' || (isSmallFile && limit !== undefined && limit <= maxRows && offset <= maxOffset);
}

/**
 * Whether a child may hold all rows of a read: each row of a table is met once, so that their stored values have at most the
 * length of the file (`fileBytes`). What an expression makes can be longer.
 */
export function fitsInMemory({ table, limit, group }: Select, facts: TableFacts, fileBytes: number): boolean {
  if (facts.kind !== 'table' || facts.hasGenerated || table.hasExpressions || group) return false;
  return limit !== undefined && limit <= maxRowsAtOnce && fileBytes <= maxFileBytesAtOnce;
}

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

/** How many bounds of a search the filter makes when every condition of it is one; undefined when one can be none. */
function countBounds(filter: BoundFilter): number | undefined {
  let bounds = 0;
  let lists = 0;
  for (const node of conjunction(filter)) {
    if (node.kind === 'compare') {
      if (!isPlainComparison(node) || node.operator === '!=' || node.negated || node.value.kind !== 'value')
        return undefined;
      bounds += 1;
    } else if (node.kind === 'between') {
      if (node.negated || node.low.kind !== 'value' || node.high.kind !== 'value') return undefined;
      bounds += 2;
    } else if (node.kind === 'in') {
      lists += 1;
      if (node.negated || node.isJoin || node.values.length > maxListLength || lists > 1) return undefined;
      if (!node.values.every(({ kind }) => kind === 'value')) return undefined;
      bounds += 1;
    } else if (node.kind === 'null' && !node.negated) bounds += 1;
    else return undefined;
  }
  return bounds;
}

const isPlainComparison = ({ operator }: Extract<BoundFilter, { kind: 'compare' }>) => !/[a-z]/.test(operator);
