// Counters in Redis, by its clock: one script for the hits of many calls. A limit has a hash of its counters and a list of when
// they end, which both go by themselves one period after the last hit.
import type { Redis } from 'ioredis';
import type { Counter, CounterStore, Hit, HitResult } from './counter.ts';
import { highestFirst } from './memory.ts';

/** Milliseconds: to connect, and for an answer. What was not answered may have been counted, and is never sent again. */
const timeouts = { connect: 5_000, answer: 5_000 };

/** `now` of Redis in milliseconds; the keys of a limit from the prefix and its id. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keysOf(prefix, id) return prefix .. id, prefix .. id .. ':ends' end
local function read(hash, counter)
  local value = redis.call('HGET', hash, counter)
  if not value then return nil end
  local hits, locked, ends = string.match(value, '^(%d+) (%d) (%d+)$')
  if tonumber(ends) <= now then return nil end
  return tonumber(hits), locked == '1', tonumber(ends)
end
`;

const hitScript = `${prelude}
local answers = {}
for at = 2, #ARGV, 5 do
  local id, counter = ARGV[at], ARGV[at + 1]
  local rate, period, count = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local hash, ends = keysOf(ARGV[1], id)
  local hits, isLocked, endsAt = read(hash, counter)
  if hits and endsAt > now + period then endsAt = now + period end
  local admitted = -1
  if not isLocked then
    if not hits then hits, endsAt = 0, now + period end
    admitted = math.max(0, math.min(count, rate - hits))
    hits = hits + admitted
    if admitted < count then hits, isLocked, endsAt = 0, true, now + period end
  end
  redis.call('HSET', hash, counter, string.format('%d %d %.0f', hits, isLocked and 1 or 0, endsAt))
  redis.call('ZADD', ends, string.format('%.0f', endsAt), counter)
  for _, over in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', string.format('%.0f', now), 'LIMIT', 0, 10)) do
    redis.call('HDEL', hash, over)
    redis.call('ZREM', ends, over)
  end
  redis.call('PEXPIRE', hash, period + 1000)
  redis.call('PEXPIRE', ends, period + 1000)
  answers[#answers + 1] = admitted
  answers[#answers + 1] = isLocked and 1 or 0
  answers[#answers + 1] = math.floor(endsAt - now)
end
return answers`;

const peekScript = `${prelude}
local answers = {}
for at = 2, #ARGV, 2 do
  local hash = keysOf(ARGV[1], ARGV[at])
  local hits, isLocked, endsAt = read(hash, ARGV[at + 1])
  answers[#answers + 1] = hits or -1
  answers[#answers + 1] = isLocked and 1 or 0
  answers[#answers + 1] = hits and math.floor(endsAt - now) or 0
end
return answers`;

const listScript = `${prelude}
local hash = keysOf(ARGV[1], ARGV[2])
local answers = {}
for _, counter in ipairs(redis.call('HKEYS', hash)) do
  local hits, isLocked, endsAt = read(hash, counter)
  if hits then
    answers[#answers + 1] = counter
    answers[#answers + 1] = hits
    answers[#answers + 1] = isLocked and 1 or 0
    answers[#answers + 1] = math.floor(endsAt - now)
  end
end
return answers`;

type Answers = (number | string)[];
type ScriptedRedis = Redis & Record<'limitHit' | 'limitPeek' | 'limitList', (...values: unknown[]) => Promise<Answers>>;

/** Counters of an instance; several may share a server. `allIds` are those of the limits there are. */
export async function createRedisCounters(
  url: string,
  instance: string,
  allIds: () => Promise<number[]>,
): Promise<CounterStore> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    connectionName: `sluice:${instance}:limits`,
    connectTimeout: timeouts.connect,
    commandTimeout: timeouts.answer,
    enableOfflineQueue: false,
    // A server that still loads its data says so to each command.
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  }) as ScriptedRedis;
  // It connects again by itself; calls meanwhile fail, and the guard says so.
  redis.on('error', () => {});
  // A script that Redis has forgotten is sent again by the client: nothing of it has run.
  for (const [name, lua] of [
    ['limitHit', hitScript],
    ['limitPeek', peekScript],
    ['limitList', listScript],
  ] as const)
    redis.defineCommand(name, { numberOfKeys: 1, lua });
  // In braces: all keys of an instance are in one slot of a cluster.
  const prefix = `sluice:{${instance}}:limit:`;
  const keysOf = (id: number) => [`${prefix}${id}`, `${prefix}${id}:ends`];
  await new Promise<void>((resolve) => {
    if (redis.status === 'ready') resolve();
    redis.once('ready', resolve);
    redis.once('close', resolve);
  });

  return {
    async hit(hits: readonly Hit[]): Promise<HitResult[]> {
      const values = hits.flatMap(({ limitId, key, rate, period, count }) => [limitId, key, rate, period, count]);
      const answers = (await redis.limitHit(prefix, prefix, ...values)).map(Number);
      return hits.map(({ count }, at) => {
        const [admitted = 0, isLocked, endsIn = 0] = answers.slice(3 * at, 3 * at + 3);
        return {
          ...{ admitted: Math.max(0, admitted), isLocked: isLocked === 1, endsIn: Math.max(1, endsIn) },
          hasLocked: admitted >= 0 && admitted < count,
        };
      });
    },
    async peek(ids) {
      if (ids.length === 0) return [];
      const values = ids.flatMap(({ limitId, key }) => [limitId, key]);
      const answers = (await redis.limitPeek(prefix, prefix, ...values)).map(Number);
      return ids.map((id, at) => {
        const [hits = -1, isLocked, endsIn = 0] = answers.slice(3 * at, 3 * at + 3);
        return hits < 0 ? undefined : { ...id, hits, isLocked: isLocked === 1, endsIn };
      });
    },
    async top(limitId, max) {
      const answers = await redis.limitList(prefix, prefix, limitId);
      const counters: Counter[] = [];
      for (let at = 0; at < answers.length; at += 4) {
        const [hits, isLocked, endsIn] = answers.slice(at + 1, at + 4).map(Number);
        counters.push({
          ...{ limitId, key: String(answers[at]), hits: hits ?? 0, isLocked: isLocked === 1, endsIn: endsIn ?? 0 },
        });
      }
      return highestFirst(counters).slice(0, max);
    },
    async clear(limitIds) {
      const ids = limitIds === 'all' ? await allIds() : limitIds;
      if (ids.length > 0) await redis.del(...ids.flatMap(keysOf));
    },
    async close() {
      redis.disconnect();
    },
  };
}
