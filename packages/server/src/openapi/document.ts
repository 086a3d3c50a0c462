// An OpenAPI document of one service or of all that a caller may use, part by part (contract/services-other.md §9).
import type { Caller } from '../call/call.ts';
import type { DescribeItem } from '../service/operation.ts';
import type { ServiceRow } from '../service/registry.ts';
import type { ListedOperation } from '../service/route-table.ts';
import { Components, sections } from './components.ts';
import type { Definition } from './definition.ts';
import { createOperationIds } from './operation-id.ts';
import { commonResponse } from './responses.ts';
import type { Form } from './schema.ts';
import {
  type PathsContext,
  plainTablesOf,
  type ServiceItems,
  servicePaths,
  type TablesOf,
  tablesOf,
} from './service-paths.ts';
import { storedPaths } from './stored-paths.ts';
import type { Part } from './write.ts';

/** A service as a document shows it. */
export interface DocumentedService {
  row: Pick<ServiceRow, 'id' | 'key' | 'name' | 'label' | 'description'>;
  operations: readonly ListedOperation[];
  /** Whether an address leads to one of them. */
  leadsTo(address: string, operation: Pick<ListedOperation, 'path' | 'verb'>): boolean;
  items: ServiceItems;
  /** It has a definition of its own, which replaces what is made of its operations. */
  definition?: Definition | undefined;
  /** It could not be opened, so there are no items. */
  isUnread: boolean;
}

export interface DocumentParts {
  caller: Caller;
  form: Form;
  services: readonly DocumentedService[];
  serviceKey(id: number): string | undefined;
  /** A service that relations lead to and the document is not of; it is opened when it is asked what it holds. */
  otherService?(id: number): OtherService | undefined;
  /** What the document is called; absent: it is the document of its one service. */
  title?: { title: string; description: string };
}

/** A service that is in a document only for what its tables hold. */
export interface OtherService {
  name: string;
  /** Undefined where it does not open in time. */
  describe(resource: string): Promise<DescribeItem | undefined>;
}

/** Services that a document looks into besides its own. */
const maxOthers = 10;

const versions: Record<Form, string> = { '3.0': '3.0.0', '3.1': '3.1.0' };

const securitySchemes = {
  BasicAuth: { type: 'http', scheme: 'basic' },
  BearerAuth: { type: 'http', scheme: 'bearer' },
  ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-DreamFactory-API-Key' },
  SessionTokenQuery: { type: 'apiKey', in: 'query', name: 'session_token' },
  SessionTokenHeader: { type: 'apiKey', in: 'header', name: 'X-DreamFactory-Session-Token' },
};

/** The parts of the document, in the order they are written. */
export async function* documentOf(parts: DocumentParts): AsyncGenerator<Part> {
  const { form, services } = parts;
  const components = new Components();
  yield { key: 'openapi', value: versions[form] };
  yield { key: 'servers', value: [serverOf(parts)] };
  yield { key: 'info', value: infoOf(parts) };
  yield { key: 'security', value: Object.keys(securitySchemes).map((name) => ({ [name]: [] })) };
  yield { key: 'tags', value: parts.title ? services.map(tagOf) : [] };
  if (form === '3.0')
    for (const name of ['Success', 'Error', 'ResourceList'] as const) commonResponse(components, name, form);

  yield { open: 'paths' };
  for (const context of pathsContexts(parts, components)) yield* pathsOf(context, parts);
  yield 'close';

  yield { open: 'components' };
  yield { key: 'securitySchemes', value: securitySchemes };
  for (const section of sections) {
    yield { open: section };
    for await (const [key, value] of components.make(section)) yield { key, value };
    yield 'close';
  }
  yield 'close';
}

/** What the paths of a service are made in. */
interface ServiceContext extends PathsContext {
  definition: Definition | undefined;
}

/** The contexts of the services, in their order; each finds the tables of the others. */
function pathsContexts(parts: DocumentParts, components: Components): ServiceContext[] {
  const { caller, form, services, serviceKey, title } = parts;
  const operationId = createOperationIds();
  const contexts = new Map<number, ServiceContext>();
  const otherTables = createOtherTables(parts, components, contexts);
  for (const { row, operations, items, leadsTo, definition } of services)
    contexts.set(row.id, {
      ...{ caller, form, components, operationId, serviceKey, otherTables, operations, items, leadsTo, definition },
      ...{ key: row.key, tag: row.name, prefix: title ? `${row.name}.` : '' },
    });
  return [...contexts.values()];
}

/** The tables of other services: of those in the document as they are there, of some more what their records hold. */
function createOtherTables(
  { form, otherService }: DocumentParts,
  components: Components,
  contexts: ReadonlyMap<number, PathsContext>,
): NonNullable<PathsContext['otherTables']> {
  const tables = new Map<string, TablesOf | undefined>();
  const find = (id: number, resource: string): TablesOf | undefined => {
    const context = contexts.get(id);
    if (context) return tablesOf(resource, context);
    const other = tables.size < maxOthers ? otherService?.(id) : undefined;
    return other && plainTablesOf(() => other.describe(resource), { components, form, prefix: `${other.name}.` });
  };
  return (id, resource) => {
    const key = `${id} ${resource}`;
    if (!tables.has(key)) tables.set(key, find(id, resource));
    return tables.get(key);
  };
}

async function* pathsOf(context: ServiceContext, { title }: DocumentParts): AsyncGenerator<Part> {
  const { definition, tag } = context;
  for await (const [path, item] of definition ? storedPaths(definition, context) : servicePaths(context))
    yield { key: title ? `/${tag}${path === '/' ? '' : path}` : path, value: item };
}

const serverOf = ({ services, title }: DocumentParts) => {
  const [service] = services;
  return title || !service
    ? { url: '/api/v2', description: '' }
    : { url: `/api/v2/${service.row.name}`, description: service.row.description ?? '' };
};

function infoOf({ services, title }: DocumentParts) {
  const [service] = services;
  const own = title ?? ownInfo(service);
  const unread = services.filter(({ isUnread }) => isUnread).map(({ row }) => row.name);
  const missing = unread.length === 0 ? '' : ` Missing: what ${unread.join(', ')} has could not be read.`;
  return { title: own.title || 'API', description: `${own.description}${missing}`.trim(), version: '2.0' };
}

/** Of a definition what it says itself, else what the service is called. */
function ownInfo(service: DocumentedService | undefined): { title: string; description: string } {
  const info = service?.definition?.document.info as { title?: unknown; description?: unknown } | undefined;
  const { title, description } = info ?? {};
  return {
    title: typeof title === 'string' ? title : (service?.row.label ?? ''),
    description: typeof description === 'string' ? description : (service?.row.description ?? ''),
  };
}

const tagOf = ({ row }: DocumentedService) => ({ name: row.name, description: row.description ?? row.label });
