// Writing the extras of a service: of its tables, their fields and relations (contract/database-schema.md §1, §4). What would
// change the database itself is refused before anything is saved.
import { Failure, fail, type MaybePromise, truthy, type Verb, verbMask } from '@sluice/contract';
import type { Table } from '@sluice/sql';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import {
  type Outcome,
  outcomeOf,
  type RecordInput,
  readOneRecord,
  recordsOf,
  settleBatch,
  stringifyInput,
} from '../../call/payload.ts';
import { callerMask } from '../../service/root.ts';
import { planField, planFieldDrop } from '../extras/plan-field.ts';
import { planRelation, planRelationDrop } from '../extras/plan-relation.ts';
import { planAll, planTable } from '../extras/plan-table.ts';
import type { ChangePlan } from '../extras/rows.ts';
import type { DatabaseParts } from '../parts.ts';
import { describeField, describeRelation, describeTable } from './describe.ts';

// ---- tables ----

/** `POST`, `PUT` and `PATCH` of `{db}/_schema`. */
export async function writeTables(call: Call, parts: DatabaseParts): Promise<Reply> {
  const { verb } = call;
  const records = recordsOf(await call.body());
  if (records.length === 0) throw fail('schema.noData', { act: verb === 'POST' ? 'create' : 'update' });
  const outcomes: Outcome<unknown>[] = [];
  for (const record of records) {
    try {
      outcomes.push({ result: await writeNamedTable(call, verb, record, parts) });
    } catch (error) {
      // Of one table alone the failure is the answer.
      if (records.length === 1) throw error;
      outcomes.push(outcomeOf(error));
      break;
    }
  }
  return answer({ resource: settleBatch(verb === 'POST' ? 'created' : 'updated', outcomes) });
}

async function writeNamedTable(call: Call, verb: Verb, record: RecordInput, parts: DatabaseParts) {
  const name = typeof record.name === 'string' ? record.name.trim() : '';
  if (name === '') throw fail('schema.tableName');
  requireMask(call, name, verb);
  const table = await requireExisting(parts.tables.withoutOverrides(name), name);
  if (verb === 'POST' && truthy(call.query.get('check_exist'))) throw fail('schema.tableExists', { table: table.name });
  await applyPlan(call, table, planTable(record, verb === 'PUT'), parts);
  return answerTable(call, table, parts);
}

/** A table that does not exist would have to be created, which comes later. */
async function requireExisting(table: MaybePromise<Table>, name: string): Promise<Table> {
  try {
    return await table;
  } catch (error) {
    if (!(error instanceof Failure) || error.key !== 'table.unknown') throw error;
    throw fail('table.alterLater', { what: `table '${name.slice(0, 200)}' would be made` });
  }
}

/** `POST`, `PUT` and `PATCH` of `{db}/_schema/{table}`. */
export async function writeTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const table = await parts.tables.withoutOverrides(name);
  const record = readOneRecord(await call.body());
  await applyPlan(call, table, planTable(record, call.verb === 'PUT'), parts);
  return answer(await answerTable(call, table, parts));
}

async function answerTable(call: Call, { name }: Table, parts: DatabaseParts) {
  if (!wantsDescription(call)) return { name };
  const table = await parts.tables.byRealName(name);
  return describeTable(table, parts.context.id, callerMask(call, `_schema/${name}`));
}

/** `DELETE` of `{db}/_schema`: the table its ids or body name. */
export async function dropTables(call: Call, parts: DatabaseParts): Promise<Reply> {
  const payload = await call.body();
  const ids = readListQuery(call, payload).ids?.map(stringifyInput);
  const [name] = ids ?? recordsOf(payload).map((record) => stringifyInput(record.name));
  if (name === undefined) throw fail('schema.noData', { act: 'delete' });
  requireMask(call, name, 'DELETE');
  return dropTable(name, parts);
}

