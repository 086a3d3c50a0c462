// Queries that mean harm: long, deep, in circles, multiplied; and a thousand tables. Calls of others are answered in between.
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { type Answer, startPlatform } from '@sluice/testkit';
import { countRounds } from '@sluice/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, schemaFor } from './schema.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

beforeAll(async () => {
  const config = { database: 'shop.sqlite' };
  await platform.create('service', { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config });
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'text', allow_null: true },
    { name: 'parent_id', type: 'reference', ref_table: 'node', ref_field: 'id', allow_null: true },
  ];
  const made = await platform.ask('POST', 'shop/_schema', { body: { resource: [{ name: 'node', field }] } });
  expect(made.status, made.text).toBeLessThan(300);
  const record = { name: 'x'.repeat(50) };
  await platform.ask('POST', 'shop/_table/node', { body: { resource: Array(900).fill(record) } });
});

const message = ({ status, body }: Answer): string => {
  expect(status).toBe(200);
  return body.errors[0].message;
};

const parent = 'node_by_parent_id';
const spread = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

describe('abuse: a query', () => {
  const cases: [string, () => string, RegExp][] = [
    ['of too many words', () => `{ ${'__typename '.repeat(5000)} }`, /tokens/],
    ['that is nested too deep', () => `${'{ a '.repeat(70)}${'}'.repeat(70)}`, /deeper than 60/],
    ['of lists in lists', () => `{ a(b: ${'['.repeat(1900)}${']'.repeat(1900)}) }`, /deeper than 60/],
    [
      'of relations without end',
      () => `{ getShopTableNodeList { ${`${parent} { `.repeat(6)} id ${'} '.repeat(6)} } }`,
      /5/,
    ],
    ['of many calls', () => `{ ${spread(21, (index) => `a${index}: getShopTableNodeCount`)} }`, /more than 20 fields/],
    [
      'of many calls behind fragments',
      () =>
        `{ ...A ...B } fragment A on Query { ${spread(15, (index) => `a${index}: getShopTableNodeCount`)} } fragment B on Query { ${spread(15, (index) => `b${index}: getShopTableNodeCount @skip(if: true)`)} }`,
      /more than 20 fields/,
    ],
    [
      'of fragments in circles',
      () => '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      /within itself/,
    ],
    [
      'of fragments in circles, about the schema',
      () => '{ __schema { ...A } } fragment A on __Schema { ...B } fragment B on __Schema { ...A }',
      /within itself/,
    ],
    ['of a directive many times', () => `{ __typename ${'@skip(if: false) '.repeat(250)} }`, /can only be used once/],
    ['of a directive that there is not', () => `{ __typename @${'a'.repeat(300)} }`, /Unknown directive/],
    [
      'of one relation with different arguments',
      () => `{ getShopTableNodeList(limit: 1) { a: ${parent}(limit: 1) { id } b: ${parent}(limit: 2) { id } } }`,
      /twice/,
    ],
    [
      'for the schema of the schema',
      () => '{ __schema { types { fields { type { fields { name } } } } } }',
      /another list/,
    ],
    [
      'for the schema many times',
      () => `{ ${spread(11, (index) => `a${index}: __schema { types { name } }`)} }`,
      /too much/,
    ],
    [
      'for parts of the schema many times',
      () => `{ __schema { ${spread(50, (index) => `a${index}: types { name }`)} } }`,
      /aliases/,
    ],
    ['for the schema and records', () => '{ __schema { queryType { name } } getShopTableNodeCount }', /records, too/],
    ['of a subscription', () => 'subscription { getShopTableNodeCount }', /subscription/i],
    ['that names what objects have', () => '{ constructor hasOwnProperty }', /Cannot query field/],
    ['of a name in a filter', () => `{ getShopTableNodeList(filter: "id = 1) OR (SELECT 1") { id } }`, /filter/i],
    ['of more in an order', () => `{ getShopTableNodeList(order: "id; DROP TABLE node") { id } }`, /order/i],
    [
      'of another address in an id',
      () => '{ getShopTableNode(id: "1/../../_schema/node") { id } }',
      /integer|not be retrieved|Batch/,
    ],
    ['of half a character', () => '{ getShopTableNode(id: "\\uD800") { id } }', /./],
    ['that is no text of GraphQL', () => '\u0000{', /Syntax Error/],
  ];
  it.each(cases)('%s', async (_name, query, refusal) => {
    const answer = await ask(platform, query());
    expect(message(answer)).toMatch(refusal);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it('of fragments that double at each level is refused before it is written out', async () => {
    const fragments = spread(
      25,
      (index) =>
        `fragment F${index} on ShopTableNode { id ${parent} { ...F${index + 1} } ${parent} { ...F${index + 1} } }`,
    );
    const query = `{ getShopTableNodeList { ...F0 } } ${fragments} fragment F25 on ShopTableNode { id }`;
    expect(message(await ask(platform, query))).toMatch(/5/);
  });

  it('of as many names as there may be, and none of them too often, is checked', async () => {
    for (const body of [
      spread(1900, () => 'id'),
      spread(480, () => `${parent} { id }`),
      spread(480, (index) => `a${index}: ${parent} { id }`),
      spread(300, (index) => `...F${index}`),
    ]) {
      const fragments = body.startsWith('...')
        ? spread(300, (index) => `fragment F${index} on ShopTableNode { a: id b: name }`)
        : '';
      const { status } = await ask(platform, `{ getShopTableNode(id: 1) { ${body} } } ${fragments}`);
      expect(status).toBe(200);
    }
    const many = `{ getShopTableNode(id: 1) { ${spread(21, () => 'id')} } }`;
    expect(message(await ask(platform, many))).toMatch(/more than 20 times/);
  });

  it('whose answer is multiplied by aliases is cut off', async () => {
    const aliases = spread(600, (index) => `a${index}: name`);
    expect(message(await ask(platform, `{ getShopTableNodeList { ${aliases} } }`))).toMatch(/more than|larger than/);
  });

  it('by GET changes nothing, in whatever operation', async () => {
    const query = 'query a { __typename } mutation b { deleteShopTableNodeList(filter: "id > 0") { id } }';
    const get = (name: string) =>
      platform.ask('GET', `/graphql?query=${encodeURIComponent(query)}&operationName=${name}`);
    expect([(await get('a')).status, (await get('b')).status]).toEqual([200, 405]);
    expect((await ask(platform, '{ getShopTableNodeCount }')).body.data).toEqual({ getShopTableNodeCount: 900 });
  });

  it('that deletes with an empty list or filter deletes nothing', async () => {
    const { body } = await ask(
      platform,
      'mutation { a: deleteShopTableNodeList { id } b: deleteShopTableNodeList(ids: []) { id } c: deleteShopTableNodeList(filter: "") { id } d: deleteShopTableNodeList(ids: null, filter: null) { id } }',
    );
    expect(body.errors?.length ?? 0).toBeGreaterThan(0);
    expect((await ask(platform, '{ getShopTableNodeCount }')).body.data).toEqual({ getShopTableNodeCount: 900 });
  });

  it('with variables of other kinds', async () => {
    const send = (variables: unknown, query = 'query ($id: Integer!) { getShopTableNode(id: $id) { id } }') =>
      platform.ask('POST', '/graphql', { body: { query, variables } });
    for (const variables of [[], 'a', 7]) expect((await send(variables)).status).toBe(400);
    for (const id of [{}, [], true, null, { text: '1' }]) expect(message(await send({ id }))).toMatch(/id/);
    const odd =
      '{"query":"query ($r: ShopTableNodeChange!) { __typename }","variables":{"__proto__":{"r":1},"r":{"__proto__":{"name":"x"}}}}';
    const answer = await platform.ask('POST', '/graphql', {
      body: odd,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });

  it('in a body that is too long', async () => {
    const body = { query: '{ __typename }', variables: { a: 'x'.repeat(1_100_000) } };
    expect((await platform.ask('POST', '/graphql', { body })).status).toBe(413);
  });
});

it('abuse: the schema of hundreds of tables is answered in pieces, and calls are answered in between', async () => {
  const count = 300;
  const file = openSqlite(join(platform.folder, 'db', 'wide.sqlite'), { create: true });
  const columns = spread(10, (column) => `c${column} varchar(40),`);
  file.exec(
    `begin; ${spread(count, (index) => `create table t${index} (id integer primary key, ${columns} parent integer references t${Math.max(0, index - 1)} (id));`)} commit`,
  );
  file.close();
  const config = { database: 'wide.sqlite' };
  await platform.create('service', { name: 'wide', label: 'Wide', type: 'sqlite', is_active: true, config });
  await schemaFor(platform);
  const rounds = countRounds();
  // Others have their turn, and the parts make one whole.
  const fields = (await schemaFor(platform)).getQueryType()?.getFields() ?? {};
  rounds.stop();
  expect(rounds.current).toBeGreaterThan(20);
  expect(Object.keys(fields).filter((name) => name.startsWith('getWideTable'))).toHaveLength(3 * count);
  const one = await ask(platform, '{ getWideTableT150List { id t149_by_parent { id } } }');
  expect(one.body).toEqual({ data: { getWideTableT150List: [] } });
});
