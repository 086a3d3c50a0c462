// What routines of PostgreSQL can be beyond those of other engines.
import { engineMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import { createRoutineDatabase, type RoutineDatabase } from './routines.fixture.ts';

const sql = `
  CREATE FUNCTION all_entries() RETURNS SETOF entry LANGUAGE sql AS 'SELECT * FROM entry ORDER BY id';
  CREATE FUNCTION one_entry(id integer) RETURNS entry LANGUAGE sql AS 'SELECT * FROM entry WHERE entry.id = $1';
  CREATE FUNCTION numbers(most integer DEFAULT 3, step integer DEFAULT 1) RETURNS SETOF integer LANGUAGE sql
    AS 'SELECT * FROM generate_series(1, most, step)';
  CREATE FUNCTION priced(OUT name text, OUT cost numeric) LANGUAGE sql AS $$SELECT 'a'::text, 12345678901234567890.5$$;
  CREATE FUNCTION only_out(n integer, OUT doubled integer) LANGUAGE sql AS 'SELECT n * 2';
  CREATE FUNCTION as_table(n integer) RETURNS TABLE (i integer, t text) LANGUAGE sql AS $$SELECT n, 'x'$$;
  CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS '';
  CREATE FUNCTION loose() RETURNS record LANGUAGE sql AS $$SELECT 1, 'x'::text$$;
  CREATE FUNCTION letters(c character, v varchar(2)) RETURNS text LANGUAGE sql AS 'SELECT c || v';
  CREATE FUNCTION unnamed(integer, text) RETURNS text LANGUAGE sql AS 'SELECT $1 || $2';
  CREATE FUNCTION sum_of(VARIADIC n integer[]) RETURNS bigint LANGUAGE sql AS 'SELECT sum(x) FROM unnest(n) x';
  CREATE FUNCTION joined(parts text[]) RETURNS text LANGUAGE sql AS $$SELECT array_to_string(parts, '|', '-')$$;
  CREATE FUNCTION any_of(v anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT v';
  CREATE FUNCTION doc(d jsonb) RETURNS text LANGUAGE sql AS $$SELECT d->>'a'$$;
  CREATE FUNCTION types() RETURNS TABLE (m money, b bytea, t timestamptz, f real, j json, a integer[], u uuid, n numeric, big bigint, y boolean)
    LANGUAGE sql AS $$SELECT 1234.5::money, '\\x00ff'::bytea, '2018-11-20 10:00:00+01'::timestamptz, 0.1::real, '{"k": 1}'::json,
      '{1,2}'::integer[], 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 1.50, 9007199254740993, true$$;
  CREATE TABLE flagged (is_on bit(1), bits bit(3));
  INSERT INTO flagged VALUES (B'1', B'101');
  CREATE FUNCTION flags() RETURNS SETOF flagged LANGUAGE sql AS 'SELECT * FROM flagged';
  CREATE FUNCTION over(n integer) RETURNS text LANGUAGE sql AS $$SELECT 'one'$$;
  CREATE FUNCTION over(n integer, m integer) RETURNS text LANGUAGE sql AS $$SELECT 'two'$$;
  CREATE FUNCTION over(t text) RETURNS text LANGUAGE sql AS $$SELECT 'text'$$;
  CREATE FUNCTION remember(v text) RETURNS text LANGUAGE sql AS $$SELECT set_config('app.who', v, false)$$;
  CREATE FUNCTION remembered() RETURNS text LANGUAGE sql AS $$SELECT current_setting('app.who', true)$$;
  CREATE FUNCTION on_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE FUNCTION hidden() RETURNS integer LANGUAGE sql AS 'SELECT 1';
  CREATE AGGREGATE total (integer) (sfunc = int4pl, stype = integer);
  CREATE PROCEDURE left_at(IN n integer, INOUT a integer DEFAULT 5, INOUT "B" text DEFAULT 'x') LANGUAGE plpgsql
    AS $$BEGIN a := a + n; "B" := "B" || '!'; END$$;
  CREATE PROCEDURE out_only(OUT a integer, IN n integer, OUT b boolean) LANGUAGE plpgsql AS $$BEGIN a := n; b := true; END$$;
  CREATE PROCEDURE in_parts() LANGUAGE plpgsql
    AS $$BEGIN INSERT INTO entry (name) VALUES ('part 1'); COMMIT; INSERT INTO entry (name) VALUES ('part 2'); ROLLBACK; END$$;
  CREATE SCHEMA sales;
  CREATE FUNCTION sales.tax(v numeric) RETURNS numeric LANGUAGE sql AS 'SELECT v * 0.25'`;

describe.skipIf(await engineMissing('pgsql'))('routines of PostgreSQL', () => {
  let db: RoutineDatabase;
  beforeAll(async () => {
    db = await createRoutineDatabase('pgsql', sql);
  });
  afterAll(() => db?.stop());

  const body = async (line: string, request?: TestRequest) => (await ask(db.service, line, request)).body;

  it.each<[string, TestRequest, unknown]>([
    [
      'GET _func/all_entries',
      {},
      [
        { id: 1, name: 'a', price: 1.5 },
        { id: 2, name: 'b', price: 2 },
      ],
    ],
    ['GET _func/one_entry(2)', {}, [{ id: 2, name: 'b', price: 2 }]],
    [
      'POST _func/one_entry',
      { body: { params: [2], schema: { price: 'string' }, wrapper: 'rows' } },
      { rows: [{ id: 2, name: 'b', price: '2' }] },
    ],
    ['POST _func/all_entries', { body: { returns: 'string' } }, '1'],
    ['GET _func/flags', {}, [{ is_on: true, bits: '101' }]],
    ['GET _func/numbers', {}, [{ numbers: 1 }, { numbers: 2 }, { numbers: 3 }]],
    ['GET _func/numbers(1)', {}, [{ numbers: 1 }]],
    ['GET _func/numbers', { query: { step: '2' } }, [{ numbers: 1 }, { numbers: 3 }]],
    ['GET _func/priced', {}, [{ name: 'a', cost: '12345678901234567890.5' }]],
    ['GET _func/only_out(4)', {}, 8],
    ['GET _func/as_table(4)', {}, [{ i: 4, t: 'x' }]],
    ['GET _func/nothing', {}, null],
    ['GET _func/loose', {}, '(1,x)'],
    ['GET _func/letters(abc,def)', {}, 'abcdef'],
    ['GET _func/unnamed(1,2)', {}, '12'],
    ['GET _func/unnamed', { query: { p2: 'x', p1: '7' } }, '7x'],
    ['POST _func/sum_of', { body: { params: { n: [1, 2, 3] } } }, 6],
    ["GET _func/sum_of('{1,2}')", {}, 3],
    ['POST _func/joined', { body: { params: [['a,b', null, 'c"d']] } }, 'a,b|-|c"d'],
    ['POST _func/joined', { body: { params: [[]] } }, ''],
    ['POST _func/joined', { body: { params: ['{a,b}'] } }, 'a|b'],
    ['POST _func/any_of', { body: { params: [5] } }, '5'],
    ['POST _func/doc', { body: { params: { d: { a: 'x', expression: 'NOW()' } } } }, 'x'],
    ['GET _func/over(1)', {}, 'one'],
    ['GET _func/over(1,2)', {}, 'two'],
    ['GET _func/over', { query: { t: 'x' } }, 'text'],
    ['GET _func/sales.tax(8)', {}, 2],
    ['POST _proc/left_at', { body: { params: [1] } }, { a: 6, B: 'x!' }],
    ['POST _proc/left_at', { body: { params: { n: 1, b: 'y' } } }, { a: 6, B: 'y!' }],
    ['POST _proc/out_only', { body: { params: [7] } }, { a: 7, b: true }],
    ['POST _proc/out_only', { body: { params: [null, 7, null], wrapper: 'rows' } }, { a: 7, b: true }],
  ])('%s %j', async (line, request, expected) => {
    expect(await body(line, request)).toEqual(expected);
  });

  it('answers values like those of tables', async () => {
    expect(await body('GET _func/types')).toEqual([
      {
        ...{ m: 1234.5, b: 'AP8=', t: '2018-11-20 09:00:00+00', f: 0.1, j: '{"k": 1}', a: '{1,2}' },
        ...{ u: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', n: 1.5, big: '9007199254740993', y: true },
      },
    ]);
  });

  it('offers what can be called, in its schema', async () => {
    const { resource } = await body('GET _func', { query: { as_list: 'true', refresh: 'true' } });
    expect(resource).toContain('sales.tax');
    expect(resource.filter((name: string) => name === 'over')).toHaveLength(1);
    expect(resource).not.toContain('on_change');
    expect(resource).not.toContain('total');
    expect((await body('GET _func', { query: { schema: 'sales' } })).resource).toEqual([{ name: 'sales.tax' }]);
    expect(
      (await body('GET _func', { query: { ids: 'over' } })).resource.map(
        (routine: { params: unknown[] }) => routine.params.length,
      ),
    ).toEqual([1, 2, 1]);
  });

  it('describes what goes in and out', async () => {
    const [routine] = (await body('GET _proc', { query: { ids: 'left_at' } })).resource;
    expect(routine.params).toMatchObject([
      { name: 'n', position: 1, param_type: 'IN', type: 'integer', db_type: 'integer', default: null },
      { name: 'a', position: 2, param_type: 'INOUT', type: 'integer', default: 5 },
      { name: 'B', position: 3, param_type: 'INOUT', type: 'string', db_type: 'text', default: 'x' },
    ]);
    const kinds = (await body('GET _func', { query: { ids: 'all_entries,only_out,nothing,types' } })).resource;
    expect(kinds.map((routine: { return_type: unknown }) => routine.return_type)).toEqual([
      null,
      'integer',
      null,
      null,
    ]);
  });

  it('lets a procedure end its own transactions', async () => {
    expect(await body('POST _proc/in_parts')).toEqual([]);
    expect((await db.run("SELECT name FROM entry WHERE name LIKE 'part%'")).flat()).toEqual(['part 1']);
  });

  it('keeps nothing of a session for the next caller', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect(await body('GET _func/remembered')).not.toBe('ada');
      expect(await body('GET _func/remember(ada)')).toBe('ada');
    }
  });
});
