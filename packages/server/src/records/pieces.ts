// Rows by a query that a caller shaped. Which they are is found where it can be stopped (store.search); then they are read
// by their keys, a piece at a time, so that no read keeps the main thread for long. What one answer holds has a bound.
import { fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { type SelectQueryBuilder, sql } from 'kysely';
import { shortAnswer } from '../call/byte-budget.ts';
import { callerKey } from '../call/caller-key.ts';
import { storedFields } from '../resource/fields.ts';
import type { RecordContext, ServedResource, StoredRow } from '../resource/resource.ts';
import { anyTable, findRows, idOf, maxListValues } from './rows.ts';

/** A query of the rows of one table, before it says what of them it selects. */
export type RowsQuery = SelectQueryBuilder<Record<string, StoredRow>, string, object>;

/** What a piece may have; one row may have more. */
const piece = { bytes: 512 * 1024, rows: 200 };
/** Bytes of rows that are held at once for an answer that can go out as it is read. */
const longBytes = 1024 * 1024;
/** Bytes of rows that one answer may be made of. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** What rows cost that are read whole, made records of and printed, in passes over their bytes. */
const rowPasses = 8;

type ColumnTypes = Record<string, 'text' | 'integer'>;

/** Runs a read whose cost the actor decides. In a transaction it sees what that has written. */
export async function search(
  query: RowsQuery,
  columns: ColumnTypes,
  passes: number,
  { db, store, actor }: RecordContext,
): Promise<StoredRow[]> {
  if (db === store.db) return store.search(query, { columns, passes, caller: callerKey(actor), signal: actor.signal });
  return (await query.execute()) as StoredRow[];
}

interface RowsRequest {
  /** The columns to read; all where absent. */
  columns?: string[] | undefined;
  /** What finding the rows costs (store.search). */
  passes: number;
}

/** The rows that a query found, before they are read. */
export interface FoundRows {
  /** Whether they are too much to be held at once beside others. */
  isLong: boolean;
  pieces: AsyncGenerator<StoredRow[]>;
}

/** Finds the rows of a query, to be read in its order. Throws `database.tooLarge`. */
export async function findPieces(
  resource: ServedResource,
  query: RowsQuery,
  { columns, passes }: RowsRequest,
  context: RecordContext,
): Promise<FoundRows> {
  const { store, answered } = context;
  if (store.isQuick(passes + rowPasses)) return { isLong: false, pieces: readAtOnce(query, columns) };
  const key = resource.definition.identifier;
  const sizes = query.select([key, bytesOf(resource, columns).as('bytes')]);
  const found = await search(sizes, { [key]: typeOf(resource, key), bytes: 'integer' }, passes, context);
  const total = found.reduce((sum, row) => sum + Number(row.bytes), 0);
  if (answered.bytes + total > maxAnswerBytes) throw fail('database.tooLarge', { limit: maxAnswerBytes });
  const keys = splitByBytes(found.map((row) => ({ key: row[key], bytes: Number(row.bytes) })));
  return { isLong: total > longBytes, pieces: readByKeys(resource, keys, columns, context) };
}

/** The rows of a query in its order, piece by piece. Throws `database.tooLarge`. */
export async function* readPieces(
  resource: ServedResource,
  query: RowsQuery,
  request: RowsRequest,
  context: RecordContext,
): AsyncGenerator<StoredRow[]> {
  yield* (await findPieces(resource, query, request, context)).pieces;
}

async function* readAtOnce(query: RowsQuery, columns: string[] | undefined): AsyncGenerator<StoredRow[]> {
  yield (await (columns ? query.select(columns) : query.selectAll()).execute()) as StoredRow[];
}

async function* readByKeys(
  resource: ServedResource,
  pieces: unknown[][],
  columns: string[] | undefined,
  { db }: RecordContext,
): AsyncGenerator<StoredRow[]> {
  for (const keys of pieces) {
    await pause();
    const rows = await findRows(db, resource, resource.definition.identifier, keys, columns);
    const byKey = new Map(rows.map((row) => [idOf(resource, row), row]));
    yield keys.map((id) => byKey.get(id as never)).filter((row) => row !== undefined);
  }
}

/** The types of columns, as a search answers them. */
export const typesOf = (resource: ServedResource, columns: string[]): ColumnTypes =>
  Object.fromEntries(columns.map((column) => [column, typeOf(resource, column)]));

function typeOf({ definition }: ServedResource, column: string): 'text' | 'integer' {
  const kind = definition.fields[column]?.kind;
  return kind === 'text' || kind === 'date' || kind === 'json' ? 'text' : 'integer';
}

/** The bytes of the texts of a row. */
function bytesOf({ definition }: ServedResource, columns?: string[]) {
  const texts = storedFields(definition)
    .filter(([name, { kind }]) => (kind === 'text' || kind === 'json') && (columns?.includes(name) ?? true))
    .map(([name]) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  return sql<number>`(${sql.join([sql`0`, ...texts], sql` + `)})`;
}

/** Keys of rows, or what stands for them, in pieces by the bytes of the rows. */
function splitByBytes<K>(rows: { key: K; bytes: number }[]): K[][] {
  const pieces: K[][] = [];
  let keys: K[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (keys.length === 0 || keys.length >= piece.rows || bytes + row.bytes > piece.bytes) {
      keys = [];
      bytes = 0;
      pieces.push(keys);
    }
    keys.push(row.key);
    bytes += row.bytes;
  }
  return pieces;
}

/** The first rows of a query, as many as a piece has. */
export async function readFirstPiece(
  resource: ServedResource,
  query: RowsQuery,
  { db }: RecordContext,
): Promise<StoredRow[]> {
  const key = resource.definition.identifier;
  const sizes = await query
    .select([key, bytesOf(resource).as('bytes')])
    .limit(piece.rows)
    .execute();
  const [keys] = splitByBytes(sizes.map((row) => ({ key: row[key], bytes: Number(row.bytes) })));
  return keys ? findRows(db, resource, key, keys) : [];
}

/** Splits items by the bytes of the rows they name: what is read for each part is no more than a piece. */
export async function splitByRows<T>(
  resource: ServedResource,
  items: T[],
  idOfItem: (item: T) => number | undefined,
  { db }: RecordContext,
): Promise<T[][]> {
  const key = resource.definition.identifier;
  const ids = [...new Set(items.map(idOfItem).filter((id) => id !== undefined))];
  const bytes = new Map<unknown, number>();
  for (let at = 0; at < ids.length; at += maxListValues) {
    const query = anyTable(db)
      .selectFrom(resource.table)
      .where(key, 'in', ids.slice(at, at + maxListValues));
    for (const row of await query.select([key, bytesOf(resource).as('bytes')]).execute())
      bytes.set(row[key], Number(row.bytes));
  }
  return splitByBytes(items.map((item) => ({ key: item, bytes: bytes.get(idOfItem(item)) ?? 0 })));
}

/**
 * Counts rows that go into the answer, each as often as it does. Throws `database.tooLarge`, and as the memory for answers
 * does where they are collected: they are counted there as they are read.
 */
export function countAnswered(rows: Iterable<StoredRow>, { answered, actor }: RecordContext): void {
  const before = Math.max(answered.bytes, shortAnswer);
  for (const row of rows)
    for (const name in row) {
      const value = row[name];
      answered.bytes += typeof value === 'string' ? value.length : 1;
    }
  if (answered.bytes > maxAnswerBytes) throw fail('database.tooLarge', { limit: maxAnswerBytes });
  if (!answered.isStreamed && answered.bytes > before) actor.memory?.take(answered.bytes - before);
}

/** The rows whose column holds one of the values, piece by piece. */
export async function* readPiecesBy(
  resource: ServedResource,
  column: string,
  values: unknown[],
  context: RecordContext,
): AsyncGenerator<StoredRow[]> {
  for (let at = 0; at < values.length; at += maxListValues) {
    const query = anyTable(context.db)
      .selectFrom(resource.table)
      .where(column, 'in', values.slice(at, at + maxListValues))
      .orderBy(resource.definition.identifier);
    yield* readPieces(resource, query, { passes: 2 }, context);
  }
}
