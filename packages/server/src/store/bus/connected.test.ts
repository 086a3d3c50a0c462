import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cable, openCable } from '@sluice/testkit/cable';
import { engineMissing, freshDatabase, type TestDatabase, testRedis } from '@sluice/testkit/databases';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../settings/start-error.ts';
import type { Bus, Change } from './bus.ts';
import { type Connect, openConnectedBus } from './connected.ts';
import { connectPostgres } from './postgres.ts';
import { connectRedis, redisAddress } from './redis.ts';

/** A bus as a process has it, and the changes its listener got. */
interface Member {
  bus: Bus;
  changes: Change[];
  warnings: string[];
}

/** A server that carries notices, seen from beside. */
interface Carrier {
  /** Lines to it, straight or through `port`. */
  lines(port?: number): Promise<Connect>;
  host: string;
  port: number;
  /** Ends the connections of an instance from the server's side. */
  kill(instance: string): Promise<void>;
  /** Makes the server send `text` to every process of the instance. */
  shout(instance: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const any = { table: '*' };
let open: Member[] = [];
let cables: Cable[] = [];

async function join(connect: Connect, instance: string, listen?: (change: Change) => Promise<void>): Promise<Member> {
  const changes: Change[] = [];
  const warnings: string[] = [];
  const log = { info() {}, warn: (_: object, message: string) => void warnings.push(message) };
  const bus = await openConnectedBus({ connect, instance, server: 'the server', log });
  bus.subscribe(async (change) => {
    await listen?.(change);
    changes.push(change);
  });
  const member = { bus, changes, warnings };
  open.push(member);
  return member;
}

afterEach(async () => {
  for (const { bus } of open) await bus.close();
  for (const cable of cables) await cable.cut().catch(() => {});
  open = [];
  cables = [];
});

async function redisCarrier(): Promise<Carrier> {
  const url = await testRedis();
  const { hostname: host, port } = new URL(url);
  const client = new Redis(url);
  return {
    host,
    port: Number(port || 6379),
    lines: (at) => connectRedis(at === undefined ? url : `redis://127.0.0.1:${at}`),
    async kill(instance) {
      const clients = String(await client.client('LIST')).split('\n');
      const ids = clients
        .filter((client) => client.includes(instance))
        .map((client) => /id=(\d+)/.exec(client)?.[1] ?? '');
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) await client.client('KILL', 'ID', id);
    },
    shout: async (instance, text) => void (await client.publish(`sluice-changes-${instance}`, text)),
    close: async () => client.disconnect(),
  };
}

async function postgresCarrier(): Promise<Carrier> {
  const database: TestDatabase = await freshDatabase('pgsql');
  return {
    host: database.host,
    port: database.port,
    lines: async (at) =>
      connectPostgres(() => {
        const url = new URL(database.url);
        if (at !== undefined) url.host = `127.0.0.1:${at}`;
        return new Client({ connectionString: url.href });
      }),
    async kill(instance) {
      const ended = await database.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%${instance}%'`,
      );
      expect(ended.length).toBeGreaterThan(0);
    },
    shout: async (instance, text) =>
      void (await database.run(`select pg_notify('sluice-changes-${instance}', '${text}')`)),
    close: () => database.drop(),
  };
}

const carriers: [string, (() => Promise<Carrier>) | undefined][] = [
  ['Redis', redisCarrier],
  ['PostgreSQL', (await engineMissing('pgsql')) ? undefined : postgresCarrier],
];

