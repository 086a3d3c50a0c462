// Which limits concern a call, found by maps of what limits name: a call costs the same with one limit and with ten thousand.
// Built once for each change of limits; pure (contract/limits.md §4).
import {
  isLimitPeriod,
  isLimitType,
  type LimitPeriod,
  type LimitRecord,
  type LimitType,
  limit as limitDefinition,
  limitKey,
  limitRules,
  periodLength,
  trimSlashes,
  type Verb,
} from '@sluice/contract';
import type { Selectable } from 'kysely';
import { toRecord } from '../resource/fields.ts';
import type { Tables } from '../store/index.ts';

/** A row of the table `limit`. */
export type LimitRow = Omit<Selectable<Tables['limit']>, 'version'>;

/** What of a call decides which limits concern it. */
export interface Subject {
  /** A person who sent a token or Basic credentials. */
  userId: number | undefined;
  roleId: number | undefined;
  serviceId: number | undefined;
  /** Below the service. */
  path: string;
  verb: Verb;
}

/** A limit, ready to be counted. */
export interface CountedLimit {
  id: number;
  name: string;
  type: LimitType;
  rate: number;
  period: LimitPeriod;
  /** Milliseconds. */
  length: number;
  isPerUser: boolean;
  /** The record as it is answered. */
  record: LimitRecord;
  /** The key for a person, of a limit that counts each; the same for all of any other. */
  keyFor(userId: number | undefined): string;
  /** Whether another limit makes it ignored for such a call where it is exceeded. */
  isOverridden(subject: Subject): boolean;
}

export interface LimitIndex {
  /** Whether there is any limit at all. */
  isEmpty: boolean;
  /** The limits that concern a call. */
  matching(subject: Subject): CountedLimit[];
}

/**
 * A row as a limit that can be counted; undefined for one of a type or a period that we do not know, as one that a newer version
 * wrote: nothing counts it.
 */
export function countedLimit(
  row: LimitRow,
  isOverridden: CountedLimit['isOverridden'] = () => false,
): CountedLimit | undefined {
  const { id, name, rate, key_text } = row;
  if (!isLimitType(row.type) || !isLimitPeriod(row.period)) return undefined;
  const isPerUser = limitRules(row.type).isPerUser === true;
  // The person stands behind this name and before what follows.
  const before = isPerUser ? key_text.indexOf(perUserName) + perUserName.length : 0;
  const [head, tail] = [key_text.slice(0, before), key_text.slice(before)];
  return {
    ...{
      id,
      name,
      rate,
      type: row.type,
      period: row.period,
      length: periodLength(row.period),
      isPerUser,
      isOverridden,
    },
    record: toRecord(limitDefinition, row) as LimitRecord,
    keyFor: isPerUser ? (userId) => `${head}${userId ?? ''}${tail}` : () => key_text,
  };
}

const perUserName = 'each_user:';

/** The specific type that stands beside a type that counts each person. */
const siblings: Partial<Record<LimitType, LimitType>> = {
  'instance.each_user': 'instance.user',
  'instance.each_user.service': 'instance.user.service',
  'instance.each_user.service.endpoint': 'instance.user.service.endpoint',
};

/** Makes the maps of active limits. */
export function indexLimits(rows: readonly LimitRow[]): LimitIndex {
  const active = rows.filter(({ is_active }) => is_active === 1);
  const usersOf = new Map<LimitType, Set<number>>();
  const keys = new Set(active.map(({ key_text }) => key_text));
  const places = new Places();
  for (const row of active) {
    if (!isLimitType(row.type) || !isLimitPeriod(row.period)) continue;
    const { type, period } = row;
    if (row.user_id !== null) addTo(usersOf, type, () => new Set()).add(row.user_id);
    const sibling = siblings[type];
    const counted = countedLimit(row, ({ userId, verb }) => {
      if (sibling && userId !== undefined && usersOf.get(sibling)?.has(userId)) return true;
      return row.verb === null && keys.has(limitKey({ ...row, type, period, verb }));
    });
    if (counted) places.at(row, type).push(counted);
  }
  return { isEmpty: active.length === 0, matching: (subject) => places.matching(subject) };
}

/** Limits of one place, those of all verbs under ''. */
type Bucket = Map<string, CountedLimit[]>;

/** Endpoints of a service: exact ones, and what stands before the `*` of others. */
interface Endpoints {
  exact: Map<string, Bucket>;
  prefixes: Map<string, Bucket>;
  /** How long the prefixes are, each length once. */
  lengths: Set<number>;
}

/** Where limits stand that have the same user or none, by what else they name. */
class UserPlaces {
  readonly everywhere: Bucket = new Map();
  readonly services = new Map<number, Bucket>();
  readonly endpoints = new Map<number, Endpoints>();

  collect({ serviceId, path, verb }: Subject, found: CountedLimit[]): void {
    collect(this.everywhere, verb, found);
    if (serviceId === undefined) return;
    collect(this.services.get(serviceId), verb, found);
    const endpoints = this.endpoints.get(serviceId);
    if (!endpoints) return;
    const endpoint = trimSlashes(path);
    collect(endpoints.exact.get(endpoint), verb, found);
    for (const length of endpoints.lengths)
      if (length <= endpoint.length) collect(endpoints.prefixes.get(endpoint.slice(0, length)), verb, found);
  }
}

class Places {
  private readonly anybody = new UserPlaces();
  private readonly eachUser = new UserPlaces();
  private readonly users = new Map<number, UserPlaces>();
  private readonly roles = new Map<number, Bucket>();

  /** The limits that stand where this one belongs. */
  at({ user_id, role_id, service_id, endpoint, verb }: LimitRow, type: LimitType): CountedLimit[] {
    const inBucket = (bucket: Bucket) => addTo(bucket, verb ?? '', () => []);
    if (type === 'instance.role') return inBucket(addTo(this.roles, role_id ?? 0, newMap));
    const places = limitRules(type).isPerUser
      ? this.eachUser
      : user_id === null
        ? this.anybody
        : addTo(this.users, user_id, () => new UserPlaces());
    if (service_id === null) return inBucket(places.everywhere);
    if (!type.endsWith('.endpoint')) return inBucket(addTo(places.services, service_id, newMap));
    const endpoints = addTo(places.endpoints, service_id, newEndpoints);
    const text = endpoint ?? '';
    const star = text.lastIndexOf('*');
    if (star < 0) return inBucket(addTo(endpoints.exact, text, newMap));
    endpoints.lengths.add(star);
    return inBucket(addTo(endpoints.prefixes, text.slice(0, star), newMap));
  }

  matching(subject: Subject): CountedLimit[] {
    const { userId, roleId, verb } = subject;
    const found: CountedLimit[] = [];
    this.anybody.collect(subject, found);
    if (userId !== undefined) {
      this.eachUser.collect(subject, found);
      this.users.get(userId)?.collect(subject, found);
    }
    if (roleId !== undefined) collect(this.roles.get(roleId), verb, found);
    return found;
  }
}

function collect(bucket: Bucket | undefined, verb: Verb, found: CountedLimit[]): void {
  if (bucket === undefined || bucket.size === 0) return;
  for (const limit of bucket.get('') ?? []) found.push(limit);
  for (const limit of bucket.get(verb) ?? []) found.push(limit);
}

const newMap = (): Bucket => new Map();
const newEndpoints = (): Endpoints => ({ exact: new Map(), prefixes: new Map(), lengths: new Set() });

function addTo<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
}
