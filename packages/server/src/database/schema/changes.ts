// The writes of `_schema`, without their answers: what is sent is read into changes, table by table, and each is run, which
// carries it out or, for `_plan`, only plans it (contract/database-schema.md §1, §4–§6).
import { appendTo, Failure, fail, type MaybePromise, truthy, type Verb, verbMask } from '@sluice/contract';
import { pause, type Table } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import {
  type BatchVerb,
  type Outcome,
  outcomeOf,
  type RecordInput,
  readOneRecord,
  recordsOf,
  settleBatch,
  stringifyInput,
} from '../../call/payload.ts';
import { callerMask } from '../../service/root.ts';
import {
  orderByReferences,
  type ReadContext,
  readDeferredReferences,
  readFieldDrops,
  readFieldsChange,
  readRelationDrops,
  readRelationsChange,
  readTableChange,
  readTableDrop,
  type TableChange,
  TableState,
} from '../change/index.ts';
import { lowerCaseKeys } from '../extras/input.ts';
import type { DatabaseParts } from '../parts.ts';

/** A kind of parts of a table, fields or relations, and how writes of them are read. */
export interface PartReader {
  readChange(parts: RecordInput[], table: Table, context: ReadContext): Promise<TableChange>;
  readDrops(names: string[], table: Table, context: ReadContext): Promise<TableChange>;
}

export const fieldReader: PartReader = { readChange: readFieldsChange, readDrops: readFieldDrops };
export const relationReader: PartReader = { readChange: readRelationsChange, readDrops: readRelationDrops };

/** What becomes of the changes that were read: they are carried out, or planned. */
export interface Execution {
  /** Carries out, or plans, what belongs together. */
  run(changes: readonly TableChange[], state: TableState): Promise<unknown>;
  /** Nothing is carried out: later tables are read on what earlier ones would leave. */
  isPlan: boolean;
}

async function contextOf(call: Call, parts: DatabaseParts): Promise<ReadContext> {
  const { schemaEditor } = await parts.database();
  return {
    state: new TableState(parts, await parts.extras.current()),
    isAdmin: call.caller.user?.isAdmin === true,
    isVisible: (table) => callerMask(call, `_schema/${table}`) !== 0,
    editor: schemaEditor,
  };
}

/** `POST`, `PUT` and `PATCH` of tables; answers their names, of after, in the order they were sent. */
export async function changeTables(call: Call, parts: DatabaseParts, execution: Execution): Promise<string[]> {
  const records = recordsOf(await call.body());
  if (records.length === 0) throw fail('schema.noData', { act: call.verb === 'POST' ? 'create' : 'update' });
  const context = await contextOf(call, parts);
  context.state.expect(records.map(nameOfTable));
  return isTogether(call, execution)
    ? changeTogether(call, records, context, execution)
    : changeOneByOne(call, records, context, execution);
}

const isTogether = (call: Call, execution: Execution): boolean =>
  execution.isPlan || truthy(call.query.get('rollback'));

/** All or none: each is read on what those before it will leave. */
async function changeTogether(
  call: Call,
  records: RecordInput[],
  context: ReadContext,
  execution: Execution,
): Promise<string[]> {
  const { state } = context;
  limitTogether(records.length);
  const names: string[] = [];
  const changes: TableChange[] = [];
  const add = (change: TableChange) => {
    changes.push(change);
    state.record(change);
    return nameAfter(change);
  };
  for (const index of orderByReferences(records)) {
    const record = records[index] as RecordInput;
    names[index] = add(await namingTable(nameOfTable(record), () => readNamedTable(call, record, context)));
  }
  for (const [table, references] of state.deferred)
    add(await namingTable(table, () => readDeferredReferences(table, references, context)));
  await execution.run(changes, state);
  return names;
}

/** What is wrong with one of several tables says with which, in its context. */
async function namingTable(table: string, read: () => Promise<TableChange>): Promise<TableChange> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure) || error.context !== null || table === '') throw error;
    const { key, status, message, code, hint } = error;
    throw new Failure(key, status, message, { code, context: { table }, cause: error, ...(hint ? { hint } : {}) });
  }
}

