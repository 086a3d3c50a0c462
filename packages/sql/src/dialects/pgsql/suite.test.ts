import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { openSuiteDatabase } from '../../suite/dialect.fixture.ts';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
import { openPgsqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('on a server', () => {
  dialectSuite('pgsql', {
    words,
    async open(sql, { maxConnections } = {}) {
      const testDatabase = await freshDatabase('pgsql');
      return openSuiteDatabase(testDatabase, sql, openPgsqlDatabase({ ...testDatabase, maxConnections }));
    },
  });
});
