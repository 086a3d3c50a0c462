// The suite of all dialects, on MariaDB in the place of SingleStore: the statements are those SingleStore gets.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { soakCases } from '@sluice/testkit/soak';
import { describe, expect, it } from 'vitest';
import { openSuiteDatabase } from '../../suite/dialect.fixture.ts';
import { dialectSuite, driverParts, ownParts, placesParts } from '../../suite/dialect-suite.fixture.ts';
import { factsOf, MysqlServer } from '../mysql/driver.ts';
import { words } from '../mysql/words.fixture.ts';
import { openNetworkDatabase } from '../network/index.ts';
import { memsqlEngine, sessionOf } from './connect.ts';

describe.skipIf(await engineMissing('mysql'))('on MariaDB', () => {
  dialectSuite('memsql', {
    words,
    // Its driver is MySQL's.
    parts: soakCases(ownParts, [...driverParts, ...placesParts]),
    async open(sql, { maxConnections } = {}) {
      const testDatabase = await freshDatabase('mysql');
      const options = { ...testDatabase, schema: 'default', maxConnections };
      // How defaults are shown is MariaDB's.
      const facts = (version: string) => ({ ...factsOf(version), returns: false, jsonTable: false });
      const engine = memsqlEngine(options, new MysqlServer(options, facts, sessionOf));
      return openSuiteDatabase(testDatabase, sql, openNetworkDatabase(engine, options));
    },
  });
});

it('does not offer changes of the schema', () => {
  expect(memsqlEngine({ database: 'd' }, new MysqlServer({ database: 'd' })).schemaChanges).toBeUndefined();
});

describe('a session', () => {
  const quoted = (text: string) => `'${text}'`;
  const options = { database: 'd' };

  it('is set to what was asked for, and no more', () => {
    expect(sessionOf(options, {}, quoted)).toEqual({ statements: ["set sql_mode = 'STRICT_ALL_TABLES'"] });
    expect(sessionOf({ ...options, strict: false }, {}, quoted)).toEqual({ statements: [] });
    const allOptions = { ...options, collation: 'utf8mb4_bin', timezone: '+01:00', modes: 'ANSI_QUOTES' };
    expect(sessionOf(allOptions, {}, quoted)).toEqual({
      statements: [
        "set names utf8mb4 collate 'utf8mb4_bin'",
        "set time_zone = '+01:00'",
        "set sql_mode = 'ANSI_QUOTES'",
      ],
    });
  });
});
