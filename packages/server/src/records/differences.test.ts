// How lists and writes of system resources differ from those of tables, with which they share the query language: each
// difference that contract/http-basics.md §10 demands, with the answers of both. Tables are on PostgreSQL, whose LIKE
// tells cases apart.
import type { Verb } from '@sluice/contract';
import { engineMissing } from '@sluice/testkit/databases';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask as askTable } from '../database/fixture/call.fixture.ts';
import { type Fixture, fixture } from '../database/fixture/index.ts';

interface Side {
  verb?: Verb;
  /** Below `system/role` or `_table/contact`; the query behind it. */
  path?: string;
  query?: Record<string, string>;
  body?: unknown;
  status: number;
  /** What the answer has, or its message. */
  answer: unknown;
}

const missing = await engineMissing('pgsql');

describe.skipIf(missing)(missing ? `pgsql: ${missing}` : 'a system resource and a table', () => {
  let db: Fixture;
  let system: TestSystem;
  beforeAll(async () => {
    [db, system] = [await fixture('pgsql'), await startSystem()];
    const roles = ['Ann', 'Bob', 'Cyd'].map((name, index) => ({
      name,
      description: index === 1 ? null : `about ${name}`,
    }));
    await system.ask('POST', 'role', { resource: roles });
  });
  afterAll(async () => {
    await system?.close();
    await db?.stop();
  });

  it.each<[string, Side, Side]>([
    [
      'leave an unknown name in `fields` out; a table refuses it',
      { query: { fields: 'name,nothing', limit: '1' }, status: 200, answer: { resource: [{ name: 'Ann' }] } },
      { query: { fields: 'name,nothing', limit: '1' }, status: 400, answer: /nothing/ },
    ],
    [
      'do not know `count_only`; a table answers the number alone',
      { query: { count_only: 'true', fields: 'name' }, status: 200, answer: { resource: [{ name: 'Ann' }, {}, {}] } },
      { query: { count_only: 'true' }, status: 200, answer: 5 },
    ],
    [
      'LIKE without regard to case; a table as its database does',
      { query: { filter: "name like 'AN%'", as_list: 'true' }, status: 200, answer: { resource: [1] } },
      { query: { filter: "name like 'AN%'", fields: 'id' }, status: 200, answer: { resource: [] } },
    ],
    [
      'take no character of a pattern for another; a table leaves a backslash to its database',
      { query: { filter: "name like 'A\\nn'", as_list: 'true' }, status: 200, answer: { resource: [] } },
      { query: { filter: "name like 'A\\nn'", fields: 'id' }, status: 200, answer: { resource: [{ id: 1 }] } },
    ],
    [
      'put nulls before everything else; a table where its database has them',
      {
        query: { order: 'description', fields: 'name', limit: '1' },
        status: 200,
        answer: { resource: [{ name: 'Bob' }] },
      },
      { query: { order: 'age', fields: 'name', limit: '1' }, status: 200, answer: { resource: [{ name: 'Bob' }] } },
    ],
    [
      'answer a list of identifiers with `as_list`; a table without `name_field` one of keys',
      { query: { as_list: 'true', limit: '2' }, status: 200, answer: { resource: [1, 2] } },
      { path: '', query: { as_list: 'true', limit: '2' }, status: 200, answer: { resource: expect.any(Array) } },
    ],
    [
      'are created with 201; a record of a table with 200',
      { verb: 'POST', body: { resource: [{ name: 'Dee' }] }, status: 201, answer: { resource: [{ id: 4 }] } },
      { verb: 'POST', body: { resource: [{ name: 'Dee' }] }, status: 200, answer: { resource: [{ id: 6 }] } },
    ],
    [
      'are not updated by filter; those of a table are',
      {
        verb: 'PATCH',
        query: { filter: "name = 'Ann'" },
        body: { resource: [{ description: 'x' }] },
        status: 400,
        answer: /./,
      },
      {
        verb: 'PATCH',
        query: { filter: "name = 'Ann'" },
        body: { resource: [{ note: 'x' }] },
        status: 200,
        answer: { resource: [{ id: 1 }] },
      },
    ],
    [
      'are not deleted by filter; those of a table are',
      { verb: 'DELETE', query: { filter: "name = 'Bob'" }, status: 400, answer: /./ },
      { verb: 'DELETE', query: { filter: "name = 'Bob'" }, status: 200, answer: { resource: [{ id: 2 }] } },
    ],
  ])('%s', async (_, resource, table) => {
    const systemResponse = await system.ask(...systemCall(resource));
    const { verb = 'GET', path = '', query, body } = table;
    const tableResponse = await askTable(db.service, `${verb} _table/contact${path}`, { query, body });
    expectSide(systemResponse, resource);
    expectSide(tableResponse, table);
  });
});

function systemCall({ verb = 'GET', path = '', query = {}, body }: Side): [Verb, string, unknown] {
  const search = new URLSearchParams(query).toString();
  return [verb, `role${path}${search && '?'}${decodeURIComponent(search.replaceAll('+', ' '))}`, body];
}

function expectSide({ status, body }: { status: number; body: { error?: { message: string } } }, side: Side): void {
  expect([status, body.error?.message]).toEqual([
    side.status,
    side.answer instanceof RegExp ? expect.stringMatching(side.answer) : undefined,
  ]);
  if (typeof side.answer === 'object' && !(side.answer instanceof RegExp))
    expect(body).toMatchObject(side.answer as object);
  else if (!(side.answer instanceof RegExp)) expect(body).toEqual(side.answer);
}
