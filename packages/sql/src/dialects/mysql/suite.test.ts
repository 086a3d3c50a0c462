import { engineMissing, freshDatabase, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { dialectSuite, outageSuite, suitePlace } from '../suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  dialectSuite('mysql', {
    words,
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('mysql');
      return suitePlace(place, sql, openMysqlDatabase({ ...place, schema: 'default', maxConnections }));
    },
  });
});

describe.skipIf(ownServerMissing('mysql'))('on a server of its own', () => {
  outageSuite('mysql', async () => {
    const server = await ownServer('mysql');
    await server.run('create database outage');
    const { host, port, user, password } = server;
    const database = openMysqlDatabase({ host, port, user, password, database: 'outage' });
    return {
      ...server,
      database,
      run: (sql) => server.run(sql, 'outage'),
      async remove() {
        await database.close();
        await server.remove();
      },
    };
  });
});
