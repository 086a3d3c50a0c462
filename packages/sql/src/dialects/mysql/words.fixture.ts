import type { SuiteWords } from '../../suite/dialect.fixture.ts';

/** What MariaDB calls what the tables of the suite are made of. */
export const words: SuiteWords = {
  id: 'integer auto_increment primary key',
  boolean: 'boolean',
  decimal: 'decimal(20,2)',
  double: 'double',
  bytes: 'varbinary(100)',
  moment: 'datetime',
  text: 'varchar(100)',
  quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
  numbers: (count) => `select seq as n from seq_1_to_${count}`,
  endless: 'select seq as n from seq_1_to_1000000000 where sleep(0.01) > 1',
};
