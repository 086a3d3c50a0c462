import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { suitePlace } from '../../suite/dialect.fixture.ts';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
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
