// Carries changes out: the database, what the service says of it, and who is to know. All of one group, or nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, fail } from '@sluice/contract';
import { pause, type SchemaPlan } from '@sluice/sql';
import { maskOfService } from '../../access/gate.ts';
import type { Call } from '../../call/call.ts';
import { callerKey } from '../../call/caller-key.ts';
import {
  applyOverrides,
  type Extras,
  type ExtrasPlan,
  type PreparedChange,
  type RecordChanges,
  type SchemaChangeRecord,
} from '../extras/index.ts';
import { ExtrasDraft } from '../extras/rows.ts';
import type { DatabaseParts } from '../parts.ts';
import type { MovedTable, UsageTable } from '../usage/index.ts';
import { apiNamesOf, movesOf } from './aliases.ts';
import { describeDifference } from './difference.ts';
import type { TableChange, TableState } from './table-state.ts';
import { fingerprintsOf, isHidden, settleUnfinished } from './unfinished.ts';

/**
 * Carries out what was read of one table, or of several together, while nobody else in this process does. What would be
 * refused of the extras is refused before the database is touched. What is to be saved is in a journal before the database
 * commits; where it cannot be written, the database undoes what it did.
 */
export async function applyChanges(
  call: Call,
  changes: readonly TableChange[],
  state: TableState,
  parts: DatabaseParts,
): Promise<void> {
  const { extras, usage } = parts;
  const tables = await state.names();
  await checkFilteredFields(call, changes, tables, parts);
  const plan = planExtrasOf(call, changes, tables, parts);
  if (changes.every(({ change }) => change === undefined)) {
    const finish = parts.gate.beginCommit();
    try {
      await extras.change(call, plan, usage.follow);
    } finally {
      parts.gate.raise();
      finish();
    }
    return;
  }
  await extras.check(plan);
  await changeDatabase(call, changes, plan, parts);
}

/**
 * Refuses to anybody but administrators what would make a record filter void: fields that it goes by stay as they are
 * (contract/role-access.md §5). Throws `schema.filtered`, which names no role: who has which filters is not theirs to know.
 */
export async function checkFilteredFields(
  { caller }: Call,
  changes: readonly TableChange[],
  tables: readonly string[],
  { usage, context }: Pick<DatabaseParts, 'usage' | 'context'>,
): Promise<void> {
  if (caller.user?.isAdmin) return;
  for (const change of changes) {
    if (change.redefined.length === 0) continue;
    const field = await usage.findFiltered(usageTable(context.id, change, tables), change.redefined);
    if (field !== undefined) throw fail('schema.filtered', { table: change.name, field });
  }
}

/** The plans for the extras of all tables, each on what those before it leave, and what moves with each, in their order. */
export function planExtrasOf(
  call: Call,
  changes: readonly TableChange[],
  tables: string[],
  { context: { id } }: Pick<DatabaseParts, 'context'>,
): ExtrasPlan {
  const context = {
    tables,
    isAdmin: call.caller.user?.isAdmin === true,
    knowsService: (name: string) => maskOfService(call.caller, name) !== 0,
  };
  return async (stored) => {
    const draft = new ExtrasDraft(stored);
    const moved: MovedTable[] = [];
    for (const change of changes) {
      await pause();
      const table = change.after ?? change.before;
      const before = apiNamesOf(draft.current, change.name);
      if (table) change.planExtras(draft, { ...context, table, isNew: change.before === undefined });
      const after = apiNamesOf(draft.current, table?.name ?? change.name);
      moved.push({
        table: { ...usageTable(id, change, tables), apiName: before.table },
        moves: movesOf(change, before, after),
      });
    }
    return { changes: draft.changes, moved };
  };
}

