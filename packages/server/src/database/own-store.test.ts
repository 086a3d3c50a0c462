// The platform's own store as a database service, by every way there.
import { type AddressInfo, createServer, connect as openSocket } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const engines = ['pgsql', 'mysql'] as const;
const missing = await Promise.all(engines.map(engineMissing));

describe.each(engines)('%s', (engine) => {
  describe.skipIf(missing[engines.indexOf(engine)])('a store on a server', () => {
    let platform: TestPlatform;
    let store: TestDatabase;
    let beside: TestDatabase;
    const proxy = createServer((client) => {
      const server = openSocket(store.port, store.host);
      for (const [one, other] of [[client, server] as const, [server, client] as const]) {
        one.pipe(other);
        one.on('error', () => other.destroy());
      }
    });
    beforeAll(async () => {
      store = await freshDatabase(engine);
      beside = await freshDatabase(engine);
      await beside.run(
        'create table instance (name varchar(9), value varchar(99)); create table t (id int primary key)',
      );
      platform = await startPlatform({ databaseUrl: store.url });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      await platform?.stop();
      proxy.close();
      await store?.drop();
      await beside?.drop();
    });
    let count = 0;
    const answerOf = async (config: object, path = '_table') => {
      count += 1;
      const name = `s${count}`;
      const { host, port, user: username, password, database } = store;
      const whole = { host, port, username, password, database, ...config };
      await platform.create('service', { name, label: name, type: engine, is_active: true, config: whole });
      return platform.ask('GET', `${name}/${path}`);
    };

    it('abuse: is refused by whatever name it is reached', async () => {
      const ways = [
        {},
        { host: '127.0.0.1' },
        { host: 'localhost' },
        { host: '127.1' },
        { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port },
        { schema: engine === 'mysql' ? 'default' : 'public' },
        ...(engine === 'mysql'
          ? [{ database: beside.database }, { database: beside.database, schema: store.database }]
          : []),
      ];
      for (const way of ways)
        for (const path of ['_table', '_table/user', '_schema', '_proc']) {
          const { status, text } = await answerOf(way, path);
          expect([way, status, text]).toEqual([way, 503, text]);
          expect(text).toContain("shows the platform's own store");
        }
      for (const way of ways) {
        const { host, port, user: username, password, database } = store;
        const config = { host, port, username, password, database, ...way };
        const tried = await platform.ask('POST', 'system/service/_test', { body: { type: engine, config } });
        expect([way, tried.status, tried.text]).toEqual([way, 400, tried.text]);
        expect(tried.text).toContain("shows the platform's own store");
      }
    });

    it('another database of the server is a service, also with a table of that name', async () => {
      const { status, body } = await answerOf({ database: beside.database, schema: 'default' });
      expect([status, body.resource.map(({ name }: { name: string }) => name)]).toEqual([200, ['instance', 't']]);
    });
  });
});
