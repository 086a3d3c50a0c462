// The paths of one service as far as a caller reaches them: its templates, and each table and routine by its own name.
import {
  appendTo,
  Failure,
  type ResourceDefinition,
  type ResourceName,
  resources,
  type Verb,
  verbMask,
} from '@sluice/contract';
import { pause } from '@sluice/sql';
import { maskOf } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import type { DescribeItem, ItemDescription } from '../service/operation.ts';
import type { ListedOperation } from '../service/route-table.ts';
import type { Components } from './components.ts';
import { operationObject, type SchemasOfRecords, type TableExamples, tableExamples } from './operation-object.ts';
import { type Reach, reachOf, type Seeker } from './reach.ts';
import { resourceSchemas } from './resource-schemas.ts';
import type { Form } from './schema.ts';
import { type TableContext, tableSchemas } from './table-schemas.ts';
import { templateReach } from './template-reach.ts';

/** The items of a service, by resource: what there is, and what describes it. */
export interface ServiceItems {
  names: Record<string, string[]>;
  describe: Record<string, DescribeItem | undefined>;
}

export interface PathsContext {
  caller: Caller;
  /** Lower-cased name. */
  key: string;
  /** As it is written. */
  tag: string;
  /** What names of components begin with, where several services share a document. */
  prefix: string;
  form: Form;
  components: Components;
  operationId(service: string, verb: string, path: string): string;
  operations: readonly ListedOperation[];
  items: ServiceItems;
  /** The lower-cased name of another service, by its id. */
  serviceKey(id: number): string | undefined;
  /** What describes the records of another service, by its id; undefined where nothing does. */
  otherTables?(id: number, resource: string): TablesOf | undefined;
  leadsTo: Seeker['leadsTo'];
}

/** The schemas of the tables of a service, by name. */
export type TablesOf = (table: string) => SchemasOfRecords;

export type Path = [path: string, item: Record<string, unknown>];

/** The paths, each with its leading slash, in the order of the type: templates first, then each item's. */
export async function* servicePaths(context: PathsContext): AsyncGenerator<Path> {
  const byPath = new Map<string, ListedOperation[]>();
  for (const operation of context.operations)
    appendTo(byPath, `/${operation.path}${operation.endsInSlash ? '/' : ''}`, operation);
  for (const [path, operations] of byPath) {
    const item = await templateItem(path, operations, context);
    if (item) yield [path, item];
  }
  for (const resource of Object.keys(context.items.names)) yield* itemPaths(resource, byPath, context);
}

const verbOf = ({ verb }: ListedOperation) => verb.toLowerCase();

const placeholdersOf = (path: string): string[] => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string);

// ---- templates ----

async function templateItem(path: string, operations: ListedOperation[], context: PathsContext) {
  const item: Record<string, unknown> = {};
  for (const operation of operations) {
    await pause();
    const object = await templateOperation(path, operation, context);
    if (object) item[verbOf(operation)] = object;
  }
  return Object.keys(item).length > 0 ? item : undefined;
}

async function templateOperation(path: string, operation: ListedOperation, context: PathsContext) {
  const found = await templateReach(context, operation);
  if (!found) return undefined;
  const { reach, isOpen, placeholder, names } = found;
  const known =
    placeholder === undefined ? {} : { [placeholder]: { names: isOpen ? names.slice(0, 1) : names, isOpen } };
  return object(path, operation, reach, { known }, context);
}

interface More {
  known?: Record<string, { names: string[]; isOpen: boolean }>;
  item?: { name: string; description: ItemDescription };
  schemas?: SchemasOfRecords;
  examples?: TableExamples;
}

function object(path: string, operation: ListedOperation, reach: Reach, more: More, context: PathsContext) {
  const { records } = operation;
  return operationObject(
    {
      operation,
      id: context.operationId(context.tag, operation.verb, decodeURIComponent(path)),
      tag: context.tag,
      reach,
      placeholders: placeholdersOf(path),
      known: more.known ?? {},
      item: more.item,
      schemas: more.schemas ?? (records && recordSchemas(records, context)),
      examples: more.examples,
    },
    context,
  );
}

// ---- system resources ----

function recordSchemas(definition: ResourceDefinition, context: PathsContext): SchemasOfRecords {
  const { components, form, prefix } = context;
  return resourceSchemas(definition, {
    components,
    form,
    prefix,
    related(relation, from) {
      const target = Object.hasOwn(resources, relation.resource)
        ? (resources[relation.resource as ResourceName] as unknown as ResourceDefinition)
        : undefined;
      if (!target) return {};
      // What has no address of its own goes with the record it belongs to.
      const isAddressed = context.operations.some(({ records }) => records === target);
      const place = isAddressed ? target.name : from.name;
      return {
        ...(mayVerb(context, 'GET', place) ? { read: target } : {}),
        ...(mayWrite(context, place) ? { write: target } : {}),
      };
    },
  });
}

