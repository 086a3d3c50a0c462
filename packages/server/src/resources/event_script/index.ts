// `system/event_script`: scripts around calls (contract/event-scripts-and-script-services.md §3). Who may write them acts as an
// administrator: a script runs with the rights of each of its callers (SECURITY.md).
import { eventScript, fail, type ScriptTypeName, scriptTypeNames } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { readOneRecord } from '../../call/payload.ts';
import type { RecordEngine } from '../../records/index.ts';
import { findRow } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';
import { requireScripting } from '../../scripts/disabled.ts';
import type { Settings } from '../../settings/index.ts';
import type { Store } from '../../store/index.ts';

export const eventScriptResource = (settings: Settings): ServedResource => ({
  definition: eventScript,
  table: 'event_script',
  isAddressed: true,
  async beforeSave(change) {
    const { kind, values, value, reportInvalid } = change;
    // A script is addressed by its name, so the name stays.
    if (kind === 'update') delete values.name;
    else await checkName(change);
    // What would never run is refused, rather than kept as if it did.
    if (/\.queued$/i.test(String(values.name ?? ''))) throw fail('script.noQueued');
    if (!isEmpty(value('storage_service_id'))) throw fail('script.noLinked');
    const type = value('type');
    if (isEmpty(type)) return;
    if (!scriptTypeNames.includes(type as ScriptTypeName)) reportInvalid('type', 'The selected type is invalid.');
    else requireScripting(type as ScriptTypeName, settings);
  },
});

async function checkName({ values, context, reportInvalid }: RecordChange): Promise<void> {
  if (typeof values.name !== 'string' || values.name === '') return;
  // One with a slash could be written and never be addressed.
  if (/[\s/]/.test(values.name)) reportInvalid('name', 'The name format is invalid.');
  else if (await findRow(context.db, eventScriptResourceOfTable, values.name))
    reportInvalid('name', 'The name has already been taken.');
}

const eventScriptResourceOfTable: ServedResource = {
  definition: eventScript,
  table: 'event_script',
  isAddressed: true,
};

/** `POST system/event_script/{name}`: makes the script of the body, or changes it where there is one. */
export async function saveEventScript(
  records: RecordEngine,
  store: Pick<Store, 'db'>,
  call: Call,
  address: string,
): Promise<Reply> {
  const sent = readOneRecord(await call.body());
  if (Object.keys(sent).length === 0) throw fail('record.none');
  const input = { ...sent, name: isEmpty(sent.name) ? address : sent.name };
  const { fields, related } = readListQuery(call);
  const request = { fields, related, continue: false, rollback: false, options: {} };
  const existing = await findRow(store.db, eventScriptResourceOfTable, String(input.name));
  const scope = { actor: call };
  if (!existing) return answer((await records.createOne('event_script', input, request, scope)).record, 201);
  return answer((await records.updateOne('event_script', { id: input.name, input }, request, scope)).record);
}
