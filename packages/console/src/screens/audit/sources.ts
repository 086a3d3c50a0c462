// Reading the audit: a page of it, one entry, a file of it.
import { type AuditRecord, type FailedCall, resources } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, download } from '../../api/index.ts';
import type { EditorAddressOf } from '../../frame/screen-list.ts';
import { useAppNames } from '../../list/shared-queries.ts';
import { type AuditState, filterOf, pageSize } from './audit-state.ts';

interface Listing {
  resource?: AuditRecord[];
  meta?: { count?: number };
}

const path = 'system/audit';
const order = 'id desc';

/** A page of entries, newest first, without what each one changed. */
export const useEntries = (state: AuditState) =>
  useQuery({
    queryKey: ['system', 'audit', 'list', state],
    queryFn: ({ signal }) =>
      api.get<Listing>(path, {
        query: {
          fields: listedFields,
          order,
          filter: filterOf(state),
          limit: pageSize,
          offset: (state.page - 1) * pageSize || undefined,
          include_count: true,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
const listedFields = ['id', 'created_date', 'action', 'resource', 'record_id', 'record_name']
  .concat('user_id', 'user_email', 'app_id', 'ip_address', 'outcome')
  .join(',');

/** One entry with all it tells; entries never change. */
export const useEntry = (id: string) =>
  useQuery({
    queryKey: ['system', 'audit', 'one', id],
    queryFn: ({ signal }) => api.get<AuditRecord>(`${path}/${encodeURIComponent(id)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type { FailedCall };

/** The last failed calls of a service. */
export const useFailedCalls = (service: string) =>
  useQuery({
    queryKey: ['system', 'service', 'failures', service],
    queryFn: async ({ signal }) =>
      (await api.get<{ resource: FailedCall[] }>('system/service/_failures', { query: { service }, signal })).resource,
    enabled: service !== '',
    refetchOnWindowFocus: true,
  });

/** Names of services, to choose from. */
export const useServiceNames = () =>
  useQuery({
    queryKey: ['system', 'service', 'names'],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ resource: { name: string }[] }>('system/service', {
          query: { fields: 'name', order: 'name', limit: maxNames },
          signal,
        })
      ).resource.map(({ name }) => name),
  });
const maxNames = 1_000;

/** The name of an app by its id; an instance that does not tell it leaves the id. */
export function useAppName(): (id: number) => string {
  const { data } = useAppNames();
  return (id) => data?.find((app) => app.id === id)?.name ?? `#${id}`;
}

/** What the filter offers; the audit may know others. */
export const resourceNames = Object.keys(resources).filter((name) => name !== 'audit');

/** Saves the entries of a state of the audit as a file. The session goes in a header: an address would end up in logs. */
export async function exportEntries(format: 'csv' | 'json', state: AuditState): Promise<void> {
  const file = `audit.${format}`;
  const content = await api.get<Blob>(path, { query: { order, filter: filterOf(state), file }, as: 'blob' });
  const address = URL.createObjectURL(content);
  download(address, file);
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), urlLifetime);
}
const urlLifetime = 60_000;

/** The editor of the record an entry tells of; null when it has none, is gone, or someone only said to be it. */
export function editorOf(entry: Partial<AuditRecord>, editorAddress: EditorAddressOf): string | null {
  const { resource = null, record_id: id = null, action, outcome } = entry;
  const isOpenable = action !== 'delete' && !(action === 'sign_in' && outcome !== 'ok');
  return isOpenable ? editorAddress(resource, id) : null;
}