/** @throws `table.unknown`, and `table.alterLater` for every table there is. */
export async function dropTable(name: string, parts: DatabaseParts): Promise<never> {
  const table = await parts.tables.withoutOverrides(name);
  throw fail('table.alterLater', { what: `table '${table.name}' would be dropped` });
}

// ---- fields and relations ----

/** A kind of parts of a table: fields or relations. */
export interface PartKind {
  plan(input: RecordInput): ChangePlan;
  planDrop(name: string): ChangePlan;
  /** As it is shown now; `input` identifies it. */
  describe(table: Table, input: RecordInput, serviceId: number): unknown;
}

export const fieldParts: PartKind = { plan: planField, planDrop: planFieldDrop, describe: describeField };
export const relationParts: PartKind = { plan: planRelation, planDrop: planRelationDrop, describe: describeRelation };

/**
 * `POST`, `PUT` and `PATCH` of several fields or relations: a list with one entry for each, empty unless `fields` asks for
 * more.
 */
export async function writeParts(call: Call, name: string, kind: PartKind, parts: DatabaseParts): Promise<Reply> {
  const table = await parts.tables.withoutOverrides(name);
  requireMask(call, table.name, 'PUT');
  const records = recordsOf(await call.body());
  if (records.length === 0) throw fail('schema.noFieldNames');
  await applyPlan(call, table, planAll(records.map(kind.plan)), parts);
  return answer(await answerParts(call, table, records, kind, parts));
}

/** `POST`, `PUT` and `PATCH` of one field or relation. */
export async function writePart(
  call: Call,
  name: string,
  part: string,
  kind: PartKind,
  parts: DatabaseParts,
): Promise<Reply> {
  const table = await parts.tables.withoutOverrides(name);
  const record = { ...readOneRecord(await call.body()), name: part };
  await applyPlan(call, table, planAll([kind.plan(record)]), parts);
  const [shown] = await answerParts(call, table, [record], kind, parts);
  return answer(shown);
}

async function answerParts(call: Call, table: Table, records: RecordInput[], kind: PartKind, parts: DatabaseParts) {
  if (!wantsDescription(call)) return records.map(() => []);
  const described = await parts.tables.byRealName(table.name);
  return records.map((record) => kind.describe(described, record, parts.context.id));
}

/** `DELETE` of one field or relation, or of those that ids or body name. */
export async function dropParts(
  call: Call,
  name: string,
  part: string | undefined,
  kind: PartKind,
  parts: DatabaseParts,
): Promise<Reply> {
  const table = await parts.tables.withoutOverrides(name);
  const payload = await call.body();
  const names = part === undefined ? dropNames(call, payload) : [part];
  if (names.length === 0) throw fail('schema.noData', { act: 'delete' });
  if (part === undefined) requireMask(call, table.name, 'PUT');
  await applyPlan(call, table, planAll(names.map(kind.planDrop)), parts);
  return answer({ success: true });
}

const dropNames = (call: Call, payload: unknown): string[] =>
  readListQuery(call, payload).ids?.map(stringifyInput) ?? recordsOf(payload).map(({ name }) => stringifyInput(name));

// ---- shared by all of them ----

async function applyPlan(
  call: Call,
  table: Table,
  plan: ChangePlan,
  { tables, context: { extras } }: DatabaseParts,
): Promise<void> {
  const context = {
    table,
    tables: (await tables.list({ orderBy: 'realName' })).map((entry) => entry.name),
    isAdmin: call.caller.user?.isAdmin === true,
  };
  await extras.change(call, (stored) => plan(stored, context));
}

/** Any `fields` asks for the whole description. */
const wantsDescription = (call: Call): boolean => Boolean(readListQuery(call).fields?.length);

/** A call that names several tables, or parts of one, is decided for each table once more (contract/role-access.md §3). */
function requireMask(call: Call, table: string, verb: Verb): void {
  const component = `_schema/${table}`;
  if ((callerMask(call, component) & verbMask[verb]) === 0)
    throw fail('access.deniedInside', { verb, component, service: call.service });
}
