// What forms of scripts read: the services that a script may live in, and the languages.
import type { ServiceGroup } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/index.ts';

const maxAge = 60_000;

export interface LinkableService {
  id: number;
  name: string;
  label: string;
  type: string;
}

const noServices: readonly LinkableService[] = [];

/** Where a script may live; the call has them in lower case (C-SVC-02). */
const linkableGroups: readonly ServiceGroup[] = ['Source Control', 'File'];

/** Services a script may be linked to: those of source control and files (C-SVC-02, OPEN-150). */
export function useLinkableServices(): { linkable: readonly LinkableService[]; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ['services', 'linkable'],
    queryFn: ({ signal }) =>
      api.get<{ services?: LinkableService[] }>('', {
        query: { group: linkableGroups.join(',').toLowerCase() },
        signal,
      }),
    staleTime: maxAge,
  });
  return { linkable: data?.services ?? noServices, error };
}

/** A language as `system/script_type` tells it; the last three only to administrators, and not by every server. */
export interface ScriptType {
  name: string;
  label: string;
  description?: string;
  sandboxed?: boolean;
  available?: boolean;
  /** Why it does not run here, a sentence. */
  missing?: string;
  confinement?: string;
}

export const useScriptTypes = () =>
  useQuery({
    queryKey: ['system', 'script_type', 'list'],
    queryFn: async ({ signal }) =>
      (await api.get<{ resource?: ScriptType[] }>('system/script_type', { signal })).resource ?? [],
    staleTime: maxAge,
  });

export const isRunnable = ({ available = true, missing }: ScriptType): boolean => available && !missing;
