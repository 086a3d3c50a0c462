// Whether a person may make keys: a key is an app, a role, and the role given to the app.
import { useQuery } from '@tanstack/react-query';
import { api, currentSession, queryClient, useSession } from '../../api/index.ts';

interface Resources {
  resource: { name: string; access?: string[] }[];
}

const needed = [
  ['app', 'POST'],
  ['role', 'POST'],
  ['role', 'PATCH'],
] as const;

const neededForLimits = [['limit', 'POST']] as const;

/** What the person may do in the system service, as far as its root tells it. */
const accessQuery = (person: number | undefined) => ({
  queryKey: ['system', 'access', person],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<Resources>('system', { query: { fields: 'name', include_access: true }, signal }),
  staleTime: 60_000,
  retry: false,
});

type Needed = readonly (readonly [resource: string, verb: string])[];

const allows = (resources: Resources | undefined, rights: Needed): boolean =>
  rights.every(
    ([resource, verb]) => resources?.resource.find(({ name }) => name === resource)?.access?.includes(verb) === true,
  );

/** Administrators may; of others the root of the system service tells it, or nothing does. */
function useRights(rights: Needed): boolean {
  const session = useSession();
  const isAdmin = session?.is_sys_admin === true;
  const { data } = useQuery({ ...accessQuery(session?.id), enabled: session !== null && !isAdmin });
  return isAdmin || allows(data, rights);
}

export const useMayCreateKeys = (): boolean => useRights(needed);

/** Whether the person may give a key a limit. */
export const useMayCreateLimits = (): boolean => useRights(neededForLimits);

/** The same outside of components. */
export async function mayCreateKeys(): Promise<boolean> {
  const session = currentSession();
  if (!session || session.is_sys_admin) return session !== null;
  try {
    return allows(await queryClient.fetchQuery(accessQuery(session.id)), needed);
  } catch {
    return false;
  }
}
