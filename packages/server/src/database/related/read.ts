// Records with what they are related to: one query for each relation and level, however many records there are. Texts
// are put together as the databases made them; nothing is parsed on the way.
import { Failure, fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  type Rows,
  type RowWithKeys,
  type RunOptions,
  type Select,
  textRows,
  toNative,
} from '@sluice/sql';
import { isAggregate } from '../record/columns.ts';
import type { RecordReader, ScopedDatabase } from '../record-filter/scoped-database.ts';
import type { Asked } from './asked.ts';

/** The columns that related records are found by; they are read and shown, asked for or not. */
export const joinsOf = (related: readonly Asked[]): Column[] => [...new Set(related.map(({ local }) => local))];

/**
 * The same records, each read with what it is related to. `onCut` is told the path of a relation that had more records
 * than its table gives at once.
 */
export function withRelated(
  database: ScopedDatabase,
  related: readonly Asked[],
  onCut: (path: string) => void,
): RecordReader {
  const joins = joinsOf(related);
  const names = new Set(related.map(({ name }) => name));
  const widened = (query: Select): Select => {
    // A relation goes before a field of its name.
    const isWhole =
      joins.every((it) => query.columns.includes(it)) && !query.columns.some(({ name }) => names.has(name));
    const shown = () => query.columns.filter(({ name }) => !names.has(name));
    const columns = isWhole ? query.columns : [...new Set([...shown(), ...joins])];
    return { ...query, columns, sideColumns: query.sideColumns ? [...joins, ...query.sideColumns] : joins };
  };
  const composed = async (rows: Rows, options: RunOptions | undefined): Promise<Rows> => {
    const pieces = rows.withKeys();
    const texts = await compose(pieces, joins, related, { options, onCut });
    return {
      ...textRows({ json: `[${texts.join(',')}]`, count: pieces.length }),
      withKeys: () => texts.map((json, at) => ({ json, keys: pieces[at]!.keys.slice(joins.length) })),
    };
  };
  return {
    select: async (query, options) =>
      isGrouped(query)
        ? database.select(query, options)
        : composed(await database.select(widened(query), options), options),
    async *stream(query, options) {
      if (isGrouped(query)) yield* database.stream(query, options);
      else for await (const rows of database.stream(widened(query), options)) yield composed(rows, options);
    },
    count: (query, options) => database.count(query, options),
  };
}

/** Groups are no records: nothing is related to them. */
const isGrouped = ({ group, columns }: Select): boolean => group !== undefined || columns.some(isAggregate);

interface Reading {
  options: RunOptions | undefined;
  onCut(path: string): void;
}

/** Characters of all records of an answer; the databases have limits of their own for each query. */
const longestAnswer = 128 * 1024 * 1024;

/** The texts of the rows, each with its relations. `joins` are the columns of a row's keys, from `skip` on. */
async function compose(
  pieces: readonly RowWithKeys[],
  joins: readonly Column[],
  related: readonly Asked[],
  reading: Reading,
  skip = 0,
): Promise<string[]> {
  const texts = pieces.map(({ json }) => json);
  let length = texts.reduce((sum, text) => sum + text.length, 0);
  for (const relation of related) {
    const at = skip + joins.indexOf(relation.local);
    const values = [...new Set(pieces.map(({ keys }) => keys[at]!))].filter(isSomething);
    const found = values.length > 0 ? await findRelated(relation, values, reading) : nothing;
    const member = memberOf(relation);
    for (let index = 0; index < pieces.length; index += 1) {
      const value = member(found.get(pieces[index]!.keys[at]!));
      length += value.length;
      if (length > longestAnswer) throw fail('database.tooLarge', { limit: longestAnswer });
      const text = texts[index]!;
      texts[index] = text === '{}' ? `{${value}}` : `${text.slice(0, -1)},${value}}`;
    }
  }
  return texts;
}

/** Texts of related records by the text of the value that joins them. */
type Found = ReadonlyMap<string, readonly string[]>;
const nothing: Found = new Map();

/** Values that stand for no record (contract/database-tables.md §6.2). */
const nothings = new Set(['null', '0', '""', 'false']);
const isSomething = (text: string) => !nothings.has(text);

/** Writes the records of a relation as a member of a record: a list, or the one there is. */
function memberOf({ name, kind }: Asked): (found?: readonly string[]) => string {
  const head = `${JSON.stringify(name)}:`;
  if (kind === 'has_many' || kind === 'many_many') return (found) => `${head}[${found ? found.join(',') : ''}]`;
  const none = kind === 'belongs_to' ? 'null' : '[]';
  return (found) => head + (found?.[0] ?? none);
}

async function findRelated(relation: Asked, values: string[], reading: Reading): Promise<Found> {
  const { junction, junctionReader } = relation;
  if (!junction || !junctionReader) {
    const found = new Map<string, string[]>();
    await readTarget(relation, values, reading, (joined, text) => put(found, joined, text));
    return found;
  }
  const { table, column, far, parts } = junction;
  const limit = parts.context.limits.maxRecords;
  const where = isOneOf(column, values);
  if (!where) return nothing;
  const query: Select = { table, columns: [], sideColumns: [column, far], where, limit: limit + 1 };
  const pairs = (await junctionReader.select(query, reading.options)).withKeys();
  if (pairs.length > limit) {
    reading.onCut(relation.path);
    pairs.pop();
  }
  const owners = new Map<string, string[]>();
  for (const { keys } of pairs) if (isSomething(keys[1]!)) put(owners, keys[1]!, keys[0]!);
  const found = new Map<string, string[]>();
  // A row of the junction that is there twice gives its record twice.
  if (owners.size > 0)
    await readTarget(relation, [...owners.keys()], reading, (joined, text) => {
      for (const owner of owners.get(joined) ?? []) put(found, owner, text);
    });
  return found;
}

/** Reads the records that values join, with what those are related to, in their order. */
async function readTarget(
  relation: Asked,
  values: string[],
  reading: Reading,
  take: (joined: string, text: string) => void,
): Promise<void> {
  const { target, columns, order, group, limit, isLimitAsked, reader, deeper, path } = relation;
  const { table, column } = target;
  const joins = joinsOf(deeper);
  const where = isOneOf(column, values);
  if (!where) return;
  const query: Select = {
    table,
    columns: joins.length > 0 ? [...new Set([...columns, ...joins])] : columns,
    sideColumns: [column, ...joins],
    where,
    order,
    ...(group ? { group } : {}),
    limit: isLimitAsked ? limit : limit + 1,
  };
  const pieces = (await reader.select(query, reading.options)).withKeys();
  if (pieces.length > limit) {
    reading.onCut(path);
    pieces.pop();
  }
  const texts = deeper.length > 0 ? await compose(pieces, joins, deeper, reading, 1) : pieces.map(({ json }) => json);
  for (let index = 0; index < pieces.length; index += 1) take(pieces[index]!.keys[0]!, texts[index]!);
}

/** Values out of another table, as the column has them; those it can not have join nothing. */
function isOneOf(column: Column, texts: readonly string[]): BoundFilter | undefined {
  const values: { kind: 'value'; value: unknown }[] = [];
  for (const text of texts) {
    try {
      values.push({ kind: 'value', value: toNative(column, JSON.parse(text), 'filter') });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return values.length > 0 ? { kind: 'in', column, negated: false, values, joins: true } : undefined;
}

function put(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
