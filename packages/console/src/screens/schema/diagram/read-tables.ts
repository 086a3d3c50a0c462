// All tables of a service at once, for the diagram: their descriptions in slices, with what of them is drawn kept.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../../api/index.ts';
import { type SchemaTable, tableQuery, tablesQuery } from '../address/sources.ts';
import { type DiagramTable, toDiagramTable } from './model.ts';

/** Names of one call; more would make the address too long and the progress too coarse. */
const sliceSize = 50;

export interface Progress {
  read: number;
  total: number;
}

interface ReadTables {
  tables: DiagramTable[];
  /** Those the person may not read, or that went away meanwhile. */
  missing: string[];
}

const isGone = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status);

async function readSlice(service: string, names: string[], signal: AbortSignal): Promise<ReadTables> {
  try {
    const [first = ''] = names;
    if (first.includes(',')) return { tables: [toDiagramTable(await readOne(service, first, signal))], missing: [] };
    const path = `${encodeURIComponent(service)}/_schema`;
    const { resource } = await api.get<{ resource: SchemaTable[] }>(path, { query: { ids: names }, signal });
    return { tables: resource.map(toDiagramTable), missing: [] };
  } catch (error) {
    // One table that may not be read refuses all of a call.
    if (!isGone(error)) throw error;
    if (names.length <= 1) return { tables: [], missing: names };
    const middle = Math.ceil(names.length / 2);
    const head = await readSlice(service, names.slice(0, middle), signal);
    const tail = await readSlice(service, names.slice(middle), signal);
    return { tables: [...head.tables, ...tail.tables], missing: [...head.missing, ...tail.missing] };
  }
}

const readOne = (service: string, name: string, signal: AbortSignal) => tableQuery(service, name).queryFn({ signal });

/** Names for the calls: commas part names, so a name with one goes alone. */
export function sliceNames(names: string[]): string[][] {
  const plain = names.filter((name) => !name.includes(','));
  const slices = names.filter((name) => name.includes(',')).map((name) => [name]);
  for (let start = 0; start < plain.length; start += sliceSize) slices.push(plain.slice(start, start + sliceSize));
  return slices;
}

async function readTables(
  service: string,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<ReadTables> {
  // Not from the cache: this call makes the server look at the database again.
  const names = (await tablesQuery(service).queryFn({ signal })).map(({ name }) => name);
  const found: ReadTables = { tables: [], missing: [] };
  for (const slice of sliceNames(names)) {
    report({ read: found.tables.length + found.missing.length, total: names.length });
    const part = await readSlice(service, slice, signal);
    found.tables.push(...part.tables);
    found.missing.push(...part.missing);
  }
  return { ...found, tables: found.tables.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** The tables of a service as they are drawn, and how far their reading is. Leaving the diagram stops it. */
export function useDiagramTables(service: string) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const query = useQuery({
    queryKey: ['schema', service, 'diagram'],
    queryFn: ({ signal }) => readTables(service, signal, setProgress),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { ...query, progress };
}
