// Requests that no sane client sends: each gets a clean answer.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

const oddValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  ' ',
  'x',
  "'",
  '"',
  ';',
  '--',
  '%',
  '\u0000',
  '{',
  '{user.id}',
  '💥',
  '(select 1)',
  '1;2',
  [],
  [null],
  [[]],
  [[1]],
  [{}],
  {},
  { id: null },
  { id: {} },
  { id: [1] },
  { a: { b: 1 } },
  { __proto__: null, constructor: 1 },
  { resource: null },
  { resource: 'x' },
  { resource: [1] },
  { resource: [[]] },
  { resource: [{}] },
  { resource: [{ id: { a: 1 } }] },
  { resource: [{ id: 1, name: {} }] },
  { resource: [{ id: 1, name: { expression: 'DROP TABLE team' } }] },
  { resource: [{ constructor: 'x' }] },
  { ids: null },
  { ids: 5 },
  { ids: true },
  { ids: { id: 1 } },
  { ids: [null] },
  { ids: [{}] },
  { ids: [{ id: { id: 1 } }] },
  { ids: [''] },
  { filter: 1 },
  { filter: ['id', '=', 1] },
  { filter: 'id = :a', params: [] },
  { filter: 'id = :a', params: { ':a': {} } },
  { filter: 'id = :a', params: { ':a': null } },
  { filter: '('.repeat(200) },
  { filter: 'id = 1 '.repeat(2000) },
  { fields: {} },
  { fields: [{}] },
  { fields: 5 },
  { limit: {} },
  { limit: 1e300 },
  { offset: -1 },
  { offset: 1e300 },
  { order: [] },
  { group: {} },
  { ids: [{ toString: 1 }] },
  { fields: [{ toString: 1, valueOf: 1 }] },
  { resource: [{ name: { toString: 1 } }] },
];

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  it('answers each with a catalogued error or a result, and executes nothing', async () => {
    const send = async (line: string, request: TestRequest) => {
      const { status, body } = await ask(db.service, line, request);
      if (status >= 500) throw new Error(`${line} ${JSON.stringify(request)} → ${JSON.stringify(body)}`);
    };
    for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const body of oddValues) {
        await send(`${verb} _table/team`, { body });
        await send(`${verb} _table/team/1`, { body });
        await send(`${verb} _table/Order Line`, { body });
        await send(`${verb} _schema`, { body });
      }
    const texts = oddValues.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const parameters = [
      'filter',
      'params',
      'fields',
      'order',
      'group',
      'ids',
      'id_field',
      'limit',
      'offset',
      'related',
      'as_list',
    ];
    for (const value of texts) {
      for (const name of parameters) await send('GET _table/team', { query: { [name]: value } });
      await send(`GET _table/team/${value}`, {});
      await send(`GET _table/${value}`, {});
      await send(`GET _schema/${value}`, {});
      await send(`GET ${value}`, {});
    }
    // The record with that id is gone; no other one, and no other table.
    expect(await db.sql('SELECT name FROM team WHERE id = 2')).toHaveLength(1);
    expect(await db.sql('SELECT count(*) FROM contact')).toEqual(['5']);
  }, 60_000);
});
