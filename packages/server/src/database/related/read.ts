// Records with what they are related to: one query for each relation and level, however many records there are. Texts
// are put together as the databases made them; nothing is parsed on the way.
import { Failure, fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  type Rows,
  type RowWithKeys,
  type RunOptions,
  rowsFromJson,
  type Select,
  toNative,
} from '@sluice/sql';
import { isAggregate } from '../record/columns.ts';
import type { RecordReader, ScopedDatabase } from '../record-filter/scoped-database.ts';
import type { RelationRequest } from './relation-request.ts';

/** The columns that related records are found by; they are read and shown whether or not `fields` names them. */
export const joinColumnsOf = (related: readonly RelationRequest[]): Column[] => [
  ...new Set(related.map(({ localColumn }) => localColumn)),
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
    return { ...query, columns, sideColumns: query.sideColumns ? [...joinColumns, ...query.sideColumns] : joinColumns };
  };
  const withRelatedTexts = async (batch: Rows, options: RunOptions | undefined): Promise<Rows> => {
    const rows = batch.withKeys();
    const texts = await composeTexts(rows, joinColumns, related, { options, onTruncated });
    return {
      ...rowsFromJson({ json: `[${texts.join(',')}]`, count: rows.length }),
      withKeys: () => texts.map((json, index) => ({ json, keys: rows[index]!.keys.slice(joinColumns.length) })),
    };
  };
  return {
    select: async (query, options) =>
      isGrouped(query)
        ? database.select(query, options)
        : withRelatedTexts(await database.select(withJoinColumns(query), options), options),
    async *stream(query, options) {
      if (isGrouped(query)) yield* database.stream(query, options);
      else
        for await (const rows of database.stream(withJoinColumns(query), options))
          yield withRelatedTexts(rows, options);
    },
    count: (query, options) => database.count(query, options),
  };
}

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
    const keyIndex = skip + joinColumns.indexOf(relation.localColumn);
    const values = [...new Set(rows.map(({ keys }) => keys[keyIndex]!))].filter(isJoinable);
    const textsByValue = values.length > 0 ? await findRelated(relation, values, context) : noTexts;
    const writeMember = memberWriter(relation);
    for (let index = 0; index < rows.length; index += 1) {
      const value = writeMember(textsByValue.get(rows[index]!.keys[keyIndex]!));
      length += value.length;
      if (length > maxAnswerLength) throw fail('database.tooLarge', { limit: maxAnswerLength });
      const text = texts[index]!;
      texts[index] = text === '{}' ? `{${value}}` : `${text.slice(0, -1)},${value}}`;
    }
  }
  return texts;
}

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
  const { table, column, farColumn, parts } = junction;
  const limit = parts.context.limits.maxRecords;
  const where = whereIn(column, values);
  if (!where) return noTexts;
  const query: Select = { table, columns: [], sideColumns: [column, farColumn], where, limit: limit + 1 };
  const pairs = (await junctionReader.select(query, context.options)).withKeys();
  if (pairs.length > limit) {
    context.onTruncated(relation.path);
    pairs.pop();
  }
  const owners = new Map<string, string[]>();
  for (const { keys } of pairs) if (isJoinable(keys[1]!)) appendTo(owners, keys[1]!, keys[0]!);
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
  const { table, column } = target;
  const joinColumns = joinColumnsOf(nested);
  const where = whereIn(column, values);
  if (!where) return;
  const query: Select = {
    table,
    columns: joinColumns.length > 0 ? [...new Set([...columns, ...joinColumns])] : columns,
    sideColumns: [column, ...joinColumns],
    where,
    order,
    ...(group ? { group } : {}),
    limit: hasExplicitLimit ? limit : limit + 1,
  };
  const rows = (await reader.select(query, context.options)).withKeys();
  if (rows.length > limit) {
    context.onTruncated(path);
    rows.pop();
  }
  const texts =
    nested.length > 0 ? await composeTexts(rows, joinColumns, nested, context, 1) : rows.map(({ json }) => json);
  for (let index = 0; index < rows.length; index += 1) onRow(rows[index]!.keys[0]!, texts[index]!);
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

function appendTo(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
