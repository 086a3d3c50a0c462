// Services that are a cache (contract/services-other.md §7): every type of the group Cache is made by `cacheType`, over the
// `CacheStore` that its folder opens. Values are kept as JSON.
import {
  type ConfigFields,
  type ConfigOf,
  ExactNumber,
  Failure,
  fail,
  configField as field,
  toExactJson,
  truthy,
} from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { type CallSlots, createCallSlots } from '../call/call-slots.ts';
import { parseJson } from '../call/formats/json.ts';
import { isRecord } from '../call/payload.ts';
import { type Operations, routesOf } from '../service/operation.ts';
import { accessList, callerMask } from '../service/root.ts';
import { type ServiceContext, type ServiceType, serviceType, type TypeDefinition } from '../service/service.ts';
import { refuseField } from '../storage/remote-config.ts';
import { type CacheEntry, type CacheStore, cacheBounds } from './cache-store.ts';
import { keyAuthorizer, keyOf } from './keys.ts';

export { type CacheEntry, type CacheStore, cacheBounds } from './cache-store.ts';
export { prefixOf } from './keys.ts';

const usualMinutes = 300;

/** A field of every type. */
export const ttlField = {
  default_ttl: field.integer({
    label: 'Default TTL',
    description: 'Minutes that a value is kept where a call does not say.',
    default: usualMinutes,
  }),
};

type SharedFields = typeof ttlField;

/** What is particular to a type; the rest is the same for all. */
interface CacheTypeDefinition<F extends ConfigFields & SharedFields>
  extends Pick<TypeDefinition<F, never>, 'name' | 'label' | 'description' | 'address'> {
  config: F;
  check?(config: ConfigOf<F>): void;
  open(config: ConfigOf<F>, context: ServiceContext): Promise<CacheStore>;
}

/** An open service. */
interface CacheService {
  store: CacheStore;
  /** How many calls of the server are under way at once; others wait. */
  slots: CallSlots;
  /** Seconds that a value is kept where a call does not say. */
  usualSeconds: number;
  close?(): Promise<void>;
}

/** Calls of callers at a time, each of which may hold a value, and milliseconds that one waits. */
const maxCalls = 32;
const maxWaiting = 500;
const waitTime = 10_000;
const busy = () => fail('cache.busy');

/** Declares a type of service that is a cache. */
export function cacheType<F extends ConfigFields & SharedFields>({
  check,
  open,
  ...facts
}: CacheTypeDefinition<F>): ServiceType<F> {
  return serviceType<F, CacheService>({
    ...facts,
    group: 'Cache',
    can: {},
    check(sent) {
      const { default_ttl: minutes } = sent as ConfigOf<SharedFields>;
      if (minutes !== null && minutes !== undefined && !isMinutes(minutes))
        throw refuseField('default_ttl', `The default_ttl must be between 1 and ${cacheBounds.minutes} minutes.`);
      check?.(sent);
    },
    async open(configured, context) {
      const store = await open(configured, context);
      const { default_ttl: minutes } = configured as ConfigOf<SharedFields>;
      const close = store.close?.bind(store);
      return {
        store,
        slots: createCallSlots({ total: maxCalls, kept: 4, maxWaiting, waitTime, busy }),
        usualSeconds: 60 * (minutes ?? usualMinutes),
        ...(close ? { close } : {}),
      };
    },
    async test(configured, context) {
      const store = await open(configured, context);
      try {
        await store.ping();
      } finally {
        await store.close?.();
      }
    },
    routes: [route('', rootOperations), route('{+key}', keyOperations)],
  });
}

const route = routesOf<CacheService>();

const storing = { parameters: ['ttl', 'forever'], body: 'any value', answer: 'object' } as const;
const writeErrors = ['cache.noValue', 'cache.badTtl', 'cache.badKey', 'cache.valueTooLarge'] as const;
const several = {
  ...storing,
  body: 'object',
  answer: 'success',
  errors: [...writeErrors, 'cache.notPairs', 'cache.tooManyKeys'],
} as const;
const one = { ...storing, errors: writeErrors } as const;

const rootOperations: Operations<CacheService> = {
  GET: {
    summary: 'What roles may name; a value has to be named by its key',
    parameters: ['as_access_list'],
    answer: 'records',
    errors: ['cache.noKeyToRetrieve'],
    async handle(call, _values, service) {
      if (!truthy(call.query.get('as_access_list'))) throw fail('cache.noKeyToRetrieve');
      return answer({ resource: await accessList([], service, (component) => callerMask(call, component)) });
    },
  },
  POST: {
    ...several,
    summary: 'Store values that are not there yet',
    status: 201,
    errors: [...several.errors, 'cache.someExist'],
    async handle(call, _values, service) {
      const existing = await storeValues(call, service, await readPairs(call), 'add');
      if (existing.length > 0) throw fail('cache.someExist', { keys: existing.join(',') });
      return answer({ success: true }, 201);
    },
  },
  PUT: { ...several, summary: 'Store values', handle: putSeveral },
  PATCH: { ...several, summary: 'Store values', handle: putSeveral },
  DELETE: {
    summary: 'Refused: what is deleted has to be named by its key',
    answer: 'success',
    errors: ['cache.noKeyToDelete'],
    handle: () => {
      throw fail('cache.noKeyToDelete');
    },
  },
};

