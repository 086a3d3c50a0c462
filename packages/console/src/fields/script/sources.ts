// Services that a script may live in.
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
