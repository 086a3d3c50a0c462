// What the panel reads: the answer, and the choices of its inputs.
import type { ExplainRequest, Explanation } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../api/index.ts';
import { useAppNames } from '../list/shared-queries.ts';
import { callablePaths } from './question.ts';

const choicesAge = 60_000;
const answersKey = ['system', 'access', 'explain'];

/** The decision on a question; the last answer stays while a new one is on its way. Every save (`saved`) asks again. */
export const useExplanation = (request: ExplainRequest | null, saved: unknown) =>
  useQuery({
    queryKey: [...answersKey, request, saved],
    queryFn: ({ signal }) => api.post<Explanation>('system/access/explain', { body: request, signal }),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

interface NamedService {
  name: string;
  label?: string | null;
}

/** The services of the instance, by name. */
export const useServices = (isWanted: boolean) =>
  useQuery({
    queryKey: ['services', 'all'],
    queryFn: ({ signal }) => api.get<{ services?: NamedService[] }>('', { signal }),
    select: ({ services = [] }) => [...services].sort((a, b) => a.name.localeCompare(b.name)),
    enabled: isWanted,
    staleTime: choicesAge,
  });

/** What can be called below a service. */
export const usePaths = (service: string) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['services', 'access-list', service],
    queryFn: ({ signal }) =>
      api.get<{ resource?: string[] }>(encodeURIComponent(service), { query: { as_access_list: true }, signal }),
    select: ({ resource = [] }) => callablePaths(resource),
    enabled: service !== '',
    staleTime: choicesAge,
    retry: false,
  });
  // A service that is not there is what the answer says.
  const isGone = error instanceof ApiError && error.status === 404;
  return { paths: data ?? noPaths, error: isGone ? null : error, retry: () => void refetch() };
};
const noPaths: readonly string[] = [];

export interface AppChoice {
  id: number;
  name: string;
  /** Whether the person has a role of their own for it. */
  hasRole: boolean;
}

interface RoleOfApp {
  app_id: number;
}

interface Apps {
  /** Undefined until they are known. */
  apps: AppChoice[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** The apps a person may come through, those they have a role for first. */
export function useApps(userId: number | undefined): Apps {
  const appsQuery = useAppNames(userId !== undefined);
  const personQuery = useQuery({
    queryKey: ['system', 'user', 'apps', userId],
    queryFn: ({ signal }) =>
      api.get<{ user_to_app_to_role_by_user_id?: RoleOfApp[] }>(`system/user/${userId}`, {
        query: { fields: 'id', related: 'user_to_app_to_role_by_user_id' },
        signal,
      }),
    enabled: userId !== undefined,
    retry: false,
  });
  // An administrator is no user and has no roles; that is no failure of the question.
  const isNoUser = personQuery.error instanceof ApiError && personQuery.error.status === 404;
  const error = appsQuery.error ?? (isNoUser ? null : personQuery.error);
  const retry = () => {
    if (appsQuery.error) void appsQuery.refetch();
    if (personQuery.error && !isNoUser) void personQuery.refetch();
  };
  if (userId === undefined || appsQuery.isPending || personQuery.isPending) return { apps: undefined, error, retry };
  const appsWithRole = new Set(personQuery.data?.user_to_app_to_role_by_user_id?.map((row) => row.app_id));
  const apps = (appsQuery.data ?? [])
    .map(({ id, name }) => ({ id, name, hasRole: appsWithRole.has(id) }))
    .sort((a, b) => Number(b.hasRole) - Number(a.hasRole));
  return { apps, error, retry };
}
