// The schema of a database service as it is read, and what a service says of its tables beyond the database.
import { type CallGroup, type CallLine, type Json, records } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import { serviceOf } from './beginnings.ts';

/** Reading changes nothing; what is written is aliases, rules, virtual fields and relations. */
export const schemaCalls = (engine: ShopEngine): CallGroup[] => [readSchema(engine), writeSchema(engine)];

function readSchema(engine: ShopEngine): CallGroup {
  const db = serviceOf(engine);
  const s = `${db}/_schema`;
  return {
    title: `${engine} schema`,
    calls: [
      ...[
        db,
        `${db}/`,
        `${db}?fields=*`,
        `${db}?as_list=true`,
        `${db}?as_access_list=true`,
        `${db}?include_access=true`,
        `${db}/_table`,
        `${db}/_table?fields=*`,
        `${db}/_table?fields=name,label`,
        `${db}/_table?as_list=true`,
        `${db}/_table?ids=tag,product`,
        `${db}/_table?schema=attic`,
        `${db}/_table?refresh=true&as_list=true`,
        `${db}/_table?as_access_list=true`,
        `${db}/_table?limit=1`,
        s,
        `${s}?fields=*`,
        `${s}?as_list=true`,
        `${s}?ids=tag,bag`,
        `${s}?ids=tag,none`,
        `${s}?schema=attic`,
        ...[
          'customer',
          'product',
          'purchase_item',
          'product_tag',
          'item_note',
          'category',
          'typed',
          'bag',
          'cheap_product',
          'country',
          'Odd%20Name;%20(old)',
          'none',
          'TAG',
          'attic.box',
        ].map((table) => `${s}/${table}`),
        `${s}/product?refresh=true`,
        `${s}/product/_field`,
        `${s}/product/_field?ids=name,sku`,
        `${s}/product/_field?as_list=true`,
        `${s}/product/_field/name`,
        `${s}/product/name`,
        `${s}/product/_field/none`,
        `${s}/product/_field/NAME`,
        `${s}/product/none`,
        `${s}/none/_field`,
        `${s}/product/_related`,
        `${s}/product/_related/tag_by_product_tag`,
        `${s}/product/_related/none`,
        `${s}/product/_related?ids=x`,
        `${s}/product/_other/x`,
        `${s}/product/_field/name/more`,
        `${s}/customer/_field/avatar`,
        `${s}/customer/_related`,
        `${s}/category/_related`,
        `${s}/Odd%20Name;%20(old)/_field/select`,
      ].map((path) => `GET ${path}`),
      `HEAD ${s}/product`,
      `HEAD ${s}`,
    ],
  };
}

/** A table to be made. */
const todo: Json = {
  name: 'todo',
  label: 'To do',
  field: [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string', length: 40, allow_null: false },
    { name: 'tag_id', type: 'reference', ref_table: 'tag', ref_field: 'id', allow_null: true },
    { name: 'rank', type: 'integer', default: 3, is_index: true },
  ],
};