/** Those before one that fails stay. Each is read on what those before it left, in the order their references need. */
async function changeOneByOne(
  call: Call,
  records: RecordInput[],
  context: ReadContext,
  execution: Execution,
): Promise<string[]> {
  const { state } = context;
  const outcomes = new TableOutcomes(records.map(nameOfTable));
  const changeOne = async (index: number, read: () => Promise<TableChange>): Promise<boolean> => {
    const name = await outcomes.attempt(index, async () => {
      const change = await read();
      await execution.run([change], state);
      state.forget(change.name);
      return nameAfter(change);
    });
    if (name !== undefined) outcomes.succeed(index, name);
    return name !== undefined;
  };
  for (const index of orderByReferences(records))
    if (!(await changeOne(index, () => readNamedTable(call, records[index] as RecordInput, context))))
      return outcomes.settle(call.verb === 'POST' ? 'created' : 'updated');
  for (const [table, references] of state.deferred) {
    const index = records.findIndex((record) => nameOfTable(record) === table);
    if (!(await changeOne(index, () => readDeferredReferences(table, references, context)))) break;
  }
  return outcomes.settle(call.verb === 'POST' ? 'created' : 'updated');
}

const nameAfter = ({ name, after }: TableChange): string => after?.name ?? name;

/** What became of each table of a batch, until one fails. */
class TableOutcomes {
  private readonly outcomes: (Outcome<string> | undefined)[];

  constructor(names: readonly string[]) {
    this.outcomes = names.map(() => undefined);
  }

  /** What `run` answers; undefined when it failed. Of one table alone the failure is the answer. */
  async attempt<T>(index: number, run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      if (this.outcomes.length === 1) throw error;
      this.outcomes[index] = outcomeOf(error);
      return undefined;
    }
  }

  succeed(index: number, name: string): void {
    this.outcomes[index] = { result: name };
  }

  /** The names, or the failure of the batch. */
  settle(verb: BatchVerb): string[] {
    const settled = this.outcomes.map((outcome) => outcome ?? { failure: fail('schema.notTried') });
    return settleBatch(verb, settled, false, (name) => ({ name }));
  }
}

/** Tables that are changed, or planned, as one: each is read on what all before it leave, without a pause for other calls. */
const maxTogether = 1000;

function limitTogether(count: number): void {
  if (count > maxTogether) throw fail('record.batchTooLarge', { limit: maxTogether });
}

/** As it is read later on: a second `NAME` must not be the one that counts there. */
function nameOfTable(record: RecordInput): string {
  const { name } = lowerCaseKeys(record);
  return typeof name === 'string' ? name.trim() : '';
}

async function readNamedTable(call: Call, record: RecordInput, context: ReadContext): Promise<TableChange> {
  const name = nameOfTable(record);
  if (name === '') throw fail('schema.tableName');
  requireMask(call, name, call.verb);
  await pause();
  const table = await context.state.find(name);
  if (table && call.verb === 'POST' && truthy(call.query.get('check_exist')))
    throw fail('schema.tableExists', { table: table.name });
  return readTableChange(record, table, call.verb, context);
}

/** The table has to exist, whatever the verb. */
export async function changeTable(
  call: Call,
  name: string,
  parts: DatabaseParts,
  execution: Execution,
): Promise<string> {
  const table = await parts.tables.withoutOverrides(name);
  const context = await contextOf(call, parts);
  const change = await readTableChange(readOneRecord(await call.body()), table, call.verb, context);
  await execution.run([change], context.state);
  return change.after?.name ?? change.name;
}

/** Those that reference others go first. */
export async function dropNamedTables(call: Call, parts: DatabaseParts, execution: Execution): Promise<string[]> {
  const names = dropNames(call, await call.body());
  if (names.length === 0) throw fail('schema.noData', { act: 'delete' });
  const context = await contextOf(call, parts);
  const find = async (name: string) => {
    requireMask(call, name, 'DELETE');
    return parts.tables.withoutOverrides(name);
  };
  if (isTogether(call, execution)) {
    await dropTogether(names, find, context, execution);
    return names;
  }
  const outcomes = new TableOutcomes(names);
  // Named twice, a table is dropped once.
  const indexes = new Map<Table, number[]>();
  for (const [index, name] of names.entries()) {
    const table = await outcomes.attempt(index, () => find(name));
    if (!table) break;
    appendTo(indexes, table, index);
  }
  for (const table of orderDrops([...indexes.keys()])) {
    const [first = 0, ...others] = indexes.get(table) ?? [];
    const change = readTableDrop(table, context);
    const dropped = await outcomes.attempt(first, async () => {
      await execution.run([change], context.state);
      return table;
    });
    if (!dropped) break;
    for (const index of [first, ...others]) outcomes.succeed(index, table.name);
  }
  return outcomes.settle('deleted');
}

