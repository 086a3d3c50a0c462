// `POST system/service/_test` and `system/service/{id}/_test`: tries a configuration before it is saved
// (docs/design.md, Console: "Test connection"). Nothing is stored.
import { type ConfigFields, Failure, fail } from '@sluice/contract';
import { auditActorOf, writeAuditEntries } from '../../audit/index.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readOneRecord, stringifyInput } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import type { ValidationMessages } from '../../resource/fields.ts';
import { isConnectionFailure, withConnectionDetails } from '../../service/connection-details.ts';
import type { Services } from '../../service/registry.ts';
import { TimeoutError, withTimeout } from '../../store/dialects/within.ts';
import type { Store } from '../../store/index.ts';
import { decryptConfig, maskConfidential, maskConfig, mergeConfig, parseConfig } from './config.ts';
import { authorizeLookupNames, fillConfigLookups, loadConfigLookups, namesInConfig } from './config-lookups.ts';

export interface TryParts {
  store: Pick<Store, 'db'>;
  secrets: Secrets;
  services: Pick<Services, 'type' | 'test'>;
  /** Milliseconds a try may take. */
  timeLimit?: number;
}

/** Drivers give up earlier while they connect; this also ends what comes after. */
const defaultTimeLimit = 20_000;

/**
 * Opens the database, host or folder a configuration leads to and closes it again; `{"success":true}`, or the driver's
 * own words. With an `id` the body holds changes of that service: secrets sent as the mask are the stored ones, as far as
 * saving the changes would keep them; without a body that service is tried as it is stored, active or not. Every try is
 * audited, with how it went.
 */
export async function tryService(
  { store, secrets, services, timeLimit = defaultTimeLimit }: TryParts,
  call: Call,
  id?: string,
): Promise<Reply> {
  const input = readOneRecord(await call.body());
  const row = id === undefined ? undefined : await requireServiceRow(store, id);
  const type = services.type(stringifyInput(input.type ?? row?.type));
  if (!type) throw fail('service.unsupportedOnWrite', { type: stringifyInput(input.type) });
  const name = row?.name ?? stringifyInput(input.name ?? type.name);
  const messages: ValidationMessages = {};
  const stored = { fields: (row && services.type(row.type)?.config) ?? {}, values: parseConfig(row?.config) };
  const config = mergeConfig(type.config ?? {}, input.config, stored, {
    secrets,
    reportInvalid(field, message) {
      messages[field] = [...(messages[field] ?? []), message];
    },
  });
  const decrypted = decryptConfig(type.config, config, secrets);
  const keys = await loadConfigLookups(store.db, secrets, namesInConfig(type.config, decrypted));
  const filled = fillConfigLookups({ config: decrypted, name, fields: type.config }, keys);
  const test = async () => {
    const allMessages = Object.values(messages).flat();
    if (allMessages.length > 0) throw fail('record.invalid', { messages: allMessages }, { context: messages });
    const before = row?.type === type.name ? decryptConfig(type.config, stored.values, secrets) : {};
    authorizeLookupNames(call.caller.user?.isAdmin, type, { before, after: decrypted });
    if (filled.lookups?.problem) throw filled.lookups.problem();
    type.check?.(filled.config as never);
    await withTimeout(timeLimit, services.test(type.name, filled.config, name)).catch((error: unknown) => {
      const seconds = timeLimit / 1000;
      throw error instanceof TimeoutError ? fail('service.noAnswer', { service: name, seconds }) : error;
    });
  };
  const error = await test().catch((caught: Error) => caught);
  await writeAuditEntries(store.db, {
    ...auditActorOf(call),
    action: 'test',
    resource: 'service',
    record_id: row?.id ?? null,
    record_name: name,
    after: { type: type.name, config: maskConfidential(type.config, maskConfig(type.config, config)) },
    ...(error ? { outcome: error.message } : {}),
  });
  if (!error) return answer({ success: true });
  if (!(error instanceof Failure)) throw error;
  const failure = withDecidingField(error, type.config ?? {});
  if (!call.caller.user?.isAdmin || !isConnectionFailure(failure)) throw failure;
  throw withConnectionDetails(failure, { id: row?.id ?? null, type, ...filled });
}

/** The field that decides whether a connection succeeds, by the failure; a form shows there what to do about it. */
const fieldsByFailure = new Map<string, string>(
  Object.entries({
    'database.hostUnknown': 'host',
    'database.connectTimeout': 'host',
    'database.refused': 'port',
    'database.login': 'password',
    'database.databaseUnknown': 'database',
    'database.statement': 'statements',
  }),
);

function withDecidingField(error: Failure, fields: ConfigFields): Failure {
  const { key, status, message, code, hint } = error;
  const name = fieldsByFailure.get(key);
  if (name === undefined || !(name in fields) || error.context !== null) return error;
  return new Failure(key, status, message, { code, context: { [name]: [hint ?? message] }, cause: error });
}

async function requireServiceRow({ db }: TryParts['store'], id: string) {
  const row = /^\d{1,15}$/.test(id)
    ? await db.selectFrom('service').selectAll().where('id', '=', Number(id)).executeTakeFirst()
    : undefined;
  if (!row) throw fail('record.notFound', { id });
  return row;
}
