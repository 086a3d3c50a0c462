// Writing descriptions of tables, their fields and relations: the changes are carried out, and their answers
// (contract/database-schema.md §1).
import type { Table } from '@sluice/sql';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { callerKey } from '../../call/caller-key.ts';
import { readListQuery } from '../../call/list-query.ts';
import type { RecordInput } from '../../call/payload.ts';
import { callerMask } from '../../service/root.ts';
import { applyChanges, settleUnfinished } from '../change/index.ts';
import type { DatabaseParts } from '../parts.ts';
import {
  changePart,
  changeParts,
  changeTable,
  changeTables,
  dropNamedParts,
  dropNamedTables,
  dropOneTable,
  dropOwnTables,
  type Execution,
  fieldReader,
  type PartReader,
  relationReader,
} from './changes.ts';
import { describeField, describeRelation, describeTable } from './describe.ts';

/**
 * Reads and carries out a write while no other one of the service does, so that what is read of a table still holds when it is
 * changed. The body comes first: nobody waits for a slow one.
 */
async function carryOut<T>(call: Call, parts: DatabaseParts, work: (execution: Execution) => Promise<T>): Promise<T> {
  await call.body();
  const execution: Execution = {
    isPlan: false,
    run: (changes, state) => applyChanges(call, changes, state, parts),
  };
  const change = async () => {
    await settleUnfinished(parts, 'write');
    return work(execution);
  };
  return parts.gate.change(change, callerKey(call), call.signal);
}

// ---- tables ----

/** `POST`, `PUT` and `PATCH` of `{db}/_schema`. */
export async function writeTables(call: Call, parts: DatabaseParts): Promise<Reply> {
  const names = await carryOut(call, parts, (execution) => changeTables(call, parts, execution));
  const tables = [];
  for (const name of names) tables.push(await answerTable(call, name, parts));
  return answer({ resource: tables });
}

/** `POST`, `PUT` and `PATCH` of `{db}/_schema/{table}`. */
export async function writeTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const newName = await carryOut(call, parts, (execution) => changeTable(call, name, parts, execution));
  return answer(await answerTable(call, newName, parts));
}

async function answerTable(call: Call, name: string, parts: DatabaseParts) {
  if (!wantsDescription(call)) return { name };
  const table = await parts.tables.byRealName(name);
  return describeTable(table, parts.context.id, callerMask(call, `_schema/${name}`));
}

/** `DELETE` of `{db}/_schema`: the tables its ids or body name. */
export async function dropTables(call: Call, parts: DatabaseParts): Promise<Reply> {
  const names = await carryOut(call, parts, (execution) => dropNamedTables(call, parts, execution));
  return answer({ resource: names.map((name) => ({ name })) });
}

/** `DELETE` of `{db}/_schema/{table}`. */
export async function dropTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  await carryOut(call, parts, (execution) => dropOneTable(call, name, parts, execution));
  return answer({ success: true });
}

/** Takes back tables that a call inside of this one made; its caller need not have the right to drop any. */
export async function takeBackTables(call: Call, names: string[], parts: DatabaseParts): Promise<void> {
  await carryOut(call, parts, (execution) => dropOwnTables(call, names, parts, execution));
}

// ---- fields and relations ----

/** A kind of parts of a table: fields or relations. */
export interface PartKind extends PartReader {
  /** As it is shown now; `input` identifies it. */
  describe(table: Table, input: RecordInput, serviceId: number): unknown;
}

export const fieldParts: PartKind = {
  ...fieldReader,
  describe: (table, input) => describeField(table, { name: input.new_name ?? input.name }),
};
export const relationParts: PartKind = { ...relationReader, describe: describeRelation };

/**
 * `POST`, `PUT` and `PATCH` of several fields or relations: a list with one entry for each, empty unless `fields` asks for
 * more.
 */
export async function writeParts(call: Call, name: string, kind: PartKind, parts: DatabaseParts): Promise<Reply> {
  const { table, records } = await carryOut(call, parts, (execution) =>
    changeParts(call, name, kind, parts, execution),
  );
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
  const { table, record } = await carryOut(call, parts, (execution) =>
    changePart(call, name, part, kind, parts, execution),
  );
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
  await carryOut(call, parts, (execution) => dropNamedParts(call, name, part, kind, parts, execution));
  return answer({ success: true });
}

// ---- shared by all of them ----

/** Any `fields` asks for the whole description. */
const wantsDescription = (call: Call): boolean => Boolean(readListQuery(call).fields?.length);
