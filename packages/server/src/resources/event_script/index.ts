// `system/event_script`: scripts around calls (contract/event-scripts-and-script-services.md §3). Who may write them acts as an
// administrator: a script runs with the rights of each of its callers (SECURITY.md).
import { eventScript, fail, type ScriptTypeName, scriptTypeNames } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { readOneRecord } from '../../call/payload.ts';
import { mayDo } from '../../records/access.ts';
import type { RecordEngine } from '../../records/index.ts';
import { findRow } from '../../records/rows.ts';
import { withEtag } from '../../records/wire.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';
import { requireScripting } from '../../scripts/disabled.ts';
import { holdsScripts } from '../../scripts/linked.ts';
import type { ServiceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import type { Store } from '../../store/index.ts';

export interface EventScriptParts {
  settings: Settings;
  types(): ServiceType[];
}

export const eventScriptResource = ({ settings, types }: EventScriptParts): ServedResource => ({
  definition: eventScript,
  table: 'event_script',
  isAddressed: true,
  async beforeSave(change) {
    const { kind, values, value, reportInvalid } = change;
    // A script is addressed by its name, so the name stays.
    if (kind === 'update') delete values.name;
    else await checkName(change);
    // What would never run is refused, rather than kept as if it did.
    await checkLink(change, types());
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

/** A script that lies elsewhere has no text of its own, and lies where scripts can. */
async function checkLink({ values, value, context, reportInvalid }: RecordChange, types: ServiceType[]): Promise<void> {
  const id = value('storage_service_id');
  if (isEmpty(id)) return;
  const service = await context.db.selectFrom('service').select('type').where('id', '=', Number(id)).executeTakeFirst();
  const type = types.find(({ name }) => name === service?.type);
  if (!holdsScripts(type)) reportInvalid('storage_service_id', 'The selected storage service id is invalid.');
  else if (type?.can.repositories && isEmpty(value('scm_repository')))
    reportInvalid('scm_repository', 'The scm repository field is required.');
  if (!isEmpty(value('storage_path'))) values.content = '';
}

const eventScriptResourceOfTable: ServedResource = {
  definition: eventScript,
  table: 'event_script',
  isAddressed: true,
};

/**
 * `POST system/event_script/{name}`: makes the script of the body, or changes it where there is one. It answers the version, and
 * heeds If-Match; `If-None-Match: *` only makes one (RFC 9110 §13.1).
 */
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
  const ifMatch = call.header('if-match');
  const request = { fields, related, continue: false, rollback: false, ifMatch, options: {} };
  const existing = await findRow(store.db, eventScriptResourceOfTable, String(input.name));
  if (existing ? call.header('if-none-match')?.trim() === '*' : ifMatch !== undefined) throw fail('record.stale');
  const scope = { actor: call };
  const { record, row } = existing
    ? await records.updateOne('event_script', { id: input.name, input }, request, scope)
    : await records.createOne('event_script', input, request, scope);
  const reply = answer(record, existing ? 200 : 201);
  // The version shows when a record was created and how often it changed.
  return mayDo(scope, 'event_script', 'GET') ? withEtag(reply, row) : reply;
}
