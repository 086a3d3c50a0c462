// What the Roles screen reads besides the roles: services and their types, what rows may name in them, and who has a role.
import { isInGroup, unfilteredDatabaseTypes } from '@sluice/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError, api, useEnvironment } from '../../api/index.ts';
import { resourceKey } from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';

/** The words of the permission message (OPEN-063). */
export const permissionTexts = { resources: 'system/role', things: 'roles' };

/** A service as `GET /api/v2` lists it, which leaves out those that are not active (contract/http-basics.md §9). */
interface ListedService {
  id: number;
  name: string;
  label: string;
  type: string;
}

export interface Service extends ListedService {
  isActive: boolean;
}

interface ServiceType {
  name: string;
  group: string;
}

export interface Services {
  list: readonly Service[];
  find: (id: number | null) => Service | undefined;
  /** The type of a service; undefined for no service, and while the types were not read. */
  typeOf: (service: Service | undefined) => ServiceType | undefined;
  /** Whether all were read: until then a service that is not found may well be there. */
  isLoaded: boolean;
  error: Error | null;
  /** Why those that are not active are missing. */
  inactiveError: Error | null;
  retry: () => void;
}

const maxAge = 60_000;
/** As many inactive services as can be chosen. */
const maxInactive = 1000;

/** The services rows may point to, and the groups of their types (ROL-026, C-ROL-02). */
export function useServices(): Services {
  const { data, error, refetch } = useQuery({
    queryKey: ['services', 'all'],
    queryFn: ({ signal }) => api.get<{ services: ListedService[]; service_types: ServiceType[] }>('', { signal }),
    staleTime: maxAge,
  });
  const {
    data: inactive,
    error: inactiveError,
    refetch: refetchInactive,
  } = useQuery({
    queryKey: [...resourceKey('service'), 'inactive'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: ListedService[] }>('system/service', {
        query: { fields: 'id,name,label,type', filter: 'is_active = false', order: 'name asc', limit: maxInactive },
        signal,
      }),
    select: ({ resource = [] }) => resource,
    staleTime: maxAge,
  });
  useEffect(() => {
    if (error) notify.error(text('roles:title'), text('roles:loadFailed'));
  }, [error]);
  return useMemo(() => {
    const list = [
      ...(data?.services ?? []).map((service) => ({ ...service, isActive: true })),
      ...(inactive ?? []).map((service) => ({ ...service, isActive: false })),
    ];
    // A service may have been switched between the two calls.
    const byId = new Map(list.toReversed().map((service) => [service.id, service]));
    const types = new Map(data?.service_types.map((type) => [type.name, type]));
    return {
      list: [...new Set(list.map(({ id }) => byId.get(id) as Service))],
      find: (id) => (id === null ? undefined : byId.get(id)),
      typeOf: (service) => service && types.get(service.type),
      isLoaded: data !== undefined && inactive !== undefined,
      error,
      inactiveError,
      retry: () => {
        if (error) void refetch();
        if (inactiveError) void refetchInactive();
      },
    };
  }, [data, error, inactive, inactiveError, refetch, refetchInactive]);
}

/** Whether roles can filter the records of a service: databases, but for a few types (ROL-018). */
export function canFilter(services: Services, service: Service | undefined): boolean {
  const type = services.typeOf(service);
  return type !== undefined && isInGroup(type, 'Database') && !unfilteredDatabaseTypes.includes(type.name);
}

/** All services, and those that have no list of their own (ROL-014, OPEN-161). */
const rootOnly: readonly string[] = ['', '*'];

const componentsQuery = (service: string) => ({
  queryKey: ['services', 'components', service],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<{ resource: string[] }>(`${encodeURIComponent(service)}/`, { query: { as_access_list: true }, signal }),
  staleTime: maxAge,
  retry: false,
});

/** Whether a service can be asked for its components: one that is not active does not answer. */
const isListed = (services: Services, service: Service | undefined): service is Service => {
  const type = services.typeOf(service);
  return service?.isActive === true && type !== undefined && !isInGroup(type, 'Email');
};

/** The components a row of this service may name; read when `isWanted` (ROL-031, C-ROL-08). */
export function useComponents(services: Services, service: Service | undefined, isWanted: boolean) {
  const hasList = isListed(services, service);
  const query = useQuery({ ...componentsQuery(service?.name ?? ''), enabled: isWanted && hasList });
  return {
    components: hasList ? (query.data?.resource ?? []) : rootOnly,
    isLoading: query.isLoading,
    error: hasList ? query.error : null,
    retry: () => void query.refetch(),
  };
}

/** As many services as the rows of a role are compared with. */
const maxCompared = 20;

/** What there is in the services that rows name, by service; of a service that does not answer nothing is known. */
export function useKnownComponents(
  services: Services,
  ids: readonly (number | null)[],
): ReadonlyMap<number, readonly string[]> {
  const named = [...new Set(ids)].map((id) => services.find(id)).filter((service) => isListed(services, service));
  const compared = named.slice(0, maxCompared);
  const comparedIds = compared.map(({ id }) => id).join();
  return useQueries({
    // Re-read with each look at the rows: a table made a moment ago is there.
    queries: compared.map((service) => ({ ...componentsQuery(service.name), staleTime: 0 })),
    // biome-ignore lint/correctness/useExhaustiveDependencies: the services are the same as long as their ids are
    combine: useCallback(
      (results: readonly { data?: { resource: string[] } | undefined; isFetching: boolean; isError: boolean }[]) =>
        new Map(
          results.flatMap(({ data, isFetching, isError }, index) => {
            const service = compared[index];
            return service && data && !isFetching && !isError ? [[service.id, data.resource] as const] : [];
          }),
        ),
      [comparedIds],
    ),
  });
}

/** The fields of the table a row speaks of, for its filters; none when there is no such table. */
export function useFieldNames(service: Service | undefined, table: string | undefined) {
  const { data, error, refetch } = useQuery({
    queryKey: ['services', 'fields', service?.name, table],
    queryFn: ({ signal }) =>
      api.get<{ field: { name: string; alias?: string | null }[] }>(
        `${encodeURIComponent(service?.name ?? '')}/_schema/${encodeURIComponent(table ?? '')}`,
        { signal },
      ),
    enabled: service?.isActive === true && table !== undefined,
    staleTime: maxAge,
    retry: false,
  });
  const fields = useMemo(() => (data?.field ?? []).map(({ name, alias }) => alias || name), [data]);
  const isMissing = error instanceof ApiError && error.status === 404;
  return { fields, error: isMissing ? null : error, retry: () => void refetch() };
}

/** ROL-008: a role is bound to a directory only where people sign in by one. */
export const useHasDirectory = (): boolean => (useEnvironment()?.authentication?.adldap?.length ?? 0) > 0;

/** The directory entry a stored role is bound to; read again after each save (ROL-030, C-ROL-07). */
export function useBinding(roleId: string | null, isWanted: boolean) {
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: [...resourceKey('role'), 'binding', roleId],
    queryFn: async ({ signal }) => {
      const query = { related: 'role_adldap_by_role_id' };
      const role = await api.get<{ role_adldap_by_role_id?: Binding | Binding[] | null }>(`system/role/${roleId}`, {
        query,
        signal,
      });
      const binding = role.role_adldap_by_role_id;
      return (Array.isArray(binding) ? binding[0] : binding)?.dn ?? '';
    },
    enabled: isWanted && roleId !== null,
    retry: false,
  });
  return { dn: data ?? '', isLoading, error, retry: () => void refetch() };
}
interface Binding {
  dn: string | null;
}
