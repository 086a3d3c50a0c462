import { engineMissing, freshDatabase, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { dialectSuite, outageSuite } from '../suite.fixture.ts';
import { openPgsqlDatabase } from './connect.ts';

describe.skipIf(await engineMissing('pgsql'))('on a server', () => {
  dialectSuite('pgsql', {
    words: {
      id: 'serial primary key',
      boolean: 'boolean',
      decimal: 'numeric(20,2)',
      double: 'double precision',
      bytes: 'bytea',
      moment: 'timestamp',
      text: 'varchar(100)',
      quoted: (name) => `"${name.replaceAll('"', '""')}"`,
      numbers: (count) => `select generate_series(1, ${count}) as n`,
      endless: 'select n from (select generate_series(1, 1000000000) as n) as numbers where pg_sleep(0.01) is null',
    },
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('pgsql');
      for (const statement of sql) await place.run(statement);
      const database = openPgsqlDatabase({ ...place, maxConnections });
      return {
        database,
        run: place.run,
        async close() {
          await database.close();
          await place.drop();
        },
      };
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
