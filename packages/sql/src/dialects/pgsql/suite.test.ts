import { engineMissing, freshDatabase, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { dialectSuite, outageSuite, suitePlace } from '../suite.fixture.ts';
import { openPgsqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('on a server', () => {
  dialectSuite('pgsql', {
    words,
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('pgsql');
      return suitePlace(place, sql, openPgsqlDatabase({ ...place, maxConnections }));
    },
  });
});

describe.skipIf(ownServerMissing('pgsql'))('on a server of its own', () => {
  outageSuite('pgsql', async () => {
    const server = await ownServer('pgsql');
    const database = openPgsqlDatabase({ ...server, database: 'postgres' });
    return {
      ...server,
      database,
      run: (sql) => server.run(sql),
      async remove() {
        await database.close();
        await server.remove();
      },
    };
  });
});
