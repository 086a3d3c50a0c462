// A caller can use every field of their schema, and none of the fields that it leaves out: neither leads further than the API.
import type { GraphQLSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { startAccessInstance } from '../openapi/access.fixture.ts';
import { ask, queryOf, schemaFor } from './schema.fixture.ts';

const { platform, callers } = await startAccessInstance();
afterAll(() => platform.stop());

const fieldsOf = (schema: GraphQLSchema) => [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
];

const isRefused = ({ status, body }: { status: number; body: { errors?: { extensions: { status: number } }[] } }) =>
  status === 403 || (body.errors ?? []).some(({ extensions }) => [401, 403].includes(extensions.status));

describe.each(['narrow, a person', 'narrow, a key alone', 'wide, a person', 'wide, a key alone'])('%s', (name) => {
  it('is refused no field of their schema, but for records that a role does not name, and has no other', async () => {
    const caller = await callers[name]!();
    const own = await schemaFor(platform, caller);
    const refused: string[] = [];
    for (const [kind, field] of fieldsOf(own)) {
      if (field.name === '_empty') continue;
      const query = queryOf(field, kind).replace(/"4711"/g, field.name.endsWith('TableOrder') ? '7' : '"4711"');
      const answer = await ask(platform, query, caller);
      if (isRefused(answer) || /"message":"Cannot query/.test(answer.text)) refused.push(`${query}: ${answer.text}`);
    }
    expect(refused).toEqual([]);
    const all = await schemaFor(platform);
    const ownNames = new Set(fieldsOf(own).map(([, field]) => field.name));
    const left = fieldsOf(all).filter(([, field]) => !ownNames.has(field.name));
    for (const [kind, field] of left) {
      const { body } = await ask(platform, queryOf(field, kind), caller);
      expect(body.data, field.name).toBeUndefined();
      expect(body.errors[0].message).toMatch(/^Cannot query field/);
    }
    expect(ownNames.size).toBeGreaterThan(name.startsWith('wide') ? 40 : 3);
    if (name.startsWith('narrow'))
      expect([...ownNames].sort()).toEqual([
        ...['createShopTableCustomer', 'createShopTableCustomerList', 'getShopTableCustomerCount'],
        ...['getShopTableCustomerList', 'getShopTableOrder', 'getShopTableProduct', 'getShopTableProductCount'],
        ...[
          'getShopTableProductList',
          'replaceShopTableCategory',
          'replaceShopTableCategoryList',
          'updateShopTableOrder',
        ],
      ]);
  });
});

it('has nothing of the services that are the instance itself', async () => {
  const names = fieldsOf(await schemaFor(platform)).map(([, field]) => field.name);
  expect(names.filter((name) => !/^(get|create|replace|update|delete)(Shop|Db)Table/.test(name))).toEqual([]);
  const { body } = await ask(platform, '{ getSystemTableUserList { id } }');
  expect(body.errors[0].message).toMatch(/^Cannot query field/);
});
