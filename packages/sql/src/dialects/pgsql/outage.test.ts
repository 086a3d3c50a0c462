import { ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { outageSuite } from '../../suite/outage-suite.fixture.ts';
import { openPgsqlDatabase } from './connect.ts';

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
