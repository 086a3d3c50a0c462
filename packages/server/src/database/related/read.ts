// Records with what they are related to: one query for each relation and level, however many records there are. Texts
// are put together as the databases made them; nothing is parsed on the way.
import { appendTo, Failure, fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  type RowBatches,
  type Rows,
  type RowWithKeys,
  type RunOptions,
  rowsFromJson,
  type Select,
  toNative,
} from '@sluice/sql';
import { isAggregate } from '../record/columns.ts';
import type { RecordReader, ScopedDatabase } from '../record-filter/scoped-database.ts';
import { findOwners, type OwnersOfKey } from './owners.ts';
import type { RelationRequest } from './relation-request.ts';

/** The columns that related records are found by; they are read and shown whether or not `fields` names them. */
export const joinColumnsOf = (related: readonly RelationRequest[]): Column[] => [
  ...new Set(related.flatMap(({ localColumns }) => localColumns)),
];

/**
 * Reads the same records, each with those it is related to. `onTruncated` gets the path of a relation that had more records
 * than its table gives at once.
 */
export function withRelated(
  database: ScopedDatabase,
  related: readonly RelationRequest[],
  onTruncated: (path: string) => void,
): RecordReader {
  const joinColumns = joinColumnsOf(related);
  const names = new Set(related.map(({ name }) => name));
  const withJoinColumns = (query: Select): Select => {
    // A relation takes precedence over a field of the same name.
    const isComplete =
      joinColumns.every((column) => query.columns.includes(column)) &&
      !query.columns.some(({ name }) => names.has(name));
    const shown = () => query.columns.filter(({ name }) => !names.has(name));
    const columns = isComplete ? query.columns : [...new Set([...shown(), ...joinColumns])];
    if (query.sideColumns) return { ...query, columns, sideColumns: [...joinColumns, ...query.sideColumns] };
    return { sideColumns: joinColumns, ...query, columns };
  };
  const withRelatedTexts = async (batch: Rows, options: RunOptions | undefined): Promise<Rows> => {
    const rows = batch.withKeys();
    const texts = await composeTexts(rows, joinColumns, related, { options, onTruncated });
    return {
      ...rowsFromJson({ json: `[${texts.join(',')}]`, count: rows.length }),
      withKeys: () => texts.map((json, index) => ({ json, keys: rows[index]!.keys.slice(joinColumns.length) })),
    };
  };
  const select: RecordReader['select'] = async (query, options) =>
    isGrouped(query)
      ? database.select(query, options)
      : withRelatedTexts(await database.select(withJoinColumns(query), options), options);
  const addRelated = async function* (batches: AsyncIterable<Rows>, options: RunOptions | undefined) {
    for await (const rows of batches) yield withRelatedTexts(rows, options);
  };
  return {
    select,
    async *stream(query, options) {
      if (isGrouped(query)) yield* database.stream(query, options);
      else yield* addRelated(database.stream(withJoinColumns(query), options), options);
    },
    async selectOrStream(query, options) {
      if (isGrouped(query)) return database.selectOrStream(query, options);
      // A limit of a relation is for the related records of all rows together.
      if (related.some(hasLimit)) return select(query, options);
      const rows = await database.selectOrStream(withJoinColumns(query), options);
      if ('count' in rows) return withRelatedTexts(rows, options);
      // What goes out as it is read is not collected.
      return mapBatches(rows, (batch) => withRelatedTexts(batch, options && uncounted(options)));
    },
    count: (query, options) => database.count(query, options),
  };
}

function mapBatches(batches: RowBatches, change: (rows: Rows) => Promise<Rows>): RowBatches {
  const mapped: RowBatches = {
    async next() {
      const result = await batches.next();
      return result.done ? result : { value: await change(result.value) };
    },
    return: () => batches.return(),
    [Symbol.asyncIterator]: () => mapped,
  };
  return mapped;
}

const hasLimit = ({ hasExplicitLimit, nested }: RelationRequest): boolean => hasExplicitLimit || nested.some(hasLimit);

const uncounted = (options: RunOptions): RunOptions => ({
  ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
  ...(options.signal ? { signal: options.signal } : {}),
  ...(options.caller === undefined ? {} : { caller: options.caller }),
});

/** Groups are no records: nothing is related to them. */
const isGrouped = ({ group, columns }: Select): boolean => group !== undefined || columns.some(isAggregate);

