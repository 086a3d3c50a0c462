// What of the instance a caller may use by GraphQL: services with tables, and of each table the verbs that documents show, by the same
// function (openapi/reach.ts). A service is opened when something of it is asked for.
import {
  Failure,
  graphqlTable,
  type RelationDescription,
  type RoutineWord,
  type TableDescription,
  type Verb,
  verbMask,
} from '@sluice/contract';
import { pause } from '@sluice/sql';
import { maskOf } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import { agentServices, findAgentService } from '../mcp/agent-services.ts';
import type { DocumentedServices } from '../openapi/index.ts';
import { reachOf } from '../openapi/reach.ts';
import type { DescribeItem, ItemDescription, RoutineDescription } from '../service/operation.ts';
import type { ServiceRow } from '../service/registry.ts';
import type { ListedOperation } from '../service/route-table.ts';

/** A table of a caller, and what they may do there. */
export interface CatalogTable {
  /** Lower-cased name of the service. */
  service: string;
  name: string;
  /** What the names of its types begin with. */
  typeName: string;
  description: TableDescription;
  /** Verbs of records by id, and of the list of them. */
  verbs: { one: ReadonlySet<Verb>; list: ReadonlySet<Verb> };
  /** Those that lead to tables which the caller may read or write; filled by `relate`. */
  relations: CatalogRelation[];
}

export interface CatalogRelation {
  relation: RelationDescription;
  target: CatalogTable;
  canRead: boolean;
  canWrite: boolean;
}

/** A procedure or function that the caller may call. */
export interface CatalogRoutine {
  service: string;
  name: string;
  word: RoutineWord;
  /** Of the resource that it is called at. */
  resource: string;
  description: RoutineDescription;
}

interface Routines {
  names: ReadonlySet<string>;
  describe: DescribeItem;
}

interface OpenService {
  row: ServiceRow;
  names: ReadonlySet<string>;
  describe: DescribeItem;
  operations: readonly ListedOperation[];
  leadsTo(address: string, operation: { path: string; verb: Verb }): boolean;
}

const routineResources = { Procedure: '_proc', Function: '_func' } as const;
export const routineWords = ['Procedure', 'Function'] as const satisfies readonly RoutineWord[];

const resource = '_table';
const place = (table: string) => `${resource}/${table}`;
const listPath = `${resource}/{table_name}`;

export class Catalog {
  private readonly services: DocumentedServices;
  private readonly caller: Caller;
  private readonly opened = new Map<string, Promise<OpenService | undefined>>();
  private readonly tables = new Map<string, Promise<CatalogTable | undefined>>();
  private readonly routines = new Map<string, Promise<Routines | undefined>>();

  constructor(services: DocumentedServices, caller: Caller) {
    this.services = services;
    this.caller = caller;
  }

  /** The services with tables, in order of id. */
  async serviceKeys(): Promise<string[]> {
    const rows = await agentServices(this.services, this.caller);
    return rows.filter(({ type }) => this.services.type(type)?.can.tables).map(({ key }) => key);
  }

  /** The names of the tables of a service; none where the caller is shown none. */
  async tableNames(service: string): Promise<string[]> {
    return [...((await this.open(service))?.names ?? [])];
  }

  /** Undefined for a table that is not there, and for one that the caller reaches with no verb. */
  table(service: string, name: string): Promise<CatalogTable | undefined> {
    const key = `${service} ${name}`;
    let table = this.tables.get(key);
    if (!table) {
      table = this.describe(service, name);
      this.tables.set(key, table);
    }
    return table;
  }

  /** The names of the routines of a service; none where it has no such. */
  async routineNames(service: string, word: RoutineWord): Promise<string[]> {
    return [...((await this.routinesOf(service, word))?.names ?? [])];
  }

  /** Undefined for a routine that is not there, and for one that the caller may not call. */
  async routine(service: string, word: RoutineWord, name: string): Promise<CatalogRoutine | undefined> {
    const routines = await this.routinesOf(service, word);
    // Its address would have values in parentheses.
    if (!routines?.names.has(name) || name.includes('(')) return undefined;
    const { row, operations, leadsTo } = (await this.open(service)) as OpenService;
    const resource = routineResources[word];
    const isReached = operations.some(
      (operation) =>
        operation.verb === 'POST' &&
        operation.items?.resource === resource &&
        operation.path.split('/').length === 2 &&
        reachOf({ caller: this.caller, key: row.key, leadsTo }, operation, { [operation.items.placeholder]: name }),
    );
    const description = isReached ? await describeItem(routines.describe, name) : undefined;
    if (!description || !('routine' in description)) return undefined;
    await pause();
    return { service, name, word, resource, description: description.routine };
  }

  private routinesOf(service: string, word: RoutineWord): Promise<Routines | undefined> {
    const key = `${service} ${word}`;
    let reading = this.routines.get(key);
    if (!reading) {
      reading = this.readRoutines(service, routineResources[word]);
      this.routines.set(key, reading);
    }
    return reading;
  }