/** All or none. */
async function dropTogether(
  names: string[],
  find: (name: string) => MaybePromise<Table>,
  context: ReadContext,
  execution: Execution,
): Promise<void> {
  limitTogether(names.length);
  const tables: Table[] = [];
  for (const name of names) tables.push(await find(name));
  const changes = orderDrops([...new Set(tables)]).map((table) => readTableDrop(table, context));
  for (const change of changes) context.state.record(change);
  await execution.run(changes, context.state);
}

/** Drops tables without asking for the right to: those that the call has made. */
export async function dropOwnTables(
  call: Call,
  names: string[],
  parts: DatabaseParts,
  execution: Execution,
): Promise<void> {
  const find = (name: string) => parts.tables.withoutOverrides(name, { refresh: true });
  try {
    await dropTogether(names, find, await contextOf(call, parts), execution);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Of tables that reference each other none can go first.
    await dropReferences(call, names, parts, execution);
    await dropTogether(names, find, await contextOf(call, parts), execution);
  }
}

/** Drops the fields by which tables reference others of them. */
async function dropReferences(call: Call, names: string[], parts: DatabaseParts, execution: Execution): Promise<void> {
  const others = new Set(names.map((name) => name.toLowerCase()));
  for (const name of names) {
    const table = await parts.tables.withoutOverrides(name, { refresh: true });
    const fields = table.description.field.filter(
      ({ ref_table }) => ref_table && ref_table !== table.name && others.has(ref_table.toLowerCase()),
    );
    if (fields.length === 0 || fields.length === table.description.field.length) continue;
    const context = await contextOf(call, parts);
    const change = await readFieldDrops(
      fields.map((field) => field.name),
      table,
      context,
    );
    await execution.run([change], context.state);
  }
}

function orderDrops(tables: Table[]): Table[] {
  const records = tables.map(({ name, description }) => ({ name, field: description.field }));
  return orderByReferences(records)
    .map((index) => tables[index] as Table)
    .reverse();
}

export async function dropOneTable(call: Call, name: string, parts: DatabaseParts, execution: Execution) {
  const table = await parts.tables.withoutOverrides(name);
  const context = await contextOf(call, parts);
  await execution.run([readTableDrop(table, context)], context.state);
}

export async function changeParts(
  call: Call,
  name: string,
  kind: PartReader,
  parts: DatabaseParts,
  execution: Execution,
) {
  const table = await parts.tables.withoutOverrides(name);
  requireMask(call, table.name, 'PUT');
  const records = recordsOf(await call.body());
  if (records.length === 0) throw fail('schema.noFieldNames');
  const context = await contextOf(call, parts);
  await execution.run([await kind.readChange(records, table, context)], context.state);
  return { table, records };
}

export async function changePart(
  call: Call,
  name: string,
  part: string,
  kind: PartReader,
  parts: DatabaseParts,
  execution: Execution,
) {
  const table = await parts.tables.withoutOverrides(name);
  const record = { ...lowerCaseKeys(readOneRecord(await call.body())), name: part };
  const context = await contextOf(call, parts);
  await execution.run([await kind.readChange([record], table, context)], context.state);
  return { table, record };
}

export async function dropNamedParts(
  call: Call,
  name: string,
  part: string | undefined,
  kind: PartReader,
  parts: DatabaseParts,
  execution: Execution,
): Promise<void> {
  const table = await parts.tables.withoutOverrides(name);
  const payload = await call.body();
  const names = part === undefined ? dropNames(call, payload) : [part];
  if (names.length === 0) throw fail('schema.noData', { act: 'delete' });
  if (part === undefined) requireMask(call, table.name, 'PUT');
  const context = await contextOf(call, parts);
  await execution.run([await kind.readDrops(names, table, context)], context.state);
}

const dropNames = (call: Call, payload: unknown): string[] =>
  readListQuery(call, payload).ids?.map(stringifyInput) ?? recordsOf(payload).map(({ name }) => stringifyInput(name));

/** A call that names several tables, or parts of one, is decided for each table once more (contract/role-access.md §3). */
function requireMask(call: Call, table: string, verb: Verb): void {
  const component = `_schema/${table}`;
  if ((callerMask(call, component) & verbMask[verb]) === 0)
    throw fail('access.deniedInside', { verb, component, service: call.service });
}