const keyOperations: Operations<CacheService, '{+key}'> = {
  GET: {
    summary: 'Read a value',
    description: 'With `clear=true`, or `pull=true`, it is deleted as well, which takes the right to delete it.',
    parameters: ['default', 'clear', 'pull'],
    answer: 'any value',
    mayWrite: true,
    errors: ['cache.missing', 'cache.badKey'],
    handle: (call, { key }, service) => readValue(call, key, service),
  },
  POST: {
    ...one,
    summary: 'Store a value that is not there yet',
    status: 201,
    errors: [...writeErrors, 'cache.exists'],
    async handle(call, { key }, service) {
      const [name, value] = await readPair(call, key);
      const existing = await storeValues(call, service, [[name, value]], 'add');
      if (existing.length > 0) throw fail('cache.exists', { key: name });
      return answer({ [name]: value }, 201);
    },
  },
  PUT: { ...one, summary: 'Store a value', handle: (call, { key }, service) => putOne(call, key, service) },
  PATCH: { ...one, summary: 'Store a value', handle: (call, { key }, service) => putOne(call, key, service) },
  DELETE: {
    summary: 'Delete a value',
    answer: 'success',
    errors: ['cache.badKey'],
    async handle(call, { key }, service) {
      const name = keyOf(key);
      keyAuthorizer(call)('DELETE', key);
      return answer({ success: await service.slots.run(call, () => service.store.delete(name)) });
    },
  },
};

async function readValue(call: Call, written: string, service: CacheService): Promise<Reply> {
  const { query } = call;
  const key = keyOf(written);
  const isTaken = truthy(query.get('clear')) || truthy(query.get('pull'));
  const authorize = keyAuthorizer(call);
  authorize('GET', written);
  // The right to read is not the right to delete.
  if (isTaken) authorize('DELETE', written);
  const text = await service.slots.run(call, () => (isTaken ? service.store.take(key) : service.store.get(key)));
  if (text !== undefined) return answer(parseStored(text));
  const otherwise = query.get('default') ?? '';
  if (otherwise === '') throw fail('cache.missing', { key });
  return answer(otherwise);
}

/** What was stored; of what another program stored and is no JSON, the text. */
function parseStored(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return text;
  }
}

async function putOne(call: Call, path: string, service: CacheService): Promise<Reply> {
  const [key, value] = await readPair(call, path);
  await storeValues(call, service, [[key, value]], 'put');
  return answer({ [key]: value });
}

async function putSeveral(call: Call, _values: unknown, service: CacheService): Promise<Reply> {
  await storeValues(call, service, await readPairs(call), 'put');
  return answer({ success: true });
}

type Pair = readonly [key: string, value: unknown];

/** Stores values for as long as the call says; `add` answers the keys that are there already. */
async function storeValues(
  call: Call,
  service: CacheService,
  pairs: readonly Pair[],
  mode: 'put' | 'add',
): Promise<string[]> {
  const seconds = secondsOf(call, service);
  const entries = pairs.map(entryOf);
  return service.slots.run(call, async () => {
    if (mode === 'add') return service.store.add(entries, seconds);
    await service.store.put(entries, seconds);
    return [];
  });
}

// ---- what calls say ----

const isMinutes = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= cacheBounds.minutes;

/** How long values are kept; null: until they are deleted. */
function secondsOf({ query }: Call, { usualSeconds }: CacheService): number | null {
  if (truthy(query.get('forever'))) return null;
  const sent = query.get('ttl') ?? '';
  if (sent === '') return usualSeconds;
  const minutes = /^\d{1,9}$/.test(sent) ? Number(sent) : 0;
  if (!isMinutes(minutes)) throw fail('cache.badTtl', { limit: cacheBounds.minutes });
  return 60 * minutes;
}

async function readPair(call: Call, path: string): Promise<Pair> {
  const key = keyOf(path);
  keyAuthorizer(call)(call.verb, path);
  return [key, requireValue(await call.body())];
}

async function readPairs(call: Call): Promise<Pair[]> {
  const body = requireValue(await call.body());
  if (!isRecord(body)) throw fail('cache.notPairs');
  const authorize = keyAuthorizer(call);
  const pairs = new Map<string, unknown>();
  for (const [written, value] of Object.entries(body)) {
    pairs.set(keyOf(written), value);
    authorize(call.verb, written);
  }
  if ([...pairs.values()].includes(null)) throw fail('cache.noValue');
  if (pairs.size > cacheBounds.entries) throw fail('cache.tooManyKeys', { limit: cacheBounds.entries });
  return [...pairs];
}

/** The body of a call: a single value is kept as a text; nothing, and what holds nothing, is no value. */
function requireValue(value: unknown): unknown {
  if (value === undefined || value === null || value === '') throw fail('cache.noValue');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value instanceof ExactNumber) return toExactJson(value);
  if (Object.keys(value).length === 0) throw fail('cache.noValue');
  return value;
}

function entryOf([key, value]: Pair): CacheEntry {
  const text = toExactJson(value);
  if (Buffer.byteLength(text) > cacheBounds.value) throw fail('cache.valueTooLarge', { key, limit: cacheBounds.value });
  return [key, text];
}
