import { fail } from '@sluice/contract';
import type { SchemaChange } from '../../../change/index.ts';
import type { PlannedChange } from '../../network/index.ts';
import { lossOfTable } from './fit.ts';
import { quoteTable } from './quoting.ts';
import type { PlannedState } from './state.ts';

/** Planning the end of a table, or of a view: neither comes back. */
export async function planDrop(
  { table: { name, native } }: Extract<SchemaChange, { kind: 'dropTable' }>,
  state: PlannedState,
): Promise<PlannedChange> {
  const text = await state.find(native);
  if (!text) throw fail('table.unknown', { table: name });
  const isTable = text.kind === 'table';
  const losses = isTable && !state.isPlanned(native) ? [lossOfTable(native)] : [];
  state.put(native, undefined);
  const sql = `drop ${isTable ? 'table' : 'view'} ${quoteTable(native)}`;
  return { table: name, checks: [], losses, statements: [{ sql, touches: [native] }] };
}
