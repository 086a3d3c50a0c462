// Writing what a service says of its tables, their fields and relations (contract/database-schema.md §1, §4). What would
// change the database itself is refused before anything is saved.
import { Failure, fail, type MaybePromise, truthy, type Verb, verbMask } from '@sluice/contract';
import type { Table } from '@sluice/sql';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { listQuery } from '../../call/list-query.ts';
import {
  type Outcome,
  oneRecord,
  outcomeOf,
  type RecordInput,
  recordsOf,
  settleBatch,
  wordOf,
} from '../../call/payload.ts';
import { callerMask } from '../../service/root.ts';
import { allOf, changedTable } from '../extras/change.ts';
import { changedField, dropField } from '../extras/change-field.ts';
import { changedRelation, dropRelation } from '../extras/change-relation.ts';
import type { Change } from '../extras/rows.ts';
import type { DatabaseParts } from '../parts.ts';
import { describedField, describedRelation, describedTable } from './describe.ts';

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
  const table = await orLater(parts.tables.bare(name), name);
  if (verb === 'POST' && truthy(call.query.get('check_exist'))) throw fail('schema.tableExists', { table: table.name });
  await change(call, table, changedTable(record, verb === 'PUT'), parts);
  return shownTable(call, table, parts);
}

/** A table that is not there would have to be made. */
async function orLater(table: MaybePromise<Table>, name: string): Promise<Table> {
  try {
    return await table;
  } catch (error) {
    if (!(error instanceof Failure) || error.key !== 'table.unknown') throw error;
    throw fail('table.alterLater', { what: `table '${name.slice(0, 200)}' would be made` });
  }
}

/** `POST`, `PUT` and `PATCH` of `{db}/_schema/{table}`. */
export async function writeTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const table = await parts.tables.bare(name);
  const record = oneRecord(await call.body());
  await change(call, table, changedTable(record, call.verb === 'PUT'), parts);
  return answer(await shownTable(call, table, parts));
}

async function shownTable(call: Call, { name }: Table, parts: DatabaseParts) {
  if (!asksFields(call)) return { name };
  const table = await parts.tables.byRealName(name);
  return describedTable(table, parts.context.id, callerMask(call, `_schema/${name}`));
}

/** `DELETE` of `{db}/_schema`: the table its ids or body name. */
export async function dropTables(call: Call, parts: DatabaseParts): Promise<Reply> {
  const payload = await call.body();
  const ids = listQuery(call, payload).ids?.map(wordOf);
  const [name] = ids ?? recordsOf(payload).map((it) => wordOf(it.name));
  if (name === undefined) throw fail('schema.noData', { act: 'delete' });
  requireMask(call, name, 'DELETE');
  return dropTable(name, parts);
}

/** @throws `table.unknown`, and `table.alterLater` for every table there is. */
export async function dropTable(name: string, parts: DatabaseParts): Promise<never> {
  const table = await parts.tables.bare(name);
  throw fail('table.alterLater', { what: `table '${table.name}' would be dropped` });
}

// ---- fields and relations ----

/** A kind of part a table has, and what is alike for both. */
export interface PartKind {
  changed(sent: RecordInput): Change;
  drop(name: string): Change;
  /** As it is shown now; `sent` says which one. */
  described(table: Table, sent: RecordInput, serviceId: number): unknown;
}

export const fieldParts: PartKind = { changed: changedField, drop: dropField, described: describedField };
export const relationParts: PartKind = { changed: changedRelation, drop: dropRelation, described: describedRelation };

/**
 * `POST`, `PUT` and `PATCH` of several fields or relations: a list with one entry for each, empty unless `fields` asks for
 * more.
 */
export async function writeParts(call: Call, name: string, kind: PartKind, parts: DatabaseParts): Promise<Reply> {
  const table = await parts.tables.bare(name);
  requireMask(call, table.name, 'PUT');
  const records = recordsOf(await call.body());
  if (records.length === 0) throw fail('schema.noFieldNames');
  await change(call, table, allOf(records.map(kind.changed)), parts);
  return answer(await shownParts(call, table, records, kind, parts));
}

/** `POST`, `PUT` and `PATCH` of one field or relation. */
export async function writePart(
  call: Call,
  name: string,
  part: string,
  kind: PartKind,
  parts: DatabaseParts,
): Promise<Reply> {
  const table = await parts.tables.bare(name);
  const record = { ...oneRecord(await call.body()), name: part };
  await change(call, table, allOf([kind.changed(record)]), parts);
  const [shown] = await shownParts(call, table, [record], kind, parts);
  return answer(shown);
}

async function shownParts(call: Call, table: Table, records: RecordInput[], kind: PartKind, parts: DatabaseParts) {
  if (!asksFields(call)) return records.map(() => []);
  const now = await parts.tables.byRealName(table.name);
  return records.map((record) => kind.described(now, record, parts.context.id));
}

/** `DELETE` of one field or relation, or of those that ids or body name. */
export async function dropParts(
  call: Call,
  name: string,
  part: string | undefined,
  kind: PartKind,
  parts: DatabaseParts,
): Promise<Reply> {
  const table = await parts.tables.bare(name);
  const payload = await call.body();
  const names = part === undefined ? dropNames(call, payload) : [part];
  if (names.length === 0) throw fail('schema.noData', { act: 'delete' });
  if (part === undefined) requireMask(call, table.name, 'PUT');
  await change(call, table, allOf(names.map(kind.drop)), parts);
  return answer({ success: true });
}

const dropNames = (call: Call, payload: unknown): string[] =>
  listQuery(call, payload).ids?.map(wordOf) ?? recordsOf(payload).map(({ name }) => wordOf(name));

// ---- what all of them do ----

async function change(call: Call, table: Table, wanted: Change, { tables, context }: DatabaseParts): Promise<void> {
  const place = {
    table,
    tables: (await tables.list({ by: 'realName' })).map((it) => it.name),
    isAdmin: call.caller.user?.isAdmin === true,
  };
  await context.extras.change(call, (stored) => wanted(stored, place));
}

/** Any `fields` asks for the whole description. */
const asksFields = (call: Call): boolean => Boolean(listQuery(call).fields?.length);

/** A call that names several tables, or parts of one, is decided for each table once more (contract/role-access.md §3). */
function requireMask(call: Call, table: string, verb: Verb): void {
  const component = `_schema/${table}`;
  if ((callerMask(call, component) & verbMask[verb]) === 0)
    throw fail('access.deniedInside', { verb, component, service: call.service });
}
