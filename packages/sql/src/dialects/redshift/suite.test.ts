// The suite of all dialects, on PostgreSQL in the place of Redshift: the statements are those Redshift gets.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { soakCases } from '@sluice/testkit/soak';
import { describe } from 'vitest';
import { openSuiteDatabase } from '../../suite/dialect.fixture.ts';
import { dialectSuite, driverParts, ownParts, placesParts } from '../../suite/dialect-suite.fixture.ts';
import { words } from '../pgsql/words.fixture.ts';
import { openRedshiftDatabase } from './connect.ts';

describe.skipIf(await engineMissing('pgsql'))('on PostgreSQL', () => {
  dialectSuite('redshift', {
    // Redshift has no computed columns, and PostgreSQL's are not asked for.
    lacks: ['generated keys', 'generated columns'],
    words,
    // Its driver is PostgreSQL's.
    parts: soakCases(ownParts, [...driverParts, ...placesParts]),
    async open(sql, { maxConnections } = {}) {
      const testDatabase = await freshDatabase('pgsql');
      return openSuiteDatabase(testDatabase, sql, openRedshiftDatabase({ ...testDatabase, maxConnections }));
    },
  });
});
