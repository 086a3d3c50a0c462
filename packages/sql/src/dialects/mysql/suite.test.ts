import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { soakCases } from '@sluice/testkit/soak';
import { describe } from 'vitest';
import { openSuiteDatabase } from '../../suite/dialect.fixture.ts';
import { dialectSuite, driverParts, ownParts, placesParts } from '../../suite/dialect-suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  dialectSuite('mysql', {
    words,
    // PostgreSQL's places are of the same code.
    parts: soakCases([...ownParts, ...driverParts], placesParts),
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
