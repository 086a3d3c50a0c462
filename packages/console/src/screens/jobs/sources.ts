// Reading and changing jobs.
import { jobStates } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, api, batchErrorCode } from '../../api/index.ts';
import { allOf, type Id, likeFilter, type PermissionTexts, resourceKey } from '../../list/index.ts';
import { serverText } from '../../text/index.ts';
import { isInState, type ShownState } from './job-state.ts';

export const path = 'system/job';
export const search = ['name', 'subject'];
export const pageSize = 100;
/** Milliseconds after which jobs are read again: as often as processes look for them. */
export const refreshEvery = 5_000;
export const permissionTexts: PermissionTexts = { resources: 'system/job', things: 'jobs' };

interface Listing {
  resource: { id: number }[];
  meta?: { count?: number };
}

/** How many jobs there are in each state, of those whose name holds a text. */
export const useJobCounts = (text: string) =>
  useQuery({
    queryKey: [...resourceKey('job'), 'counts', text],
    queryFn: async ({ signal }): Promise<Record<ShownState, number>> => {
      const count = async (condition: string) => {
        const filter = allOf(condition, likeFilter(search, text));
        const query = { fields: 'id', filter, limit: 1, include_count: true };
        return (await api.get<Listing>(path, { query, signal })).meta?.count ?? 0;
      };
      const [waiting = 0, running = 0, failed = 0] = await Promise.all(jobStates.map(isInState).map(count));
      return { all: waiting + running + failed, waiting, running, failed };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  });

/** What became of jobs that were to be changed: how many were, and why the others were not. */
export interface Outcome {
  changed: number;
  refused: ReadonlyMap<Id, string>;
}

export const tryAgain = (ids: readonly Id[]): Promise<Outcome> =>
  settle(ids, () => api.patch(path, { query: each, body: { resource: ids.map((id) => ({ id, state: 'waiting' })) } }));

export const remove = (ids: readonly Id[]): Promise<Outcome> =>
  settle(ids, () => api.delete(path, { query: each, body: { resource: ids.map((id) => ({ id })) } }));

/** One that is refused leaves the others alone. */
const each = { continue: true };

/** Tries again whatever failed for good and has a name that holds a text; each once, in the order they were made. */
export async function tryAllAgain(text: string): Promise<Outcome> {
  let changed = 0;
  const refused = new Map<Id, string>();
  for (let last = 0; ; ) {
    const filter = allOf(isInState('failed'), `id > ${last}`, likeFilter(search, text));
    const { resource } = await api.get<Listing>(path, {
      query: { fields: 'id', filter, order: 'id asc', limit: batch },
    });
    const ids = resource.map(({ id }) => id);
    if (ids.length === 0) return { changed, refused };
    const outcome = await tryAgain(ids);
    changed += outcome.changed;
    for (const [id, reason] of outcome.refused) refused.set(id, reason);
    last = ids.at(-1) ?? last;
  }
}
/** Jobs that one call tries again. */
const batch = 200;

async function settle(ids: readonly Id[], write: () => Promise<unknown>): Promise<Outcome> {
  try {
    await write();
    return { changed: ids.length, refused: new Map() };
  } catch (error) {
    const refused = readRefusals(error, ids);
    if (refused === null) throw error;
    return { changed: ids.length - refused.size, refused };
  }
}

/** Why records of a batch were refused, by id; null where the batch failed as a whole, or was not done to its end. */
function readRefusals(error: unknown, ids: readonly Id[]): Map<Id, string> | null {
  if (!(error instanceof ApiError) || error.status !== 400 || Number(error.code) !== batchErrorCode) return null;
  const { error: failedAt, resource } = (error.context ?? {}) as {
    error?: number[];
    resource?: { message?: string }[];
  };
  if (!Array.isArray(failedAt) || !Array.isArray(resource)) return null;
  return new Map(
    failedAt
      .filter((index) => index in ids)
      .map((index) => [ids[index] as Id, serverText(resource[index]?.message ?? error.original)]),
  );
}
