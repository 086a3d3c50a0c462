// GraphQL over HTTP: reading and writing the tables of each engine, who may send what, and what a call of it is for the instance.

import { type Answer, type AskOptions, startPlatform } from '@sluice/testkit';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());

const send = (query: string, variables: object = {}, options: AskOptions = {}): Promise<Answer> =>
  platform.ask('POST', '/graphql', { ...options, body: { query, variables } });

const key: Record<string, string> = {};

beforeAll(async () => {
  const config = { database: 'shop.sqlite' };
  await platform.create('service', { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config });
  const text = { type: 'string', length: 40 };
  const made = await platform.ask('POST', 'shop/_schema', {
    body: {
      resource: [
        {
          name: 'category',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', ...text },
          ],
        },
        {
          name: 'product',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', ...text, required: true, allow_null: false },
            { name: 'size', type: 'bigint', allow_null: true },
            { name: 'price', type: 'decimal', precision: 30, scale: 10, allow_null: true },
            { name: 'in stock', type: 'boolean', allow_null: true },
            { name: 'note.x', ...text, allow_null: true },
            { name: 'category_id', type: 'reference', ref_table: 'category', ref_field: 'id', allow_null: true },
          ],
        },
        {
          name: 'secret',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', ...text },
          ],
        },
        {
          name: 'stay',
          field: [
            { name: 'country', type: 'string', length: 2, is_primary_key: true },
            { name: 'no', type: 'integer', is_primary_key: true },
            { name: 'title', ...text, allow_null: true },
          ],
        },
      ],
    },
  });
  expect(made.status, made.text).toBeLessThan(300);
  await platform.ask('POST', 'shop/_table/category', { body: { resource: [{ name: 'Lamps' }, { name: 'Chairs' }] } });
  const { body: services } = await platform.ask('GET', 'system/service?fields=id,name');
  const service_id = services.resource.find(({ name }: { name: string }) => name === 'shop').id;
  const roles: Record<string, [string, number][]> = {
    reader: [['_table/product/*', 1]],
    writer: [['_table/product', 2]],
    one: [['_table/product/2', 1]],
  };
  for (const [name, rows] of Object.entries(roles)) {
    const access = rows.map(([component, verb_mask]) => ({ service_id, component, verb_mask, requestor_mask: 1 }));
    const role = await platform.create(
      'role',
      { name, is_active: true, role_service_access_by_role_id: access },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name, is_active: true, role_id: role.id });
    key[name] = String(app.api_key);
  }
});

const as = (name: string): AskOptions => ({ token: null, key: key[name] as string });

