// Kinds of limits: what each needs, how long its windows are, and the key that calls are counted under
// (contract/limits.md §1–2). Both sides use it: the server to count, the console for its form.

/** What a limit of a type names, and what of it is cleared: everything it does not name. */
export interface LimitTypeRules {
  /** Fields that have to be filled in. */
  needs: readonly LimitScopeField[];
  /** Fields that stay as they are sent; the others are emptied. */
  keeps: readonly LimitScopeField[];
  /** Counts each person by themselves. */
  isPerUser?: true;
}

export type LimitScopeField = 'user_id' | 'role_id' | 'service_id' | 'endpoint';

const none = [] as const;

/** The types in the order of the contract, which is that of the console's list. */
export const limitTypes = {
  instance: { needs: none, keeps: none },
  'instance.user': { needs: ['user_id'], keeps: ['user_id'] },
  'instance.each_user': { needs: none, keeps: none, isPerUser: true },
  'instance.service': { needs: ['service_id'], keeps: ['service_id'] },
  'instance.role': { needs: ['role_id'], keeps: ['role_id'] },
  'instance.user.service': { needs: ['user_id', 'service_id'], keeps: ['user_id', 'service_id'] },
  'instance.each_user.service': { needs: ['service_id'], keeps: ['service_id'], isPerUser: true },
  // Its endpoint may be empty: the root of the service.
  'instance.service.endpoint': { needs: ['service_id'], keeps: ['service_id', 'endpoint'] },
  'instance.user.service.endpoint': {
    needs: ['user_id', 'service_id', 'endpoint'],
    keeps: ['user_id', 'service_id', 'endpoint'],
  },
  'instance.each_user.service.endpoint': {
    needs: ['service_id'],
    keeps: ['service_id', 'endpoint'],
    isPerUser: true,
  },
} as const satisfies Record<string, LimitTypeRules>;

export type LimitType = keyof typeof limitTypes;

/** The length of a window in minutes, in the order of the numbers that stand for them on the wire: 0 is `minute`. */
export const limitPeriods = { minute: 1, hour: 60, day: 1440, '7-day': 10_080, '30-day': 43_200 } as const;

export type LimitPeriod = keyof typeof limitPeriods;

/** A window in milliseconds. */
export const periodLength = (period: LimitPeriod): number => limitPeriods[period] * 60_000;

export const isLimitType = (text: unknown): text is LimitType =>
  typeof text === 'string' && Object.hasOwn(limitTypes, text);

export const isLimitPeriod = (text: unknown): text is LimitPeriod =>
  typeof text === 'string' && Object.hasOwn(limitPeriods, text);

/** The rules of a type, in one shape for all. */
export const limitRules = (type: LimitType): LimitTypeRules => limitTypes[type];

/** What of a limit its key is made of. */
export interface LimitScope {
  type: LimitType;
  user_id: number | null;
  role_id: number | null;
  service_id: number | null;
  endpoint: string | null;
  verb: string | null;
  period: LimitPeriod;
}

/**
 * The key of a limit, `instance.service:5.endpoint:_table/contact.verb:GET.hour`: the template of its type with ids, nothing
 * where there is none. `userId` fills in the person of a type that counts each by themselves.
 */
export function limitKey({ type, user_id, role_id, service_id, endpoint, verb, period }: LimitScope, userId?: number) {
  const values: Record<string, string | number | null> = {
    user: user_id,
    each_user: userId ?? null,
    role: role_id,
    service: service_id,
    endpoint,
  };
  const parts = type.split('.').map((part) => (Object.hasOwn(values, part) ? `${part}:${values[part] ?? ''}` : part));
  return [...parts, ...(verb === null ? [] : [`verb:${verb}`]), period].join('.');
}

/** An endpoint as it is stored and compared: without slashes at its ends. */
export const trimSlashes = (path: string): string =>
  path.startsWith('/') || path.endsWith('/') ? path.replace(/^\/+|\/+$/g, '') : path;

/** A counter as `system/limit_cache` answers it. */
export interface LimitCacheEntry {
  /** Of the limit. */
  id: number;
  key: string;
  max: number;
  attempts: number;
  remaining: number;
}

/** What `POST system/limit/_preview` answers: how a limit would have counted the calls that the process remembers. */
export interface LimitPreview {
  /** Since when all calls are remembered: an hour ago at most. */
  since: string;
  /** Calls that the limit concerns, and how many of them it would have refused. */
  calls: number;
  refused: number;
  /** By whom: those with the most refused calls, 20 at most. Nobody is signed in where `user_id` is null. */
  callers: { user_id: number | null; role_id: number | null; calls: number; refused: number }[];
}

/** A limit that a described call counts under (`system/access/explain`). */
export interface ExplainedLimit {
  id: number;
  name: string;
  /** Of its counter. */
  key: string;
  period: LimitPeriod;
  max: number;
  remaining: number;
  /** Seconds until its lock ends; null where it is not locked. */
  locked_for: number | null;
  /** Whether it would refuse the call now. */
  refuses: boolean;
  /** Whether it is ignored here, for another limit that is more specific. */
  is_overridden: boolean;
}
