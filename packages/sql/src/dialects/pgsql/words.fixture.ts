import type { SuiteWords } from '../../suite/dialect.fixture.ts';

/** What PostgreSQL calls what the tables of the suite are made of. */
export const words: SuiteWords = {
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
};
