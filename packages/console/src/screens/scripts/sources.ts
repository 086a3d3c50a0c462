// What the Scripts screen reads: services, their events, scripts and their runs, languages, and what the person may do.
import type { DryRun, ScriptRunRecord } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, api, useSession } from '../../api/index.ts';
import { useScriptTypes } from '../../fields/index.ts';
import { isForbidden, resourceKey } from '../../list/index.ts';
import type { EventTree } from './names/events.ts';

const maxAge = 60_000;

/** A service as `GET /` tells it. */
export interface ListedService {
  name: string;
  label: string;
  type: string;
}

/** The services of the instance, by name: the first level (C-SCR-02). */
export const useServices = () =>
  useQuery({
    queryKey: ['services', 'for scripts'],
    queryFn: async ({ signal }) => {
      const { services = [] } = await api.get<{ services?: ListedService[] }>('', { signal });
      return services.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    staleTime: maxAge,
  });

/** Names of all scripts (C-SCR-01). */
export const useScriptNames = () =>
  useQuery({
    queryKey: [...resourceKey('event_script'), 'names'],
    queryFn: async ({ signal }) => {
      const query = { as_list: true };
      return (await api.get<{ resource?: string[] }>('system/event_script', { query, signal })).resource ?? [];
    },
    staleTime: maxAge,
  });

/** The events of a service (C-SCR-05); read when it is opened. */
export const useEvents = (service: string | undefined) =>
  useQuery({
    queryKey: ['system', 'event', 'of', service],
    queryFn: async ({ signal }): Promise<EventTree> => {
      const query = { service, scriptable: true };
      const answer = await api.get<Record<string, EventTree> | null>('system/event', { query, signal });
      // Servers of the family answer an empty list for a service that has none.
      return Object.values(answer ?? {})[0] ?? {};
    },
    enabled: service !== undefined && service !== '',
    staleTime: maxAge,
  });

/** What every page of the section needs, asked for at once (C-SCR-01…03); the first refusal counts. */
export function useLoaded() {
  const [names, services, types] = [useScriptNames(), useServices(), useScriptTypes()];
  const queries = [names, services, types];
  const data = names.data && services.data && types.data ? { names: names.data, services: services.data } : undefined;
  return {
    data,
    error: queries.map(({ error }) => error).find((error) => error !== null) ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}

/** The words of the permission message of lists (OPEN-067). */
export const permissionTexts = {
  resources: 'system/event_script, system/event, and system/script_type',
  things: 'scripts',
};

/** What of scripts the person may do; administrators all of it, of others the root of the system service tells it. */
export function useScriptRights(): { mayWrite: boolean; mayDelete: boolean } {
  const session = useSession();
  const isAdmin = session?.is_sys_admin === true;
  const { data, isPending } = useQuery({
    queryKey: ['system', 'access', session?.id],
    queryFn: ({ signal }) =>
      api.get<{ resource?: { name: string; access?: string[] }[] }>('system', {
        query: { fields: 'name', include_access: true },
        signal,
      }),
    enabled: session !== null && !isAdmin,
    staleTime: maxAge,
    retry: false,
  });
  const access = data?.resource?.find(({ name }) => name === 'event_script')?.access;
  // A server that does not tell refuses what it must.
  const may = (verb: string) => isAdmin || (!isPending && (access === undefined || access.includes(verb)));
  return { mayWrite: may('POST'), mayDelete: may('DELETE') };
}

/** Milliseconds between two looks at the runs, while they are shown. */
const runsPause = 2_000;

/** The last runs of a script, or of all, newest first; null for those who may not see them, and on servers without. */
export function useRuns({ name, follows }: { name?: string; follows: boolean }) {
  return useQuery({
    queryKey: [...resourceKey('event_script'), 'runs', name ?? null],
    queryFn: async ({ signal }): Promise<ScriptRunRecord[] | null> => {
      try {
        const query = { name };
        return (
          (await api.get<{ resource?: ScriptRunRecord[] }>('system/event_script/_runs', { query, signal })).resource ??
          []
        );
      } catch (error) {
        if (isForbidden(error) || (error instanceof ApiError && error.status === 404)) return null;
        throw error;
      }
    },
    staleTime: 0,
    refetchInterval: follows ? runsPause : false,
    retry: false,
  });
}

/** The last run of each script by its name in lower case; null where runs are not told. */
export function useLastRuns(): ReadonlyMap<string, ScriptRunRecord> | null | undefined {
  const { data } = useRuns({ follows: true });
  return useMemo(() => data && new Map(data.toReversed().map((run) => [run.name.toLowerCase(), run])), [data]);
}

/** The call that a script is tried on, and the script as it stands in the editor. */
export interface DryRunRequest {
  script: { name: string; type: string; content: string; allow_event_modification: boolean } & Record<string, unknown>;
  request: {
    verb: string;
    path: string;
    headers: Record<string, string>;
    payload?: unknown;
    response?: { status_code: number; content: unknown };
  };
}

export const dryRun = (body: DryRunRequest, signal: AbortSignal): Promise<DryRun> =>
  api.post<DryRun>('system/event_script/_dry_run', { body, signal });
