import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './errors.ts';
import { type CallOptions, reachable, send } from './send.ts';
import { currentToken, sessionState } from './session-state.ts';

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** What has been read from the server. Refusals are not repeated; a broken connection is tried once more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The instance may run on this very machine: being offline does not mean that it cannot be reached.
      networkMode: 'always',
      staleTime: 15_000,
      retry: (count, error) => !isRefusal(error) && count < 1,
      retryDelay: 400,
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Reads something before the page that shows it is there, to be found under its key. The start asks while it is still finding out
 * whether the session holds: a refusal renews nothing and asks nobody to sign in, the page asks again and does.
 */
export const prefetch = (queryKey: QueryKey, path: string, options: CallOptions = {}): Promise<void> =>
  queryClient.prefetchQuery({
    queryKey,
    queryFn: ({ signal }) => send('GET', path, { ...options, signal }, currentToken()),
    retry: false,
  });

/** Another person must not see what the last one read (SES-058, X-027). A session that only waits for its renewal is the same person. */
export const resetOnUserChange = (): (() => void) => {
  let lastPersonId = sessionState.get().session?.id ?? null;
  return sessionState.subscribe(() => {
    const personId = sessionState.get().session?.id ?? null;
    if (personId !== lastPersonId) queryClient.clear();
    lastPersonId = personId;
  });
};

/** After an outage, everything on the page is read again. */
export const refetchWhenBack = (): (() => void) => {
  let wasReachable = reachable.get();
  return reachable.subscribe(() => {
    const isReachable = reachable.get();
    if (isReachable && !wasReachable) void queryClient.refetchQueries({ type: 'active' });
    wasReachable = isReachable;
  });
};
