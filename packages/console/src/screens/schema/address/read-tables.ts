// Many tables of a service at once: their descriptions in slices, with what is needed of them kept.
import { ApiError, api } from '../../../api/index.ts';
import { type SchemaTable, schemaPath } from './sources.ts';

/** Names of one call; more would make the address too long and the progress too coarse. */
const sliceSize = 50;

export interface Progress {
  read: number;
  total: number;
}

export interface ReadTables<T> {
  tables: T[];
  /** Those the person may not read, or that went away meanwhile. */
  missing: string[];
}

interface Reading<T> {
  /** What is kept of a description: a thousand whole ones would fill the memory of a diagram. */
  keep: (table: SchemaTable) => T;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
}

/** The tables of these names, in their order. */
export async function readTables<T>(service: string, names: readonly string[], reading: Reading<T>) {
  const found: ReadTables<[name: string, table: T]> = { tables: [], missing: [] };
  for (const slice of sliceNames(names)) {
    reading.onProgress?.({ read: found.tables.length + found.missing.length, total: names.length });
    const part = await readSlice(service, slice, reading);
    found.tables.push(...part.tables);
    found.missing.push(...part.missing);
  }
  const placeOf = new Map(names.map((name, index) => [name, index]));
  const inOrder = found.tables.sort(([a], [b]) => (placeOf.get(a) ?? 0) - (placeOf.get(b) ?? 0));
  return { tables: inOrder.map(([, table]) => table), missing: found.missing };
}

/** Names for the calls: commas part names, so a name with one goes alone. */
export function sliceNames(names: readonly string[]): string[][] {
  const plain = names.filter((name) => !name.includes(','));
  const slices = names.filter((name) => name.includes(',')).map((name) => [name]);
  for (let start = 0; start < plain.length; start += sliceSize) slices.push(plain.slice(start, start + sliceSize));
  return slices;
}

const isGone = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status);

async function readSlice<T>(service: string, names: string[], reading: Reading<T>): Promise<ReadTables<[string, T]>> {
  try {
    const descriptions = await describe(service, names, reading.signal);
    return { tables: descriptions.map((table) => [table.name, reading.keep(table)]), missing: [] };
  } catch (error) {
    // One table that may not be read refuses all of a call.
    if (!isGone(error)) throw error;
    if (names.length <= 1) return { tables: [], missing: names };
    const middle = Math.ceil(names.length / 2);
    const head = await readSlice(service, names.slice(0, middle), reading);
    const tail = await readSlice(service, names.slice(middle), reading);
    return { tables: [...head.tables, ...tail.tables], missing: [...head.missing, ...tail.missing] };
  }
}

async function describe(service: string, names: string[], signal: AbortSignal | undefined): Promise<SchemaTable[]> {
  const below = (path: string) => `${encodeURIComponent(service)}/${path}`;
  const options = signal ? { signal } : {};
  const [first = ''] = names;
  if (first.includes(',')) return [await api.get<SchemaTable>(below(schemaPath(first)), options)];
  const query = { ids: names };
  return (await api.get<{ resource: SchemaTable[] }>(below(schemaPath()), { query, ...options })).resource;
}
