// `POST system/app/_key`: a role, an app with its key and a limit if one is asked for, made together
// (contract/system-resources.md §4). They are written by the record engine, so that their rules, the audit and the caches see
// them as they see any other record.
import { type ApiKeyAnswer, type ApiKeyRequest, allVerbs, Failure, fail, verbMask } from '@sluice/contract';
import { decideFor, maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { databaseParts } from '../../database/index.ts';
import type { RecordEngine } from '../../records/index.ts';
import type { ServiceRow, Services } from '../../service/registry.ts';
import type { Abilities } from '../../service/service.ts';
import { invalidKeyRequest, readKeyRequest } from './key-request.ts';

export interface KeyParts {
  records: Pick<RecordEngine, 'transaction' | 'createOne'>;
  services: Pick<Services, 'rows' | 'type' | 'openById'>;
}

/** A row of service access as it is sent. */
interface KeyRow {
  service_id: number;
  component: string;
  verb_mask: number;
  requestor_mask: number;
}

/** Only the records' own failures and ids are wanted. */
const alone = { fields: undefined, related: [], continue: false, rollback: false };

/** Makes a role that gives what was asked for, an app whose callers have it, and the limit of that role; all of it or nothing. */
export async function createKey({ records, services }: KeyParts, call: Call): Promise<Reply> {
  for (const resource of ['app', 'role']) requirePost(call, resource);
  const request = readKeyRequest(await call.body());
  const { name, limit } = request;
  if (limit) requirePost(call, 'limit');
  const rows = await keyRows(services, request, call);
  const created = await records.transaction(call, async (transaction): Promise<ApiKeyAnswer> => {
    const scope = { actor: call, transaction };
    const record = { name, is_active: true };
    const role = await records.createOne('role', { ...record, role_service_access_by_role_id: rows }, alone, scope);
    const app = await records.createOne('app', { ...record, role_id: role.row.id }, alone, scope);
    // By the role, which the key alone has: a limit of each user would count no call that brings just the key.
    const ofRole = { ...record, type: 'instance.role', role_id: role.row.id };
    const made = limit && (await records.createOne('limit', { ...ofRole, ...limit }, alone, scope));
    return {
      app_id: Number(app.row.id),
      role_id: Number(role.row.id),
      name: String(app.row.name),
      api_key: String(app.row.api_key),
      ...(made ? { limit_id: Number(made.row.id) } : {}),
    };
  });
  return answer(created, 201);
}

function requirePost({ caller, service }: Call, component: string): void {
  if (!decideFor(caller, 'POST', service, component).allowed)
    throw fail('access.deniedInside', { verb: 'POST', component, service });
}

/** The rows of a role that give what the request asks for. */
async function keyRows(services: KeyParts['services'], request: ApiKeyRequest, call: Call): Promise<KeyRow[]> {
  const mask = request.access === 'write' ? allVerbs : verbMask.GET;
  const abilitiesOf = ({ type }: ServiceRow) => services.type(type)?.can ?? {};
  const all = await services.rows();
  if (request.service === undefined) {
    const rows = all.flatMap((row) => serviceRows(row, abilitiesOf(row), mask));
    if (rows.length === 0) throw invalidKeyRequest('service', 'There is no service that holds data.');
    return rows;
  }
  const service = requireService(all, request.service, call);
  if (request.table !== undefined)
    return tableRows(service, [await requireTable(services, service, request.table, call, 'table')], mask);
  if (request.tables !== undefined) {
    const tables: string[] = [];
    for (const table of request.tables) tables.push(await requireTable(services, service, table, call, 'tables'));
    return tableRows(service, tables, mask);
  }
  const rows = serviceRows(service, abilitiesOf(service), mask);
  if (rows.length === 0) throw invalidKeyRequest('service', `The service '${service.name}' holds no data.`);
  return rows;
}

/** The access to the records of tables, each once. */
const tableRows = (service: ServiceRow, tables: string[], mask: number): KeyRow[] =>
  [...new Set(tables)].map((table) => keyRow(service, `_table/${table}/*`, mask));

const keyRow = ({ id }: ServiceRow, component: string, mask: number): KeyRow => ({
  service_id: id,
  component,
  verb_mask: mask,
  requestor_mask: 1,
});

/**
 * The access of a key for a whole service: of a database the records of all tables, with their descriptions to read. Neither
 * the schema nor stored routines, which may do anything: those need a role of their own.
 */
function serviceRows(service: ServiceRow, { tables, files }: Abilities, mask: number): KeyRow[] {
  if (tables)
    return [
      keyRow(service, '', verbMask.GET),
      keyRow(service, '_schema/*', verbMask.GET),
      keyRow(service, '_table/*', mask),
    ];
  return files ? [keyRow(service, '*', mask)] : [];
}

/** The service of a name. One of which the caller has nothing is as unknown as one that is not there. */
function requireService(all: ServiceRow[], name: string, { caller }: Call): ServiceRow {
  const service = all.find(({ key }) => key === name.toLowerCase());
  if (!service || maskOfService(caller, service.key) === 0)
    throw invalidKeyRequest('service', `There is no service '${name}'.`);
  if (!service.isActive) throw invalidKeyRequest('service', `The service '${service.name}' is not active.`);
  return service;
}

/** The table as addresses name it. Callers who may not read it do not learn whether it is there. */
async function requireTable(
  services: KeyParts['services'],
  service: ServiceRow,
  name: string,
  { caller }: Call,
  field: 'table' | 'tables',
): Promise<string> {
  const component = `_table/${name.toLowerCase()}`;
  if (!decideFor(caller, 'GET', service.key, component).allowed)
    throw fail('access.deniedInside', { verb: 'GET', component, service: service.name });
  const database = (await services.openById(service.id)).provided(databaseParts);
  if (!database) throw invalidKeyRequest(field, `The service '${service.name}' has no tables.`);
  try {
    return (await database.tables.byName(name)).name;
  } catch (error) {
    if (error instanceof Failure && error.key === 'table.unknown') throw invalidKeyRequest(field, error.message);
    throw error;
  }
}
