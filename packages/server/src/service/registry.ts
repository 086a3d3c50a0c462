// The services of this instance: which there are, of which type, and those that are open.
// Rows are cached until one changes; a service opens on first use and closes when its row changes.
import { chain, Failure, fail, type MaybePromise, type Verb } from '@sluice/contract';
import type { DatabaseLoad } from '@sluice/sql';
import type { Addressed } from '../access/gate.ts';
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
}

/** What is known of the service of an address without opening it. */
export interface AddressedService extends Addressed {
  row: ServiceRow;
  /** Absent when this server does not have the type of the row. */
  type: ServiceType | undefined;
}

/** Why a service that an address names takes no calls; undefined when it does (contract/http-basics.md §8). */
export function unavailable(key: string, service: AddressedService | undefined): Failure | undefined {
  if (!service) return fail('service.unknown', { service: key });
  if (!service.row.isActive) return fail('service.inactive', { service: service.row.name });
  return service.type ? undefined : fail('service.unsupportedType', { type: service.row.type });
}

export interface Services {
  readonly types: ServiceType[];
  type(name: string): ServiceType | undefined;
  /** In order of id. */
  rows(): Promise<ServiceRow[]>;
  addressed(key: string): MaybePromise<AddressedService | undefined>;
  /** The open service of a name; throws what `unavailable` says, and 503 when it does not open. */
  open(key: string): MaybePromise<Service>;
  /** As `open`, by id. */
  openById(id: number): Promise<Service>;
  /** How busy the open services are that have connections, by lower-cased name. */
  loads(): { service: string; load: DatabaseLoad }[];
  /** Tries a configuration without keeping anything open; throws the driver's words. */
  test(type: string, config: Record<string, unknown>, name: string): Promise<void>;
  /**
   * Forgets the rows and closes the services of the ids; called before a write to a service is acknowledged. Without
   * ids any row may have changed, and those that did are found when the rows are read again.
   */
  changed(ids?: number[]): Promise<void>;
  close(): Promise<void>;
}

/** A service and, to tell whether its row changed, all of that as text. */
interface KnownService {
  addressed: AddressedService;
  fingerprint: string;
}

/** A service that is opening, and the service itself once it is open. */
interface Opened {
  key: string;
  fingerprint: string;
  service: Promise<Service>;
  ready?: Service;
}

export interface RegistryParts {
  types: ServiceType[];
  /** Reads every service row from the store, configuration decrypted. */
  load(): Promise<ServiceRow[]>;
  context(row: Pick<ServiceRow, 'id' | 'name' | 'label'>): ServiceContext;
}

export function serviceRegistry({ types, load, context }: RegistryParts): Services {
  const byType = new Map(types.map((type) => [type.name, type]));
  const open = new Map<number, Opened>();
  let known: Promise<Map<string, KnownService>> | undefined;
  /** What `known` came to. */
  let loaded: Map<string, KnownService> | undefined;

  const knownService = (row: ServiceRow): KnownService => {
    const type = byType.get(row.type);
    const isPublic = (component: string, verb: Verb) => type?.routes.isPublic(component, verb) ?? false;
    return { addressed: { row, type, isPublic }, fingerprint: JSON.stringify(row) };
  };

  const rows = (): Promise<Map<string, KnownService>> => {
    if (!known) {
      const loading = load().then((list) => new Map(list.map((row) => [row.key, knownService(row)])));
      known = loading;
      loading.then(
        (found) => {
          if (known !== loading) return;
          loaded = found;
          closeOutdated([...found.values()]);
        },
        () => {
          if (known === loading) known = undefined;
        },
      );
    }
    return known;
  };

  const openKnown = (found: KnownService | undefined, key: string): MaybePromise<Service> => {
    const refusal = unavailable(key, found?.addressed);
    if (refusal) throw refusal;
    const { addressed, fingerprint } = found as KnownService;
    const row = addressed.row;
    const type = addressed.type as ServiceType;
    const there = open.get(row.id);
    if (there?.fingerprint === fingerprint) return there.ready ?? there.service;
    if (there) closeLater(row.id);
    const service = Promise.resolve()
      .then(() => type.open(row.config as never, context(row)))
      .catch((error: unknown) => {
        if (open.get(row.id)?.service === service) open.delete(row.id);
        if (error instanceof Failure) throw error;
        throw fail('service.unavailable', { service: row.name, problem: (error as Error).message }, { cause: error });
      });
    const opened: Opened = { key: row.key, fingerprint, service };
    service.then(
      (ready) => {
        opened.ready = ready;
      },
      () => {},
    );
    open.set(row.id, opened);
    return service;
  };

  const closeRow = async (id: number): Promise<void> => {
    const closing = open.get(id);
    open.delete(id);
    const service = await closing?.service.catch(() => undefined);
    await service?.close?.();
  };

  /** Nobody waits for it, so nobody hears if it fails: the service is out of use already. */
  const closeLater = (id: number): void => void closeRow(id).catch(() => {});

  const closeOutdated = (current: KnownService[]): void => {
    const now = new Map(current.map(({ addressed, fingerprint }) => [addressed.row.id, fingerprint]));
    for (const [id, { fingerprint }] of open) if (now.get(id) !== fingerprint) closeLater(id);
  };

  return {
    types,
    type: (name) => byType.get(name),
    rows: async () => [...(await rows()).values()].map(({ addressed }) => addressed.row),
    addressed: (key) => chain(loaded ?? rows(), (found) => found.get(key)?.addressed),
    open: (key) => chain(loaded ?? rows(), (found) => openKnown(found.get(key), key)),
    async openById(id) {
      const found = [...(await rows()).values()].find(({ addressed }) => addressed.row.id === id);
      return openKnown(found, found?.addressed.row.key ?? String(id));
    },
    loads: () =>
      [...open.values()].flatMap(({ key, ready }) => {
        const load = ready?.load?.();
        return load ? [{ service: key, load }] : [];
      }),
    async test(typeName, config, name) {
      const type = byType.get(typeName);
      if (!type) throw fail('service.unsupportedType', { type: typeName });
      await type.test?.(config as never, context({ id: 0, name, label: name }));
    },
    async changed(ids) {
      known = undefined;
      loaded = undefined;
      await Promise.all((ids ?? []).map(closeRow));
    },
    async close() {
      await Promise.all([...open.keys()].map(closeRow));
    },
  };
}