  private async readRoutines(key: string, resource: string): Promise<Routines | undefined> {
    const open = await this.open(key);
    if (!open?.operations.some(({ items }) => items?.resource === resource)) return undefined;
    const service = await this.services.open(open.row.key);
    const describe = await service.describeItems(resource);
    return describe && { names: new Set(await service.itemNames(resource)), describe };
  }

  /** Fills in the relations of a table that `isWanted` names. `all`: but those to services that do not open. */
  async relate(table: CatalogTable, isWanted: 'all' | ((relation: string) => boolean)): Promise<void> {
    const wanted = table.description.related.filter(({ name }) => isWanted === 'all' || isWanted(name));
    table.relations = [];
    for (const relation of wanted) {
      const finding = this.related(table.service, relation);
      const found = await (isWanted === 'all' ? finding.catch(() => undefined) : finding);
      if (found) table.relations.push(found);
    }
  }

  private async related(service: string, relation: RelationDescription): Promise<CatalogRelation | undefined> {
    const key = await this.keyOf(service, relation.ref_service_id);
    const isReadable = key !== undefined && (await this.mayReadJunction(service, relation));
    const target = key === undefined ? undefined : await this.table(key, relation.ref_table);
    if (!target || key === undefined) return undefined;
    const mask = maskOf(this.caller, key, place(target.name));
    const canRead = isReadable && (mask & verbMask.GET) !== 0;
    const canWrite = key === service && (mask & (verbMask.POST | verbMask.PUT | verbMask.PATCH)) !== 0;
    return canRead || canWrite ? { relation, target, canRead, canWrite } : undefined;
  }

  /** The records of many-to-many relations are read through the table in between. */
  private async mayReadJunction(service: string, relation: RelationDescription): Promise<boolean> {
    if (relation.type !== 'many_many' || relation.junction_table === null) return true;
    if (this.caller.user?.isAdmin) return true;
    const key = await this.keyOf(service, relation.junction_service_id);
    if (key === undefined) return false;
    const names = (await this.open(key))?.names;
    // By another name than its own it cannot be told from here.
    if (!names?.has(relation.junction_table)) return false;
    return (maskOf(this.caller, key, place(relation.junction_table)) & verbMask.GET) !== 0;
  }

  private async keyOf(service: string, id: number | null): Promise<string | undefined> {
    const rows = await this.services.rows();
    const own = rows.find(({ key }) => key === service);
    if (id === null || id === own?.id) return service;
    return rows.find((row) => row.id === id)?.key;
  }

  private open(service: string): Promise<OpenService | undefined> {
    let opening = this.opened.get(service);
    if (!opening) {
      opening = this.openNow(service);
      this.opened.set(service, opening);
    }
    return opening;
  }

  private async openNow(key: string): Promise<OpenService | undefined> {
    const row = await findAgentService(this.services, this.caller, key);
    const type = row && this.services.type(row.type);
    if (!row || !type?.can.tables) return undefined;
    const service = await this.services.open(row.key);
    const describe = await service.describeItems(resource);
    if (!describe) return undefined;
    const { routes } = type;
    return {
      ...{ row, describe, operations: routes.operations },
      names: new Set(await service.itemNames(resource)),
      leadsTo: (address, { path, verb }) => routes.match(address, verb)?.operation.path === path,
    };
  }

  private async describe(serviceKey: string, name: string): Promise<CatalogTable | undefined> {
    const service = await this.open(serviceKey);
    // A name with a slash would make another address.
    if (!service?.names.has(name) || name.includes('/')) return undefined;
    const verbs = this.verbsOf(service, name);
    if (verbs.one.size + verbs.list.size === 0) return undefined;
    const description = await describeTable(service.describe, name);
    if (!description) return undefined;
    await pause();
    const typeName = graphqlTable(serviceKey, name);
    return { service: serviceKey, name, typeName, description, verbs, relations: [] };
  }

  private verbsOf({ row, operations, leadsTo }: OpenService, table: string): CatalogTable['verbs'] {
    const reached = (isWanted: (path: string) => boolean) =>
      new Set(
        operations
          .filter(
            (operation) =>
              isWanted(operation.path) &&
              reachOf({ caller: this.caller, key: row.key, leadsTo }, operation, { table_name: table }),
          )
          .map(({ verb }) => verb),
      );
    return {
      one: reached((path) => path.startsWith(`${listPath}/`) && path.split('/').length === 3),
      list: reached((path) => path === listPath),
    };
  }
}

async function describeTable(describe: DescribeItem, name: string): Promise<TableDescription | undefined> {
  const description = await describeItem(describe, name);
  return description && 'table' in description ? description.table : undefined;
}

/** Undefined for what is gone, and for a view that its database cannot read any more. */
async function describeItem(describe: DescribeItem, name: string): Promise<ItemDescription | undefined> {
  try {
    return await describe(name);
  } catch (error) {
    if (error instanceof Failure && ['table.unknown', 'routine.unknown', 'database.broken'].includes(error.key))
      return undefined;
    throw error;
  }
}
