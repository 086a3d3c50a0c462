import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectSuite } from '../../suite/dialect-suite.fixture.ts';
import { openSqliteDatabase } from './connect.ts';
import { openSqlite } from './driver/index.ts';

dialectSuite('sqlite', {
  words: {
    id: 'integer primary key autoincrement',
    boolean: 'boolean',
    decimal: 'decimal(20,2)',
    double: 'double',
    bytes: 'blob',
    moment: 'datetime',
    text: 'varchar(100)',
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    numbers: (count) =>
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers limit ${count}) select n from numbers`,
    endless:
      'with recursive numbers (n) as (select 1 union all select n + 1 from numbers) select n from numbers where n < 0',
  },
  async open(sql, { maxConnections } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-suite-'));
    const path = join(folder, 'suite.db');
    const file = openSqlite(path, { create: true, busyTimeout: 5000 });
    for (const statement of ['pragma journal_mode = wal', ...sql]) file.exec(statement);
    const database = openSqliteDatabase({
      path,
      create: false,
      size: maxConnections,
      streams: maxConnections,
    });
    return {
      database,
      run: async (statement) => file.exec(statement),
      async close() {
        await database.close();
        file.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});