describe('records', () => {
  it('are created, read with what they are related to, changed and deleted, in order', async () => {
    const created = await send(
      `mutation ($records: [ShopTableProductNew!]!) {
        createShopTableProductList(records: $records) { id name }
        one: createShopTableProduct(record: {name: "Stool", size: 9007199254740993, price: 1234567890.0123456789, in_0x20_stock: true, category_id: 2}) { id size price in_0x20_stock }
      }`,
      {
        records: [
          { name: 'Lamp', category_id: 1 },
          { name: 'Desk lamp', category_id: 1, note_0x2e_x: 'p' },
        ],
      },
    );
    expect(created.body).toEqual({
      data: {
        createShopTableProductList: [
          { id: 1, name: 'Lamp' },
          { id: 2, name: 'Desk lamp' },
        ],
        one: { id: 3, size: '9007199254740993', price: expect.anything(), in_0x20_stock: true },
      },
    });
    expect(created.status).toBe(200);
    const read = await send(
      `query ($f: String) {
        getShopTableProduct(id: 2) { title: name note_0x2e_x category_by_category_id { name } __typename }
        getShopTableProductList(filter: $f, params: {_: 1}, order: "name desc", limit: 1, offset: 1) { ...P }
        byIds: getShopTableProductList(ids: [3, 1]) { id }
        none: getShopTableProductList(ids: []) { id }
        getShopTableProductCount(filter: "id > 1")
        getShopTableCategoryList(order: "id") { name product_by_category_id(order: "name desc") { name category_by_category_id { id } } }
      }
      fragment P on ShopTableProduct { id name }`,
      { f: 'id > 0' },
    );
    expect(read.body).toEqual({
      data: {
        getShopTableProduct: {
          ...{ title: 'Desk lamp', note_0x2e_x: 'p', category_by_category_id: { name: 'Lamps' } },
          __typename: 'ShopTableProduct',
        },
        getShopTableProductList: [{ id: 1, name: 'Lamp' }],
        byIds: expect.arrayContaining([{ id: 1 }, { id: 3 }]),
        none: [],
        getShopTableProductCount: 2,
        getShopTableCategoryList: [
          {
            name: 'Lamps',
            product_by_category_id: [
              { name: 'Lamp', category_by_category_id: { id: 1 } },
              { name: 'Desk lamp', category_by_category_id: { id: 1 } },
            ],
          },
          { name: 'Chairs', product_by_category_id: [{ name: 'Stool', category_by_category_id: { id: 2 } }] },
        ],
      },
    });
    const changed = await send(`mutation {
      updateShopTableProduct(id: 3, record: {name: "Bar stool"}) { id name category_by_category_id { name } }
      replaceShopTableProductList(filter: "id < 3", record: {size: 5}) { id size }
      updateShopTableProductList(records: [{id: 1, name: "First"}]) { name }
      deleteShopTableProduct(id: 2) { name }
      deleteShopTableProductList(ids: [1]) { id }
    }`);
    expect(changed.body).toEqual({
      data: {
        updateShopTableProduct: { id: 3, name: 'Bar stool', category_by_category_id: { name: 'Chairs' } },
        replaceShopTableProductList: [
          { id: 1, size: 5 },
          { id: 2, size: 5 },
        ],
        updateShopTableProductList: [{ name: 'First' }],
        deleteShopTableProduct: { name: 'Desk lamp' },
        deleteShopTableProductList: [{ id: 1 }],
      },
    });
  });

  it('of a key of several fields are named by each', async () => {
    const made = await send(`mutation {
      createShopTableStay(record: {country: "NO", no: 1, title: "a"}) { country no }
      updateShopTableStay(country: "NO", no: 1, record: {title: "b"}) { title }
    }`);
    expect(made.body.data.updateShopTableStay).toEqual({ title: 'b' });
    const read = await send(
      '{ getShopTableStay(country: "NO", no: 1) { title } missing: getShopTableStay(country: "SE", no: 1) { title } }',
    );
    expect(read.body.data).toEqual({ getShopTableStay: { title: 'b' }, missing: null });
    expect(read.body.errors[0].path).toEqual(['missing']);
    const gone = await send('mutation { deleteShopTableStay(country: "NO", no: 1) { country } }');
    expect(gone.body).toEqual({ data: { deleteShopTableStay: { country: 'NO' } } });
  });

  it('are written with those they are related to', async () => {
    const { body } = await send(`mutation {
      createShopTableCategory(record: {name: "Tables", product_by_category_id: [{name: "Oak"}]}) { name product_by_category_id { name } }
    }`);
    expect(body).toEqual({
      data: { createShopTableCategory: { name: 'Tables', product_by_category_id: [{ name: 'Oak' }] } },
    });
  });
});

describe('errors', () => {
  it('say where, what, and code, status and context of the API', async () => {
    const { status, body } = await send('{ a: getShopTableProduct(id: 4711) { id } getShopTableCategoryList { id } }');
    expect(status).toBe(200);
    expect(body.data.a).toBeNull();
    expect(body.data.getShopTableCategoryList.length).toBeGreaterThan(1);
    expect(body.errors).toEqual([
      {
        ...{ message: "Record with identifier '4711' not found.", path: ['a'], locations: [{ line: 1, column: 3 }] },
        extensions: { code: 404, status: 404, context: null, request_id: expect.any(String) },
      },
    ]);
  });

  it.each([
    ['{ getShopTableNothing(id: 1) { id } }', /Cannot query field "getShopTableNothing"/],
    ['{ getShopTableProduct(id: 1) { nothing } }', /Cannot query field "nothing"/],
    ['{ getShopTableProduct(id: 1) ', /Syntax Error/],
    ['{ a: getShopTableCategoryCount b: getShopTableProductList(filter: "nonsense") { id } }', /filter/],
    ['{ getShopTableProductList(order: "nothing") { id } }', /order/],
    ['query a { __typename } query b { __typename }', /several/],
  ])('%s', async (query, message) => {
    const { status, body } = await send(query);
    expect(status).toBe(200);
    expect(body.errors[0].message).toMatch(message);
    expect(body.errors[0].extensions.status).toBe(400);
    // What else was asked for is there.
    if (body.errors[0].path?.[0] === 'b') expect(body.data).toEqual({ a: expect.any(Number), b: null });
  });

  it('are a 403 where a call is refused', async () => {
    const { status, body } = await send('{ getShopTableProduct(id: 3) { id } }', {}, as('one'));
    expect([status, body.data.getShopTableProduct, body.errors[0].extensions.status]).toEqual([403, null, 401]);
  });
});

