// `system/service`: configured services (contract/system-resources.md §5). The service's type says what a
// configuration may hold; config.ts reads and stores it.
import { fail, type ItemField, reservedAddresses, service, serviceDoc } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import { parseNumericId } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, SerializedRecord, ServedResource, StoredRow } from '../../resource/resource.ts';
import type { ServiceRow } from '../../service/registry.ts';
import type { ServiceType } from '../../service/service.ts';
import type { Store } from '../../store/index.ts';
import { requireHeldRole } from '../role/delegation.ts';
import { decryptConfig, maskConfidential, mergeConfig, parseConfig, serializeConfig } from './config.ts';
import { authorizeLookupNames, fillConfigLookups, loadConfigLookups, namesInConfig } from './config-lookups.ts';

export interface ServiceParts {
  types: () => ServiceType[];
  secrets: Secrets;
}

export function serviceResource({ types, secrets }: ServiceParts): ServedResource {
  const typeOf = (name: unknown) => types().find((type) => type.name === name);
  return {
    definition: service,
    table: 'service',
    isAddressed: true,
    unlinks: [{ resource: 'limit', field: 'service_id' }],
    dependentFields: (fields) => (fields.includes('config') ? [...fields, 'id', 'type'] : fields),
    async prepare({ type: sentType, config }) {
      const type = types().find(({ name, complete }) => complete && (sentType === undefined || sentType === name));
      return (await type?.complete?.(config)) ?? {};
    },
    async beforeSave(change) {
      const { kind, values, row, value, reportInvalid } = change;
      if (typeof values.name === 'string' && values.name !== '' && !/^[A-Za-z0-9_-]+$/.test(values.name))
        reportInvalid('name', 'Service name should only contain letters, numbers, underscores and dashes.');
      if (isEmpty(values.label) && (kind === 'create' || 'label' in values)) values.label = value('name');
      if (row) refuseFixedChanges(change, typeOf(row.type));
      const type = typeOf(value('type'));
      refuseSignInService(change, type);
      // A missing type is reported by the rules of the field; an unknown one here.
      if (!type) {
        delete values.config;
        if (!isEmpty(values.type)) throw fail('service.unsupportedOnWrite', { type: String(values.type) });
        if (kind === 'create') values.config = {};
        return;
      }
      if (values.type !== undefined && values.type !== row?.type && type.singleton)
        await refuseSecondOfType(change, type.name);
      await mergeConfigChange(change, type, typeOf(row?.type), secrets);
      if (type.can.files) refuseReservedName(change);
      await authorizeRoles(change, type);
    },
    beforeDelete(row) {
      if (row.deletable === 0) throw fail('service.notDeletable', { service: String(row.name) });
    },
    serialize(records: SerializedRecord[]) {
      for (const { record, row } of records)
        record.config = serializeConfig(typeOf(row.type)?.config ?? null, parseConfig(row.config), Number(row.id));
    },
    maskForAudit({ record, row }) {
      if (isRecord(record.config)) record.config = maskConfidential(typeOf(row.type)?.config ?? null, record.config);
    },
  };
}

/** What the platform itself calls by name must stay what it is. */
function refuseFixedChanges({ values, row = {} }: RecordChange, type: ServiceType | undefined): void {
  const isFixed = (field: string) => row.mutable === 0 || (field === 'type' && type?.singleton === true);
  for (const field of ['name', 'type', 'is_active']) {
    const before = field === 'is_active' ? row[field] === 1 : row[field];
    if (values[field] !== undefined && values[field] !== before && isFixed(field))
      throw fail('service.fixed', { service: String(row.name), field });
  }
}

/** Who decides at which provider people sign in can sign in as any of them: nobody does that for an administrator. */
function refuseSignInService({ context }: RecordChange, type: ServiceType | undefined): void {
  const method = type?.can.signIn;
  if (method && method !== 'own' && !context.actor.caller.user?.isAdmin) throw fail('access.adminOnly');
}

/** A public path is an address below the name of its service, where the console may have its own. */
function refuseReservedName({ values, row, value }: RecordChange): void {
  const name = String(value('name') ?? '');
  const { public_path: paths } = (values.config as StoredRow | undefined) ?? parseConfig(row?.config);
  if (Array.isArray(paths) && paths.length > 0 && reservedAddresses.has(name.toLowerCase()))
    throw fail('file.publicReserved', { name });
}

