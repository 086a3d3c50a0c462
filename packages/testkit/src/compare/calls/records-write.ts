// Writing records: created, changed and deleted, one by one and in batches, with those related to them, in every format.
import { type CallGroup, records } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import { serviceOf } from './beginnings.ts';

const csv = { 'Content-Type': 'text/csv' };
const xml = { 'Content-Type': 'application/xml' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const tunnel = (verb: string) => ({ 'X-HTTP-Method': verb });

/** What is written stays for the calls behind it. */
export function writeRecords(engine: ShopEngine): CallGroup[] {
  const db = serviceOf(engine);
  const t = `${db}/_table`;
  return [
    {
      title: `${engine} creating`,
      calls: [
        [`POST ${t}/tag`, { body: records({ name: 'made' }), status: 200 }],
        [`POST ${t}/tag?fields=*`, { body: records({ name: 'whole' }) }],
        [`POST ${t}/tag?fields=name`, { body: records({ name: 'named', none: 1 }) }],
        [`POST ${t}/tag`, { body: [{ name: 'bare list' }] }],
        [`POST ${t}/tag`, { body: { resource: { name: 'one in the wrapper' } } }],
        [`POST ${t}/tag`, { body: { name: 'no wrapper' } }],
        [`POST ${t}/tag`, { body: {} }],
        [`POST ${t}/tag`, { body: records() }],
        `POST ${t}/tag`,
        [`POST ${t}/tag/9`, { body: { name: 'by id' } }],
        [`POST ${t}`, { body: records({ name: 'x' }) }],
        [`POST ${t}/none`, { body: records({ name: 'x' }) }],
        [`POST ${t}/tag`, { body: records({ none: 1 }) }],
        [`POST ${t}/tag`, { body: records({ name: null }) }],
        [`POST ${t}/tag`, { body: records({}) }],
        [`POST ${t}/tag`, { body: records('text', 7, null, [1]) }],
        [`POST ${t}/tag`, { body: records({ name: 'red' }) }],
        [`POST ${t}/tag`, { body: records({ name: { a: 1 } }) }],
        [`POST ${t}/tag`, { body: records({ name: ['a'] }) }],
        [`POST ${t}/tag`, { body: records({ name: 'x'.repeat(200) }) }],
        [`POST ${t}/tag?fields=none`, { body: records({ name: 'x' }) }],
        [
          `POST ${t}/customer?fields=*`,
          {
            body: records({
              name: 'Whole',
              email: 'w@example.com',
              born: '1999-01-02',
              wakes: '06:00:00',
              seen_at: '2020-02-02 02:02:02',
              is_active: 'no',
              is_known: 1,
              credit: '12.345',
              score: '2.5',
              big: '-9223372036854775808',
              note: "it's; {user.email} \u{1F600}",
              avatar: '/+8=',
              country_code: 'NO',
            }),
          },
        ],
        [
          `POST ${t}/customer?fields=*`,
          { body: records({ name: 'Few' }, { name: 'Now', seen_at: { expression: 'NOW()' } }) },
        ],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', born: 'yesterday' }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', credit: 'much' }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', is_active: null }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', avatar: 'no base64!' }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', country_code: 'XX' }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', country_code: 'too long' }) }],
        [`POST ${t}/customer`, { body: records({ name: 'Bad', seen_at: { expression: 'sleep(1)' } }) }],
        [
          `POST ${t}/customer`,
          {
            headers: { 'Content-Type': 'application/json' },
            body: '{"resource":[{"name":"Big","big":9007199254740993}]}',
          },
        ],
        [
          `POST ${t}/customer`,
          { headers: { 'Content-Type': 'application/json' }, body: '{"resource":[{"name":"Big","score":1e400}]}' },
        ],
        [`POST ${t}/product`, { body: records({ name: 'Dear', sku: 'D-1', price: -1 }) }],
        [`POST ${t}/country?fields=*`, { body: records({ code: 'FR', name: 'France' }) }],
        [`POST ${t}/country`, { body: records({ name: 'Keyless' }) }],
        [`POST ${t}/bag`, { body: records({ n: 9, t: 'keyless' }) }],
        [`POST ${t}/bag?fields=*`, { body: records({ n: 9, t: 'keyless' }) }],
        [`POST ${t}/purchase_item`, { body: records({ purchase_id: 4, line: 1, product_id: 2 }) }],
        [`POST ${t}/cheap_product`, { body: records({ name: 'x' }) }],
        [
          `POST ${t}/Odd%20Name;%20(old)?fields=*`,
          { body: records({ select: 'inserted', 'say "hi"': 4, 'per cent %': 5, 'naïve ☃': 6 }) },
        ],
        [`POST ${t}/typed?fields=*`, { body: records({ doc: '{"x":1}' }) }],
        [`POST ${t}/typed?fields=*`, { body: records({ doc: { x: [1, null] } }) }],
      ],
    },
    {
      title: `${engine} batches`,
      calls: [
        [`POST ${t}/tag`, { body: records({ name: 'b1' }, { name: 'red' }, { name: 'b2' }) }],
        [`POST ${t}/tag?continue=true`, { body: records({ name: 'b3' }, { name: 'red' }, { name: 'b4' }, {}) }],
        [`POST ${t}/tag?rollback=true`, { body: records({ name: 'b5' }, { name: 'red' }, { name: 'b6' }) }],
        [`POST ${t}/tag?rollback=true&continue=true`, { body: records({ name: 'b7' }) }],
        [`POST ${t}/tag`, { body: { resource: [{ name: 'b8' }, { name: 'b8' }], rollback: true } }],
        [`POST ${t}/tag?continue=true&fields=*`, { body: records({ name: 'b9' }, { name: 'b9' }, { name: 'b10' }) }],
        `GET ${t}/tag?filter=name starts with b`,
        [
          `PATCH ${t}/tag?continue=true`,
          {
            body: records(
              { id: 1, name: 'crimson' },
              { id: 99, name: 'x' },
              { name: 'no id' },
              { id: 2, name: 'crimson' },
            ),
          },
        ],
        [`PATCH ${t}/tag?rollback=true`, { body: records({ id: 1, name: 'undone' }, { id: 99, name: 'x' }) }],
        [`PATCH ${t}/tag?fields=*`, { body: records({ id: 1, name: 'red' }, { id: 2 }) }],
        [`DELETE ${t}/tag?continue=true`, { body: records({ id: 4 }, { id: 99 }, { id: 1 }) }],
        `DELETE ${t}/tag?ids=3,99&rollback=true`,
        `GET ${t}/tag`,
        [
          `POST ${t}/many`,
          { body: records(...Array.from({ length: 250 }, (_, n) => ({ id: 10_000 + n, n, t: 'batch' }))) },
        ],
        [
          `POST ${t}/many?continue=true&fields=id`,
          { body: records(...Array.from({ length: 120 }, (_, n) => ({ id: 10_200 + n, n, t: 'batch' }))) },
        ],
        [`POST ${t}/many`, { body: records(...Array.from({ length: 10_001 }, (_, n) => ({ id: 90_000 + n }))) }],
        `DELETE ${t}/many?filter=id >= 10000&fields=id`,
      ],
    },
    {
      title: `${engine} updating`,
      calls: [
        [`PATCH ${t}/tag`, { body: { resource: [{ id: 1, name: 'red' }], loaded: [{ name: 'no such name' }] } }],
        [`PATCH ${t}/tag`, { body: { resource: [{ id: 1, name: 'red' }], loaded: [{ none: 1 }] } }],
        [`DELETE ${t}/tag/1`, { body: { loaded: { name: 'no such name' } } }],
        [`PATCH ${t}/product/1`, { body: { stock: 121 }, status: 200 }],
        [`PUT ${t}/product/1?fields=*`, { body: { stock: 120 } }],
        [`PUT ${t}/product/1`, { body: { stock: 120 } }],
        [`MERGE ${t}/product/1?fields=name,stock`, { body: { stock: 5 } }],
        [`PATCH ${t}/product/99`, { body: { stock: 1 } }],
        [`PATCH ${t}/product/abc`, { body: { stock: 1 } }],
        [`PATCH ${t}/product/1`, { body: { none: 1 } }],
        [`PATCH ${t}/product/1`, { body: {} }],
        `PATCH ${t}/product/1`,
        [`PATCH ${t}/product/1`, { body: { id: 50, stock: 6 } }],
        [`PATCH ${t}/product/1`, { body: records({ stock: 7 }) }],
        [`PATCH ${t}/product/1`, { body: records({ stock: 7 }, { stock: 8 }) }],
        [`PATCH ${t}/product/1`, { body: { stock: null } }],
        [`PATCH ${t}/product/1`, { body: { stock: 'many' } }],
        [`PATCH ${t}/product/1`, { body: { price: -5 } }],
        [`PATCH ${t}/product/1`, { body: { sku: 'S-1' } }],
        [`PATCH ${t}/product/A-2?id_field=sku&fields=*`, { body: { stock: 8 } }],
        [`PATCH ${t}/product?ids=1,2&fields=id,stock`, { body: records({ stock: 9 }) }],
        [`PATCH ${t}/product?ids=1,99`, { body: records({ stock: 10 }) }],
        [`PATCH ${t}/product?ids=1,2`, { body: { stock: 11 } }],
        [`PATCH ${t}/product?filter=stock > 1000&fields=id,stock`, { body: records({ stock: 1 }) }],
        [`PATCH ${t}/product?filter=stock > 100000`, { body: records({ stock: 1 }) }],
        [`PATCH ${t}/product`, { body: { resource: [{ stock: 3 }], filter: 'sku = "H-1"', fields: 'id,stock' } }],
        [`PATCH ${t}/product`, { body: { resource: [{ stock: 4 }], ids: [3, 4], fields: ['stock'] } }],
        [`PATCH ${t}/product`, { body: records({ id: 1, stock: 12 }, { id: 2, stock: 13 }) }],
        [`PUT ${t}/product`, { body: records({ stock: 12 }) }],
        [`PATCH ${t}/product?filter=none = 1`, { body: records({ stock: 1 }) }],
        [`PUT ${t}/bag`, { body: records({ n: 1, t: 'z' }) }],
        [`PUT ${t}/bag?id_field=n&fields=*`, { body: records({ n: 2, t: 'z' }) }],
        [`PATCH ${t}/purchase_item`, { body: { ids: [{ purchase_id: 1, line: 2 }], resource: [{ quantity: 5 }] } }],
        [`PATCH ${t}/purchase_item?fields=*`, { body: records({ purchase_id: 1, line: 1, quantity: 4 }) }],
        [`PATCH ${t}/purchase_item/1`, { body: { quantity: 4 } }],
        [`PUT ${t}/country/CH`, { body: { name: 'Svizra' } }],
        [`PUT ${t}/country/XX`, { body: { name: 'Nowhere' } }],
        [`PUT ${t}/country/CH?fields=*`, { body: { code: 'XX', name: 'Schweiz' } }],
        [`PUT ${db}_small/_table/country/AT?fields=*`, { body: { name: 'Österreich' } }],
        [
          `PATCH ${db}_small/_table/country`,
          { body: records({ code: 'BE', name: 'België' }, { code: 'CH', name: 'Suisse' }) },
        ],
        [`PATCH ${db}_small/_table/tag/4711?fields=*`, { body: { name: 'upserted' } }],
        [`PUT ${t}`, { body: records({ name: 'x' }) }],
        [
          `PATCH ${t}/customer/1?fields=*`,
          {
            body: {
              seen_at: { expression: 'CURRENT_TIMESTAMP' },
              avatar: null,
              big: '1',
              score: '0.25',
              note: 'x\u0001y',
            },
          },
        ],
        [`PATCH ${t}/customer/1?fields=seen_at,born`, { body: { seen_at: '2020-01-01 00:00:00', born: '' } }],
        [`PATCH ${t}/typed/1?fields=*`, { body: { doc: '{"changed":true}' } }],
        `GET ${t}/product`,
      ],
    },
    {
      title: `${engine} nested`,
      calls: [
        [
          `POST ${t}/customer?fields=name&related=purchase_by_customer_id,profile_by_customer_id`,
          {
            body: records({
              name: 'Nest',
              purchase_by_customer_id: [{ total: 1 }, { total: 2, status: 'paid' }],
              profile_by_customer_id: { motto: 'new' },
            }),
          },
        ],
        [
          `POST ${t}/product?fields=*&related=category_by_category_id,tag_by_product_tag`,
          {
            body: records({
              name: 'Pear',
              sku: 'P-1',
              price: 1,
              category_by_category_id: { name: 'Made with it' },
              tag_by_product_tag: [{ name: 'ripe' }, { id: 2 }],
            }),
          },
        ],
        [
          `PATCH ${t}/product/1?fields=name&related=tag_by_product_tag`,
          { body: { tag_by_product_tag: [{ id: 2 }, { id: 3, 'product.id': null }] } },
        ],
        [
          `PATCH ${t}/customer/1?related=purchase_by_customer_id`,
          {
            body: { purchase_by_customer_id: [{ id: 1, note: 'changed inside' }, { note: 'added inside' }, { id: 3 }] },
          },
        ],
        [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: [{ id: 3, customer_id: null }] } }],
        [
          `PATCH ${t}/category/3?related=product_by_category_id&product_by_category_id.fields=id,category_id`,
          { body: { product_by_category_id: [{ id: 4, category_id: null }] } },
        ],
        [
          `PATCH ${t}/product/4?related=category_by_category_id`,
          { body: { category_by_category_id: { id: 3, name: 'Implements' } } },
        ],
        [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: 'text' } }],
        [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: [{ none: 1 }] } }],
        [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: [{ ordered_on: 'never' }] } }],
        [
          `POST ${t}/customer?rollback=true`,
          { body: records({ name: 'Half', purchase_by_customer_id: [{ total: 'x' }] }) },
        ],
        [`PATCH ${t}/customer/1?allow_related_delete=true`, { body: { profile_by_customer_id: null } }],
        [
          `PATCH ${t}/customer/3?allow_related_delete=true&related=profile_by_customer_id`,
          { body: { profile_by_customer_id: [] } },
        ],
        [`PATCH ${t}/customer?filter=id = 1`, { body: records({ purchase_by_customer_id: [{ total: 1 }] }) }],
        [`PATCH ${t}/item_note/1`, { body: { purchase_item_by_purchase_id_line: { quantity: 1 } } }],
        `GET ${t}/customer?related=purchase_by_customer_id,profile_by_customer_id&fields=id,name`,
        `GET ${t}/product?related=tag_by_product_tag,category_by_category_id&fields=id`,
      ],
    },
    {
      title: `${engine} formats in`,
      calls: [
        [`POST ${t}/tag?fields=*`, { headers: csv, body: 'name\nfrom csv\n"quoted, ""twice"""\n' }],
        [`POST ${t}/tag`, { headers: csv, body: 'name\n"open' }],
        [`POST ${t}/tag`, { headers: csv, body: 'name,id\na\n' }],
        [`POST ${t}/tag`, { headers: csv, body: '' }],
        [`POST ${t}/tag`, { headers: csv, body: 'name\n' }],
        [
          `POST ${t}/customer?fields=name,is_active,credit,note`,
          { headers: csv, body: 'name,is_active,credit,note\nCsv,false,1.5,\nCsv2,true,,x\n' },
        ],
        [
          `POST ${t}/tag?fields=*`,
          {
            headers: xml,
            body: '<?xml version="1.0"?><dfapi><resource><name>from xml</name></resource><resource><name>&lt;b&gt; &amp; ☃</name></resource></dfapi>',
          },
        ],
        [`POST ${t}/tag?fields=*`, { headers: xml, body: '<resource><name>one from xml</name></resource>' }],
        [`POST ${t}/tag`, { headers: xml, body: '<dfapi><resource><name>open</resource></dfapi>' }],
        [`POST ${t}/tag`, { headers: xml, body: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }],
        [`POST ${t}/tag`, { headers: xml, body: `${'<a>'.repeat(200)}${'</a>'.repeat(200)}` }],
        [`POST ${t}/tag`, { headers: xml, body: '' }],
        [`POST ${t}/tag`, { headers: { 'Content-Type': 'application/json' }, body: '{"resource":[{"name":"x"}' }],
        [`POST ${t}/tag`, { headers: { 'Content-Type': 'application/json' }, body: '{"resource":[{"name":"x",}]}' }],
        [`POST ${t}/tag`, { headers: { 'Content-Type': 'application/json' }, body: 'null' }],
        [`POST ${t}/tag`, { headers: { 'Content-Type': 'application/json' }, body: '"text"' }],
        [
          `POST ${t}/tag`,
          { headers: { 'Content-Type': 'application/json' }, body: `${'['.repeat(600)}${']'.repeat(600)}` },
        ],
        [
          `POST ${t}/tag?fields=name`,
          { headers: { 'Content-Type': 'application/vnd.api+json' }, body: '{"resource":[{"name":"plus json"}]}' },
        ],
        [
          `POST ${t}/tag?fields=name`,
          { headers: { 'Content-Type': 'application/json' }, body: '\ufeff{"resource":[{"name":"marked"}]}' },
        ],
        [
          `POST ${t}/tag?fields=name`,
          {
            headers: { 'Content-Type': 'application/json' },
            body: '{"resource":[{"name":"twice","name":"the same key"}]}',
          },
        ],
        [
          `POST ${t}/tag`,
          {
            headers: { 'Content-Type': 'application/json' },
            body: '{"resource":[{"__proto__":{"name":"x"},"name":"proto"}]}',
          },
        ],
        [
          `POST ${t}/tag`,
          { headers: { 'Content-Type': 'application/json' }, body: Uint8Array.from([0x7b, 0xff, 0x7d]) },
        ],
        [
          `POST ${t}/tag?fields=name`,
          { headers: { 'Content-Type': 'no type' }, body: '{"resource":[{"name":"guessed json"}]}' },
        ],
        [
          `POST ${t}/tag?fields=name`,
          {
            headers: { 'Content-Type': 'application/octet-stream' },
            body: '<a><resource><name>guessed xml</name></resource></a>',
          },
        ],
        [`POST ${t}/tag?fields=name`, { body: 'name\nguessed csv\n' }],
        [`POST ${t}/tag`, { body: 'one line of no kind' }],
        [`POST ${t}/tag`, { headers: { 'Content-Type': 'text/plain' }, body: '{"resource":[{"name":"plain"}]}' }],
        [`POST ${t}/tag`, { headers: form, body: 'name=from+form&id=77' }],
        [`PATCH ${t}/tag/2?fields=*`, { headers: form, body: 'name=sharp+form' }],
        [
          `POST ${t}/tag`,
          {
            headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
            body: '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nparts\r\n--b--\r\n',
          },
        ],
        [`PUT ${t}/tag/2?fields=*`, { headers: xml, body: '<tag><name>sharp</name></tag>' }],
        [`PATCH ${t}/tag?fields=*`, { headers: csv, body: 'id,name\n2,sharp\n' }],
      ],
    },
    {
      title: `${engine} tunnels`,
      calls: [
        [
          `POST ${t}/product?fields=id`,
          { headers: tunnel('GET'), body: { filter: 'price > :p', params: { ':p': 4 }, order: 'id desc', limit: 2 } },
        ],
        [`POST ${t}/product`, { headers: tunnel('get'), body: { ids: [1, 3], fields: 'name' } }],
        [`POST ${t}/product`, { headers: tunnel('GET'), body: records({ id: 1 }, { id: 99 }) }],
        [`POST ${t}/product`, { headers: tunnel('GET'), body: { resource: [{ id: 1 }, { id: 99 }], continue: true } }],
        [
          `POST ${t}/purchase_item`,
          {
            headers: tunnel('GET'),
            body: {
              ids: [
                { purchase_id: 1, line: 2 },
                { purchase_id: 2, line: 1 },
              ],
            },
          },
        ],
        [`POST ${t}/purchase_item`, { headers: tunnel('GET'), body: records({ purchase_id: 1 }) }],
        [`POST ${t}/product`, { headers: tunnel('GET'), body: { count_only: true, offset: 1 } }],
        [
          `POST ${t}/product`,
          { headers: tunnel('GET'), body: { group: 'category_id', fields: ['category_id'], order: 'category_id' } },
        ],
        [`POST ${t}/product/1`, { headers: { 'X-Method-Override': 'PATCH' }, body: { stock: 77 } }],
        [`POST ${t}/product/1?method=PUT`, { body: { stock: 78 } }],
        [`POST ${t}/product/1?method=merge&fields=stock`, { body: { stock: 79 } }],
        [`POST ${t}/product/1`, { headers: { 'X-HTTP-Method-Override': 'HEAD' } }],
        [`POST ${t}/product/1?_method=GET`, {}],
        [`POST ${t}/product/1?method=BREW`, {}],
        [`POST ${t}/product/1`, { headers: { ...tunnel('GET'), 'X-Method-Override': 'DELETE' } }],
        [`GET ${t}/product/1?method=DELETE`, {}],
        [`POST ${t}/tag?method=DELETE`, { body: records({ name: 'no id' }) }],
        [`GET ${t}/product`, { body: { ids: [1], fields: 'name' } }],
      ],
    },
    {
      title: `${engine} deleting`,
      calls: [
        `DELETE ${t}/tag`,
        `DELETE ${t}/tag?filter=`,
        `DELETE ${t}/tag/99`,
        `DELETE ${t}/tag/abc`,
        `DELETE ${t}/tag/1`,
        `DELETE ${t}/country/CH`,
        `DELETE ${t}/tag?filter=name = "nothing"`,
        `DELETE ${t}/tag?filter=name starts with "guessed"&fields=name`,
        `DELETE ${t}/tag?filter=none = 1`,
        `DELETE ${t}/purchase/4?fields=*`,
        [`DELETE ${t}/purchase_item`, { body: { ids: [{ purchase_id: 3, line: 2 }] } }],
        [`DELETE ${t}/purchase_item?fields=*`, { body: records({ purchase_id: 3, line: 1 }) }],
        `DELETE ${t}/purchase_item/1`,
        `DELETE ${t}/bag`,
        `DELETE ${t}/bag?ids=1`,
        `DELETE ${t}/bag?id_field=n&ids=2&fields=*`,
        `DELETE ${t}/bag?force=true`,
        `DELETE ${t}/bag?filter=n = 9`,
        `DELETE ${t}/cheap_product/1`,
        `DELETE ${t}`,
        `DELETE ${t}/none/1`,
        `DELETE ${t}/Odd%20Name;%20(old)/2?fields=*`,
        `DELETE ${t}/item_note?ids=1,2&fields=words`,
        `DELETE ${t}/typed?ids=1&fields=*`,
        `DELETE ${t}/customer/5?fields=*&related=purchase_by_customer_id`,
        `GET ${t}/tag`,
        `GET ${t}/purchase?related=purchase_item_by_purchase_id`,
        `GET ${t}/bag`,
      ],
    },
    {
      title: `${engine} a cache`,
      calls: [
        `GET ${db}_cached/_table/category`,
        [`PATCH ${db}_cached/_table/category/1`, { body: { name: 'Edible' } }],
        `GET ${db}_cached/_table/category`,
        `GET ${db}_cached/_table/category?refresh=true`,
        `DELETE system/cache/${db}_cached`,
        `GET ${db}_cached/_table/category`,
      ],
    },
    verbs(engine),
  ];
}

/** Every verb at every kind of address, where there is nothing it could change. */
function verbs(engine: ShopEngine): CallGroup {
  const db = serviceOf(engine);
  const paths = [
    '',
    '/_table',
    '/_table/none',
    '/_table/tag/4711',
    '/_table/tag/4711/more',
    '/_schema/none',
    '/_schema/tag/_field/none',
    '/_schema/tag/none',
    '/_schema/tag/_related/none',
    '/_schema/tag/_other',
    '/_func',
    '/_proc',
    '/_func/none',
    '/_proc/none',
    '/_none',
  ];
  return {
    title: `${engine} verbs`,
    calls: paths.flatMap((path) =>
      ['HEAD', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE', 'OPTIONS'].map((verb) => `${verb} ${db}${path}`),
    ),
  };
}