describe('a request', () => {
  it('comes by GET, for queries alone', async () => {
    const get = (query: string, more = '') => platform.ask('GET', `/graphql?query=${encodeURIComponent(query)}${more}`);
    const read = await get(
      'query q($id: Integer!) { getShopTableCategory(id: $id) { name } }',
      '&operationName=q&variables=%7B%22id%22%3A1%7D',
    );
    expect([read.status, read.body]).toEqual([200, { data: { getShopTableCategory: { name: 'Lamps' } } }]);
    const write = await get('mutation { deleteShopTableCategoryList(ids: [1]) { id } }');
    expect([write.status, write.headers.allow]).toEqual([405, 'POST']);
    expect((await platform.ask('GET', '/graphql')).status).toBe(400);
    expect((await platform.ask('GET', '/graphql?query=%7B__typename%7D&variables=nonsense')).status).toBe(400);
  });

  it('comes as a list of up to ten', async () => {
    const one = { query: '{ getShopTableCategory(id: 1) { name } }' };
    const list = await platform.ask('POST', '/graphql', { body: [one, { query: '{ nothing }' }] });
    expect([list.status, list.body.length, list.body[0].data]).toEqual([
      200,
      2,
      { getShopTableCategory: { name: 'Lamps' } },
    ]);
    expect((await platform.ask('POST', '/graphql', { body: Array(11).fill(one) })).status).toBe(400);
    expect((await platform.ask('POST', '/graphql', { body: [] })).status).toBe(400);
  });

  it.each<[string, () => AskOptions, number]>([
    ['nobody', () => ({ token: null }), 401],
    ['a key that no app has', () => ({ token: null, key: 'x'.repeat(64) }), 401],
    ['a cookie alone', () => ({ token: null, headers: { cookie: `session_token=${platform.adminToken}` } }), 401],
    ['a key', () => as('reader'), 200],
    ['a bearer token', () => ({ token: null, headers: { authorization: `Bearer ${platform.adminToken}` } }), 200],
  ])('by %s', async (_name, caller, status) => {
    expect((await send('{ __typename }', {}, caller())).status).toBe(status);
  });

  it('has no credentials in its address or body', async () => {
    const query = `?api_key=${key.reader}&session_token=${platform.adminToken}&query={__typename}`;
    expect((await platform.ask('GET', `/graphql${query}`, { token: null })).status).toBe(401);
    const body = { query: '{ __typename }', session_token: platform.adminToken };
    expect((await platform.ask('POST', '/graphql', { token: null, body })).status).toBe(401);
  });

  it('is JSON, by GET or POST', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await platform.ask('POST', '/graphql', { body: 'query={__typename}', headers: form })).status).toBe(415);
    const put = await platform.ask('PUT', '/graphql', { body: { query: '{ __typename }' } });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST']);
  });

  it('is a call of the API for each field, counted once by limits and in the use of the service', async () => {
    const record = { name: 'queries', type: 'instance', rate: 3, period: 'hour', is_active: true };
    const { body: made } = await platform.ask('POST', 'system/limit', { body: { resource: [record] } });
    const calls = async () => {
      const { body } = await platform.ask('GET', 'system/service/_use');
      return body.resource.find(({ name }: { name: string }) => name === 'shop').calls;
    };
    const before = await calls();
    const query = '{ a: getShopTableProductList { id } b: getShopTableProductCount }';
    expect((await send(query, {}, as('reader'))).body.errors).toBeUndefined();
    expect(await calls()).toBe(before + 2);
    const { body, status } = await send(query, {}, as('reader'));
    expect([status, body.errors.length]).toEqual([200, 1]);
    expect(body.errors[0].extensions).toMatchObject({ status: 429, retry_after: expect.any(Number) });
    await platform.ask('DELETE', `system/limit/${made.resource[0].id}`);
  });
});