async function refuseSecondOfType({ context, row }: RecordChange, type: string): Promise<void> {
  const other = await context.db
    .selectFrom('service')
    .select('id')
    .where('type', '=', type)
    .where('id', '!=', Number(row?.id ?? 0))
    .executeTakeFirst();
  if (other) throw fail('service.singleton', { type });
}

/** Merges and checks the configuration when it or the type is written. */
async function mergeConfigChange(
  { kind, values, row, value, prepared, context, reportInvalid }: RecordChange,
  type: ServiceType,
  oldType: ServiceType | undefined,
  secrets: Secrets,
): Promise<void> {
  const isNewType = kind === 'create' || type.name !== row?.type;
  if (!isNewType && values.config === undefined) return;
  const stored = { fields: oldType?.config ?? {}, values: parseConfig(row?.config) };
  let isValid = true;
  const config = mergeConfig(type.config ?? {}, values.config, stored, {
    secrets,
    reportInvalid(field, message) {
      isValid = false;
      reportInvalid(field, message);
    },
  });
  if (type.complete)
    for (const [name, found] of Object.entries(prepared))
      if (found !== undefined && isEmpty(config[name])) config[name] = found;
  const after = decryptConfig(type.config, config, secrets);
  const before = isNewType ? {} : decryptConfig(type.config, stored.values, secrets);
  authorizeLookupNames(context.actor.caller.user?.isAdmin, type, { before, after });
  if (isValid && type.check) {
    const keys = await loadConfigLookups(context.db, secrets, namesInConfig(type.config, after));
    const named = { config: after, name: String(value('name')), fields: type.config };
    const filled = fillConfigLookups(named, keys);
    // A key may be made later than the service.
    if (!filled.lookups?.problem) type.check(filled.config as never);
  }
  values.config = config;
}

/** People who register get the roles a configuration names: a person who names a role there must hold it. */
async function authorizeRoles({ values, row, context }: RecordChange, { config }: ServiceType): Promise<void> {
  if (values.config === undefined || JSON.stringify(values.config) === row?.config) return;
  for (const [name, field] of Object.entries(config ?? {})) {
    const value = (values.config as StoredRow)[name];
    const roleItems = Array.isArray(field.items)
      ? field.items.filter(({ choices }: ItemField) => choices === 'role')
      : [];
    const rows = Array.isArray(value) ? (value as StoredRow[]) : [];
    const roles = [
      ...(field.choices === 'role' ? [value] : []),
      ...rows.flatMap((element) => roleItems.map((item) => element[item.name])),
    ];
    for (const id of roles.map(parseNumericId)) if (id !== undefined) await requireHeldRole(context, id);
  }
}

/** A service's own definition: an OpenAPI document as text. */
export const serviceDocResource: ServedResource = {
  definition: serviceDoc,
  table: 'service_doc',
  isAddressed: false,
  beforeSave({ values, reportInvalid }) {
    if (values.format !== undefined && values.format !== 0 && values.format !== 1)
      reportInvalid('format', 'The selected format is invalid.');
  },
};

/**
 * Every service for the registry, configurations with their secrets in clear and their lookups put in: for opening, never for an
 * answer.
 */
export async function loadServices({ db }: Pick<Store, 'db'>, { types, secrets }: ServiceParts): Promise<ServiceRow[]> {
  const rows = await db.selectFrom('service').selectAll().orderBy('id').execute();
  const services = rows.map((row) => {
    const fields = types().find((type) => type.name === row.type)?.config ?? null;
    return { row, fields, config: decryptConfig(fields, parseConfig(row.config), secrets) };
  });
  const names = new Set(services.flatMap(({ fields, config }) => namesInConfig(fields, config)));
  const keys = await loadConfigLookups(db, secrets, [...names]);
  return services.map(({ row, fields, config }) => ({
    id: row.id,
    key: row.name.toLowerCase(),
    name: row.name,
    label: row.label,
    description: row.description,
    type: row.type,
    isActive: row.is_active === 1,
    ...fillConfigLookups({ config, name: row.name, fields }, keys),
  }));
}
