// The definitions that services have of their own, by service, read once and kept until one changes.
import { chain, type MaybePromise } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { createKey } from '../call/typed-map.ts';
import { affects, type Store } from '../store/index.ts';
import { type DefinedOperation, type Definition, readDefinition } from './definition.ts';

export interface StoredDefinitions {
  /**
   * The definition of a service by its id; undefined where it has none. Throws `definition.badFormat` and
   * `definition.unreadable`.
   */
  of(serviceId: number): MaybePromise<Definition | undefined>;
  /** What of a definition an address below the service belongs to; undefined where nothing does, or nothing can be read. */
  match(serviceId: number, path: string): MaybePromise<DefinedPath | undefined>;
}

/** A path template that an address belongs to. */
export interface DefinedPath {
  /** `customers/{id}` */
  path: string;
  /** The parts of the address at its placeholders, by their names. */
  values: Record<string, string>;
}

/** For services whose addresses are those of their definition. */
export const storedDefinitions = createKey<StoredDefinitions>('the definitions of services');

/** Characters of definitions that are kept, as they were written; read they take some times as much. */
const maxText = 4 * 1024 * 1024;

interface Entry {
  size: number;
  /** What reading gave, or threw. */
  read: () => Definition | undefined;
  templates: readonly Template[];
}

interface Template {
  path: string;
  parts: string[];
}

export function createStoredDefinitions({ db, bus }: Pick<Store, 'db' | 'bus'>): StoredDefinitions {
  const entries = new LRUCache<number, Entry>({ maxSize: maxText, sizeCalculation: ({ size }) => size + 100 });
  const loading = new Map<number, Promise<Entry>>();
  bus.subscribe((change) => {
    // A name and a label stand in for placeholders.
    if (!affects(change, 'service_doc') && !affects(change, 'service')) return;
    entries.clear();
    loading.clear();
  });

  function load(id: number): Promise<Entry> {
    const reading = loadEntry(db, id);
    loading.set(id, reading);
    const isCurrent = () => loading.get(id) === reading;
    reading.then(
      (entry) => void (isCurrent() && loading.delete(id) && entries.set(id, entry)),
      () => void (isCurrent() && loading.delete(id)),
    );
    return reading;
  }
  const entryOf = (id: number): MaybePromise<Entry> => entries.get(id) ?? loading.get(id) ?? load(id);

  return {
    of: (serviceId) => chain(entryOf(serviceId), ({ read }) => read()),
    match: (serviceId, path) => chain(entryOf(serviceId), ({ templates }) => matchTemplate(templates, path)),
  };
}

async function loadEntry(db: Store['db'], id: number): Promise<Entry> {
  const row = await db
    .selectFrom('service_doc')
    .innerJoin('service', 'service.id', 'service_doc.service_id')
    .select(['content', 'format', 'name', 'label', 'description'])
    .where('service_id', '=', id)
    .executeTakeFirst();
  if (!row) return { size: 0, read: () => undefined, templates: [] };
  const size = row.content?.length ?? 0;
  try {
    const definition = readDefinition(row, row);
    return { size, read: () => definition, templates: templatesOf(definition?.operations ?? []) };
  } catch (error) {
    const read = () => {
      throw error;
    };
    return { size, read, templates: [] };
  }
}

/** The paths of a definition, those with words first: `customers/me` before `customers/{id}`. */
function templatesOf(operations: DefinedOperation[]): Template[] {
  const templates = [...new Set(operations.map(({ path }) => path))]
    .filter((path) => path !== '')
    .map((path) => ({ path, parts: path.split('/') }));
  const shape = ({ parts }: Template) => parts.map((part) => (isPlaceholder(part) ? '1' : '0')).join('');
  return templates.sort((a, b) => (shape(a) < shape(b) ? -1 : 1));
}

const isPlaceholder = (part: string): boolean => /^\{[^{}]+\}$/.test(part);

function matchTemplate(templates: readonly Template[], path: string): DefinedPath | undefined {
  if (templates.length === 0) return undefined;
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const template = templates.find(
    (candidate) =>
      candidate.parts.length === parts.length &&
      candidate.parts.every((part, index) => part === parts[index] || isPlaceholder(part)),
  );
  if (!template) return undefined;
  const values = template.parts.flatMap((part, index) =>
    isPlaceholder(part) ? [[part.slice(1, -1), parts[index] as string] as const] : [],
  );
  return { path: template.path, values: Object.fromEntries(values) };
}
