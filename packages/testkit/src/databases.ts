// Real databases for tests: a fresh database for each who asks, and servers that may be stopped and killed.
import { accessTo } from './databases/access.ts';
import type { Engine, EngineKit } from './databases/engine.ts';
import { createDatabase, type TestDatabase } from './databases/fresh.ts';
import { mysql } from './databases/mysql.ts';
import { type OwnServer, startOwnServer } from './databases/own-server.ts';
import { pgsql } from './databases/pgsql.ts';
import { isQuick } from './databases/quick.ts';
import { findRedis, redisInstallLine } from './databases/redis.ts';

export { startRedis } from './databases/redis.ts';
export type { Engine, OwnServer, TestDatabase };

/** The kits of all engines, by the name the dialect has too. */
export const kits: Record<Engine, EngineKit> = { pgsql, mysql };

const isCi = /^(1|true)$/i.test(process.env.CI ?? '');

/**
 * A new, empty database `sluice_test_<when>_<random>` on the server that TEST_POSTGRES_URL or TEST_MYSQL_URL names, else
 * on the default local one, else on a throw-away one. Throws when there is no server.
 */
export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await createDatabase(kits[engine]);
  if (!database) throw new Error(missing(kits[engine]));
  return database;
}

/**
 * Why there is no database of this engine to test with, in a sentence that names the line that would install it; undefined
 * when there is one: `describe.skipIf(await engineMissing('pgsql'))`. With CI=true a missing one throws: no skips there.
 */
export async function engineMissing(engine: Engine): Promise<string | undefined> {
  if (isQuick) return quickly;
  return (await accessTo(kits[engine])) ? undefined : lacking(missing(kits[engine]));
}

/** Like `engineMissing`, for `ownServer`: that one needs the server's program, which TEST_POSTGRES_URL cannot replace. */
export function ownServerMissing(engine: Engine): string | undefined {
  if (isQuick) return quickly;
  return kits[engine].program() ? undefined : lacking(missing(kits[engine]));
}

/** A server of the test's own that it may stop, kill and start again. Call `remove` at the end. */
export async function ownServer(engine: Engine): Promise<OwnServer> {
  if (!kits[engine].program()) throw new Error(missing(kits[engine]));
  return startOwnServer(kits[engine]);
}

let redis: Promise<string | undefined> | undefined;

/** URL of a Redis that others use too: give every key a prefix of your own. Throws when there is none. */
export async function testRedis(): Promise<string> {
  redis ??= findRedis();
  const url = await redis;
  if (!url) throw new Error(noRedis);
  return url;
}

/** Like `engineMissing`. */
export async function redisMissing(): Promise<string | undefined> {
  if (isQuick) return quickly;
  redis ??= findRedis();
  return (await redis) ? undefined : lacking(noRedis);
}

const quickly = 'npm run quick does without servers';
const noRedis = `There is no Redis to test with. To install one: ${redisInstallLine}`;

function lacking(sentence: string): string {
  if (isCi) throw new Error(sentence);
  return sentence;
}

const missing = ({ label, installLine }: EngineKit) =>
  `There is no ${label} to test with. To install one: ${installLine}`;
