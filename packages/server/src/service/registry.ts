// The services of this instance: their rows, their types, and those that are open.
// Rows are cached until one changes; a service opens on first use and closes when its row changes.
import { chain, Failure, fail, type MaybePromise, type Verb } from '@sluice/contract';
import type { GateTarget } from '../access/gate.ts';
import { createKey, type Key } from '../call/typed-map.ts';
import type { Service, ServiceContext, ServiceType } from './service.ts';

/** A configured service as the registry keeps it. */
export interface ServiceRow {
  id: number;
  /** Lower-cased name, as addresses are compared. */
  key: string;
  name: string;
  label: string;
  description: string | null;
  type: string;
  isActive: boolean;
  /** The configuration with its secrets in clear; never to be answered. */
  config: Record<string, unknown>;
  /** Of a configuration that names lookup keys, whose values are put in: why they could not be, and those that are private. */
  lookups?: { problem?: () => Failure; privateValues: string[] } | undefined;
}

/** For services that name others of the instance. */
export const serviceRows = createKey<() => Promise<ServiceRow[]>>('the rows of all services');

/** The service of an address, as far as it is known without opening it. */
export interface AddressedService extends GateTarget {
  row: ServiceRow;
  /** Absent when this server does not have the type of the row. */
  type: ServiceType | undefined;
}

/** Why a service that an address names accepts no calls; undefined when it does (contract/http-basics.md §8). */
export function unavailableReason(key: string, service: AddressedService | undefined): Failure | undefined {
  if (!service) return fail('service.unknown', { service: key });
  if (!service.row.isActive) return fail('service.inactive', { service: service.row.name });
  return service.type ? undefined : fail('service.unsupportedType', { type: service.row.type });
}

export interface Services {
  readonly types: ServiceType[];
  type(name: string): ServiceType | undefined;
  /** In order of id. */
  rows(): Promise<ServiceRow[]>;
  find(key: string): MaybePromise<AddressedService | undefined>;
  /** The open service of a name; throws `unavailableReason`, and 503 when it does not open. */
  open(key: string): MaybePromise<Service>;
  /** As `open`, by id. */
  openById(id: number): Promise<Service>;
  /** What the open services provide under a key, by lower-cased name. */
  provided<T>(key: Key<T>): { service: string; value: T }[];
  /** Tries a configuration without keeping anything open; throws the driver's words. */
  test(type: string, config: Record<string, unknown>, name: string): Promise<void>;
  /**
   * Forgets the rows and closes the services of the ids; called before a write to a service is acknowledged. Without
   * ids any row may have changed, and those that did are found when the rows are read again.
   */
  invalidate(ids?: number[]): Promise<void>;
  close(): Promise<void>;
}

/** A service, and its row as text to see whether it changed. */
interface Entry {
  addressed: AddressedService;
  fingerprint: string;
}

/** A service that is opening, and the service itself once it is open. */
interface OpenEntry {
  key: string;
  fingerprint: string;
  service: Promise<Service>;
  ready?: Service;
}

/** The configuration of a row; what lookups put in is checked as what was written is. Throws why they could not. */
function openableConfig({ config, lookups }: ServiceRow, type: ServiceType): ServiceRow['config'] {
  if (lookups?.problem) throw lookups.problem();
  if (lookups) type.check?.(config as never);
  return config;
}

export interface RegistryParts {
  types: ServiceType[];
  /** Reads every service row from the store, configuration decrypted. */
  load(): Promise<ServiceRow[]>;
  context(row: Pick<ServiceRow, 'id' | 'name' | 'label'>): ServiceContext;
}

export function createServiceRegistry({ types, load, context }: RegistryParts): Services {
  const typesByName = new Map(types.map((type) => [type.name, type]));
  const openServices = new Map<number, OpenEntry>();
  let loading: Promise<Map<string, Entry>> | undefined;
  /** The result of `loading`. */
  let entries: Map<string, Entry> | undefined;

  const createEntry = (row: ServiceRow): Entry => {
    const type = typesByName.get(row.type);
    const isPublic = (component: string, verb: Verb) => type?.routes.isPublic(component, verb) ?? false;
    return { addressed: { row, type, isPublic }, fingerprint: JSON.stringify(row) };
  };

  const loadEntries = (): Promise<Map<string, Entry>> => {
    if (!loading) {
      const current = load().then((rows) => new Map(rows.map((row) => [row.key, createEntry(row)])));
      loading = current;
      current.then(
        (loadedEntries) => {
          if (loading !== current) return;
          entries = loadedEntries;
          closeOutdated([...loadedEntries.values()]);
        },
        () => {
          if (loading === current) loading = undefined;
        },
      );
    }
    return loading;
  };

  const openEntry = (entry: Entry | undefined, key: string): MaybePromise<Service> => {
    const refusal = unavailableReason(key, entry?.addressed);
    if (refusal) throw refusal;
    const { addressed, fingerprint } = entry as Entry;
    const row = addressed.row;
    const type = addressed.type as ServiceType;
    const existing = openServices.get(row.id);
    if (existing?.fingerprint === fingerprint) return existing.ready ?? existing.service;
    if (existing) closeLater(row.id);
    const service = Promise.resolve()
      .then(() => type.open(openableConfig(row, type) as never, context(row)))
      .catch((error: unknown) => {
        if (openServices.get(row.id)?.service === service) openServices.delete(row.id);
        if (error instanceof Failure) throw error;
        throw fail('service.unavailable', { service: row.name, problem: (error as Error).message }, { cause: error });
      });
    const opened: OpenEntry = { key: row.key, fingerprint, service };
    service.then(
      (ready) => {
        opened.ready = ready;
      },
      () => {},
    );
    openServices.set(row.id, opened);
    return service;
  };

  const closeRow = async (id: number): Promise<void> => {
    const closing = openServices.get(id);
    openServices.delete(id);
    const service = await closing?.service.catch(() => undefined);
    await service?.close();
  };

  /** Nobody awaits it and its errors are ignored: the service is out of use already. */
  const closeLater = (id: number): void => void closeRow(id).catch(() => {});

  const closeOutdated = (current: Entry[]): void => {
    const fingerprints = new Map(current.map(({ addressed, fingerprint }) => [addressed.row.id, fingerprint]));
    for (const [id, { fingerprint }] of openServices) if (fingerprints.get(id) !== fingerprint) closeLater(id);
  };

  return {
    types,
    type: (name) => typesByName.get(name),
    rows: async () => [...(await loadEntries()).values()].map(({ addressed }) => addressed.row),
    find: (key) => chain(entries ?? loadEntries(), (services) => services.get(key)?.addressed),
    open: (key) => chain(entries ?? loadEntries(), (services) => openEntry(services.get(key), key)),
    async openById(id) {
      const entry = [...(await loadEntries()).values()].find(({ addressed }) => addressed.row.id === id);
      return openEntry(entry, entry?.addressed.row.key ?? String(id));
    },
    provided: (key) =>
      [...openServices.values()].flatMap(({ key: service, ready }) => {
        const value = ready?.provided(key);
        return value === undefined ? [] : [{ service, value }];
      }),
    async test(typeName, config, name) {
      const type = typesByName.get(typeName);
      if (!type) throw fail('service.unsupportedType', { type: typeName });
      await type.test?.(config as never, context({ id: 0, name, label: name }));
    },
    async invalidate(ids) {
      loading = undefined;
      entries = undefined;
      await Promise.all((ids ?? []).map(closeRow));
    },
    async close() {
      await Promise.all([...openServices.keys()].map(closeRow));
    },
  };
}