describe('the schema of a caller', () => {
  const schemaFor = async (options: AskOptions) => {
    const { body, text } = await send(getIntrospectionQuery(), {}, options);
    expect(body.errors, text.slice(0, 500)).toBeUndefined();
    const schema = buildClientSchema(body.data as IntrospectionQuery);
    expect(validateSchema(schema)).toEqual([]);
    return {
      schema,
      queries: Object.keys(schema.getQueryType()?.getFields() ?? {}),
      mutations: Object.keys(schema.getMutationType()?.getFields() ?? {}),
    };
  };

  it('has what they may do, and nothing else', async () => {
    const admin = await schemaFor({});
    expect(admin.queries).toContain('getShopTableSecretList');
    expect(admin.mutations).toContain('deleteShopTableSecret');
    const reader = await schemaFor(as('reader'));
    expect(reader.queries.sort()).toEqual(
      ['getShopTableProduct', 'getShopTableProductCount', 'getShopTableProductList'].sort(),
    );
    expect(reader.mutations).toEqual([]);
    // Related records of a table that they may not read are not there.
    expect(
      Object.keys((reader.schema.getType('ShopTableProduct') as never as { getFields(): object }).getFields()),
    ).not.toContain('category_by_category_id');
    const writer = await schemaFor(as('writer'));
    expect([writer.queries, writer.mutations.sort()]).toEqual([
      ['_empty'],
      ['createShopTableProduct', 'createShopTableProductList'],
    ]);
  });

  it('refuses the rest by the same words as what is not there', async () => {
    for (const field of ['getShopTableSecretList', 'getShopTableNothingList']) {
      const { body } = await send(`{ ${field} { id } }`, {}, as('reader'));
      expect(body.errors[0].message).toBe(`Cannot query field "${field}" on type "Query".`);
    }
    const { body } = await send('{ getShopTableProductList { category_by_category_id { id } } }', {}, as('reader'));
    expect(body.errors[0].message).toMatch(/Cannot query field "category_by_category_id"/);
  });

  it('follows a change of a table, and of the role', async () => {
    const names = async () =>
      Object.keys(
        ((await schemaFor({})).schema.getType('ShopTableSecret') as never as { getFields(): object }).getFields(),
      );
    expect(await names()).not.toContain('added');
    const field = { resource: [{ name: 'added', type: 'string', allow_null: true }] };
    await platform.ask('POST', 'shop/_schema/secret/_field', { body: field });
    expect(await names()).toContain('added');
    expect((await send('{ getShopTableSecretList { added } }')).body).toEqual({ data: { getShopTableSecretList: [] } });
  });
});

describe('what a call of the API has', () => {
  it('holds for a field, too: the record filter of a role, and scripts of events', async () => {
    const { body: services } = await platform.ask('GET', 'system/service?fields=id,name');
    const service_id = services.resource.find(({ name }: { name: string }) => name === 'shop').id;
    const access = ['_table/category', '_table/product'].map((component) => ({
      ...{ service_id, component, verb_mask: 1, requestor_mask: 1, filter_op: 'AND' },
      filters: [{ name: component === '_table/category' ? 'id' : 'category_id', operator: '=', value: '2' }],
    }));
    const role = await platform.create(
      'role',
      { name: 'filtered', is_active: true, role_service_access_by_role_id: access },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name: 'filtered', is_active: true, role_id: role.id });
    const query =
      '{ getShopTableCategoryList { id } getShopTableCategoryCount getShopTableProductList { category_by_category_id { id } } }';
    const { body } = await send(query, {}, { token: null, key: String(app.api_key) });
    expect(body).toEqual({
      data: {
        ...{ getShopTableCategoryList: [{ id: 2 }], getShopTableCategoryCount: 1 },
        getShopTableProductList: [{ category_by_category_id: { id: 2 } }],
      },
    });
    const script = {
      ...{
        name: 'shop._table.category.get.post_process',
        type: 'v8js',
        is_active: true,
        allow_event_modification: true,
      },
      content: 'event.response.content.resource = [{ id: 7, name: "of a script", other: 1 }, { id: 8, name: "more" }];',
    };
    expect((await platform.ask('POST', 'system/event_script', { body: { resource: [script] } })).status).toBeLessThan(
      300,
    );
    const scripted = await send('{ getShopTableCategoryList { id name } }');
    await platform.ask('DELETE', `system/event_script/${script.name}`);
    expect(scripted.body).toEqual({
      data: {
        getShopTableCategoryList: [
          { id: 7, name: 'of a script' },
          { id: 8, name: 'more' },
        ],
      },
    });
  });

  it('holds for pages elsewhere: they are let in by a rule of system/cors', async () => {
    const origin = 'https://shop.example';
    const ask = () => platform.ask('POST', '/graphql', { body: { query: '{ __typename }' }, headers: { origin } });
    expect((await ask()).headers['access-control-allow-origin']).toBeUndefined();
    const rule = await platform.create('cors', {
      ...{ path: 'graphql', origin, header: '*', method: 31, max_age: 0, enabled: true },
    });
    expect((await ask()).headers['access-control-allow-origin']).toBe(origin);
    await platform.ask('DELETE', `system/cors/${rule.id}`);
  });
});

describe('the setting SLUICE_GRAPHQL', () => {
  it('off: there is no such address', async () => {
    const off = await startPlatform({ graphql: false });
    const answer = await off.ask('POST', '/graphql', { body: { query: '{ __typename }' } });
    const settings = await off.ask('GET', '/console.json');
    await off.stop();
    expect(answer.status).toBe(404);
    expect(settings.body.graphql).toBe(false);
  });
});
