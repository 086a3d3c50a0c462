import type { PlannedTable } from '@sluice/contract';
import { ApiError, api } from '../../../api/index.ts';
import type { SchemaWrite } from '../address/write.ts';

/** What came of asking what a write would do. */
export type PlanOutcome =
  | { kind: 'planned'; tables: PlannedTable[] }
  /** The write itself would be refused so; `table` is the one of several that is wrong. */
  | { kind: 'refused'; messages: string[]; table?: string }
  /** Nobody knows for now. */
  | { kind: 'failed'; error: unknown }
  /** The server has no plans. */
  | { kind: 'absent' };

/** Which services have answered a plan (true), or have none (false); for as long as the page is open. */
const hasPlans = new Map<string, boolean>();

/** Whether the service is known to have plans, or to have none; undefined before the first answer. */
export const knowsPlans = (service: string): boolean | undefined => hasPlans.get(service);

/** Asks what a write would do. A service that is known to have no plans is not called again. */
export async function askPlan(service: string, write: SchemaWrite, signal?: AbortSignal): Promise<PlanOutcome> {
  if (knowsPlans(service) === false) return { kind: 'absent' };
  try {
    const path = `${encodeURIComponent(service)}/_plan`;
    const { resource } = await api.post<{ resource: PlannedTable[] }>(path, { body: planBody(write), signal });
    hasPlans.set(service, true);
    return { kind: 'planned', tables: resource };
  } catch (error) {
    return outcomeOf(service, error);
  }
}

/** A write as `_plan` takes it: the query belongs to the path. */
export function planBody({ verb, path, query = {}, body }: SchemaWrite) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return { verb, path: search === '' ? path : `${path}?${search}`, ...(body === undefined ? {} : { body }) };
}

/** Statuses that say nothing of the write: no session, too slow, too many calls. */
const passing = [401, 408, 429];

function outcomeOf(service: string, error: unknown): PlanOutcome {
  const status = error instanceof ApiError ? error.status : 0;
  // Of a service that has plans, the same status is about the write: a table that is gone, a change it does not offer.
  if ([404, 405, 501].includes(status) && !knowsPlans(service)) {
    // A 404 that does not name `_plan` is about a table that is gone: it says nothing of plans.
    if (status !== 404 || String(error).includes('_plan')) hasPlans.set(service, false);
    return { kind: 'absent' };
  }
  const isRefusal = status === 501 || (status >= 400 && status < 500 && !passing.includes(status));
  if (!(error instanceof ApiError) || !isRefusal) return { kind: 'failed', error };
  if (status < 500) hasPlans.set(service, true);
  const { table } = (error.context ?? {}) as { table?: unknown };
  return { kind: 'refused', messages: error.messages(), ...(typeof table === 'string' ? { table } : {}) };
}
