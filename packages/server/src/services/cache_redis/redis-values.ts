// Values in Redis, each under the prefix of its service: no key of a caller leads to another one.
import { type Failure, fail } from '@sluice/contract';
import type { Redis } from 'ioredis';
import { type CacheStore, cacheBounds } from '../../caches/index.ts';

export interface RedisServer {
  host: string;
  port: number;
  username: string;
  password: string;
  database: number;
  isSecure: boolean;
  /** Milliseconds until an attempt to connect counts as failed. */
  connectTimeout: number;
}

/** Milliseconds that an answer may take. */
const answerTimeout = 5_000;

/** Reads no more of a value than one may have: others may have stored it. */
const takeScript = `
local value = redis.call('GETRANGE', KEYS[1], 0, ARGV[1])
if #value > 0 and #value <= tonumber(ARGV[1]) then redis.call('DEL', KEYS[1]) end
return value`;

/** Stores all, or where one may not be there yet and is, answers which are. */
const storeScript = `
if ARGV[1] == 'add' then
  local existing = {}
  for at, key in ipairs(KEYS) do
    if redis.call('EXISTS', key) == 1 then existing[#existing + 1] = at end
  end
  if #existing > 0 then return existing end
end
for at, key in ipairs(KEYS) do
  if ARGV[2] == '' then redis.call('SET', key, ARGV[at + 2]) else redis.call('SET', key, ARGV[at + 2], 'EX', ARGV[2]) end
end
return {}`;

export async function openRedisValues(server: RedisServer, prefix: string): Promise<CacheStore> {
  const { Redis } = await import('ioredis');
  const redis = new Redis({
    ...{ host: server.host, port: server.port, db: server.database, lazyConnect: true, connectionName: 'sluice' },
    ...(server.username ? { username: server.username } : {}),
    ...(server.password ? { password: server.password } : {}),
    ...(server.isSecure ? { tls: {} } : {}),
    connectTimeout: server.connectTimeout,
    commandTimeout: answerTimeout,
    // What is on its way when the connection breaks fails: it may have been carried out.
    ...{ autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0, enableReadyCheck: false },
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  let lastError: Error | undefined;
  // It connects again by itself; calls meanwhile fail.
  redis.on('error', (error: Error) => {
    lastError = error;
  });
  redis.on('ready', () => {
    lastError = undefined;
  });

  async function run<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await work(redis);
    } catch (error) {
      throw failureOf(error as Error, lastError, server.password);
    }
  }

  const textOf = (key: string, bytes: Buffer): string | undefined => {
    if (bytes.length > cacheBounds.value) throw fail('cache.valueTooLarge', { key, limit: cacheBounds.value });
    // An empty text is no JSON: nothing of ours.
    return bytes.length === 0 ? undefined : bytes.toString();
  };
  const store = async (
    mode: 'put' | 'add',
    entries: readonly (readonly [string, string])[],
    seconds: number | null,
  ) => {
    const keys = entries.map(([key]) => prefix + key);
    const values = entries.map(([, value]) => value);
    const found = await run((to) =>
      to.eval(storeScript, keys.length, ...keys, mode, seconds === null ? '' : String(seconds), ...values),
    );
    return (found as number[]).map((at) => entries[at - 1]?.[0] ?? '');
  };

  return {
    get: async (key) => textOf(key, await run((from) => from.getrangeBuffer(prefix + key, 0, cacheBounds.value))),
    async take(key) {
      const bytes = await run((from) => from.callBuffer('EVAL', takeScript, 1, prefix + key, cacheBounds.value));
      return textOf(key, bytes as Buffer);
    },
    put: async (entries, seconds) => void (await store('put', entries, seconds)),
    add: (entries, seconds) => store('add', entries, seconds),
    delete: async (key) => (await run((from) => from.del(prefix + key))) > 0,
    async ping() {
      // The client ignores that there is no such database.
      await run((to) => to.select(server.database));
      await run((to) => to.get(`${prefix}-`));
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** What Redis refuses has its words; anything else is a server that is not there. Never with the password. */
function failureOf(error: Error, lastError: Error | undefined, password: string): Failure {
  const words = (text: string) => (password ? text.replaceAll(password, '…') : text).slice(0, 300);
  if (error.name === 'ReplyError') return fail('cache.refused', { text: words(error.message) }, { cause: error });
  const cause = error.name === 'MaxRetriesPerRequestError' && lastError ? lastError : error;
  return fail('cache.unreachable', { problem: words(cause.message) }, { cause });
}
