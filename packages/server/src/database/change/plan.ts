// What changes would do, for `{db}/_plan`: nothing is changed.
import type { PlannedTable } from '@sluice/contract';
import { misfitText } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import { callerKey } from '../../call/caller-key.ts';
import type { DatabaseParts } from '../parts.ts';
import type { MovedTable } from '../usage/index.ts';
import { checkFilteredFields, planExtrasOf } from './apply.ts';
import type { TableChange, TableState } from './table-state.ts';

/** Throws the errors that the change would throw before it begins, except for misfits: those are part of the plan. */
export async function planChanges(
  call: Call,
  changes: readonly TableChange[],
  state: TableState,
  parts: DatabaseParts,
): Promise<PlannedTable[]> {
  const { extras, usage } = parts;
  const isAdmin = call.caller.user?.isAdmin === true;
  const tables = await state.names();
  await checkFilteredFields(call, changes, tables, parts);
  const { moved } = await extras.check(planExtrasOf(call, changes, tables, parts));
  const schemaChanges = changes.flatMap(({ change }) => (change ? [change] : []));
  const editor = schemaChanges.length > 0 ? (await parts.database()).schemaEditor : undefined;
  const plans = (await editor?.plan(schemaChanges, { caller: callerKey(call) })) ?? [];
  const rest = [...plans];
  const planned: PlannedTable[] = [];
  for (const [index, { name, change, after }] of changes.entries()) {
    const plan = change ? rest.shift() : undefined;
    const usedBy: PlannedTable['used_by'] = [];
    const { table, moves } = moved[index] as MovedTable;
    if (isAdmin && moves.length > 0)
      for (const [move, entries] of (await usage.find(table, moves)).entries())
        for (const entry of entries) usedBy.push({ ...entry, field: moves[move]?.field ?? null });
    planned.push({
      name,
      new_name: after && after.name !== name ? after.name : null,
      statements: plan?.statements ?? [],
      undo: plan?.undo ?? 'transaction',
      misfits: (plan?.misfits ?? []).map((misfit) => ({ ...misfit, text: misfitText(misfit) })),
      losses: plan?.losses ?? [],
      used_by: usedBy,
    });
  }
  return planned;
}
