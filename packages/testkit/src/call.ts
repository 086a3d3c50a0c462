// A call without a door: what a handler gets, made up for a test.
import type { Verb } from '@sluice/contract';
import type { AccessRow } from '@sluice/server/access/decide';
import { fullAccess } from '@sluice/server/access/decide';
import { type Call, type Caller, type CallerUser, anonymousCaller as stranger } from '@sluice/server/call/call';
import { bodyOf } from '@sluice/server/call/exchange';
import { TypedMap } from '@sluice/server/call/typed-map';

export interface CallParts {
  verb?: Verb;
  service?: string;
  path?: string;
  /** As written after the `?`. */
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  caller?: Partial<Caller>;
  ip?: string;
}

/** Someone signed in; an administrator unless said otherwise. */
export const aPerson = (set: Partial<CallerUser> = {}): CallerUser => ({
  id: 1,
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  username: 'ada@example.com',
  email: 'ada@example.com',
  phone: null,
  isAdmin: true,
  defaultAppId: null,
  lastLoginDate: null,
  ...set,
});

/** Nobody: neither key nor token. */
export const nobody: Partial<Caller> = { hasSentKey: false, hasSentToken: false };

/** A user whose role has these rows: `aCallerWith([{ component: 'role/*', verbMask: 1 }])`. */
export const aCallerWith = (rows: Partial<AccessRow>[], user: Partial<CallerUser> = {}): Partial<Caller> => ({
  user: aPerson({ id: 2, isAdmin: false, ...user }),
  role: {
    id: 1,
    name: 'role',
    isActive: true,
    access: rows.map((row, index) => ({
      id: index + 1,
      service: 'system',
      component: '*',
      verbMask: 31,
      requestorMask: 1,
      filters: null,
      filterOp: 'and',
      ...row,
    })),
  },
  hasSentKey: true,
  hasSentToken: true,
});

/** A call as the gateway would hand it on, by an administrator unless `caller` says otherwise. */
export function aCall({
  verb = 'GET',
  service = 'system',
  path = '',
  query = '',
  body,
  headers = {},
  caller = { user: aPerson(), hasSentKey: true, hasSentToken: true },
  ip = '127.0.0.1',
}: CallParts): Call {
  const search = new URLSearchParams(query);
  return {
    id: 'test-call',
    verb,
    service,
    path,
    query: {
      get: (name) => search.get(name) ?? undefined,
      has: (name) => search.has(name),
      names: () => [...new Set(search.keys())],
      pairs: () => [...search],
      isEmpty: search.size === 0,
    },
    header: (name) => headers[name.toLowerCase()],
    headerNames: () => Object.keys(headers),
    caller: { ...stranger, ...caller },
    decision: fullAccess,
    credentials: {} as Call['credentials'],
    serviceId: undefined,
    match: undefined,
    state: new TypedMap(),
    replyHeaders: new Map(),
    memory: undefined,
    depth: 0,
    signal: new AbortController().signal,
    baseUrl: 'http://test.local',
    ip,
    userAgent: null,
    ...bodyOf(body),
  };
}
