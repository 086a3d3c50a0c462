// A second model of contract/limits.md §4 and §5, for tests: it looks at every limit for every call, and shares no code with
// what it is compared to.

export interface ModelLimit {
  id: number;
  type: string;
  rate: number;
  period: string;
  user_id: number | null;
  role_id: number | null;
  service_id: number | null;
  endpoint: string | null;
  verb: string | null;
  is_active: boolean;
}

export interface ModelCall {
  user: number | null;
  role: number | null;
  service: number | null;
  path: string;
  verb: string;
}

/** What the model says of a call: the ids of the limits that refuse it, in order; none: it passes. */
export interface ModelVerdict {
  refusing: number[];
  /** The locks it set. */
  locked: number[];
  /** Milliseconds until the lock of the first ends. */
  endsIn: number;
}

const minutes = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 24 * 60],
  ['7-day', 7 * 24 * 60],
  ['30-day', 30 * 24 * 60],
]);

export class LimitModel {
  limits: ModelLimit[] = [];
  private counted = new Map<string, { firstAt: number; count: number }>();
  private lockedAt = new Map<string, number>();

  call(call: ModelCall, now: number): ModelVerdict {
    const verdict: ModelVerdict = { refusing: [], locked: [], endsIn: 0 };
    for (const limit of this.limits) {
      if (!limit.is_active || keyOfLimit(limit, call) !== keyOfCall(limit, call)) continue;
      const end = this.exceededUntil(limit, `${limit.id}#${keyOfCall(limit, call)}`, now, verdict.locked);
      if (end === undefined || this.isOverridden(limit, call)) continue;
      if (verdict.refusing.length === 0) verdict.endsIn = end - now;
      verdict.refusing.push(limit.id);
    }
    return verdict;
  }

  /** When the lock ends that the call meets or sets; undefined where the call is counted and passes. */
  private exceededUntil(
    { id, rate, period }: ModelLimit,
    name: string,
    now: number,
    locked: number[],
  ): number | undefined {
    const length = minutes.get(period)! * 60_000;
    const lockedAt = this.lockedAt.get(name);
    if (lockedAt !== undefined && now < lockedAt + length) return lockedAt + length;
    this.lockedAt.delete(name);
    let window = this.counted.get(name);
    if (window && now >= window.firstAt + length) window = undefined;
    if (window && window.count >= rate) {
      this.counted.delete(name);
      this.lockedAt.set(name, now);
      locked.push(id);
      return now + length;
    }
    this.counted.set(name, window ? { ...window, count: window.count + 1 } : { firstAt: now, count: 1 });
    return undefined;
  }

  private isOverridden(limit: ModelLimit, call: ModelCall): boolean {
    return this.limits.some((other) => {
      if (!other.is_active) return false;
      const isSibling = limit.type.includes('each_user') && other.type === limit.type.replace('each_user', 'user');
      if (isSibling && other.user_id === call.user) return true;
      const isSame = (['type', 'period', 'user_id', 'role_id', 'service_id', 'endpoint'] as const).every(
        (field) => other[field] === limit[field],
      );
      return limit.verb === null && isSame && other.verb === call.verb;
    });
  }

  /** Forgets the counters of a limit, or all. */
  reset(id?: number): void {
    for (const map of [this.counted, this.lockedAt])
      for (const name of map.keys()) if (id === undefined || name.startsWith(`${id}#`)) map.delete(name);
  }

  /** A limit with another rate: where one of its counters is locked, all are forgotten. */
  rateChanged(id: number, period: string, now: number): void {
    const length = minutes.get(period)! * 60_000;
    const isLocked = [...this.lockedAt].some(([name, at]) => name.startsWith(`${id}#`) && now < at + length);
    if (isLocked) this.reset(id);
  }
}

/** The key as the limit has it; of each user, of the one who calls. */
function keyOfLimit(limit: ModelLimit, call: ModelCall): string {
  return keyOf(limit, {
    user: limit.type.includes('each_user') ? call.user : limit.user_id,
    role: limit.role_id,
    service: limit.service_id,
    endpoint: limit.endpoint ?? '',
    verb: limit.verb,
  });
}

/** The key as the call has it. */
function keyOfCall(limit: ModelLimit, { user, role, service, path, verb }: ModelCall): string {
  const endpoint = path.replace(/^\/+/, '').replace(/\/+$/, '');
  const pattern = limit.endpoint ?? '';
  const isCovered = pattern.includes('*') && endpoint.startsWith(pattern.slice(0, pattern.lastIndexOf('*')));
  return keyOf(limit, {
    // Nobody who calls is no user that a limit means.
    user: user ?? -1,
    role: role ?? -1,
    service: service ?? -1,
    endpoint: isCovered ? pattern : endpoint,
    verb: limit.verb === null ? null : verb,
  });
}

function keyOf(
  { type, period }: ModelLimit,
  {
    user,
    role,
    service,
    endpoint,
    verb,
  }: Record<'user' | 'role' | 'service' | 'endpoint' | 'verb', number | string | null>,
): string {
  const values = new Map(Object.entries({ user, each_user: user, role, service, endpoint }));
  return JSON.stringify([type.split('.').map((part) => [part, values.get(part) ?? null]), verb, period]);
}