describe.each(carriers)('notices by %s', (_name, start) => {
  const test = it.skipIf(!start);
  let carrier: Carrier;
  let connect: Connect;
  let instance: string;
  beforeAll(async () => {
    if (!start) return;
    carrier = await start();
    connect = await carrier.lines();
  });
  afterAll(() => carrier?.close());
  beforeEach(() => {
    instance = randomUUID();
  });

  test('acted in every process when publishing returns', async () => {
    const [a, b, c] = [await join(connect, instance), await join(connect, instance), await join(connect, instance)];
    for (let id = 1; id <= 20; id++) {
      const change = { table: 'role', ids: [id] };
      await a.bus.publish(change);
      for (const { changes } of [a, b, c]) expect(changes).toEqual([change]);
      for (const { changes } of [a, b, c]) changes.length = 0;
    }
    await c.bus.publish({ table: 'revoked_token', keys: ['x'] });
    expect(a.changes).toEqual([{ table: 'revoked_token', keys: ['x'] }]);
  });

  test('wait until the others have dropped what they cached, but not for one that hangs', async () => {
    const a = await join(connect, instance);
    const b = await join(connect, instance, () => wait(100));
    await a.bus.publish({ table: 'app' });
    expect(b.changes).toEqual([{ table: 'app' }]);
    await join(connect, instance, () => wait(60_000));
    const begun = performance.now();
    await a.bus.publish({ table: 'user' });
    expect(performance.now() - begun).toBeGreaterThan(200);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(b.changes).toEqual([{ table: 'app' }, { table: 'user' }]);
  });

  test('cost a process that is alone next to nothing, and so after another has left', async () => {
    const a = await join(connect, instance);
    const b = await join(connect, instance);
    await b.bus.close();
    await wait(50);
    const begun = performance.now();
    for (let count = 0; count < 20; count++) await a.bus.publish({ table: 'user', ids: [count] });
    expect(performance.now() - begun).toBeLessThan(2_500);
  });

  test('come once, the own ones too', async () => {
    const a = await join(connect, instance);
    const b = await join(connect, instance);
    await Promise.all([a.bus.publish({ table: 'role' }), b.bus.publish({ table: 'user' })]);
    await wait(100);
    for (const { changes } of [a, b]) {
      expect(changes).toHaveLength(2);
      expect(changes).toEqual(expect.arrayContaining([{ table: 'role' }, { table: 'user' }]));
    }
  });

  test('name the table alone when there are too many rows to list', async () => {
    const a = await join(connect, instance);
    const b = await join(connect, instance);
    const ids = Array.from({ length: 10_000 }, (_, index) => index);
    await a.bus.publish({ table: 'user', ids });
    expect(a.changes).toEqual([{ table: 'user', ids }]);
    expect(b.changes).toEqual([{ table: 'user' }]);
    expect(a.warnings).toEqual([]);
  });

  test('stay within an instance', async () => {
    const a = await join(connect, instance);
    const other = await join(connect, randomUUID());
    await a.bus.publish({ table: 'role' });
    await wait(100);
    expect(other.changes).toEqual([]);
  });

  test('drop everything where one cannot be read', async () => {
    const a = await join(connect, instance);
    await carrier.shout(instance, 'from the future');
    await expect.poll(() => a.changes, { timeout: 15_000 }).toEqual([any]);
  });

  test('drop everything when the server ends the connection, and go on', async () => {
    const a = await join(connect, instance);
    const b = await join(connect, instance);
    await carrier.kill(instance);
    for (const { changes } of [a, b]) await expect.poll(() => changes, { timeout: 15_000 }).toEqual([any, any]);
    expect(a.warnings).toHaveLength(1);
    for (const { changes } of [a, b]) changes.length = 0;
    await a.bus.publish({ table: 'role', ids: [1] });
    for (const { changes } of [a, b]) expect(changes).toEqual([{ table: 'role', ids: [1] }]);
  });

  test('drop everything over and over while the server is out of reach, and tell later what was not told', async () => {
    const cable = await openCable(carrier.host, carrier.port);
    cables.push(cable);
    const away = await join(await carrier.lines(cable.port), instance);
    const there = await join(connect, instance);
    await cable.cut();
    await expect.poll(() => away.changes, { timeout: 15_000 }).toContainEqual(any);
    away.changes.length = 0;
    const begun = performance.now();
    for (let id = 1; id <= 40; id += 1) await away.bus.publish({ table: 'role', ids: [id] });
    // Each would wait a quarter of a second for answers.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(away.changes.slice(0, 2)).toEqual([
      { table: 'role', ids: [1] },
      { table: 'role', ids: [2] },
    ]);
    expect(away.warnings).toHaveLength(2);
    const drops = () => away.changes.filter(({ table }) => table === '*').length;
    await expect.poll(drops, { timeout: 15_000 }).toBeGreaterThanOrEqual(3);
    // Others missed nothing of their own and get notices once they can.
    expect(there.changes).toEqual([]);
    await cable.mend();
    await expect.poll(() => there.changes, { timeout: 15_000 }).toEqual([any]);
    away.changes.length = 0;
    await there.bus.publish({ table: 'app', ids: [3] });
    expect(away.changes).toEqual([{ table: 'app', ids: [3] }]);
    await wait(700);
    expect(away.changes).toEqual([{ table: 'app', ids: [3] }]);
  });

  test('find out that the connection is dead when nobody says so', async () => {
    const cable = await openCable(carrier.host, carrier.port);
    cables.push(cable);
    const away = await join(await carrier.lines(cable.port), instance);
    const there = await join(connect, instance);
    await away.bus.publish({ table: 'role' });
    cable.freeze();
    const begun = performance.now();
    await away.bus.publish({ table: 'role', ids: [7] });
    expect(performance.now() - begun).toBeLessThan(10_000);
    await expect.poll(() => away.changes, { timeout: 15_000 }).toContainEqual(any);
    await expect.poll(() => there.changes, { timeout: 15_000 }).toEqual([{ table: 'role' }, any]);
    await there.bus.publish({ table: 'app' });
    expect(away.changes.at(-1)).toEqual({ table: 'app' });
  });

  test('say in one line why they cannot be had', async () => {
    const cable = await openCable(carrier.host, carrier.port);
    await cable.cut();
    const refused = join(await carrier.lines(cable.port), instance);
    await expect(refused).rejects.toThrow(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });
});

describe('SLUICE_REDIS_URL', () => {
  it.each(['localhost:6379', 'http://:geheim@host', 'redis//:geheim@host', 'rediss://:ge heim@ho st:x'])(
    'refuses %s without telling the password',
    (url) => {
      expect(() => redisAddress(url)).toThrow(
        new StartError('SLUICE_REDIS_URL must be an address that begins with redis:// or rediss://.'),
      );
    },
  );

  it('is named by host and port alone', () => {
    expect(redisAddress('rediss://user:geheim@cache.example.com:6380/2')).toBe('cache.example.com:6380');
    expect(redisAddress('redis://:geheim@cache.example.com')).toBe('cache.example.com:6379');
  });

  it('speaks TLS where it says rediss', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connect = await connectRedis(`rediss://127.0.0.1:${port}`);
    const refused = expect(connect({ channels: ['a'], onMessage() {}, onLoss() {} })).rejects.toThrow();
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    // What a TLS handshake begins with.
    expect(greeting[0]).toBe(0x16);
    server.close();
    socket.destroy();
    await refused;
  });

  it('names a wrong password without showing it', async () => {
    const url = new URL(await testRedis());
    url.username = `nobody-${randomUUID()}`;
    url.password = 'geheim';
    const connect = await connectRedis(url.href);
    const refused = await connect({ channels: ['a'], onMessage() {}, onLoss() {} }).catch((error: unknown) => error);
    expect((refused as Error).message).toBe('the user name or the password is not right.');
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('geheim');
  });
});