const mayVerb = ({ caller, key }: PathsContext, verb: Verb, component: string, service = key): boolean =>
  (maskOf(caller, service, component) & verbMask[verb]) !== 0;

const mayWrite = (context: PathsContext, component: string): boolean =>
  (['POST', 'PUT', 'PATCH'] as const).some((verb) => mayVerb(context, verb, component));

// ---- items ----

/** The paths of each table or routine of a resource. */
async function* itemPaths(
  resource: string,
  byPath: Map<string, ListedOperation[]>,
  context: PathsContext,
): AsyncGenerator<Path> {
  const describe = context.items.describe[resource];
  if (!describe) return;
  const templates = [...byPath].filter(([, [first]]) => first?.items?.resource === resource);
  const tables = createTables(describe, resource, context);
  for (const name of context.items.names[resource] ?? []) {
    await pause();
    let parts: More | undefined;
    for (const [template, operations] of templates) {
      const placeholder = (operations[0] as ListedOperation).items?.placeholder as string;
      const path = template.replace(`{${placeholder}}`, () => encodeURIComponent(name));
      const item: Record<string, unknown> = {};
      for (const operation of operations) {
        const reach = reachOf(context, operation, { [placeholder]: name });
        if (!reach) continue;
        parts ??= await tables.of(name);
        // It is gone, or cannot be described.
        if (!parts) break;
        item[verbOf(operation)] = object(path, operation, reach, parts, context);
      }
      if (Object.keys(item).length > 0) yield [path, item];
    }
  }
}

/** The schemas of the tables of a service that is in the same document. */
export function tablesOf(resource: string, context: PathsContext): TablesOf | undefined {
  const describe = context.items.describe[resource];
  return describe && createTables(describe, resource, context).schemasOf;
}

/** The schemas of the tables of a service that is not: what their records hold, without relations that lead on. */
export const plainTablesOf =
  (
    describe: () => Promise<DescribeItem | undefined>,
    context: Pick<PathsContext, 'components' | 'form' | 'prefix'>,
  ): TablesOf =>
  (name) =>
    tableSchemas(name, async () => describeTable(await describe(), name), {
      ...context,
      related: () => ({}),
      isKnown: () => false,
    });

async function describeTable(describe: DescribeItem | undefined, name: string) {
  const description = describe && (await describeOrNot(describe, name));
  return description && 'table' in description ? description.table : undefined;
}

/** Undefined for what is gone, and for a view that its database cannot read any more. */
async function describeOrNot(describe: DescribeItem, name: string): Promise<ItemDescription | undefined> {
  try {
    return await describe(name);
  } catch (error) {
    if (
      error instanceof Failure &&
      ['table.unknown', 'routine.unknown', 'soap.unknownFunction', 'database.broken'].includes(error.key)
    )
      return undefined;
    throw error;
  }
}

/** What the documents say of the tables of a service, and of its routines. */
function createTables(describe: DescribeItem, resource: string, context: PathsContext) {
  const { components, form, prefix, caller, key } = context;
  const known = new Set(context.items.names[resource]);
  const place = (table: string) => `${resource}/${table}`;
  const mayRead = (table: string) => mayVerb(context, 'GET', place(table));
  const isWritten = (table: string) => mayWrite(context, place(table));

  const tableContext: TableContext = {
    components,
    form,
    prefix,
    isKnown: (table) => known.has(table) && maskOf(caller, key, place(table)) !== 0,
    related({ ref_table, ref_service_id }) {
      if (ref_service_id !== null) return elsewhere(ref_service_id, ref_table);
      if (!known.has(ref_table)) return {};
      return {
        ...(mayRead(ref_table) ? { read: schemasOf(ref_table).answer() } : {}),
        ...(isWritten(ref_table) ? { write: schemasOf(ref_table).change() } : {}),
      };
    },
  };
  /** Records of another service are read with these, and written by calls to that service. */
  const elsewhere = (id: number, table: string) => {
    const service = context.serviceKey(id);
    if (service === undefined || !mayVerb(context, 'GET', place(table), service)) return {};
    return { read: context.otherTables?.(id, resource)?.(table).answer() ?? ('any' as const) };
  };
  const schemasOf = (name: string) => tableSchemas(name, () => describeTable(describe, name), tableContext);

  return {
    schemasOf,
    async of(name: string): Promise<More | undefined> {
      const description = await describeOrNot(describe, name);
      if (!description) return undefined;
      if (!('table' in description)) return { item: { name, description } };
      const relations = description.table.related
        .filter((relation) => tableContext.related(relation).read !== undefined)
        .map(({ alias, name: relation }) => alias ?? relation);
      return {
        item: { name, description },
        schemas: schemasOf(name),
        examples: tableExamples(description.table, relations),
      };
    },
  };
}
