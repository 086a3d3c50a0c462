// What routines of MariaDB and MySQL can be beyond those of other engines.
import { engineMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import { createRoutineDatabase, type RoutineDatabase } from './routines.fixture.ts';

const sql = `
  CREATE PROCEDURE entries() SELECT id, name, price FROM entry WHERE id < 3 ORDER BY id;
  CREATE PROCEDURE none_found(OUT n integer) BEGIN SET n = 0; SELECT id FROM entry WHERE id < 0; END;
  CREATE PROCEDURE empty_set() SELECT id FROM entry WHERE id < 0;
  CREATE PROCEDURE counted(OUT total bigint, IN most integer)
    BEGIN SELECT id FROM entry WHERE id <= most ORDER BY id; SET total = 9007199254740993; END;
  CREATE PROCEDURE two_sets() BEGIN SELECT 1 AS a; SELECT 'x' AS b UNION ALL SELECT 'y'; END;
  CREATE PROCEDURE left_in(OUT d decimal(10,2), OUT t datetime, OUT f float, OUT y boolean, OUT u bigint unsigned, OUT x varbinary(4), OUT j json, OUT b bit(3), OUT s varchar(5), OUT n integer)
    BEGIN SET d = 1.50, t = '2018-11-20 10:00:00', f = 0.1, y = TRUE, u = 18446744073709551615, x = x'00ff', j = '{"k": 1}', b = b'101', s = 'ä'; END;
  CREATE PROCEDURE types() SELECT CAST(1 AS decimal(10,2)) AS d, TIMESTAMP '2018-11-20 10:00:00.5' AS t, y.y, y.u, y.x, y.b, y.e, y.f, y.year FROM odd AS y;
  CREATE TABLE odd (y boolean, u bigint unsigned, x varbinary(4), b bit(3), e enum('p','q'), f float, year year);
  INSERT INTO odd VALUES (TRUE, 18446744073709551615, x'00ff', b'101', 'q', 0.1, 1999);
  CREATE PROCEDURE twice_named() SELECT 1 AS a, 2 AS a;
  CREATE PROCEDURE left_open() BEGIN START TRANSACTION; INSERT INTO entry (name) VALUES ('lost'); END;
  CREATE PROCEDURE set_off() BEGIN SET autocommit = 0; SET @who = 'ada'; SET SESSION time_zone = '+05:00'; END;
  CREATE FUNCTION who() RETURNS varchar(20) NOT DETERMINISTIC RETURN concat_ws(' ', @who, @@autocommit + 0, @@time_zone);
  CREATE FUNCTION paid(v decimal(10,2)) RETURNS decimal(12,2) DETERMINISTIC RETURN v * 2;
  CREATE FUNCTION "tick\`s"(v integer) RETURNS integer DETERMINISTIC RETURN v`;

describe.skipIf(await engineMissing('mysql'))('routines of MariaDB', () => {
  let db: RoutineDatabase;
  beforeAll(async () => {
    db = await createRoutineDatabase('mysql', sql);
  });
  afterAll(() => db?.stop());

  const body = async (line: string, request?: TestRequest) => (await ask(db.service, line, request)).body;
  const entries = [
    { id: 1, name: 'a', price: 1.5 },
    { id: 2, name: 'b', price: 2 },
  ];

  it.each<[string, TestRequest, unknown]>([
    ['GET _proc/entries', {}, entries],
    ['GET _proc/entries', { query: { wrapper: 'rows' } }, { rows: entries }],
    [
      'POST _proc/entries',
      { body: { schema: { id: 'string', price: 'integer' } } },
      [
        { id: '1', name: 'a', price: 1 },
        { id: '2', name: 'b', price: 2 },
      ],
    ],
    ['GET _proc/entries', { query: { returns: 'string' } }, '1'],
    ['GET _proc/empty_set', {}, []],
    ['GET _proc/none_found', {}, { n: 0 }],
    ['POST _proc/counted', { body: { params: [1] } }, { resource: [{ id: 1 }], total: '9007199254740993' }],
    [
      'POST _proc/counted',
      { body: { params: { most: 1, total: null }, wrapper: 'rows' } },
      { rows: [{ id: 1 }], total: '9007199254740993' },
    ],
    ['GET _proc/counted(,1)', {}, { resource: [{ id: 1 }], total: '9007199254740993' }],
    ['GET _proc/two_sets', {}, [[{ a: 1 }], [{ b: 'x' }, { b: 'y' }]]],
    [
      'POST _proc/two_sets',
      { body: { schema: { a: 'boolean' }, wrapper: 'sets' } },
      { sets: [[{ a: true }], [{ b: 'x' }, { b: 'y' }]] },
    ],
    ['GET _proc/twice_named', {}, [{ a: 2 }]],
    ['GET _func/paid(1.25)', {}, 2.5],
    ['GET _func/tick`s(3)', {}, 3],
  ])('%s %j', async (line, request, expected) => {
    expect(await body(line, request)).toEqual(expected);
  });

  it('answers values like those of tables', async () => {
    expect(await body('GET _proc/left_in')).toEqual({
      ...{
        d: 1.5,
        t: '2018-11-20 10:00:00',
        f: 0.1,
        y: true,
        u: '18446744073709551615',
        x: 'AP8=',
        j: '{"k": 1}',
        b: 5,
        s: 'ä',
        n: null,
      },
    });
    expect(await body('GET _proc/types')).toEqual([
      {
        d: 1,
        t: '2018-11-20 10:00:00.5',
        y: true,
        u: '18446744073709551615',
        x: 'AP8=',
        b: 5,
        e: 'q',
        f: 0.1,
        year: '1999',
      },
    ]);
  });

  it('describes what goes in and out', async () => {
    const [counted] = (await body('GET _proc', { query: { ids: 'counted' } })).resource;
    expect(counted.params).toMatchObject([
      { name: 'total', position: 1, param_type: 'OUT', type: 'bigint', db_type: 'bigint(20)' },
      { name: 'most', position: 2, param_type: 'IN', type: 'integer' },
    ]);
    expect((await body('GET _func', { query: { ids: 'paid' } })).resource[0].return_type).toBe('decimal');
  });

  it('undoes a transaction that a procedure leaves open', async () => {
    await body('GET _proc/left_open');
    expect((await db.run("SELECT count(*) FROM entry WHERE name = 'lost'")).flat().map(Number)).toEqual([0]);
  });

  it('keeps nothing of a session for the next caller', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect(await body('GET _func/who')).toBe('1 +00:00');
      await body('GET _proc/set_off');
    }
  });
});
