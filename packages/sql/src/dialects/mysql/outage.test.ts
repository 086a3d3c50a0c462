import { ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { outageSuite } from '../../suite/outage-suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';

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
