// `system/script_type`: the languages of scripts (contract/event-scripts-and-script-services.md §3).
import { fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { engineTypes } from '../../scripts/engines/index.ts';
import { selectKeys } from '../../service/root.ts';

const records = engineTypes.map(({ name, label, description, isSandboxed }) => ({
  name,
  label,
  description,
  sandboxed: isSandboxed,
  supports_inline_execution: false,
}));

export function listScriptTypes(call: Call): Reply {
  if (truthy(call.query.get('as_list'))) return answer({ resource: records.map(({ name }) => name) });
  return answer({ resource: records.map((record) => selectKeys(record, readListQuery(call).fields || '*')) });
}

export function readScriptType(call: Call, name: string): Reply {
  const record = records.find((type) => type.name === name.toLowerCase());
  if (!record) throw fail('script.typeUnknown', { type: name });
  return answer(selectKeys(record, readListQuery(call).fields || '*'));
}
