// The services of this instance: which there are, of which type, and those that are open.
// Rows are cached until one changes; a service opens on first use and closes when its row changes.
import { Failure, fail } from '@sluice/contract';
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
  addressed(key: string): Promise<Addressed | undefined>;
  /** The open service of a name; 404, 403 or 500 of contract/http-basics.md §8 when there is none to call. */
  open(key: string): Promise<Service>;
  /** Tries a configuration without keeping anything open; throws the driver's words. */
  test(type: string, config: Record<string, unknown>, name: string): Promise<void>;
  /** Forgets the rows and closes what changed; called before a write to a service is acknowledged. */
  changed(ids?: number[]): Promise<void>;
  close(): Promise<void>;
}

export interface RegistryParts {
  types: ServiceType[];
  /** Reads every service row from the store, configuration decrypted. */
  load(): Promise<ServiceRow[]>;
  context(row: Pick<ServiceRow, 'id' | 'name' | 'label'>): ServiceContext;
}

export function serviceRegistry({ types, load, context }: RegistryParts): Services {
  const byType = new Map(types.map((type) => [type.name, type]));
  const open = new Map<number, Promise<Service>>();
  let known: Promise<Map<string, ServiceRow>> | undefined;

  const rows = (): Promise<Map<string, ServiceRow>> => {
    if (!known) {
      const loading = load().then((list) => new Map(list.map((row) => [row.key, row])));
      known = loading;
      loading.catch(() => {
        if (known === loading) known = undefined;
      });
    }
    return known;
  };

  const openRow = (row: ServiceRow, type: ServiceType): Promise<Service> => {
    const there = open.get(row.id);
    if (there) return there;
    const opening = Promise.resolve()
      .then(() => type.open(row.config as never, context(row)))
      .catch((error: unknown) => {
        if (open.get(row.id) === opening) open.delete(row.id);
        if (error instanceof Failure) throw error;
        throw fail('service.unavailable', { service: row.name, problem: (error as Error).message }, { cause: error });
      });
    open.set(row.id, opening);
    return opening;
  };

  const closeRow = async (id: number): Promise<void> => {
    const closing = open.get(id);
    open.delete(id);
    const service = await closing?.catch(() => undefined);
    await service?.close?.();
  };

  return {
    types,
    type: (name) => byType.get(name),
    rows: async () => [...(await rows()).values()],
    async addressed(key) {
      const row = (await rows()).get(key);
      if (!row) return undefined;
      return { type: row.type, hasRecords: byType.get(row.type)?.group === 'Database' };
    },
    async open(key) {
      const row = (await rows()).get(key);
      if (!row) throw fail('service.unknown', { service: key });
      if (!row.isActive) throw fail('service.inactive', { service: row.name });
      const type = byType.get(row.type);
      if (!type) throw fail('service.unsupportedType', { type: row.type });
      return openRow(row, type);
    },
    async test(typeName, config, name) {
      const type = byType.get(typeName);
      if (!type) throw fail('service.unsupportedType', { type: typeName });
      await type.test?.(config as never, context({ id: 0, name, label: name }));
    },
    async changed(ids) {
      known = undefined;
      await Promise.all((ids ?? [...open.keys()]).map(closeRow));
    },
    async close() {
      await Promise.all([...open.keys()].map(closeRow));
    },
  };
}
