// What Home reads. What an instance does not have, or does not show to this person, is a part that is absent.
import type { AppUse, AuditRecord, ServiceUse } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError, api, currentSession, prefetch, type QueryValue, useSession } from '../../api/index.ts';

export interface ListedService {
  id: number;
  name: string;
  label: string;
  type: string;
  /** Absent where only services that take calls are listed. */
  is_active?: boolean;
}

export interface ServiceList {
  services: ListedService[];
  service_types: { name: string; label: string; group: string }[];
}

interface Listing<T> {
  resource: T[];
  meta?: { count?: number };
}

/** Services that are read at most; an instance with more has a list to search in. */
const maxServices = 1000;
/** Changes that are shown. */
const maxChanges = 8;
/** Records with an address; nested ones have audit entries of their own. */
export const changedResources = [
  'admin',
  'app',
  'cors',
  'custom',
  'email_template',
  'lookup',
  'role',
  'service',
  'user',
] as const;
const changeFilter = [
  `(resource in (${changedResources.map((name) => `"${name}"`).join(',')}))`,
  'and ((action = "create") or (action = "update") or (action = "delete"))',
].join(' ');
/** Milliseconds after which figures are read again when the page is looked at again. */
const figuresAge = 5_000;

/** An instance that does not know the address, or does not answer this person. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

const useIsAdmin = () => useSession()?.is_sys_admin === true;

interface Reading {
  queryKey: string[];
  path: string;
  query?: Record<string, QueryValue>;
}

/** What Home asks for; all but the first is for administrators. */
const readings = {
  // X-026: the services this person may call, and the types.
  names: { queryKey: ['service-names'], path: '' },
  services: {
    queryKey: ['system', 'service', 'home'],
    path: 'system/service',
    query: { fields: 'id,name,label,type,is_active', limit: maxServices },
  },
  serviceUse: { queryKey: ['system', 'service', 'use'], path: 'system/service/_use' },
  keyUse: { queryKey: ['system', 'app', 'use'], path: 'system/app/_use' },
  changes: {
    queryKey: ['system', 'audit', 'home'],
    path: 'system/audit',
    query: {
      fields: 'id,created_date,action,resource,record_id,record_name,user_email',
      filter: changeFilter,
      order: 'id desc',
      limit: maxChanges,
    },
  },
  failedJobs: {
    queryKey: ['system', 'job', 'home'],
    path: 'system/job',
    query: { fields: 'id', filter: 'state = "failed"', limit: 1, include_count: true },
  },
} satisfies Record<string, Reading>;

const read = <T>({ queryKey, path, query }: Reading) => ({
  queryKey,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<T>(path, { ...(query ? { query } : {}), signal }),
});

/** Asks for what Home shows, ahead of Home itself. */
export const prefetchHome = (): Promise<unknown> => {
  const { names, ...others } = readings;
  const wanted: Reading[] = currentSession()?.is_sys_admin ? [names, ...Object.values(others)] : [names];
  return Promise.all(wanted.map(({ queryKey, path, query }) => prefetch(queryKey, path, query ? { query } : {})));
};

export const useServiceNames = () => useQuery(read<ServiceList>(readings.names));

/** Records that only administrators are shown. */
const useListing = <T>(reading: Reading, options: Partial<typeof figures> = {}) =>
  useQuery({
    ...read<Listing<T>>(reading),
    select: ({ resource }) => resource,
    enabled: useIsAdmin(),
    ...options,
  });

/** Read again when one comes back from a terminal: a call may have been made there. */
const figures = { staleTime: figuresAge, refetchOnWindowFocus: true } as const;

/** Every service, those that take no calls among them. */
export const useAllServices = () => useListing<ListedService>(readings.services);
export const useServiceUse = () => useListing<ServiceUse>(readings.serviceUse, figures);
export const useKeyUse = () => useListing<AppUse>(readings.keyUse, figures);

/** The last changes of system records; sign-ins and tests are none. */
export const useRecentChanges = () => useListing<AuditRecord>(readings.changes);

/** How many jobs failed for good. */
export const useFailedJobs = () =>
  useQuery({
    ...read<Listing<{ id: number }>>(readings.failedJobs),
    select: ({ meta }) => meta?.count ?? 0,
    enabled: useIsAdmin(),
    ...figures,
  });