interface ReadContext {
  options: RunOptions | undefined;
  onTruncated(path: string): void;
}

/** Characters of all records of an answer; the databases have limits of their own for each query. */
const maxAnswerLength = 128 * 1024 * 1024;

/** The texts of the rows, each with its relations. `joinColumns` are the columns of a row's keys, from `skip` on. */
async function composeTexts(
  rows: readonly RowWithKeys[],
  joinColumns: readonly Column[],
  related: readonly RelationRequest[],
  context: ReadContext,
  skip = 0,
): Promise<string[]> {
  const texts = rows.map(({ json }) => json);
  let length = texts.reduce((sum, text) => sum + text.length, 0);
  for (const relation of related) {
    const readKey = keyReader(relation.localColumns.map((column) => skip + joinColumns.indexOf(column)));
    const values = [...new Set(rows.map(({ keys }) => readKey(keys)))].filter(isJoinable);
    const textsByValue = values.length > 0 ? await findRelated(relation, values, context) : noTexts;
    const writeMember = memberWriter(relation);
    for (let index = 0; index < rows.length; index += 1) {
      const value = writeMember(textsByValue.get(readKey(rows[index]!.keys)));
      length += value.length;
      if (length > maxAnswerLength) throw fail('database.tooLarge', { limit: maxAnswerLength });
      const text = texts[index]!;
      texts[index] = text === '{}' ? `{${value}}` : `${text.slice(0, -1)},${value}}`;
    }
  }
  return texts;
}

/**
 * Reads the text that joins a row out of its keys: that of one value, or those of several as a JSON array. A null among
 * several is the whole: a foreign key with a null in it points nowhere.
 */
function keyReader(indexes: readonly number[]): (keys: readonly string[]) => string {
  const [first = 0] = indexes;
  if (indexes.length === 1) return (keys) => keys[first]!;
  return (keys) => {
    const parts = indexes.map((index) => keys[index]!);
    return parts.includes('null') ? 'null' : `[${parts.join(',')}]`;
  };
}

/** The places of a list of columns in the keys of a row, from `start` on. */
const places = (columns: readonly Column[], start = 0) => columns.map((_, index) => start + index);

/** Texts of related records by the text of the value that joins them. */
type TextsByValue = ReadonlyMap<string, readonly string[]>;
const noTexts: TextsByValue = new Map();

/** Values that stand for no record (contract/database-tables.md §6.2). */
const emptyValueTexts = new Set(['null', '0', '""', 'false']);
const isJoinable = (text: string) => !emptyValueTexts.has(text);

/** Writes the related records as a member of a record's text: a list, or the only one. */
function memberWriter({ name, kind }: RelationRequest): (texts?: readonly string[]) => string {
  const head = `${JSON.stringify(name)}:`;
  if (kind === 'has_many' || kind === 'many_many') return (texts) => `${head}[${texts ? texts.join(',') : ''}]`;
  const none = kind === 'belongs_to' ? 'null' : '[]';
  return (texts) => head + (texts?.[0] ?? none);
}

async function findRelated(relation: RelationRequest, values: string[], context: ReadContext): Promise<TextsByValue> {
  const { junction, junctionReader } = relation;
  if (!junction || !junctionReader) {
    const textsByValue = new Map<string, string[]>();
    await readTarget(relation, values, context, (value, text) => appendTo(textsByValue, value, text));
    return textsByValue;
  }
  const { table, columns, farColumns, parts } = junction;
  const limit = parts.context.limits.maxRecords;
  const query: Select = { table, columns: [], sideColumns: [...columns, ...farColumns], limit: limit + 1 };
  const joined = await selectJoined(junctionReader, query, columns, values, limit, context);
  const { rows: pairs, isTruncated, ownersOf } = joined;
  if (isTruncated) context.onTruncated(relation.path);
  const [readOwner, readFar] = [keyReader(places(columns)), keyReader(places(farColumns, columns.length))];
  const owners = new Map<string, string[]>();
  for (const { keys } of pairs) {
    const far = readFar(keys);
    if (isJoinable(far)) for (const owner of ownersOf(readOwner(keys))) appendTo(owners, far, owner);
  }
  const textsByValue = new Map<string, string[]>();
  // A duplicate row of the junction gives its record twice.
  if (owners.size > 0)
    await readTarget(relation, [...owners.keys()], context, (value, text) => {
      for (const owner of owners.get(value) ?? []) appendTo(textsByValue, owner, text);
    });
  return textsByValue;
}

