import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { openSuiteDatabase } from '../../suite/dialect.fixture.ts';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  dialectSuite('mysql', {
    words,
    async open(sql, { maxConnections } = {}) {
      const testDatabase = await freshDatabase('mysql');
      return openSuiteDatabase(
        testDatabase,
        sql,
        openMysqlDatabase({ ...testDatabase, schema: 'default', maxConnections }),
      );
    },
  });
});
