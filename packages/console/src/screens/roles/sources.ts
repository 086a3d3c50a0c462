// What the Roles screen reads besides the roles: services and their types, what rows may name in them, and who has a role.
import { isInGroup, unfilteredDatabaseTypes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, useEnvironment } from '../../api/index.ts';
import { resourceKey } from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';

/** The words of the permission message (OPEN-063). */
export const permissionTexts = { resources: 'system/role', things: 'roles' };

/** A service as `GET /api/v2` lists it: active, and not hidden from the person (contract/http-basics.md §9). */
export interface Service {
  id: number;
  name: string;
  label: string;
  type: string;
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
  /** Whether they were read: until then a service that is not found may well be there. */
  isLoaded: boolean;
  error: Error | null;
}

const maxAge = 60_000;

/** The services rows may point to, and the groups of their types (ROL-026, C-ROL-02). */
export function useServices(): Services {
  const { data, error } = useQuery({
    queryKey: ['services', 'all'],
    queryFn: ({ signal }) => api.get<{ services: Service[]; service_types: ServiceType[] }>('', { signal }),
    staleTime: maxAge,
  });
  useEffect(() => {
    if (error) notify.error(text('roles:title'), text('roles:loadFailed'));
  }, [error]);
  return useMemo(() => {
    const list = data?.services ?? [];
    const byId = new Map(list.map((service) => [service.id, service]));
    const types = new Map(data?.service_types.map((type) => [type.name, type]));
    return {
      list,
      find: (id) => (id === null ? undefined : byId.get(id)),
      typeOf: (service) => service && types.get(service.type),
      isLoaded: data !== undefined,
      error,
    };
  }, [data, error]);
}

/** Whether roles can filter the records of a service: databases, but for a few types (ROL-018). */
export function canFilter(services: Services, service: Service | undefined): boolean {
  const type = services.typeOf(service);
  return type !== undefined && isInGroup(type, 'Database') && !unfilteredDatabaseTypes.includes(type.name);
}

/** All services, and those that have no list of their own (ROL-014, OPEN-161). */
const rootOnly: readonly string[] = ['', '*'];

/** The components a row of this service may name; read when `isWanted` (ROL-031, C-ROL-08). */
export function useComponents(services: Services, service: Service | undefined, isWanted: boolean) {
  const type = services.typeOf(service);
  const isListed = type !== undefined && !isInGroup(type, 'Email');
  const componentsQuery = useQuery({
    queryKey: ['services', 'components', service?.name],
    queryFn: ({ signal }) =>
      api.get<{ resource: string[] }>(`${encodeURIComponent(service?.name ?? '')}/`, {
        query: { as_access_list: true },
        signal,
      }),
    enabled: isWanted && isListed,
    staleTime: maxAge,
    retry: false,
  });
  return {
    components: isListed ? (componentsQuery.data?.resource ?? []) : rootOnly,
    isLoading: componentsQuery.isLoading,
    error: isListed ? componentsQuery.error : null,
  };
}

/** The fields of the table a row speaks of, for its filters; none when there is no such table. */
export function useFieldNames(service: Service | undefined, table: string | undefined): readonly string[] {
  const { data } = useQuery({
    queryKey: ['services', 'fields', service?.name, table],
    queryFn: ({ signal }) =>
      api.get<{ field: { name: string; alias?: string | null }[] }>(
        `${encodeURIComponent(service?.name ?? '')}/_schema/${encodeURIComponent(table ?? '')}`,
        { signal },
      ),
    enabled: service !== undefined && table !== undefined,
    staleTime: maxAge,
    retry: false,
  });
  return useMemo(() => (data?.field ?? []).map(({ name, alias }) => alias || name), [data]);
}

/** ROL-008: a role is bound to a directory only where people sign in by one. */
export const useHasDirectory = (): boolean => (useEnvironment()?.authentication?.adldap?.length ?? 0) > 0;

/** The directory entry a stored role is bound to; read again after each save (ROL-030, C-ROL-07). */
export function useBinding(roleId: string | null, isWanted: boolean): { dn: string; isLoading: boolean } {
  const { data, isLoading } = useQuery({
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
  return { dn: data ?? '', isLoading };
}
interface Binding {
  dn: string | null;
}
