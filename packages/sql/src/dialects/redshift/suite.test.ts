// The suite of all dialects, on PostgreSQL in the place of Redshift: the statements are those Redshift gets.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { dialectSuite } from '../suite.fixture.ts';
import { openRedshiftDatabase } from './connect.ts';

describe.skipIf(await engineMissing('pgsql'))('on PostgreSQL', () => {
  dialectSuite('redshift', {
    // Redshift has no computed columns, and PostgreSQL's are not asked for.
    lacks: ['made keys', 'generated columns'],
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
      const database = openRedshiftDatabase({ ...place, maxConnections });
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
