// What the Apps screen reads besides the apps themselves (APP-019, APP-025).
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../../api/index.ts';
import { isForbidden, resourceKey, useForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { type FileService, fileServices } from './record.ts';

/** The words of the permission message (OPEN-065). */
export const permissionTexts = { resources: 'system/app, system/role, and system/service', things: 'apps' };
export const appRelations = 'role_by_role_id';
/** The editor also edits the lookup keys. */
export const appEditorRelations = `${appRelations},lookup_by_app_id`;

export interface Role {
  id: number;
  name: string;
  is_active: boolean;
}

const maxAge = 60_000;

interface AppSources {
  /** Undefined until they are read. */
  roles: readonly Role[] | undefined;
  services: readonly FileService[] | undefined;
  rolesError: Error | null;
  servicesError: Error | null;
  retry: () => void;
  isForbidden: boolean;
}

/** Roles to choose from and services for files, read with the tab; a person who may not read them goes home (C-APP-02, C-APP-03). */
export function useAppSources(): AppSources {
  const t = useText('apps');
  const rolesQuery = useQuery({
    queryKey: [...resourceKey('role'), 'choices'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: Role[] }>('system/role', {
        query: {
          include_count: true,
          limit: 10000,
          related: 'role_service_access_by_role_id,lookup_by_role_id',
        },
        signal,
      }),
    // Of the roles only this is kept: there may be ten thousand.
    select: ({ resource = [] }) => resource.map(({ id, name, is_active }) => ({ id, name, is_active })),
    staleTime: maxAge,
  });
  const servicesQuery = useQuery({
    queryKey: [...resourceKey('service'), 'choices'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: FileService[] }>('system/service', {
        query: { include_count: true, limit: 100, related: 'service_doc_by_service_id' },
        signal,
      }),
    staleTime: maxAge,
  });
  const error = rolesQuery.error ?? servicesQuery.error;
  const forbidden = useForbidden(error, t('title'), 'app', permissionTexts);
  useEffect(() => {
    if (error && !isForbidden(error)) notify.error(t('title'), t('loadFailed'));
  }, [error, t]);
  return {
    roles: rolesQuery.data,
    services: useMemo(
      () => servicesQuery.data && fileServices(servicesQuery.data.resource ?? []),
      [servicesQuery.data],
    ),
    rolesError: rolesQuery.error,
    servicesError: servicesQuery.error,
    retry: () => {
      if (rolesQuery.error) void rolesQuery.refetch();
      if (servicesQuery.error) void servicesQuery.refetch();
    },
    isForbidden: forbidden,
  };
}
