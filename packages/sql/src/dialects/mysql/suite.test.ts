import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { describe } from 'vitest';
import { suitePlace } from '../../suite/dialect.fixture.ts';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
import { openMysqlDatabase } from './connect.ts';
import { words } from './words.fixture.ts';

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  dialectSuite('mysql', {
    words,
    async open(sql, { maxConnections } = {}) {
      const place = await freshDatabase('mysql');
      return suitePlace(place, sql, openMysqlDatabase({ ...place, schema: 'default', maxConnections }));
    },
  });
});
