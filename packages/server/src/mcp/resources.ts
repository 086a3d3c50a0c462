// Tables as resources: those that a caller may read the description of, and that description, as a call answers it.
import { fail, verbMask } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { maskOf } from '../access/gate.ts';
import type { Call, Caller, Reply } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { readValue } from '../call/reply.ts';
import type { Platform } from '../gateway/platform.ts';
import { type DocumentedServices, readServices } from '../openapi/index.ts';
import { type AgentAnswer, callForAgent } from './agent-call.ts';
import { type AgentContent, agentContent, maxAnswer } from './agent-content.ts';
import { agentServices, findAgentService } from './agent-services.ts';
import { RpcError } from './rpc-error.ts';

export interface TableResource {
  uri: string;
  name: string;
  mimeType: string;
}

export interface ResourcePage {
  resources: TableResource[];
  nextCursor?: string;
}

const mimeType = 'application/json';
const start = 'sluice://table/';

/** What addresses of resources are like. */
export const resourceTemplate = {
  uriTemplate: `${start}{service}/{table}`,
  name: 'table',
  title: 'Description of a table',
  mimeType,
};

/** Resources on a page, and services that are looked at for one. */
const perPage = 100;
const servicesPerPage = 20;
/** Longer names have no resource. */
const maxName = 500;

/** A place in the list: a service by its id, and the tables of it that are on earlier pages. */
interface Place {
  id: number;
  tables: number;
}

const cursorOf = ({ id, tables }: Place): string => `${id}.${tables}`;

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { id: 0, tables: 0 };
  const [, id, tables] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (id === undefined || tables === undefined) throw new RpcError('There is no such cursor.');
  return { id: Number(id), tables: Number(tables) };
}

/** A page of the tables, by services; the next one may have some where this one has none. */
export async function listResources(
  services: DocumentedServices,
  caller: Caller,
  cursor: string | undefined,
): Promise<ResourcePage> {
  const place = placeOf(cursor);
  const rows = (await agentServices(services, caller))
    .filter(({ id, type }) => id >= place.id && services.type(type)?.can.tables)
    .sort((a, b) => a.id - b.id);
  const resources: TableResource[] = [];
  for (const { row, items } of await readServices(services, rows.slice(0, servicesPerPage), { refresh: false })) {
    const isFirst = row.id === place.id;
    const names = items.names._table ?? [];
    for (let index = isFirst ? place.tables : 0; index < names.length; index++) {
      await pause();
      if (resources.length === perPage) return { resources, nextCursor: cursorOf({ id: row.id, tables: index }) };
      const table = names[index] as string;
      if (table.length <= maxName && descriptionPath(caller, row.key, table) !== undefined)
        resources.push({ uri: uriOf(row.name, table), name: `${row.name}/${table}`, mimeType });
    }
  }
  const next = rows[servicesPerPage];
  return { resources, ...(next ? { nextCursor: cursorOf({ id: next.id, tables: 0 }) } : {}) };
}

const uriOf = (service: string, table: string): string =>
  `${start}${encodeURIComponent(service)}/${encodeURIComponent(table)}`;

/** Reads the description of a table. Throws where there is none for this caller. */
export async function readResource(
  uri: string,
  message: Call,
  services: DocumentedServices,
  platform: Platform,
): Promise<AgentAnswer> {
  const { service, table } = partsOf(uri);
  const { caller } = message;
  const row = await findAgentService(services, caller, service);
  const path = row && services.type(row.type)?.can.tables ? descriptionPath(caller, row.key, table) : undefined;
  if (!row || path === undefined) throw fail('mcp.noResource');
  const isOfSchema = path.startsWith('_schema/');
  const query = new Map(
    isOfSchema
      ? []
      : ([
          ['limit', '1'],
          ['include_schema', 'true'],
        ] as const),
  );
  const request = { verb: 'GET' as const, service: row.key, path, query };
  return callForAgent(message, request, platform, isOfSchema ? agentContent : schemaContent);
}

/** Where a caller may read what describes a table: at `_schema`, else beside its records. */
function descriptionPath(caller: Caller, key: string, table: string): string | undefined {
  // Its address would be that of a record.
  if (table.includes('/')) return undefined;
  return [`_schema/${table}`, `_table/${table}`].find((path) => (maskOf(caller, key, path) & verbMask.GET) !== 0);
}

/** The description that comes with records; the record that it comes with stays here. */
async function schemaContent(reply: Reply, call: Call): Promise<AgentContent> {
  const value = await readValue(reply, 4 * maxAnswer);
  const meta = isRecord(value) && isRecord(value.meta) ? value.meta : {};
  return agentContent({ body: { value: meta.schema ?? null } }, call);
}

function partsOf(uri: string): { service: string; table: string } {
  const [, service, table] = /^sluice:\/\/table\/([^/?#]{1,3000})\/([^/?#]{1,6000})$/.exec(uri) ?? [];
  try {
    if (service !== undefined && table !== undefined)
      return { service: decodeURIComponent(service), table: decodeURIComponent(table) };
  } catch {
    // No address of ours.
  }
  throw fail('mcp.noResource');
}
