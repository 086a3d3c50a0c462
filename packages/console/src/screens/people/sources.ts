// What the Users screen reads besides the users themselves: roles and apps to choose from (PPL-063).
import { useQuery } from '@tanstack/react-query';
import { api, type QueryValue } from '../../api/index.ts';

export interface ChoiceRecord {
  id: number;
  name: string;
  is_active: boolean;
}

const choicesAge = 60_000;
const fields = 'id,name,is_active';

/** All of a resource, page by page: a server may give fewer at once than were asked for. */
async function readAll(
  resource: string,
  query: Record<string, QueryValue>,
  signal: AbortSignal,
): Promise<ChoiceRecord[]> {
  const all: ChoiceRecord[] = [];
  for (;;) {
    const { resource: rows, meta } = await api.get<{ resource: ChoiceRecord[]; meta?: { count?: number } }>(
      `system/${resource}`,
      { query: { ...query, offset: all.length || undefined, include_count: true }, signal },
    );
    all.push(...rows);
    if (rows.length === 0 || all.length >= (meta?.count ?? 0)) return all;
  }
}

const useAllChoices = (resource: string, query: Record<string, QueryValue>, isWanted: boolean) =>
  useQuery({
    queryKey: ['system', resource, 'choices', query],
    queryFn: ({ signal }) => readAll(resource, query, signal),
    enabled: isWanted,
    staleTime: choicesAge,
  });

/**
 * Roles and apps to choose from (C-PPL-10, C-PPL-11). Of each only what a choice needs: ten thousand roles with all of
 * their rows would be megabytes.
 */
export function useChoices(isWanted: boolean): {
  roles: readonly ChoiceRecord[] | undefined;
  apps: readonly ChoiceRecord[] | undefined;
  error: Error | null;
  retry: () => void;
} {
  const rolesQuery = useAllChoices('role', { fields, limit: 10_000 }, isWanted);
  const appsQuery = useAllChoices('app', { fields, limit: 100 }, isWanted);
  return {
    roles: rolesQuery.data,
    apps: appsQuery.data,
    error: rolesQuery.error ?? appsQuery.error,
    retry: () => {
      if (rolesQuery.error) void rolesQuery.refetch();
      if (appsQuery.error) void appsQuery.refetch();
    },
  };
}
