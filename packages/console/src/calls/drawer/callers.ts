// Who can make the call that the drawer shows: the person, or an app whose key one may see.
import { secretMask } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/index.ts';
import { isForbidden, resourceKey } from '../../list/index.ts';
import { createStore } from '../../ui/index.ts';

/** More apps and roles than anyone scrolls through; the choice finds them by name. */
const maxChoices = 1000;

export interface CallingApp {
  id: number;
  name: string;
  api_key: string;
}

/** Active apps with a default role, whose key alone is enough for a call; none for those who may not read apps. */
export const useCallingApps = () =>
  useQuery({
    queryKey: [...resourceKey('app'), 'callers'],
    queryFn: async ({ signal }): Promise<CallingApp[]> => {
      const query = {
        fields: 'id,name,api_key',
        filter: '(is_active = true) and (role_id is not null)',
        order: 'name asc',
        limit: maxChoices,
      };
      try {
        return (await api.get<{ resource?: CallingApp[] }>('system/app', { query, signal })).resource ?? [];
      } catch (error) {
        if (isForbidden(error)) return [];
        throw error;
      }
    },
    select: (apps) => apps.filter(({ api_key }) => api_key && api_key !== secretMask),
    staleTime: 60_000,
    retry: false,
  });

/** The roles of the instance by name, for administrators. */
export const useRoleNames = (isWanted: boolean) =>
  useQuery({
    queryKey: [...resourceKey('role'), 'names'],
    queryFn: async ({ signal }) => {
      const query = { fields: 'id,name', order: 'name asc', limit: maxChoices };
      const { resource } = await api.get<{ resource?: { id: number; name: string }[] }>('system/role', {
        query,
        signal,
      });
      return resource ?? [];
    },
    enabled: isWanted,
    staleTime: 60_000,
    retry: false,
  });

/** The app chosen last, for the next drawer; null for one's own session. */
export const chosenApp = createStore<number | null>(null);
