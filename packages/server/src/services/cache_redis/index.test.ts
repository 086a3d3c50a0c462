// A cache in Redis: what is there beside its values stays out of reach, its password hidden, its server may go.
import { redisMissing, startRedis } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCache } from '../../caches/cache-suite.fixture.ts';

const missing = await redisMissing();
describeCache('cache_redis', missing);

describe.skipIf(missing)(missing ?? 'values in Redis', () => {
  const password = 'p@ss word';
  let platform: TestPlatform;
  let server: { url: string; remove(): Promise<void> };
  let redis: Redis;
  let port: number;
  let id: number;
  beforeAll(async () => {
    const started = await startRedis();
    if (!started) throw new Error('Redis is not installed');
    server = started;
    port = Number(new URL(server.url).port);
    redis = new Redis(port, '127.0.0.1');
    redis.on('error', () => {});
    await redis.config('SET', 'requirepass', password);
    platform = await startPlatform();
    const config = { host: '127.0.0.1', port, password, database_index: 3 };
    ({ id } = await platform.create('service', {
      name: 'one',
      label: 'One',
      type: 'cache_redis',
      is_active: true,
      config,
    }));
    await redis.auth(password);
    await redis.select(3);
  });
  afterAll(async () => {
    redis?.disconnect();
    await platform?.stop();
    await server?.remove();
  });

  const ask = async (verb: string, path: string, body?: unknown) => {
    const answer = await platform.ask(verb, path, { body });
    return [answer.status, answer.body?.error?.message ?? answer.body];
  };
  const service = (name: string, config: object) =>
    platform.ask('POST', 'system/service', {
      body: { resource: [{ name, label: name, type: 'cache_redis', is_active: true, config }] },
    });

  it('have the name of the instance and of the service before their key, are JSON, and end by the clock of Redis', async () => {
    await ask('PUT', 'one/a/b', { x: 'ü' });
    await ask('PUT', 'one/long?ttl=90', { x: 1 });
    await ask('PUT', 'one/always?forever=true', { x: 1 });
    const keys = (await redis.keys('*')).sort();
    const prefix = keys[0]?.replace(/a\.b$/, '') ?? '';
    expect(prefix).toMatch(new RegExp(`^sluice:[0-9a-f-]{36}:cache:${id}:$`));
    expect(keys).toEqual([`${prefix}a.b`, `${prefix}always`, `${prefix}long`]);
    expect(await redis.get(`${prefix}a.b`)).toBe('{"x":"ü"}');
    const ends = [];
    for (const key of keys) ends.push(await redis.ttl(key));
    expect(ends[1]).toBe(-1);
    expect(Math.round((ends[0] as number) / 60)).toBe(300);
    expect(Math.round((ends[2] as number) / 60)).toBe(90);
  });

  it('abuse: no key leads beside the prefix', async () => {
    await redis.set('sluice:{x}:limit:1', 'counter');
    await redis.set('plain', '"hidden"');
    for (const key of ['plain', '*', 'sluice:{x}:limit:1', '../plain', ':plain']) {
      expect([key, (await ask('GET', `one/${key}`))[0]]).toEqual([key, 404]);
      expect(await ask('DELETE', `one/${key}`)).toEqual([200, { success: false }]);
      await ask('PUT', `one/${key}`, { mine: 1 });
    }
    expect(await redis.get('plain')).toBe('"hidden"');
    expect(await redis.get('sluice:{x}:limit:1')).toBe('counter');
  });

  it('are shared with other programs by a prefix, which none of ours may be', async () => {
    const config = { host: '127.0.0.1', port, password, database_index: 3 };
    expect((await service('shared', { ...config, options: { prefix: 'app:' } })).status).toBe(201);
    await redis.set('app:json', '{"a":[1]}');
    await redis.set('app:text', 's:3:"abc";');
    await redis.set('app:large', 'x'.repeat(1_048_577));
    await redis.lpush('app:list', 'x');
    expect(await ask('GET', 'shared/json')).toEqual([200, { a: [1] }]);
    expect(await ask('GET', 'shared/text')).toEqual([200, 's:3:"abc";']);
    expect(await ask('GET', 'shared/large')).toEqual([
      400,
      expect.stringContaining("'large' has more than 1048576 bytes"),
    ]);
    expect(await ask('GET', 'shared/large?clear=true')).toEqual([400, expect.any(String)]);
    expect(await redis.strlen('app:large')).toBe(1_048_577);
    expect(await ask('GET', 'shared/list')).toEqual([
      502,
      expect.stringMatching(/^The cache refused the call: WRONGTYPE/),
    ]);
    await ask('PUT', 'shared/mine', { b: 2 });
    expect(await redis.get('app:mine')).toBe('{"b":2}');
    for (const prefix of ['sluice:', ' sluice:x:', 's', 'sluice', 'a b', 'a\nb', 'x'.repeat(101)]) {
      const { status, body } = await service('never', { ...config, options: { prefix } });
      expect([prefix, status, JSON.stringify(body)]).toEqual([prefix, 400, expect.stringContaining('The prefix must')]);
    }
    for (const scheme of ['http', 5, true])
      expect((await service('never', { ...config, options: { scheme } })).status).toBe(400);
  });

  it('abuse: nobody sees the password, nor has it sent elsewhere', async () => {
    const { text } = await platform.ask('GET', `system/service/${id}`);
    expect(text).not.toContain(password);
    expect(JSON.parse(text).config.password).toBe('**********');
    const config = { host: 'localhost', port };
    const moved = await platform.ask('PATCH', `system/service/${id}`, {
      body: { config: { ...config, password: '**********' } },
    });
    expect(moved.status).toBe(400);
    const tls = await platform.ask('PATCH', `system/service/${id}`, {
      body: { config: { password: '**********', options: { username: 'other' } } },
    });
    expect(tls.status).toBe(400);
  });

  it('say when the server wants another password, has no such database, or is gone', async () => {
    const config = { host: '127.0.0.1', port };
    const tried = async (more: object) => {
      const record = { name: 'tried', label: 'T', type: 'cache_redis', config: { ...config, ...more } };
      const { status, body } = await platform.ask('POST', 'system/service/_test', { body: record });
      return [status, JSON.stringify(body)];
    };
    expect(await tried({ password })).toEqual([200, '{"success":true}']);
    expect(await tried({ password: 'wrong secret' })).toEqual([
      expect.any(Number),
      expect.stringMatching(/NOAUTH|WRONGPASS/),
    ]);
    expect((await tried({ password: 'wrong secret' }))[1]).not.toContain('wrong secret');
    expect((await tried({ password: 'wrong secret' }))[0]).not.toBe(200);
    expect(await tried({ password, database_index: 60_000 })).toEqual([
      expect.any(Number),
      expect.stringContaining('out of range'),
    ]);
    expect(await tried({ port: 1 })).toEqual([expect.any(Number), expect.stringContaining('not available')]);
    await server.remove();
    expect(await ask('GET', 'one/a/b')).toEqual([503, expect.stringMatching(/^The cache is not available: /)]);
    expect(await ask('PUT', 'one/a/b', { x: 1 })).toEqual([
      503,
      expect.stringMatching(/^The cache is not available: /),
    ]);
  });
});
