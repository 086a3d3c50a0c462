// The services of this instance: which there are, of which type, and those that are open.
// Rows are cached until one changes; a service opens on first use and closes when its row changes.
import { Failure, fail, type Soon, soon } from '@sluice/contract';
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

export interface Services {
  readonly types: ServiceType[];
  type(name: string): ServiceType | undefined;
  /** In order of id. */
  rows(): Promise<ServiceRow[]>;
  addressed(key: string): Soon<Addressed | undefined>;
  /** The row of a service that takes calls; throws what `open` throws, and opens nothing. */
  callable(key: string): Promise<ServiceRow>;
  /** The open service of a name; 404, 403 or 500 of contract/http-basics.md §8 when there is none to call. */
  open(key: string): Soon<Service>;
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

/** A row and, to tell whether it changed, all of it as text. */
interface Known {
  row: ServiceRow;
  as: string;
  addressed: Addressed;
}

/** A service that is opening, and the service itself once it is open. */
interface Opened {
  key: string;
  as: string;
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
  let known: Promise<Map<string, Known>> | undefined;
  /** What `known` came to. */
  let loaded: Map<string, Known> | undefined;

  const knownOf = (row: ServiceRow): Known => {
    const addressed = { type: row.type };
    return { row, as: JSON.stringify(row), addressed };
  };

  const rows = (): Promise<Map<string, Known>> => {
    if (!known) {
      const loading = load().then((list) => new Map(list.map((row) => [row.key, knownOf(row)])));
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

  const openRow = ({ row, as }: Known, type: ServiceType): Soon<Service> => {
    const there = open.get(row.id);
    if (there?.as === as) return there.ready ?? there.service;
    if (there) closeLater(row.id);
    const service = Promise.resolve()
      .then(() => type.open(row.config as never, context(row)))
      .catch((error: unknown) => {
        if (open.get(row.id)?.service === service) open.delete(row.id);
        if (error instanceof Failure) throw error;
        throw fail('service.unavailable', { service: row.name, problem: (error as Error).message }, { cause: error });
      });
    const opened: Opened = { key: row.key, as, service };
    service.then(
      (ready) => {
        opened.ready = ready;
      },
      () => {},
    );
    open.set(row.id, opened);
    return service;
  };

  const requireCallable = (found: Known | undefined, key: string): { known: Known; type: ServiceType } => {
    if (!found) throw fail('service.unknown', { service: key });
    const { row } = found;
    if (!row.isActive) throw fail('service.inactive', { service: row.name });
    const type = byType.get(row.type);
    if (!type) throw fail('service.unsupportedType', { type: row.type });
    return { known: found, type };
  };

  const openKnown = (found: Known | undefined, key: string): Soon<Service> => {
    const { known, type } = requireCallable(found, key);
    return openRow(known, type);
  };

  const closeRow = async (id: number): Promise<void> => {
    const closing = open.get(id);
    open.delete(id);
    const service = await closing?.service.catch(() => undefined);
    await service?.close?.();
  };

  /** Nobody waits for it, so nobody hears if it fails: the service is out of use already. */
  const closeLater = (id: number): void => void closeRow(id).catch(() => {});

  const closeOutdated = (current: Known[]): void => {
    const marks = new Map(current.map(({ row, as }) => [row.id, as]));
    for (const [id, { as }] of open) if (marks.get(id) !== as) closeLater(id);
  };

  return {
    types,
    type: (name) => byType.get(name),
    rows: async () => [...(await rows()).values()].map(({ row }) => row),
    addressed: (key) => soon(loaded ?? rows(), (found) => found.get(key)?.addressed),
    callable: async (key) => requireCallable((await rows()).get(key), key).known.row,
    open: (key) => soon(loaded ?? rows(), (found) => openKnown(found.get(key), key)),
    async openById(id) {
      const found = [...(await rows()).values()].find(({ row }) => row.id === id);
      return openKnown(found, found?.row.key ?? String(id));
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
