// What the Packages screen reads (C-PKG-01…04).
import type { Environment } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/index.ts';
import { isForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import type { RoleServices } from './companions.ts';
import type { ListedApp } from './content.ts';
import { type ListedService, type ListedType, type Manifest, placesOf } from './manifest.ts';

export const packagesKey = ['packages'];
const maxAge = 30_000;
/** Roles whose services are looked up; of more roles what goes with them is not said. */
const maxRoles = 1000;

/** What the export needs to know, asked for at once; the first refusal counts. */
export function useLoaded() {
  const services = useQuery({
    queryKey: [...packagesKey, 'services'],
    queryFn: ({ signal }) => api.get<{ services?: ListedService[]; service_types?: ListedType[] }>('', { signal }),
    staleTime: maxAge,
  });
  const environment = useQuery({
    queryKey: [...packagesKey, 'environment'],
    queryFn: ({ signal }) => api.get<Environment>('system/environment', { signal }),
    staleTime: maxAge,
  });
  const manifest = useQuery({
    queryKey: [...packagesKey, 'manifest'],
    queryFn: ({ signal }) => api.get<Manifest>('system/package', { signal }),
    staleTime: maxAge,
  });
  // An instance may refuse them: then no folder comes along (OPEN-222).
  const apps = useQuery({
    queryKey: [...packagesKey, 'apps'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: ListedApp[] }>('system/app', {
        query: { include_count: true, limit: 100, related: 'role_by_role_id' },
        signal,
      }),
    staleTime: maxAge,
    retry: false,
  });
  const queries = [services, environment, manifest];
  const data = useMemo(() => {
    if (!services.data || !environment.data || !manifest.data || apps.isPending) return undefined;
    const { services: list = [], service_types = [] } = services.data;
    return {
      places: placesOf(manifest.data, list, service_types),
      fileServices: list.filter(({ type }) => service_types.find(({ name }) => name === type)?.group === 'File'),
      serviceNames: new Map(list.map(({ id, name }) => [id, name])),
      apps: apps.data?.resource ?? [],
      canSecure: environment.data.platform?.secured_package_export === true,
    };
  }, [services.data, environment.data, manifest.data, apps.isPending, apps.data]);
  return {
    data,
    error: queries.map(({ error }) => error).find((error) => error !== null) ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}

export type Loaded = NonNullable<ReturnType<typeof useLoaded>['data']>;

/** The services that access rows of roles name; none where they may not be read. */
export function useRoleServices(isWanted: boolean, serviceNames: ReadonlyMap<number, string>): RoleServices[] {
  const { data } = useQuery({
    queryKey: [...packagesKey, 'roles'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: { name: string; role_service_access_by_role_id?: { service_id: number | null }[] }[] }>(
        'system/role',
        { query: { fields: 'id,name', related: 'role_service_access_by_role_id', limit: maxRoles }, signal },
      ),
    enabled: isWanted,
    staleTime: maxAge,
    retry: false,
  });
  return useMemo(
    () =>
      (data?.resource ?? []).map(({ name, role_service_access_by_role_id: rows = [] }) => ({
        name,
        services: [...new Set(rows.flatMap(({ service_id }) => serviceNames.get(service_id ?? Number.NaN) ?? []))],
      })),
    [data, serviceNames],
  );
}

/** A 401 or 403 while the section loads: a message says which permission is missing, and the console goes home (PKG-026, OPEN-068). */
export function usePackagesForbidden(error: unknown): boolean {
  const t = useText('packages');
  const navigate = useNavigate();
  const isRefused = isForbidden(error);
  useEffect(() => {
    if (!isRefused) return;
    notify.error(t('title'), t('permission'));
    navigate('/home', { replace: true });
  }, [isRefused, t, navigate]);
  return isRefused;
}
