// `system/script_type`: the languages of scripts (contract/event-scripts-and-script-services.md §3).
import { fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { engineTypes } from '../../scripts/engines/index.ts';
import type { ScriptRunner } from '../../scripts/runner.ts';
import { selectKeys } from '../../service/root.ts';

const records = engineTypes.map(({ name, label, description, isSandboxed }) => ({
  name,
  label,
  description,
  sandboxed: isSandboxed,
  supports_inline_execution: false,
}));

/** What the runner says of the engines here. */
type EngineStates = ScriptRunner['engineStates'];

export async function listScriptTypes(call: Call, states: EngineStates): Promise<Reply> {
  if (truthy(call.query.get('as_list'))) return answer({ resource: records.map(({ name }) => name) });
  const fields = readListQuery(call).fields || '*';
  const shown = await Promise.all(records.map((record) => withState(call, record, states)));
  return answer({ resource: shown.map((record) => selectKeys(record, fields)) });
}

export async function readScriptType(call: Call, name: string, states: EngineStates): Promise<Reply> {
  const record = records.find((type) => type.name === name.toLowerCase());
  if (!record) throw fail('script.typeUnknown', { type: name });
  return answer(selectKeys(await withState(call, record, states), readListQuery(call).fields || '*'));
}

/** Administrators see whether scripts of a type can run here, why not, and what confines them (docs/design.md, 72). */
async function withState(call: Call, record: (typeof records)[number], states: EngineStates) {
  if (!call.caller.user?.isAdmin) return record;
  const state = (await states()).get(record.name);
  return {
    ...record,
    available: state?.missing === undefined,
    ...(state?.missing === undefined ? { confinement: state?.confinement } : { missing: state.missing }),
  };
}
