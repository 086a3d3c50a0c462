import type { SimpleType } from '@sluice/contract';
import { expect, it } from 'vitest';
import { defaultOf } from './introspect.ts';

it.each<[string | null, SimpleType, unknown]>([
  [null, 'string', null],
  ['NULL', 'integer', null],
  ["'it''s'", 'string', "it's"],
  ['"dq"', 'text', 'dq'],
  ["''", 'string', ''],
  ["'5'", 'string', '5'],
  ['5', 'string', '5'],
  ['5', 'integer', 5],
  ["'5'", 'integer', 5],
  ['-3', 'integer', -3],
  ['9223372036854775807', 'bigint', '9223372036854775807'],
  ['1.50', 'decimal', 1.5],
  ['.5', 'double', 0.5],
  ['1', 'boolean', true],
  ['0', 'boolean', false],
  ['TRUE', 'boolean', true],
  ['false', 'boolean', false],
  ['CURRENT_TIMESTAMP', 'timestamp', null],
  ['CURRENT_TIMESTAMP', 'datetime', 'CURRENT_TIMESTAMP'],
  ["datetime('now')", 'timestamp', "datetime('now')"],
  ["'2018-11-20'", 'date', '2018-11-20'],
])('the default %s of a %s shows %j (contract/database-schema.md §2)', (sql, type, expected) => {
  expect(defaultOf(sql, type)).toBe(expected);
});
