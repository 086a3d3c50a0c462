// RETURNING for engines without it: the rows of a write are found by their key, before or after the write, inside of the
// same transaction.
import type { MaybePromise } from '@sluice/contract';
import type { Planner } from '../../compile/plan.ts';
import { isExpression, toNative } from '../../convert/native.ts';
import { toWire, wireColumn } from '../../convert/wire.ts';
import type { BoundFilter, Row, Write } from '../../query/index.ts';
import type { Column, Table } from '../../schema/index.ts';
import type { Answer, Connection } from './engine.ts';
import type { RealWrite } from './write.ts';

type Insert = Extract<Write, { kind: 'insert' }>;
type Update = Extract<Write, { kind: 'update' }>;
type Delete = Extract<Write, { kind: 'delete' }>;

/** Rows read back by one statement. */
const maxKeysPerRead = 500;
/** Characters of rows read back by one statement. */
const textLimit = 128 * 1024 * 1024;

/** What the statements need. */
export interface WriteContext<P> {
  connection: Connection<P>;
  planner: Planner<P>;
  /** The key that the database gave the last insert, where the engine reports it. */
  insertId?(): unknown;
  /** A query that keeps its rows from others until the transaction ends; absent where the engine knows none. */
  locking?(plan: P): P;
  /** True for the error of a query that the account has no right to; absent where that is not told apart. */
  isDenied?(error: unknown): boolean;
}

/** True when the write and its rows take more than one statement. */
export function needsTransaction(write: RealWrite): boolean {
  if (write.kind === 'insert') return !areKeyIntegers(write.table, write.returning) || !knowsKeyAfterwards(write);
  return predictRow(write) === undefined;
}

/** Does the write and answers its `returning` columns. */
export async function writeAndReadBack<P>(context: WriteContext<P>, write: RealWrite): Promise<Answer> {
  switch (write.kind) {
    case 'insert':
      return insert(context, write);
    case 'update':
      return Object.keys(write.values).length === 0 ? readAllOrKeys(context, write) : update(context, write);
    case 'delete':
      return remove(context, write);
  }
}

async function insert<P>(context: WriteContext<P>, write: Insert): Promise<Answer> {
  const { table, returning } = write;
  const answer = await runWithoutReturning(context, write);
  const key = table.key.map((column) => {
    const value = valueFor(write.values, column);
    if (value !== undefined && value !== null && value !== 0 && !isExpression(value)) return value;
    return column.description.auto_increment && context.insertId
      ? toNative(column, context.insertId(), 'filter')
      : undefined;
  });
  // Nobody knows the key that an expression of the server made: what was written is shown.
  if (key.length === 0 || key.includes(undefined)) return { count: answer.count, json: '[]' };
  if (areKeyIntegers(table, returning)) return toAnswer([keyRow(table, key, returning)]);
  return orElse(
    context,
    () => readRows(context, table, returning, whereKeys(table.key, [key])),
    () => toAnswer([sentRow(write, key)]),
  );
}

async function update<P>(context: WriteContext<P>, write: Update): Promise<Answer> {
  const { table, returning, where, values } = write;
  const predicted = predictRow(write);
  if (predicted) return (await runWithoutReturning(context, write)).count > 0 ? toAnswer([predicted]) : emptyAnswer;
  if (table.key.length === 0) {
    const before = await readRows(context, table, returning, where, true);
    await runWithoutReturning(context, write);
    return toAnswer(parseRows(before).map((row) => overlayValues(row, returning, values)));
  }
  const filterKey = filteredKey(table, where);
  const oldKeys = filterKey ? [filterKey] : await readKeys(context, table, where);
  if (oldKeys.length === 0 || (await runWithoutReturning(context, write)).count === 0) return emptyAnswer;
  // A write may move its row to another key.
  const newKeys = oldKeys.map((key) =>
    table.key.map((column, index) => {
      const value = valueFor(values, column);
      return value === undefined || isExpression(value) ? key[index] : value;
    }),
  );
  const rows: Row[] = [];
  for (let index = 0; index < newKeys.length; index += maxKeysPerRead) {
    const batch = newKeys.slice(index, index + maxKeysPerRead);
    const answer = await orElse(
      context,
      () => readRows(context, table, returning, whereKeys(table.key, batch)),
      () => toAnswer(batch.map((key) => sentRow(write, key))),
    );
    rows.push(...parseRows(answer));
  }
  return toAnswer(rows);
}

async function remove<P>(context: WriteContext<P>, write: Delete): Promise<Answer> {
  const predicted = predictRow(write);
  if (predicted) return (await runWithoutReturning(context, write)).count > 0 ? toAnswer([predicted]) : emptyAnswer;
  const rows = await readAllOrKeys(context, write, true);
  if (rows.count > 0) await runWithoutReturning(context, write);
  return rows;
}

// ---- accounts that may write what they may not read ----

async function orElse<P>(
  { isDenied }: WriteContext<P>,
  read: () => Promise<Answer>,
  instead: () => MaybePromise<Answer>,
): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (!isDenied?.(error)) throw error;
    return instead();
  }
}

/** The rows a write finds; of those that may not be read, the key. */
const readAllOrKeys = <P>(
  context: WriteContext<P>,
  { table, returning, where }: Update | Delete,
  withLock = false,
): Promise<Answer> =>
  orElse(
    context,
    () => readRows(context, table, returning, where, withLock),
    () => readRows(context, table, table.key, where, withLock),
  );

// ---- statements ----

const emptyAnswer: Answer = { count: 0, json: '[]' };

