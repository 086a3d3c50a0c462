// Writes whose rows an engine does not return: they are found by their key, before or after the write, inside of the
// same transaction.
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

/** Rows looked for at once. */
const keysAtOnce = 500;
/** Characters of rows read back in one go. */
const textLimit = 128 * 1024 * 1024;

/** What the statements need. */
export interface Work<P> {
  connection: Connection<P>;
  planner: Planner<P>;
  /** The key the last insert was given, where the engine tells it. */
  insertId?(): unknown;
  /** A query that keeps its rows from others until the transaction ends; absent where the engine knows none. */
  locking?(plan: P): P;
}

/** True when the write and its rows take more than one statement. */
export function isSeveral(write: RealWrite): boolean {
  if (write.kind === 'insert') return !isPlain(write.table, write.returning) || !hasWholeKey(write);
  return knownRow(write) === undefined;
}

/** Does the write and answers its `returning` columns. */
export async function writeAndRead<P>(work: Work<P>, write: RealWrite): Promise<Answer> {
  switch (write.kind) {
    case 'insert':
      return insert(work, write);
    case 'update':
      return Object.keys(write.values).length === 0
        ? read(work, write.table, write.returning, write.where)
        : update(work, write);
    case 'delete':
      return remove(work, write);
  }
}

async function insert<P>(work: Work<P>, write: Insert): Promise<Answer> {
  const { table, returning } = write;
  const done = await run(work, write);
  const key = table.key.map((column) => {
    const value = writtenTo(write.values, column);
    if (value !== undefined && value !== null && value !== 0 && !isExpression(value)) return value;
    return column.description.auto_increment && work.insertId ? toNative(column, work.insertId(), 'filter') : undefined;
  });
  // Nobody knows the key that an expression of the server made: what was written is shown.
  if (key.length === 0 || key.includes(undefined)) return { count: done.count, json: '[]' };
  if (isPlain(table, returning)) return listed([rowOf(table, key, returning)]);
  return read(work, table, returning, whereKeys(table.key, [key]));
}

async function update<P>(work: Work<P>, write: Update): Promise<Answer> {
  const { table, returning, where, values } = write;
  const known = knownRow(write);
  if (known) return (await run(work, write)).count > 0 ? listed([known]) : none;
  if (table.key.length === 0) {
    const before = await read(work, table, returning, where, true);
    await run(work, write);
    return listed(list(before).map((row) => withValues(row, returning, values)));
  }
  const demanded = demandedKey(table, where);
  const found = demanded ? [demanded] : await keysOf(work, table, where);
  if (found.length === 0 || (await run(work, write)).count === 0) return none;
  // A write may move its row to another key.
  const keys = found.map((key) =>
    table.key.map((column, at) => {
      const value = writtenTo(values, column);
      return value === undefined || isExpression(value) ? key[at] : value;
    }),
  );
  const rows: Row[] = [];
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const some = whereKeys(table.key, keys.slice(at, at + keysAtOnce));
    rows.push(...list(await read(work, table, returning, some)));
  }
  return listed(rows);
}

async function remove<P>(work: Work<P>, write: Delete): Promise<Answer> {
  const known = knownRow(write);
  if (known) return (await run(work, write)).count > 0 ? listed([known]) : none;
  const rows = await read(work, write.table, write.returning, write.where, true);
  if (rows.count > 0) await run(work, write);
  return rows;
}

// ---- statements ----

const none: Answer = { count: 0, json: '[]' };

const listed = (rows: Row[]): Answer => ({ count: rows.length, json: JSON.stringify(rows) });

const list = ({ json }: Answer): Row[] => JSON.parse(json) as Row[];

function run<P>({ connection, planner }: Work<P>, write: RealWrite): Promise<Answer> {
  const { plan, parameters } = planner.write({ ...write, returning: [] });
  return connection.run(plan, parameters, textLimit);
}

async function keysOf<P>(work: Work<P>, table: Table, where: BoundFilter | undefined): Promise<unknown[][]> {
  const rows = list(await read(work, table, table.key, where, true));
  return rows.map((row) => table.key.map((column) => toNative(column, row[column.name], 'filter')));
}