async function changeDatabase(
  call: Call,
  changes: readonly TableChange[],
  plan: ExtrasPlan,
  parts: DatabaseParts,
): Promise<void> {
  const { extras, usage } = parts;
  const editor = (await parts.database()).schemaEditor;
  if (!editor) throw fail('schema.notOffered');
  const schemaChanges = changes.flatMap(({ change }) => (change ? [change] : []));
  const names = changes.flatMap(({ change, name }) => (change ? [name] : []));
  const facts = {
    tables: await fingerprintsOf(names, parts),
    isHidden: isHidden(changes),
  };
  let finishCommit = () => {};
  let prepared: PreparedChange | undefined;
  let unsaved: { error: unknown } | undefined;
  let plans: readonly SchemaPlan[] = [];
  let publish: (() => Promise<void>) | undefined;

  const prepare = async (planned: readonly SchemaPlan[], isStepwise: boolean) => {
    const describe: RecordChanges = (before, after) => recordsOf(changes, planned, before, after);
    prepared = await extras.prepareSchemaChange(call, plan, { ...facts, isStepwise }, describe, usage.follow);
  };
  const finish = async ({ finish }: PreparedChange) => {
    try {
      publish = await persistently(finish);
    } catch (error) {
      unsaved = { error };
      throw error;
    }
  };

  try {
    await editor.apply(schemaChanges, {
      caller: callerKey(call),
      // Each statement commits by itself: what becomes of them is saved right after the last.
      async beforeSteps(planned) {
        if (prepared) return;
        // What was read of the tables is of before a change of somebody who has ended.
        if (await settleUnfinished(parts, 'turn')) throw fail('database.conflict');
        await prepare(planned, true);
      },
      async beforeCommit(done) {
        plans = done;
        finishCommit = parts.gate.beginCommit();
        await (prepared ? finish(prepared) : prepare(done, false));
      },
    });
    if (prepared && !publish) await finish(prepared);
    await announce(parts, publish, finishCommit);
  } catch (error) {
    const lost = unsaved && plans.find(({ undo }) => undo !== 'counterSteps');
    if (prepared) await (lost || !isUndone(error, unsaved) ? prepared.leave() : cancel(prepared, parts));
    // What is refused by us was not begun; what the database refuses may have been done in part and undone.
    if (error instanceof Failure && error.key.startsWith('schema.') && error.status < 500) throw error;
    await announce(parts, publish, finishCommit);
    if (lost) throw fail('schema.unrecorded', { table: lost.table, text: (error as Error).message }, { cause: error });
    throw error;
  } finally {
    // However it ended: calls wait for this.
    finishCommit();
  }
}

/** Milliseconds between attempts to save what belongs to a change that is done. */
const pauses = [100, 500];

/** The store may be busy for a moment. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of pauses) {
    try {
      return await work();
    } catch {
      await sleep(ms);
    }
  }
  return work();
}

/** Whether a failed change has left the database as it was, for certain. */
const isUndone = (error: unknown, unsaved: unknown): boolean =>
  unsaved !== undefined || (error instanceof Failure && (error.status < 500 || error.key.startsWith('schema.')));

/** Where even that cannot be saved, the database tells later. */
async function cancel(prepared: PreparedChange, { context: { log } }: DatabaseParts): Promise<void> {
  try {
    await prepared.cancel();
  } catch (error) {
    log.warn({ err: error }, 'The journal of changes could not be written.');
  }
}

/** Tells this process and the others that the database was changed, or may have been. */
async function announce(
  { gate, extras, context: { log } }: DatabaseParts,
  publish: (() => Promise<void>) | undefined,
  finishCommit: () => void,
): Promise<void> {
  gate.raise();
  finishCommit();
  try {
    await extras.announceSchemaChange();
    await publish?.();
  } catch (error) {
    // What is done is done: the others find out within a minute.
    log.error({ err: error }, 'Other processes could not be told that the schema was changed.');
  }
}

/** The table, for those who look for its name or those of its fields: others may differ by letter case alone. */
export const usageTable = (service: number, { name, before }: TableChange, tables: readonly string[]): UsageTable => ({
  service,
  table: name,
  others: { tables, fields: before?.columns.map(({ native }) => native) ?? [] },
});

/** One entry of the audit for each table, with what the service said of it and says. */
const recordsOf = (
  changes: readonly TableChange[],
  plans: readonly SchemaPlan[],
  extrasBefore: Extras,
  extrasAfter: Extras,
): SchemaChangeRecord[] => {
  const rest = [...plans];
  return changes.map(({ name, before, after, change }) => ({
    table: name,
    ...describeDifference(
      before && applyOverrides(before, extrasBefore).description,
      after && applyOverrides(after, extrasAfter).description,
      change ? (rest.shift()?.statements ?? []) : [],
    ),
  }));
};