const toAnswer = (rows: Row[]): Answer => ({ count: rows.length, json: JSON.stringify(rows) });

const parseRows = ({ json }: Answer): Row[] => JSON.parse(json) as Row[];

function runWithoutReturning<P>({ connection, planner }: WriteContext<P>, write: RealWrite): Promise<Answer> {
  const { plan, parameters } = planner.write({ ...write, returning: [] });
  return connection.run(plan, parameters, textLimit);
}

async function readKeys<P>(
  context: WriteContext<P>,
  table: Table,
  where: BoundFilter | undefined,
): Promise<unknown[][]> {
  const rows = parseRows(await readRows(context, table, table.key, where, true));
  return rows.map((row) => table.key.map((column) => toNative(column, row[column.name], 'filter')));
}

/** `withLock` keeps the rows from others until the transaction ends: what is read is then what is written. */
function readRows<P>(
  { connection, planner, locking }: WriteContext<P>,
  table: Table,
  columns: Column[],
  where: BoundFilter | undefined,
  withLock = false,
): Promise<Answer> {
  const { plan, parameters } = planner.select({ table, columns, where });
  return connection.run(withLock && locking ? locking(plan) : plan, parameters, textLimit);
}

// ---- what is known without reading ----

/** The value a write gives a column; undefined without one. */
function valueFor(values: Row, column: Column): unknown {
  const lower = column.name.toLowerCase();
  const name = Object.hasOwn(values, column.name)
    ? column.name
    : Object.keys(values).find((field) => field.toLowerCase() === lower);
  return name === undefined ? undefined : values[name];
}

const integerTypes = new Set<string>(['id', 'integer', 'reference', 'bigint', 'user_id']);

/** Only integer columns of the key: their values in a filter are exactly those in the table, as no letter case or padding
 * can differ. */
const areKeyIntegers = (table: Table, columns: Column[]): boolean =>
  columns.every((column) => table.key.includes(column) && integerTypes.has(column.description.type));

/** The write names the key, or the server counts it up and reports the number. */
const knowsKeyAfterwards = ({ table, values }: Insert): boolean =>
  table.key.every((column) => {
    const value = valueFor(values, column);
    return column.description.auto_increment || (value !== undefined && !isExpression(value));
  });

/** The row that a write by its whole key touches, where only integers of the key are returned. */
function predictRow(write: Update | Delete): Row | undefined {
  const { table, returning, where } = write;
  if (!where || !areKeyIntegers(table, returning)) return undefined;
  if (write.kind === 'update') {
    const { values } = write;
    if (Object.keys(values).length === 0) return undefined;
    if (table.key.some((column) => valueFor(values, column) !== undefined)) return undefined;
  }
  const key = filteredKey(table, where);
  return key && keyRow(table, key, returning);
}

/** The key of the one row a filter may leave, where it names all of it. */
function filteredKey(table: Table, where: BoundFilter): unknown[] | undefined {
  const filterValues = equalities(where);
  const key = table.key.map((column) => filterValues?.get(column));
  return table.key.length === 0 || key.includes(undefined) ? undefined : key;
}

/** The values by column of a filter that is nothing but `column = value` joined by AND. */
function equalities(filter: BoundFilter): Map<Column, unknown> | undefined {
  const values = new Map<Column, unknown>();
  const visit = (node: BoundFilter): boolean => {
    if (node.kind === 'and') return visit(node.left) && visit(node.right);
    if (node.kind !== 'compare' || node.operator !== '=' || node.negated || node.value.kind !== 'value') return false;
    values.set(node.column, node.value.value);
    return true;
  };
  return visit(filter) ? values : undefined;
}

const keyRow = (table: Table, key: unknown[], returning: Column[]): Row =>
  Object.fromEntries(
    returning
      .map(wireColumn)
      .map(({ name, kind }, index) => [name, toWire(kind, key[table.key.indexOf(returning[index] as Column)])]),
  );

/** Of the columns to return the key, null where it is not known, and what was sent. */
export function sentRow(write: RealWrite, knownKey?: unknown[]): Row {
  const { table, returning } = write;
  const keyColumns = returning.filter((column) => table.key.includes(column));
  const key = knownKey ?? (write.kind !== 'insert' && write.where ? filteredKey(table, write.where) : undefined);
  const row = key ? keyRow(table, key, keyColumns) : Object.fromEntries(keyColumns.map(({ name }) => [name, null]));
  return write.kind === 'delete' ? row : overlayValues(row, returning, write.values);
}

function overlayValues(row: Row, columns: Column[], values: Row): Row {
  const changedRow: Row = { ...row };
  for (const column of columns) {
    const value = valueFor(values, column);
    if (value !== undefined && !isExpression(value)) changedRow[column.name] = toWire(wireColumn(column).kind, value);
  }
  return changedRow;
}

function whereKeys(columns: Column[], keys: unknown[][]): BoundFilter {
  const toBoundValue = (bound: unknown) => ({ kind: 'value', value: bound }) as const;
  const [onlyColumn] = columns;
  if (columns.length === 1 && onlyColumn && keys.length > 1) {
    return { kind: 'in', column: onlyColumn, negated: false, values: keys.map(([part]) => toBoundValue(part)) };
  }
  return keys
    .map((key) =>
      columns
        .map(
          (column, index): BoundFilter => ({
            kind: 'compare',
            column,
            operator: '=',
            negated: false,
            value: toBoundValue(key[index]),
          }),
        )
        .reduce((left, right) => ({ kind: 'and', left, right })),
    )
    .reduce((left, right) => ({ kind: 'or', left, right }));
}
