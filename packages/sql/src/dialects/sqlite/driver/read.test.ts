import { expect, it } from 'vitest';
import { openSqlite, perform, TooLargeError } from './index.ts';

it('reads rows as JSON of a limited length', () => {
  const database = openSqlite(':memory:');
  database.exec("create table t (id integer primary key, s text); insert into t values (1, 'a'), (2, null), (3, '\"')");
  const columns = [
    { name: 'id', kind: 'number' as const },
    { name: 's', kind: 'text' as const },
  ];
  const read = (where: string, limit = 1000) => {
    const statement = { sql: `select id, s from t where ${where} order by id`, parameters: [] };
    return perform(database, { kind: 'rows', statement, columns, limit });
  };
  const json = '[{"id":1,"s":"a"},{"id":2,"s":null},{"id":3,"s":"\\""}]';
  expect(read('true')).toEqual({ json, count: 3 });
  expect(read('false')).toEqual({ json: '[]', count: 0 });
  expect(() => read('true', 20)).toThrow(TooLargeError);
  database.exec("insert into t values (9007199254740993, 'b')");
  expect(read('id > 2').json).toBe('[{"id":3,"s":"\\""},{"id":"9007199254740993","s":"b"}]');
  expect(read('id < 2')).toEqual({ json: '[{"id":1,"s":"a"}]', count: 1 });
  database.close();
});
