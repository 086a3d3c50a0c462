// API docs: what services offer as OpenAPI documents, made of the tables of operations (service/operation.ts) and of what the
// items of services say of themselves, as far as the caller may use it.
import { pause } from '@sluice/sql';
import { maskOfService } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import { createKey } from '../call/typed-map.ts';
import type { DescribeItem } from '../service/operation.ts';
import type { ServiceRow, Services } from '../service/registry.ts';
import type { ListedOperation } from '../service/route-table.ts';
import { withTimeout } from '../store/dialects/within.ts';
import type { DocumentedService, OtherService } from './document.ts';
import type { ServiceItems } from './service-paths.ts';
import type { StoredDefinitions } from './stored.ts';

export { documentOf } from './document.ts';
export type { Form } from './schema.ts';
export { type TextFormat, writeParts } from './write.ts';

/** What documents need of the instance. */
export type DocumentedServices = Pick<Services, 'rows' | 'type' | 'open'> & Pick<StoredDefinitions, 'of'>;

/** What services of API docs require of the instance. */
export const documentedServices = createKey<() => DocumentedServices>('the services that documents describe');

/** Milliseconds that a document waits for a service that does not open. */
const openTimeout = 5_000;

/** The services a caller is shown, by name (contract/role-access.md §4). */
export async function visibleServices(services: DocumentedServices, caller: Caller): Promise<ServiceRow[]> {
  const rows = await services.rows();
  return rows.filter((row) => row.isActive && services.type(row.type) && maskOfService(caller, row.key) !== 0);
}

/** Services that are opened at once, and milliseconds until one that takes long lets the next begin. */
const maxOpening = 4;
const openingTurn = 100;

/**
 * What a document says of services; the items of one that does not open are left out. `refresh` has them read again, for callers
 * who may do that themselves. Hundreds are opened a few at a time, so that others have their turn in between.
 */
export async function readServices(
  services: DocumentedServices,
  rows: readonly ServiceRow[],
  { refresh }: { refresh: boolean },
): Promise<DocumentedService[]> {
  const reading: Promise<DocumentedService>[] = [];
  const entries = rows.entries();
  const readNext = async () => {
    for (const [index, row] of entries) {
      await pause();
      const read = readOne(services, row, rows.length === 1, refresh);
      reading[index] = read;
      await withTimeout(openingTurn, read).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxOpening, rows.length) }, readNext));
  return Promise.all(reading);
}

async function readOne(
  services: DocumentedServices,
  row: ServiceRow,
  isAlone: boolean,
  refresh: boolean,
): Promise<DocumentedService> {
  const routes = services.type(row.type)?.routes;
  const operations = routes?.operations ?? [];
  const leadsTo: DocumentedService['leadsTo'] = (address, { path, verb }) =>
    routes?.match(address, verb)?.operation.path === path;
  const definition = await definitionOf(services, row, isAlone);
  if (definition) return { row, operations, leadsTo, definition, items: noItems, isUnread: false };
  const items = await withTimeout(openTimeout, readItems(services, row, operations, refresh)).catch(() => undefined);
  return { row, operations, leadsTo, items: items ?? noItems, isUnread: items === undefined };
}

/** In a document of several services, one whose definition cannot be read is described as if it had none. */
async function definitionOf(services: DocumentedServices, { id }: ServiceRow, isAlone: boolean) {
  try {
    return await services.of(id);
  } catch (error) {
    if (isAlone) throw error;
    return undefined;
  }
}

/** The services that relations lead to, each opened once, within the time that those of a document have. */
export function otherServices(services: DocumentedServices, rows: readonly ServiceRow[]) {
  const byId = new Map(
    rows.filter(({ isActive, type }) => isActive && services.type(type)).map((row) => [row.id, row]),
  );
  const opened = new Map<string, Promise<DescribeItem | undefined>>();
  return (id: number): OtherService | undefined => {
    const row = byId.get(id);
    if (!row) return undefined;
    const open = async (resource: string) => (await services.open(row.key)).describeItems(resource);
    return {
      name: row.name,
      describe(resource) {
        const key = `${row.key} ${resource}`;
        const opening = opened.get(key) ?? withTimeout(openTimeout, open(resource)).catch(() => undefined);
        opened.set(key, opening);
        return opening;
      },
    };
  };
}

const noItems: ServiceItems = { names: {}, describe: {} };

async function readItems(
  services: DocumentedServices,
  { key }: ServiceRow,
  operations: readonly ListedOperation[],
  refresh: boolean,
): Promise<ServiceItems> {
  const resources = [...new Set(operations.flatMap(({ items }) => items?.resource ?? []))];
  if (resources.length === 0) return noItems;
  const service = await services.open(key);
  const items: ServiceItems = { names: {}, describe: {} };
  for (const [index, resource] of resources.entries()) {
    items.names[resource] = await service.itemNames(resource, refresh && index === 0);
    items.describe[resource] = await service.describeItems(resource);
  }
  return items;
}
