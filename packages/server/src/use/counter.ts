// Counts calls in memory, by service and by key, until they are written. Counting one is two look-ups and some additions:
// it is on the path of every call.

/** Calls of one service or with one key. */
export interface UseCount {
  calls: number;
  /** Of these, those that were answered with an error. */
  failures: number;
  /** Milliseconds since 1970. */
  lastCall: number;
}

/** Counts by id. */
export type UseCounts = Map<number, UseCount>;

/** What was counted within an hour. */
export interface HourOfUse {
  /** Hours since 1970. */
  hour: number;
  services: UseCounts;
}

/** What was counted and is not written yet. */
export interface PendingUse {
  hours: HourOfUse[];
  apps: UseCounts;
}

export interface UseCounter {
  count(serviceId: number, appId: number | undefined, hasFailed: boolean): void;
  /** Takes out all that was counted. */
  take(): PendingUse;
  /** Puts back what could not be written. */
  putBack(pending: PendingUse): void;
}

export const hourLength = 3_600_000;

/** Hours that are kept while the store is away; of longer outages the oldest are dropped. */
const maxHours = 48;

export function createUseCounter(): UseCounter {
  let hours: HourOfUse[] = [];
  let apps: UseCounts = new Map();
  let current: HourOfUse | undefined;

  const startHour = (hour: number): HourOfUse => {
    const started = { hour, services: new Map() };
    hours.push(started);
    if (hours.length > maxHours) hours.shift();
    return started;
  };

  return {
    count(serviceId, appId, hasFailed) {
      const now = Date.now();
      const hour = Math.floor(now / hourLength);
      if (current?.hour !== hour) current = startHour(hour);
      addCall(current.services, serviceId, hasFailed, now);
      if (appId !== undefined) addCall(apps, appId, hasFailed, now);
    },
    take() {
      const taken = { hours, apps };
      hours = [];
      apps = new Map();
      current = undefined;
      return taken;
    },
    putBack(pending) {
      const since = { hours, apps };
      const merged = new Map(pending.hours.map((hour) => [hour.hour, hour]));
      for (const hour of since.hours) {
        const existing = merged.get(hour.hour);
        if (existing) addCounts(existing.services, hour.services);
        else merged.set(hour.hour, hour);
      }
      hours = [...merged.values()].slice(-maxHours);
      apps = addCounts(pending.apps, since.apps);
      current = undefined;
      const last = hours.at(-1);
      if (last?.hour === Math.floor(Date.now() / hourLength)) current = last;
    },
  };
}

function addCall(counts: UseCounts, id: number, hasFailed: boolean, now: number): void {
  let count = counts.get(id);
  if (!count) {
    count = { calls: 0, failures: 0, lastCall: 0 };
    counts.set(id, count);
  }
  count.calls += 1;
  if (hasFailed) count.failures += 1;
  count.lastCall = now;
}

function addCounts(counts: UseCounts, more: UseCounts): UseCounts {
  for (const [id, { calls, failures, lastCall }] of more) {
    const count = counts.get(id);
    if (count) {
      count.calls += calls;
      count.failures += failures;
      count.lastCall = Math.max(count.lastCall, lastCall);
    } else counts.set(id, { calls, failures, lastCall });
  }
  return counts;
}