/** What a service says of its tables beyond the database, and what would change the database itself. */
function writeSchema(engine: ShopEngine): CallGroup {
  const db = serviceOf(engine);
  const s = `${db}/_schema`;
  const calls: CallLine[] = [
    [
      `PATCH ${s}/tag`,
      {
        body: { label: 'Mark', plural: 'Marks', description: 'What is said of products', name_field: 'name' },
        status: 200,
      },
    ],
    `GET ${s}/tag`,
    `GET ${db}/_table?fields=*&ids=tag`,
    [`PATCH ${s}/tag?fields=*`, { body: { label: 'Tag' } }],
    [
      `PATCH ${s}/tag/_field/name?fields=*`,
      {
        body: {
          label: 'What it says',
          description: 'Said once',
          validation: { not_empty: { on_fail: 'Say something.' } },
        },
      },
    ],
    [`POST ${db}/_table/tag`, { body: records({ name: '' }) }],
    [
      `PATCH ${s}/customer/_field?fields=*`,
      {
        body: records(
          { name: 'email', validation: { email: {} } },
          { name: 'note', validation: { api_read_only: {} } },
        ),
      },
    ],
    [`POST ${db}/_table/customer?fields=*`, { body: records({ name: 'Ruled', email: 'no mail', note: 'dropped' }) }],
    [
      `POST ${db}/_table/customer?fields=name,email,note`,
      { body: records({ name: 'Ruled', email: 'ruled@example.com', note: 'dropped' }) },
    ],
    [
      `PATCH ${s}/purchase/_field/status`,
      {
        body: {
          picklist: ['open', 'paid', 'lost'],
          validation: { picklist: { on_fail: 'Bad status' }, create_only: {} },
        },
      },
    ],
    [`PATCH ${db}/_table/purchase/1`, { body: { status: 'gone' } }],
    [`POST ${db}/_table/purchase`, { body: records({ customer_id: 1, status: 'gone' }) }],
    [`POST ${db}/_table/purchase?fields=status`, { body: records({ customer_id: 1, status: 'lost' }) }],
    [
      `PATCH ${s}/product/_field/name`,
      { body: { validation: { match: { regexp: Buffer.from('/^[A-Z]/').toString('base64') } } } },
    ],
    [`POST ${db}/_table/product`, { body: records({ name: 'small', sku: 's', price: 1 }) }],
    [`PATCH ${s}/product/_field/name`, { body: { validation: { match: {} } } }],
    [`POST ${db}/_table/product`, { body: records({ name: 'Small', sku: 's', price: 1 }) }],
    [`PATCH ${s}/product/_field/name`, { body: { validation: null } }],
    [`PATCH ${s}/product/_field/stock`, { body: { validation: { int: { range: { min: 0, max: 10 } } } } }],
    [`PATCH ${db}/_table/product/2`, { body: { stock: 11 } }],
    [`PATCH ${s}/product/_field/stock`, { body: { validation: null, alias: 'left_over' } }],
    `GET ${db}/_table/product?fields=left_over&limit=2`,
    `GET ${db}/_table/product?fields=stock`,
    `GET ${db}/_table/product?filter=left_over > 5&order=left_over desc&fields=id,left_over&include_schema=true`,
    [`PATCH ${s}/product/_field/stock`, { body: { alias: 'price' } }],
    [`PATCH ${s}/product/_field/stock`, { body: { alias: null } }],
    [`PATCH ${s}/category`, { body: { alias: 'shelf' } }],
    `GET ${db}/_table/shelf`,
    `GET ${db}/_table/category`,
    `GET ${db}/_table/product/1?related=*`,
    [`PATCH ${s}/category`, { body: { alias: '' } }],
    [
      `POST ${s}/product/_field?fields=*`,
      {
        body: records({
          name: 'worth',
          is_virtual: true,
          type: 'decimal',
          db_function: [{ use: ['SELECT'], function: 'price * stock' }],
        }),
      },
    ],
    [
      `POST ${s}/product/_field`,
      {
        body: records({
          name: 'sum_of',
          is_virtual: true,
          type: 'integer',
          is_aggregate: true,
          db_function: [{ use: ['SELECT'], function: 'SUM(stock)' }],
        }),
      },
    ],
    `GET ${db}/_table/product?fields=id,worth&limit=3`,
    `GET ${db}/_table/product?fields=sum_of`,
    `GET ${db}/_table/product?fields=category_id,sum_of&group=category_id&order=category_id`,
    `GET ${db}/_table/product/1?fields=sum_of`,
    `GET ${db}/_table/product/1`,
    [`PATCH ${db}/_table/product/1?fields=worth`, { body: { worth: 5 } }],
    [
      `POST ${s}/product/_field`,
      {
        body: records({
          name: 'bad',
          is_virtual: true,
          type: 'integer',
          db_function: [{ use: ['SELECT'], function: 'price; drop table tag' }],
        }),
      },
    ],
    [`POST ${s}/product/_field`, { body: records({ name: 'bad', is_virtual: true, type: 'nonsense' }) }],
    [`PATCH ${s}/product/_field/name`, { body: { db_function: [{ use: ['SELECT'], function: 'UPPER(name)' }] } }],
    `GET ${db}/_table/product?fields=name&limit=2`,
    [`PATCH ${s}/product/_field/name`, { body: { db_function: null } }],
    [
      `POST ${s}/customer/_related?fields=*`,
      {
        body: records({
          is_virtual: true,
          type: 'has_many',
          field: 'id',
          ref_table: 'product',
          ref_field: 'category_id',
        }),
      },
    ],
    [
      `POST ${s}/country/_related?fields=*`,
      {
        body: records({
          is_virtual: true,
          type: 'belongs_to',
          field: 'name',
          ref_service_id: '{{id.of.world}}',
          ref_table: 'countries',
          ref_field: 'name',
        }),
      },
    ],
    `GET ${s}/customer/_related`,
    `GET ${db}/_table/customer?related=product_by_category_id&fields=id`,
    `GET ${db}/_table/country?related=*`,
    [
      `PATCH ${s}/customer/_related/purchase_by_customer_id?fields=*`,
      { body: { name: 'purchase_by_customer_id', alias: 'bought', label: 'What was bought', always_fetch: true } },
    ],
    `GET ${db}/_table/customer/1`,
    [`PATCH ${s}/customer/_related/purchase_by_customer_id`, { body: { alias: null, always_fetch: false } }],
    `DELETE ${s}/customer/_related/product_by_category_id`,
    `DELETE ${s}/customer/_related/none`,
    [
      `POST ${s}/customer/_related`,
      { body: records({ is_virtual: true, type: 'has_everything', field: 'id', ref_table: 'x', ref_field: 'y' }) },
    ],
    [`POST ${s}/customer/_related`, { body: records({ is_virtual: true, type: 'has_many' }) }],
    [`POST ${s}`, { body: { name: 'todo' } }],
    [`POST ${s}?check_exist=true`, { body: records({ name: 'tag' }) }],
    [`POST ${s}`, { body: records({ name: 'tag', label: 'Posted' }) }],
    [`POST ${s}`, { body: records({ label: 'nameless' }) }],
    [`PATCH ${s}`, { body: records({ name: 'tag', label: 'Tag' }, { name: 'bag', label: 'Sack' }) }],
    [`PATCH ${s}?fields=*`, { body: records({ name: 'bag', label: 'Bag' }) }],
    [`PUT ${s}/tag`, { body: { label: 'Tag' } }],
    [`PATCH ${s}/none`, { body: { label: 'x' } }],
    [`POST ${s}/tag/_field`, { body: {} }],
    [`PATCH ${s}/tag/_field`, { body: records({ label: 'nameless' }) }],
    `DELETE ${s}/tag/_field/none`,
    `DELETE ${s}/product/_field/worth`,
    `DELETE ${s}/product/_field?ids=sum_of`,
    `DELETE ${s}`,
    `DELETE ${s}/none`,
    [`PATCH ${s}/tag/_other/x`, { body: {} }],
    // What changes the database itself, in tables of its own.
    [`POST ${db}/_plan`, { body: { verb: 'POST', path: '_schema', body: records(todo) } }],
    [`POST ${s}?fields=*`, { body: records(todo) }],
    [`POST ${s}`, { body: records(todo) }],
    [`POST ${db}/_table/todo`, { body: records({ name: 'first' }, { name: 'second', tag_id: 1 }) }],
    `GET ${db}/_table/todo?related=*&include_schema=true`,
    [`POST ${s}/todo/_field`, { body: records({ name: 'colour', type: 'string', allow_null: true }) }],
    [`POST ${s}/todo/_field`, { body: records({ name: 'needed', type: 'integer' }) }],
    [`PATCH ${s}/todo/_field/colour?fields=*`, { body: { type: 'text', label: 'Color' } }],
    [`PATCH ${s}/todo/_field/name`, { body: { length: 2 } }],
    [`PATCH ${s}/todo/_field/name`, { body: { type: 'integer' } }],
    [`PATCH ${s}/todo/name`, { body: { length: 90, is_unique: true } }],
    [`PATCH ${s}/todo/_field/colour`, { body: { new_name: 'hue' } }],
    [`PATCH ${s}/todo`, { body: { new_name: 'chore' } }],
    [`PUT ${s}/chore?fields=*`, { body: { field: [{ name: 'id' }, { name: 'name' }] } }],
    [`POST ${s}`, { body: records({ name: 'a', field: [{ name: 'x', type: 'reference' }] }, todo) }],
    [`POST ${db}/_plan`, { body: { verb: 'DELETE', path: '_schema/chore/_field/name' } }],
    `GET ${db}/_plan`,
    `DELETE ${s}/chore/name`,
    `GET ${db}/_table/chore`,
    `DELETE ${s}?ids=chore,none`,
    `DELETE ${s}/chore`,
    `GET ${s}/product`,
    `GET ${s}/tag`,
  ];
  return { title: `${engine} schema writes`, calls };
}
