// Records read by their ids, and the cache of a service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, ask, type TestRequest, user } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, forEngine, onEachEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const ids = (...list: number[]) => ({ resource: list.map((id) => ({ id })) });
  const q = (query: Record<string, string>): TestRequest => ({ query });
  const onlyIds = (query: Record<string, string>): TestRequest => q({ fields: 'id', ...query });

  type Case = [what: string, line: string, request: TestRequest, status: number, body: unknown];

  describe('GET _table/{table}?ids=', () => {
    const batch = (code: number, message: string, error: number[], resource: unknown[]) => ({
      error: { code, context: { error, resource }, message, status_code: 400 },
    });
    const missing = (id: string) => ({
      code: 404,
      context: null,
      message: `Record with identifier '${id}' not found.`,
      status_code: 404,
    });
    const failed = 'Batch Error: Not all requested records could be retrieved.';
    const cases: Case[] = [
      ['in the order asked', 'GET _table/contact', onlyIds({ ids: '3,1' }), 200, ids(3, 1)],
      ['one twice', 'GET _table/contact', onlyIds({ ids: '2,2' }), 200, ids(2, 2)],
      ['from the body', 'GET _table/contact', { body: { ids: [1, '2'] }, query: { fields: 'id' } }, 200, ids(1, 2)],
      [
        'records of the body',
        'GET _table/contact',
        { body: { resource: [{ id: 2, name: 'x' }] }, query: { fields: 'name' } },
        200,
        { resource: [{ name: 'Bob' }] },
      ],
      [
        'by another column, without showing it',
        'GET _table/contact',
        q({ ids: 'Bob,Ann', id_field: 'name', fields: 'id' }),
        200,
        ids(2, 1),
      ],
      [
        'as the column finds equal',
        'GET _table/word',
        q({ ids: 'ALPHA,50%', fields: 'meaning' }),
        200,
        { resource: [{ meaning: 'first' }, { meaning: 'percent' }] },
      ],
      [
        'decimals as text',
        'GET _table/contact',
        q({ ids: '12.500,3.0', id_field: 'price', fields: 'id' }),
        200,
        ids(1, 2),
      ],
      [
        'the first of those who share a value',
        'GET _table/contact',
        q({ ids: 'open,open', id_field: 'status', fields: 'id' }),
        200,
        ids(1, 1),
      ],
      ['64-bit', 'GET _table/contact', q({ ids: '9007199254740993', id_field: 'big', fields: 'id' }), 200, ids(1)],
      [
        'stops at the first missing',
        'GET _table/contact',
        onlyIds({ ids: '1,77,2,78' }),
        400,
        batch(1000, failed, [1], [{ id: 1 }, missing('77')]),
      ],
      [
        'continue tells all',
        'GET _table/contact',
        onlyIds({ ids: '1,77,2,78', continue: 'true' }),
        400,
        batch(1000, failed, [1, 3], [{ id: 1 }, missing('77'), { id: 2 }, missing('78')]),
      ],
      [
        'a wrong one is an item',
        'GET _table/contact',
        onlyIds({ ids: '1,x' }),
        400,
        batch(
          1000,
          failed,
          [1],
          [{ id: 1 }, { code: 400, context: null, message: "Field 'id' must be a valid integer.", status_code: 400 }],
        ),
      ],
      [
        'a record without id',
        'GET _table/contact',
        { body: { resource: [{ name: 'x' }] } },
        400,
        batch(
          1000,
          failed,
          [0],
          [{ code: 400, context: null, message: 'Required id field(s) not found in record 0', status_code: 400 }],
        ),
      ],
      [
        'an id that is a list',
        'GET _table/contact',
        { body: { ids: [[1]] } },
        400,
        batch(
          1000,
          failed,
          [0],
          [{ code: 400, context: null, message: 'Required id field(s) not valid in request 0: [1]', status_code: 400 }],
        ),
      ],
      ['as_list', 'GET _table/contact', q({ ids: '2,1', as_list: 'true' }), 200, { resource: ['Bob', 'Ann'] }],
    ];
    it.each(cases)('%s', async (_, ...testCase) => {
      const [line, request, status, body] = forEngine(engine, testCase);
      const answer = await ask(db.service, line, request);
      expect(answer.body).toEqual(body);
      expect(answer.status).toBe(status);
    });

    it('takes many composite keys at once', async () => {
      const many = Array.from({ length: 3000 }, () => ({ 'order no': 2, Größe: 1 }));
      const { status, body } = await ask(db.service, 'GET _table/Order Line', {
        query: { fields: 'select' },
        body: { ids: many },
      });
      expect(status).toBe(200);
      expect(body.resource).toHaveLength(3000);
      expect(body.resource[2999]).toEqual({ select: 'group' });
    });

    it('refuses more ids than a batch may hold', async () => {
      const many = Array.from({ length: 10_001 }, (_, id) => id);
      const { body } = await ask(db.service, 'GET _table/contact', { body: { ids: many } });
      expect(body.error.message).toBe('A batch may hold 10000 records at most.');
    });
  });

  describe('the cache of a service', () => {
    it('repeats an answer until a refresh, to each person their own', async () => {
      const cached = await db.open({ cache_enabled: true, cache_ttl: 5 });
      const count = async (request: TestRequest) =>
        (await ask(cached, 'GET _table/team', request)).body.resource.length;
      expect(await count({})).toBe(2);
      await db.sql("INSERT INTO team (name) VALUES ('green')");
      expect(await count({})).toBe(2);
      expect(await count(q({ fields: '*', _: '123' }))).toBe(2);
      expect(await count({ as: user({ '*': 31 }) })).toBe(3);
      expect(await count(q({ refresh: 'true' }))).toBe(3);
      expect(await count({ as: admin })).toBe(3);
    });
  });
});
