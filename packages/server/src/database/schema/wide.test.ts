// A database of a thousand tables, some of them with 500 columns: a call asks of the database what it would ask of one
// with four tables, and of the tables it does not name it reads nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { ask } from '../fixture/call.fixture.ts';
import type { TestDatabase } from '../fixture/engine.ts';
import { type EngineName, engines, onEachEngine } from '../fixture/index.ts';
import { statementsOf } from '../fixture/statements.ts';

const fewTables = 4;
const manyTables = 1000;

/** Each table points to the one before it; every fiftieth has 500 columns. */
function tablesSql(engine: EngineName, count: number): string {
  const table = (index: number) => {
    const columns = Array.from({ length: index % 50 === 2 ? 497 : 2 }, (_, at) => `c${at} integer`);
    // A file and a flush to the disk for each of a thousand tables take MariaDB most of a minute.
    const kind = engine === 'mysql' && index > fewTables + 1 ? ' engine = memory' : '';
    const pointer = index > 1 && kind === '' ? `, foreign key (before_id) references t${index - 1} (id)` : '';
    return `create table t${index} (id integer primary key, name varchar(20), before_id integer, ${columns.join(', ')}${pointer})${kind}`;
  };
  const tables = Array.from({ length: count }, (_, at) => table(at + 1));
  const rows = [1, 2, 3].map((index) => `insert into t${index} (id, name) values (1, 'row of t${index}')`);
  return [...tables, ...rows].join(';\n');
}

await onEachEngine((engine) => {
  const databases: TestDatabase[] = [];
  const services: Service[] = [];
  beforeAll(async () => {
    for (const count of [fewTables, manyTables]) {
      const testDatabase = await engines[engine].createDatabase();
      databases.push(testDatabase);
      await testDatabase.run(tablesSql(engine, count));
      services.push(await testDatabase.open({}));
    }
  }, 120_000);
  afterAll(async () => {
    for (const service of services) await service.close?.();
    for (const testDatabase of databases) await testDatabase.remove();
  }, 120_000);

  it('is read as far as it is asked for', async () => {
    const calls = [
      'GET _table',
      'GET _table/t2/1',
      'GET _table/t3/1',
      'GET _table/t2/1',
      'GET _table/t3/1?related=*',
      'GET _schema/t1',
    ];
    const statementsByService: string[][][] = [];
    for (const service of services) {
      const texts: string[][] = [];
      for (const call of calls) {
        const [line = '', related] = call.split('?related=');
        const query: Record<string, string> = related ? { related } : {};
        const statements = await statementsOf(engine, async () => {
          const { status, body } = await ask(service, line, { query });
          expect([line, status]).toEqual([line, 200]);
          if (line === 'GET _table')
            expect(body.resource).toHaveLength(service === services[0] ? fewTables : manyTables);
        });
        // SQLite checks now and then whether the schema is the same.
        texts.push(statements.filter((text) => !text.includes('schema_version')));
      }
      statementsByService.push(texts);
    }
    const [narrow, wide] = statementsByService.map((texts) => texts.map((statements) => statements.length));
    expect(wide).toEqual(narrow);
    // What is cached is not read again.
    expect(wide?.[3]).toBeLessThanOrEqual(2);
    // Only of those that were named, and of those they have relations with.
    const others = /\bt(?!(1|2|3|4)\b)\d+\b/;
    expect(statementsByService[1]?.flat().filter((text) => others.test(text))).toEqual([]);
  });
});
