// What an instance can export, as one chooses it: places with items. Pure.

/** What `GET system/package` answers, as far as it is used here. */
export interface Manifest {
  service?: Record<string, unknown>;
}

/** A service as `GET /` lists it. */
export interface ListedService {
  id: number;
  name: string;
  label: string;
  type: string;
}

export interface ListedType {
  name: string;
  label: string;
  group: string;
}

export type ItemId = string | number;

/** One thing that can be exported. */
export interface Item {
  id: ItemId;
  label: string;
}

/** Where items are: a resource of the system (`role`), a database, a file service. */
export interface Place {
  kind: 'system' | 'database' | 'files';
  type: string;
  typeLabel: string;
  /** Of the resource, or of the service. */
  name: string;
  items: readonly Item[];
  isAvailable: boolean;
}

export const placeKey = ({ kind, name }: Pick<Place, 'kind' | 'name'>): string => `${kind}/${name}`;

/** What the system resource `admin` and `user` list people by. */
interface ListedPerson {
  email?: string;
  first_name?: string | null;
  last_name?: string | null;
}

/**
 * The places of a manifest, in the order of its services (OPEN-212). Of a service that the manifest says nothing about but that it cannot
 * be reached, the kind is that of its type; one that is neither a database nor a file service has nothing to export.
 */
export function placesOf(
  manifest: Manifest,
  services: readonly ListedService[],
  types: readonly ListedType[],
): Place[] {
  const serviceOf = new Map(services.map((service) => [service.name, service]));
  const typeOf = new Map(types.map((type) => [type.name, type]));
  return Object.entries(manifest.service ?? {}).flatMap(([name, entry]): Place[] => {
    const typeName = serviceOf.get(name)?.type ?? (name === 'system' ? 'system' : '');
    const type = typeOf.get(typeName);
    const typeLabel = type?.label ?? (typeName || name);
    if (name === 'system') return systemPlaces(entry, typeName, typeLabel);
    const isAvailable = !(isObject(entry) && entry.reachable === false);
    if (type?.group === 'File' || Array.isArray(entry)) {
      const items = isAvailable ? filesOf(entry) : [];
      return [{ kind: 'files', type: typeName, typeLabel, name, items, isAvailable }];
    }
    if (type?.group !== 'Database' && !(isObject(entry) && '_schema' in entry)) return [];
    const items = isObject(entry)
      ? listOf(entry._schema).map((table) => ({ id: String(table), label: String(table) }))
      : [];
    return [{ kind: 'database', type: typeName, typeLabel: `${typeLabel} Schema`, name, items, isAvailable }];
  });
}

function systemPlaces(entry: unknown, type: string, typeLabel: string): Place[] {
  if (!isObject(entry)) return [];
  return Object.entries(entry).map(([name, list]) => ({
    kind: 'system',
    type,
    typeLabel,
    name,
    items: listOf(list).flatMap(systemItem),
    isAvailable: true,
  }));
}

/** A name, the id of a CORS rule, or a person, who is meant by their e-mail address (OPEN-213). */
function systemItem(entry: unknown): Item[] {
  if (typeof entry === 'string' || typeof entry === 'number') return [{ id: entry, label: String(entry) }];
  const { email, first_name, last_name } = (entry ?? {}) as ListedPerson;
  if (!email) return [];
  return [{ id: email, label: [email, first_name, last_name].filter(Boolean).join(' ') }];
}

/** Folders, and what lies in them (OPEN-213). */
const filesOf = (entry: unknown): Item[] =>
  listOf(entry).flatMap((path) =>
    typeof path === 'string' && path.indexOf('/', 1) > 0 ? [{ id: path, label: path }] : [],
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Items whose label has the words of a search. */
export function findItems(items: readonly Item[], searchText: string): readonly Item[] {
  const words = searchText.trim().toLowerCase();
  return words === '' ? items : items.filter(({ label }) => label.toLowerCase().includes(words));
}
