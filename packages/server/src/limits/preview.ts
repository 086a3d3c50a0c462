// What a limit would have refused: the calls that are remembered, counted once more under it alone.
import type { LimitPreview } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { indexLimits, type LimitRow } from './matching.ts';
import { createMemoryCounters } from './memory.ts';
import type { RecentCalls } from './recent-calls.ts';

/** Callers that are told apart in the answer. */
const maxCallers = 20;
/** Calls between two pauses. */
const piece = 2_000;

/** `now` in milliseconds since 1970. */
export async function previewLimit(row: LimitRow, recent: RecentCalls, now: number): Promise<LimitPreview> {
  const index = indexLimits([{ ...row, is_active: 1 }]);
  let time = 0;
  const counters = createMemoryCounters(() => time);
  const callers = new Map<string, LimitPreview['callers'][number]>();
  let [calls, refused, looked] = [0, 0, 0];
  for (const call of recent.all()) {
    looked += 1;
    if (looked % piece === 0) await pause();
    const [limit] = index.matching(call);
    if (!limit) continue;
    time = call.at;
    const [{ admitted } = { admitted: 1 }] = counters.hit([
      { limitId: limit.id, key: limit.keyFor(call.userId), rate: limit.rate, period: limit.length, count: 1 },
    ]);
    calls += 1;
    const name = `${call.userId} ${call.roleId}`;
    const caller = callers.get(name) ?? {
      user_id: call.userId ?? null,
      role_id: call.roleId ?? null,
      calls: 0,
      refused: 0,
    };
    callers.set(name, caller);
    caller.calls += 1;
    if (admitted === 1) continue;
    refused += 1;
    caller.refused += 1;
  }
  return {
    since: new Date(now - recent.covered()).toISOString(),
    calls,
    refused,
    callers: [...callers.values()].sort((a, b) => b.refused - a.refused || b.calls - a.calls).slice(0, maxCallers),
  };
}
