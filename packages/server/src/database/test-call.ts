// Calls on a database service without a gateway, for the tests beside this file.
import { Failure, type Verb, verbs, wireError } from '@sluice/contract';
import { type AccessRow, componentOf } from '../access/decide.ts';
import { decideFor } from '../access/gate.ts';
import { type Call, type Caller, type Reply, nobody as stranger } from '../gateway/call.ts';
import { streamJson } from '../http/formats/json.ts';
import type { Service, ServiceContext } from '../services/service.ts';
import { extrasOf, type ServiceExtras } from './extras/index.ts';
import { noRows, type StoredExtras, withPuts } from './extras/rows.ts';

export interface Asked {
  query?: Record<string, string>;
  body?: unknown;
  as?: Caller;
}

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  /** The answer as it goes out. */
  text: string;
  failure?: Failure;
}

const nobody: Caller = { ...stranger, sentKey: true, sentToken: true };
const person = {
  id: 7,
  name: 'Ada L',
  firstName: 'Ada',
  lastName: 'L',
  username: 'ada',
  email: 'ada@example.com',
  phone: null,
  defaultAppId: null,
  lastLoginDate: null,
};

export const admin: Caller = { ...nobody, user: { ...person, isAdmin: true } };

/** A person whose role has these rows: component → verbs. */
export function user(rows: Record<string, number>, service = 'db'): Caller {
  const access = Object.entries(rows).map(
    ([component, verbMask], index): AccessRow => ({
      id: index + 1,
      service,
      component,
      verbMask,
      requestorMask: 1,
      filters: null,
      filterOp: 'AND',
    }),
  );
  return { ...nobody, user: { ...person, isAdmin: false }, role: { id: 3, name: 'reader', isActive: true, access } };
}

/** A person whose role has these rows of the service `db`, all verbs on everything where nothing else is said. */
export function holder(rows: Partial<AccessRow>[], lookups: Record<string, string> = {}): Caller {
  const usual = {
    service: 'db',
    component: '_table/*',
    verbMask: 31,
    requestorMask: 1,
    filters: null,
    filterOp: 'AND',
  };
  const access = rows.map((row, index): AccessRow => ({ id: index + 1, ...usual, ...row }));
  const { role, ...caller } = user({});
  return { ...caller, role: { ...role!, access }, lookups: new Map(Object.entries(lookups)) };
}

export function fakeCall(verb: Verb, path: string, { query = {}, body, as = admin }: Asked = {}): Call {
  return {
    id: 'test',
    verb,
    service: 'db',
    path,
    query: {
      get: (name) => query[name],
      has: (name) => name in query,
      names: () => Object.keys(query),
      isEmpty: Object.keys(query).length === 0,
    },
    header: () => undefined,
    credentials: {},
    caller: as,
    decision: decideFor(as, verb, 'db', componentOf(path)),
    signal: new AbortController().signal,
    baseUrl: 'http://localhost',
    ip: '127.0.0.1',
    userAgent: null,
    body: async () => body,
  };
}

/** Asks a service and answers what would go out, errors included. `line` is `GET _table/contact`. */
export async function ask(service: Service, line: string, asked: Asked = {}): Promise<Answered> {
  const [verb = '', path = ''] = line.split(/ (.*)/s);
  try {
    if (!verbs.includes(verb as Verb)) throw new Error(`no verb: ${verb}`);
    const reply = await service.handle(fakeCall(verb as Verb, path, asked));
    const text = await textOf(reply.body);
    return { status: reply.status ?? 200, body: JSON.parse(text), text };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const body = { error: wireError(error) };
    return { status: error.status, body, text: JSON.stringify(body), failure: error };
  }
}

async function textOf(body: Reply['body']): Promise<string> {
  if ('json' in body) return body.json;
  if ('value' in body) return JSON.stringify(body.value);
  let text = '';
  for await (const piece of streamJson(body.rows)) text += piece;
  return text;
}

/** Extras as a service would have them stored: kept in memory. */
function heldExtras(rows: Partial<StoredExtras['rows']>): ServiceExtras {
  let stored: StoredExtras = { service: 5, names: { 5: 'db', 6: 'other' }, rows: { ...noRows(), ...rows } };
  let extras = extrasOf(stored);
  return {
    current: () => extras,
    async change(_call, work) {
      stored = withPuts(stored, work(stored));
      extras = extrasOf(stored);
    },
  };
}

/** The surroundings of a service that stands alone; `rows` is what the store would have of its tables. */
export const testContext = (dataFolder: string, rows: Partial<StoredExtras['rows']> = {}): ServiceContext => ({
  id: 5,
  name: 'db',
  label: 'Database',
  extras: heldExtras(rows),
  peer: () => Promise.reject(new Error('it stands alone')),
  dataFolder,
  limits: { maxRecords: 100_000, queryTimeout: 10_000 },
  log: { warn: () => {}, error: () => {} },
});