/** Reads the records that the values join, in order, with those they are related to. */
async function readTarget(
  relation: RelationRequest,
  values: string[],
  context: ReadContext,
  onRow: (value: string, text: string) => void,
): Promise<void> {
  const { target, columns, order, group, limit, hasExplicitLimit, reader, nested, path } = relation;
  const { table, columns: targetColumns } = target;
  const joinColumns = joinColumnsOf(nested);
  const query: Select = {
    table,
    columns: joinColumns.length > 0 ? [...new Set([...columns, ...joinColumns])] : columns,
    sideColumns: [...targetColumns, ...joinColumns],
    order,
    ...(group ? { group } : {}),
    limit: hasExplicitLimit ? limit : limit + 1,
  };
  const { rows, isTruncated, ownersOf } = await selectJoined(reader, query, targetColumns, values, limit, context);
  if (isTruncated) context.onTruncated(path);
  const texts =
    nested.length > 0
      ? await composeTexts(rows, joinColumns, nested, context, targetColumns.length)
      : rows.map(({ json }) => json);
  const readKey = keyReader(places(targetColumns));
  for (let index = 0; index < rows.length; index += 1)
    for (const value of ownersOf(readKey(rows[index]!.keys))) onRow(value, texts[index]!);
}

/**
 * Reads the rows of a query that the values join, `limit` of them at most. It is one statement unless there are more
 * values than a statement should carry; the rows of one value are never parted. `ownersOf` tells which values a row is of.
 */
async function selectJoined(
  reader: RecordReader,
  query: Omit<Select, 'where'>,
  columns: readonly Column[],
  values: readonly string[],
  limit: number,
  { options }: ReadContext,
): Promise<{ rows: RowWithKeys[]; isTruncated: boolean; ownersOf: OwnersOfKey }> {
  let rows: RowWithKeys[] = [];
  for (const where of joinConditions(columns, values)) {
    const rest = query.limit! - rows.length;
    if (rest <= 0) break;
    const found = (await reader.select({ where, ...query, limit: rest }, options)).withKeys();
    if (rows.length === 0) rows = found;
    else rows = rows.concat(found);
  }
  const isTruncated = rows.length > limit;
  if (isTruncated) rows.pop();
  const readKey = keyReader(places(columns));
  const keysOf = (found: readonly RowWithKeys[]) => found.map(({ keys }) => readKey(keys));
  const ownersOf = await findOwners(values, keysOf(rows), async (value) => {
    const [where] = joinConditions(columns, [value]);
    const keyQuery = { ...query, columns: [], sideColumns: [...columns] };
    return where ? keysOf((await reader.select({ where, ...keyQuery }, options)).withKeys()) : [];
  });
  return { rows, isTruncated, ownersOf };
}

/** The conditions that find the rows which values out of another table join. */
function joinConditions(columns: readonly Column[], texts: readonly string[]): BoundFilter[] {
  if (columns.length === 1) {
    const where = whereIn(columns[0]!, texts);
    return where ? [where] : [];
  }
  const size = Math.floor(maxTupleValues / columns.length);
  const bundles = Array.from({ length: Math.ceil(texts.length / size) }, (_, index) =>
    texts.slice(index * size, (index + 1) * size),
  );
  return bundles.flatMap((bundle) => whereTuples(columns, bundle) ?? []);
}

/** Values of tuples in one statement: where each is a parameter, the statement takes its time to be written. */
const maxTupleValues = 4_000;

function whereTuples(columns: readonly Column[], texts: readonly string[]): BoundFilter | undefined {
  const tuples: unknown[][] = [];
  for (const text of texts) {
    const parts = JSON.parse(text) as unknown[];
    try {
      const tuple = columns.map((column, index) => toNative(column, parts[index], 'filter'));
      if (!tuple.includes(null)) tuples.push(tuple);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return tuples.length > 0 ? { kind: 'tuples', columns, tuples } : undefined;
}

/** A condition on values out of another table, converted to the column; those it cannot hold join nothing. */
function whereIn(column: Column, texts: readonly string[]): BoundFilter | undefined {
  const values: { kind: 'value'; value: unknown }[] = [];
  for (const text of texts) {
    try {
      values.push({ kind: 'value', value: toNative(column, JSON.parse(text), 'filter') });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return values.length > 0 ? { kind: 'in', column, negated: false, values, isJoin: true } : undefined;
}
