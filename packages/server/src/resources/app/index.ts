// `system/app`: an API key, a default role and pages to open (contract/system-resources.md §4).
import { app, appType, fail, secretMask } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { mayDo, requireVerb } from '../../records/access.ts';
import { anyTable } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type {
  RecordChange,
  RecordContext,
  SerializedRecord,
  ServedResource,
  StoredRow,
} from '../../resource/resource.ts';
import type { Db } from '../../store/index.ts';
import { newApiKey } from '../../store/seed.ts';
import { holdsRole, protectLookupName, protectRoleOfApps, requireHeldRole } from '../role/delegation.ts';
import { type AppFileParts, deleteAppFiles } from './files.ts';

/** The seeded app whose key the console sends; without it nobody could open the console any more. */
const consoleAppId = 1;

export const appResource = (parts: AppFileParts): ServedResource => ({
  definition: app,
  table: 'app',
  isAddressed: true,
  credentials: ['api_key'],
  unlinks: [{ resource: 'user', field: 'default_app_id' }],
  async beforeSave(change) {
    await setApiKey(change);
    const { values, row, context, reportInvalid } = change;
    if (row?.id === consoleAppId) refuseFixedChanges(row, values);
    // Everybody who has the key has the default role: choosing a role gives it.
    if (!isEmpty(values.role_id) && values.role_id !== row?.role_id) requireVerb(context, 'role', 'PATCH');
    await authorizeRoleAccess(change);
    if (values.type !== undefined && !(Object.values(appType) as unknown[]).includes(values.type))
      reportInvalid('type', 'The selected type is invalid.');
  },
  beforeDelete(row) {
    if (row.id === consoleAppId) throw fail('app.ofConsole', { app: String(row.name) });
  },
  async afterDelete(row, { actor, options, store }) {
    if (options.deleteStorage) await deleteAppFiles(parts, row, actor.caller, store.db);
  },
  answeredFields: ({ deleteStorage }) => (deleteStorage ? ['storage_service_id', 'storage_container'] : []),
  async serialize(records, context) {
    const urls = await readLaunchUrls(
      records.map(({ row }) => row),
      context,
    );
    records.forEach(({ record }: SerializedRecord, index) => {
      record.launch_url = urls[index];
    });
    await maskKeys(records, context);
  },
});

/** The console finds its key by the name of the app. */
function refuseFixedChanges(row: StoredRow, { name, is_active }: RecordChange['values']): void {
  const app = String(row.name);
  if (!isEmpty(name) && name !== row.name) throw fail('app.consoleFixed', { app, field: 'name' });
  if (is_active === false && row.is_active === 1) throw fail('app.consoleFixed', { app, field: 'is_active' });
}

/** Choosing the key of an app, switching it on or giving it another role gives the caller what its role gives. */
async function authorizeRoleAccess({ row, values, value, context }: RecordChange): Promise<void> {
  const isChanged = (field: string) => values[field] !== undefined && values[field] !== row?.[field];
  const isSwitchedOn = values.is_active === true && row?.is_active !== 1;
  const role = value('role_id');
  if (!isEmpty(role) && (isChanged('role_id') || isChanged('api_key') || isSwitchedOn))
    await requireHeldRole(context, Number(role));
  if (!row) return;
  if (isChanged('role_id') && !isEmpty(row.role_id)) await protectRoleOfApps(context, Number(row.role_id));
  for (const field of ['name', 'api_key']) if (isChanged(field)) await protectLookupName(context, `app.${field}`);
}

/**
 * The key of an app gives its default role: callers who may write the app and hold that role see the key,
 * others see the mask.
 */
async function maskKeys(records: SerializedRecord[], context: RecordContext): Promise<void> {
  if (context.actor.caller.user?.isAdmin) return;
  const mayWrite = mayDo(context, 'app', 'PATCH') || mayDo(context, 'app', 'PUT');
  const holdsByRole = new Map<unknown, boolean>([[null, true]]);
  for (const { record, row } of records) {
    const role = row.role_id ?? null;
    if (mayWrite && !holdsByRole.has(role)) {
      await pause();
      holdsByRole.set(role, await holdsRole(context, Number(role)));
    }
    if (!mayWrite || !holdsByRole.get(role)) record.api_key = secretMask;
  }
}

/** A key is made when none was sent or the sent one belongs to another app, and on `regenerate=true`. */
async function setApiKey({ kind, values, row, context, reportInvalid }: RecordChange): Promise<void> {
  // The mask sent back means unchanged.
  if (values.api_key === secretMask) delete values.api_key;
  const isRegenerated = kind === 'update' && context.options.regenerateKey;
  if (kind === 'update' && isEmpty(values.api_key)) delete values.api_key;
  const key = values.api_key;
  if (isRegenerated || (kind === 'create' && isEmpty(key)) || (await isKeyTaken(key, row, context.db))) {
    values.api_key = newApiKey();
  } else if (typeof key === 'string' && !/^[A-Za-z0-9]*$/.test(key)) {
    reportInvalid('api_key', 'The api key may only contain letters and numbers.');
  }
}

async function isKeyTaken(key: unknown, row: StoredRow | undefined, db: Db): Promise<boolean> {
  if (typeof key !== 'string') return false;
  const other = anyTable(db)
    .selectFrom('app')
    .select('id')
    .where('api_key', '=', key)
    .where('id', '!=', row?.id ?? 0);
  return (await other.executeTakeFirst()) !== undefined;
}

/** Where the pages of apps are, in the order of the rows. */
export async function readLaunchUrls(
  rows: StoredRow[],
  { actor, db }: Pick<RecordContext, 'actor' | 'db'>,
): Promise<string[]> {
  const storedApps = rows.filter((row) => row.type === appType.storage && row.storage_service_id !== null);
  const serviceNames = new Map<unknown, string>();
  if (storedApps.length > 0) {
    const ids = [...new Set(storedApps.map((row) => Number(row.storage_service_id)))];
    const services = await db.selectFrom('service').select(['id', 'name']).where('id', 'in', ids).execute();
    for (const { id, name } of services) serviceNames.set(id, name);
  }
  return rows.map((row) => launchUrlOf(row, serviceNames.get(row.storage_service_id), actor.baseUrl));
}

function launchUrlOf(row: StoredRow, service: string | undefined, baseUrl: string): string {
  const path = String(row.path ?? '').replace(/^\/+/, '');
  switch (row.type) {
    case appType.storage:
      return [baseUrl, service, row.storage_container, path].filter((part) => !isEmpty(part)).join('/');
    case appType.path:
      return `${baseUrl}/${path}`;
    case appType.url:
      return String(row.url ?? '');
    default:
      return '';
  }
}
