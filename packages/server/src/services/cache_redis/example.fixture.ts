import { redisMissing, testRedis } from '@sluice/testkit/databases';
import type { ServiceExample } from '../example.fixture.ts';

/** The configuration of a service on the Redis that tests share. */
export async function redisConfig(): Promise<{ host: string; port: number; password?: string }> {
  const { hostname, port, password } = new URL(await testRedis());
  return {
    host: hostname,
    port: Number(port || 6379),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}

export const example: ServiceExample = {
  values: { key: 'made' },
  needsServer: true,
  missing: redisMissing,
  prepare: async () => ({ config: await redisConfig() }),
};