/** `locks` keeps the rows from others until the transaction ends: what is read is then what is written. */
function read<P>(
  { connection, planner, locking }: Work<P>,
  table: Table,
  columns: Column[],
  where: BoundFilter | undefined,
  locks = false,
): Promise<Answer> {
  const { plan, parameters } = planner.select({ table, columns, where });
  return connection.run(locks && locking ? locking(plan) : plan, parameters, textLimit);
}

// ---- what is known without reading ----

/** The value a write gives a column; undefined without one. */
function writtenTo(values: Row, column: Column): unknown {
  const lower = column.name.toLowerCase();
  const name = Object.hasOwn(values, column.name)
    ? column.name
    : Object.keys(values).find((field) => field.toLowerCase() === lower);
  return name === undefined ? undefined : values[name];
}

const whole = new Set<string>(['id', 'integer', 'reference', 'bigint', 'user_id']);

/** Key columns alone, of integers: what was asked for is what is there, letter case and zeros included. */
const isPlain = (table: Table, columns: Column[]): boolean =>
  columns.every((column) => table.key.includes(column) && whole.has(column.description.type));

/** The key is written, or counted by the server, which tells the number. */
const hasWholeKey = ({ table, values }: Insert): boolean =>
  table.key.every((column) => {
    const value = writtenTo(values, column);
    return column.description.auto_increment || (value !== undefined && !isExpression(value));
  });

/** The row that a write by its whole key touches, where only integers of the key are to be returned. */
function knownRow(write: Update | Delete): Row | undefined {
  const { table, returning, where } = write;
  if (!where || !isPlain(table, returning)) return undefined;
  if (write.kind === 'update') {
    const { values } = write;
    if (Object.keys(values).length === 0) return undefined;
    if (table.key.some((column) => writtenTo(values, column) !== undefined)) return undefined;
  }
  const key = demandedKey(table, where);
  return key && rowOf(table, key, returning);
}

/** The key of the one row a filter may leave, where it names all of it. */
function demandedKey(table: Table, where: BoundFilter): unknown[] | undefined {
  const demanded = demands(where);
  const key = table.key.map((column) => demanded?.get(column));
  return table.key.length === 0 || key.includes(undefined) ? undefined : key;
}

/** What a filter of nothing but `column = value` joined by AND demands. */
function demands(filter: BoundFilter): Map<Column, unknown> | undefined {
  const found = new Map<Column, unknown>();
  const visit = (node: BoundFilter): boolean => {
    if (node.kind === 'and') return visit(node.left) && visit(node.right);
    if (node.kind !== 'compare' || node.operator !== '=' || node.negated || node.value.kind !== 'value') return false;
    found.set(node.column, node.value.value);
    return true;
  };
  return visit(filter) ? found : undefined;
}

const rowOf = (table: Table, key: unknown[], returning: Column[]): Row =>
  Object.fromEntries(
    returning
      .map(wireColumn)
      .map(({ name, kind }, at) => [name, toWire(kind, key[table.key.indexOf(returning[at] as Column)])]),
  );

function withValues(row: Row, columns: Column[], values: Row): Row {
  const written: Row = { ...row };
  for (const column of columns) {
    const value = writtenTo(values, column);
    if (value !== undefined && !isExpression(value)) written[column.name] = toWire(wireColumn(column).kind, value);
  }
  return written;
}

function whereKeys(columns: Column[], keys: unknown[][]): BoundFilter {
  const value = (bound: unknown) => ({ kind: 'value', value: bound }) as const;
  const [only] = columns;
  if (columns.length === 1 && only && keys.length > 1) {
    return { kind: 'in', column: only, negated: false, values: keys.map(([part]) => value(part)) };
  }
  return keys
    .map((key) =>
      columns
        .map(
          (column, at): BoundFilter => ({
            kind: 'compare',
            column,
            operator: '=',
            negated: false,
            value: value(key[at]),
          }),
        )
        .reduce((left, right) => ({ kind: 'and', left, right })),
    )
    .reduce((left, right) => ({ kind: 'or', left, right }));
}
