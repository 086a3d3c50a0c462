import { engineMissing, freshDatabase, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { dialectSuite, outageSuite } from '../suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  dialectSuite('mysql', {
    words: {
      id: 'integer auto_increment primary key',
      boolean: 'boolean',
      decimal: 'decimal(20,2)',
      double: 'double',
      bytes: 'varbinary(100)',
      moment: 'datetime',
      text: 'varchar(100)',
      quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
      numbers: (count) => `select seq as n from seq_1_to_${count}`,
      endless: 'select seq as n from seq_1_to_1000000000 where sleep(0.01) > 1',
    },
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('mysql');
      for (const statement of sql) await place.run(statement);
      const database = openMysqlDatabase({ ...place, schema: 'default', maxConnections });
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
