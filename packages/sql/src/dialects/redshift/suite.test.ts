// The suite of all dialects, on PostgreSQL in the place of Redshift: the statements are those Redshift gets.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { suitePlace } from '../../suite/dialect.fixture.ts';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
import { words } from '../pgsql/words.fixture.ts';
import { openRedshiftDatabase } from './connect.ts';

describe.skipIf(await engineMissing('pgsql'))('on PostgreSQL', () => {
  dialectSuite('redshift', {
    // Redshift has no computed columns, and PostgreSQL's are not asked for.
    lacks: ['made keys', 'generated columns'],
    words,
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('pgsql');
      return suitePlace(place, sql, openRedshiftDatabase({ ...place, maxConnections }));
    },
  });
});
