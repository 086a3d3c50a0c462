// `POST system/service/_test` and `system/service/{id}/_test`: tries a configuration before it is saved
// (docs/design.md, Console: "Test connection"). Nothing is kept.
import { type ConfigFields, Failure, fail } from '@sluice/contract';
import { type AuditEntry, record, whoOf } from '../../audit/index.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { oneRecord, wordOf } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import type { Messages } from '../../resource/fields.ts';
import type { Services } from '../../service/registry.ts';
import type { Store } from '../../store/index.ts';
import { clearConfig, mergeConfig, parseConfig, shownConfig } from './config.ts';

export interface TryParts {
  store: Pick<Store, 'db'>;
  secrets: Secrets;
  services: Services;
}

/**
 * Opens the database, host or folder a configuration leads to and closes it again; `{"success":true}`, or the driver's
 * own words. With an `id` the body holds changes of that service: secrets sent as the mask are the stored ones, as far as
 * saving the changes would keep them. The audit is told of every try and how it went.
 */
export async function tryService({ store, secrets, services }: TryParts, call: Call, id?: string): Promise<Reply> {
  const input = oneRecord(await call.body());
  const row = id === undefined ? undefined : await serviceRow(store, id);
  const type = services.type(wordOf(input.type ?? row?.type));
  if (!type) throw fail('service.unsupportedOnWrite', { type: wordOf(input.type) });
  const stored = { fields: (row && services.type(row.type)?.config) ?? {}, config: parseConfig(row?.config) };
  const problems: Messages = {};
  const config = mergeConfig(type.config ?? {}, input.config, stored, {
    secrets,
    invalid(field, message) {
      problems[field] = [...(problems[field] ?? []), message];
    },
  });
  const name = row?.name ?? wordOf(input.name ?? type.name);
  const { service_id: _, ...shown } = { service_id: 0, ...shownConfig(type.config, config, 0) };
  const entry: AuditEntry = {
    ...whoOf(call),
    action: 'test',
    resource: 'service',
    record_id: row?.id ?? null,
    record_name: name,
    after: { type: type.name, config: shown },
  };
  try {
    const messages = Object.values(problems).flat();
    if (messages.length > 0) throw fail('record.invalid', { messages }, { context: problems });
    const clear = clearConfig(type.config, config, secrets);
    type.check?.(clear as never);
    await services.test(type.name, clear, name);
  } catch (error) {
    await record(store.db, { ...entry, outcome: (error as Error).message });
    throw error instanceof Failure ? atItsField(error, type.config ?? {}) : error;
  }
  await record(store.db, entry);
  return answer({ success: true });
}

/** The field that decides about a connection that does not come about; a form shows there what to do about it. */
const deciding = new Map<string, string>(
  Object.entries({
    'database.hostUnknown': 'host',
    'database.connectTimeout': 'host',
    'database.refused': 'port',
    'database.login': 'password',
    'database.databaseUnknown': 'database',
    'database.statement': 'statements',
  }),
);

function atItsField(error: Failure, fields: ConfigFields): Failure {
  const { key, status, message, code, hint } = error;
  const name = deciding.get(key);
  if (name === undefined || !(name in fields) || error.context !== null) return error;
  return new Failure(key, status, message, { code, context: { [name]: [hint ?? message] }, cause: error });
}

async function serviceRow({ db }: TryParts['store'], id: string) {
  const row = /^\d{1,15}$/.test(id)
    ? await db.selectFrom('service').selectAll().where('id', '=', Number(id)).executeTakeFirst()
    : undefined;
  if (!row) throw fail('record.notFound', { id });
  return row;
}
