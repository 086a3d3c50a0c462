// What the audit knows of a table. Its entries name the service by its id and the table by its name at that time; a rename is an
// entry of the older name.
import type { AuditRecord } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import { renameOf } from './steps.ts';

export const pageSize = 50;
/** How many entries of other tables are looked through for an earlier name: their ids, and what they tell. */
const maxIds = 2000;
const maxEntries = 100;

interface Listing<T> {
  resource: T[];
  meta?: { count?: number };
}

const path = 'system/audit';
const historyKey = (serviceId: number, ...rest: unknown[]) => ['system', 'audit', 'table', serviceId, ...rest];
const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const ofService = (serviceId: number): string => `(resource = "service") and (record_id = "${serviceId}")`;

/** The table an entry tells of, by its name at that time. */
const tableNameOf = ({ record_name }: Pick<AuditRecord, 'record_name'>): string => {
  const [, ...rest] = (record_name ?? '').split('/_schema/');
  return rest.join('/_schema/');
};

/** A page of the entries of a table, newest first. A name may have been another service's name: the id counts. */
export const useEntries = (serviceId: number | null, table: string, page: number) =>
  useQuery({
    queryKey: historyKey(serviceId ?? 0, table, page),
    queryFn: async ({ signal }) => {
      const { resource, meta } = await api.get<Listing<AuditRecord>>(path, {
        query: {
          order: 'id desc',
          filter: `${ofService(serviceId ?? 0)} and (record_name ends with ${quote(`/_schema/${table}`)})`,
          limit: pageSize,
          offset: (page - 1) * pageSize || undefined,
          include_count: true,
        },
        signal,
      });
      // A pattern takes `_` for any sign, and ignores case.
      const entries = resource.filter((entry) => tableNameOf(entry) === table);
      return { entries, count: meta?.count ?? resource.length };
    },
    enabled: serviceId !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export interface EarlierName {
  name: string;
  /** When it was given up. */
  until: string | null;
}

/**
 * The names that were given up for that of a table, newest first. The audit cannot be searched for what its entries tell: names
 * that no table has any more come first, then others, as far as they are few.
 */
export const useEarlierNames = (
  serviceId: number | null,
  table: string,
  tables: readonly string[] | undefined,
  isWanted: boolean,
) =>
  useQuery({
    queryKey: historyKey(serviceId ?? 0, table, 'earlier', tables),
    queryFn: async ({ signal }): Promise<EarlierName[]> => {
      const order = 'id desc';
      const listed = await api.get<Listing<Pick<AuditRecord, 'id' | 'record_name'>>>(path, {
        query: {
          fields: 'id,record_name',
          order,
          filter: `${ofService(serviceId ?? 0)} and (record_name contains "/_schema/")`,
          limit: maxIds,
        },
        signal,
      });
      const ids = likelyIds(listed.resource, table, tables ?? []);
      if (ids.length === 0) return [];
      const { resource } = await api.get<Listing<AuditRecord>>(path, {
        query: {
          fields: 'id,record_name,created_date,before,after',
          order,
          filter: `(id in (${ids.join(',')}))`,
          limit: maxEntries,
        },
        signal,
      });
      return resource.flatMap((entry) => {
        const rename = renameOf(entry);
        return rename?.to === table ? [{ name: rename.from, until: entry.created_date }] : [];
      });
    },
    enabled: isWanted && serviceId !== null && tables !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Entries that may tell of a rename to a table: first the last ones of names that are gone. */
export function likelyIds(
  entries: readonly Pick<AuditRecord, 'id' | 'record_name'>[],
  table: string,
  tables: readonly string[],
): number[] {
  const others = entries.filter((entry) => tableNameOf(entry) !== table);
  const known = new Set(tables);
  const lastOfGone = others.filter((entry) => {
    const name = tableNameOf(entry);
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
  return [...new Set([...lastOfGone, ...others].map(({ id }) => id as number))].slice(0, maxEntries);
}

/** When the audit begins; null for one that is empty. */
export const useAuditStart = (isWanted: boolean) =>
  useQuery({
    queryKey: ['system', 'audit', 'start'],
    queryFn: async ({ signal }) => {
      const query = { fields: 'id,created_date', order: 'id asc', limit: 1 };
      const { resource } = await api.get<Listing<Pick<AuditRecord, 'created_date'>>>(path, { query, signal });
      return resource[0]?.created_date ?? null;
    },
    enabled: isWanted,
  });
