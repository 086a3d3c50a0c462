// One set of throw-away servers for a whole test run instead of one for each file; Vitest and Playwright call this first.
import { localServer } from './access.ts';
import type { EngineKit } from './engine.ts';
import { mysql } from './mysql.ts';
import { startOwnServer } from './own-server.ts';
import { pgsql } from './pgsql.ts';
import { localRedis, startRedis } from './redis.ts';

let stops: (() => Promise<void>)[] = [];

/** Starts what neither the environment names nor this machine runs, and names it in the environment of the test processes. */
export async function setup(): Promise<void> {
  stops = (await Promise.all([provide(pgsql), provide(mysql), provideRedis()])).flat();
}

export async function teardown(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()));
}

async function provide(kit: EngineKit): Promise<(() => Promise<void>)[]> {
  if (process.env[kit.variable] || !kit.program() || (await localServer(kit))) return [];
  const { host, port, user, password, remove } = await startOwnServer(kit);
  process.env[kit.variable] = `${kit.scheme}://${user}:${password}@${host}:${port}`;
  return [remove];
}

async function provideRedis(): Promise<(() => Promise<void>)[]> {
  if (process.env.TEST_REDIS_URL || (await localRedis())) return [];
  const redisServer = await startRedis();
  if (!redisServer) return [];
  process.env.TEST_REDIS_URL = redisServer.url;
  return [redisServer.remove];
}
