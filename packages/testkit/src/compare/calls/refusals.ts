// Who is let in and who is not: credentials of every kind, roles with rows of every kind, and the explanations of both.
import { type CallGroup, type CallLine, type Json, records } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import { admin, callers, consoleKey, kioskKey, officeKey, serviceOf } from './beginnings.ts';

const basic = (login: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
/** What each caller is asked to try. */
const attempts = [
  'GET /api/v2',
  'GET system',
  'GET system/role',
  'GET system/environment',
  'GET system/none',
  'GET none/_table',
  'GET shop',
  'GET shop/_table',
  'GET shop/_table/product?fields=id,name,price',
  'GET shop/_table/product/4',
  'GET shop/_table/none',
  'GET shop/_schema/product',
  'DELETE shop/_table/product/4711',
  'POST shop/_table/product',
  'GET world/_table/countries?limit=1',
  'GET user/session',
  'GET user/profile',
  'GET user/custom',
  'GET api_docs',
  'GET shop?as_access_list=true',
  'GET system?as_access_list=true',
  'GET shop?include_access=true',
];

/** A body is announced that is refused before it is sent; who sends it all the same may lose the answer. */
const tooLong = (path: string, header: string, length: number): CallLine => [
  `RAW a body of ${length} bytes for ${path}${header === '' ? '' : ` with ${header.split(':')[0]}`}`,
  {
    body: `POST /api/v2/${path} HTTP/1.1\r\nHost: a\r\n${header === '' ? '' : `${header}\r\n`}Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
  },
];

/** Callers who are nobody's business but their own sign-ins are in sessions.ts. */
export const refusals: CallGroup[] = [
  ...Object.keys(callers)
    .filter((as) => as !== 'admin')
    .map((as) => ({ title: 'attempts', calls: attempts.map((line): CallLine => [line, { as }]) })),
  {
    title: 'credentials',
    calls: [
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { 'X-DreamFactory-Session-Token': 'no token' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { 'X-DreamFactory-Session-Token': 'a.b.c' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { 'X-DreamFactory-Session-Token': '{{admin}}x' } }],
      ['GET system/environment', { as: 'nobody', headers: { 'X-DreamFactory-Session-Token': 'a.b.c' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { Authorization: 'Bearer {{admin}}' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { Authorization: 'bearer  {{admin}} ' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { Authorization: 'Digest {{admin}}' } }],
      [
        'GET shop/_table/tag?limit=1',
        { as: 'nobody', headers: { Authorization: 'Bearer bad', 'X-DreamFactory-Session-Token': '{{admin}}' } },
      ],
      ['GET shop/_table/tag?limit=1&session_token={{admin}}', { as: 'nobody' }],
      [`GET shop/_table/product?limit=1&api_key=${kioskKey}`, { as: 'nobody' }],
      [`GET shop/_table/product?limit=1&api_key=${officeKey}&session_token={{clerk}}`, { as: 'nobody' }],
      [`GET shop/_table/product?limit=1&api_key=${kioskKey}`, { as: 'clerk' }],
      [
        'GET shop/_table/product?limit=1',
        { as: 'nobody', headers: { 'x-dreamfactory-api-key': kioskKey, 'X-DREAMFACTORY-SESSION-TOKEN': '{{clerk}}' } },
      ],
      ['POST shop/_table/product?method=GET&limit=1', { as: 'nobody', body: { api_key: kioskKey, limit: 1 } }],
      ['POST shop/_table/product?method=GET', { as: 'nobody', body: { session_token: '{{admin}}', limit: 1 } }],
      [
        'POST shop/_table/product?method=GET',
        {
          as: 'nobody',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: `api_key=${kioskKey}&limit=1`,
        },
      ],
      ['POST shop/_table/product?method=GET', { as: 'nobody', body: '{"api_key": broken' }],
      ['POST system/app?method=GET', { as: 'nobody', body: { api_key: consoleKey } }],
      [
        'GET shop/_table/tag?limit=1',
        { as: 'nobody', headers: { ...basic(admin.email, admin.password), 'X-DreamFactory-API-Key': consoleKey } },
      ],
      [
        'GET user/session',
        {
          as: 'nobody',
          headers: { ...basic('reader@example.com', 'battery staple'), 'X-DreamFactory-API-Key': consoleKey },
        },
      ],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: basic('nobody@example.com', 'wrong') }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { Authorization: 'Basic !' } }],
      ['GET shop/_table/tag?limit=1', { as: 'nobody', headers: { Authorization: 'Basic bm9jb2xvbg==' } }],
      ['GET shop/_table/tag?limit=1', { headers: { 'X-DreamFactory-API-Key': 'unknown' } }],
      ['GET shop/_table/tag?limit=1', { headers: { 'X-DreamFactory-API-Key': consoleKey } }],
      ['GET shop/_table/product', { as: 'reader', headers: { 'X-DreamFactory-Script-Token': 'made up' } }],
      tooLong('shop/_table/product', '', 70_000),
      tooLong('user/session', '', 70_000),
      tooLong('shop/_table/product', `X-DreamFactory-API-Key: ${kioskKey}`, 70_000),
      tooLong('shop/_table/product', 'X-DreamFactory-Session-Token: {{admin}}', 70_000_000),
    ],
  },
];

/** What a role with record filters lets through, read and written, on each engine. */
export function filteredCalls(engine: ShopEngine): CallGroup {
  const db = serviceOf(engine);
  const t = `${db}/_table`;
  const lines: CallLine[] = [
    `GET ${t}`,
    `GET ${t}/customer?fields=id,name,country_code`,
    `GET ${t}/customer?include_count=true&limit=1`,
    `GET ${t}/customer?count_only=true`,
    `GET ${t}/customer?filter=country_code = "JP" or id > 0&fields=id`,
    `GET ${t}/customer/2`,
    `GET ${t}/customer/1?fields=name`,
    `GET ${t}/customer?ids=1,2`,
    `GET ${t}/customer?ids=1,2&continue=true&fields=id`,
    `GET ${t}/customer?related=purchase_by_customer_id&fields=id`,
    `GET ${t}/customer?related=country_by_country_code&fields=id`,
    `GET ${t}/customer?related=*`,
    `GET ${t}/customer?after=&limit=1&fields=id`,
    `GET ${t}/customer?group=country_code&fields=country_code`,
    `GET ${t}/customer?file=mine.csv&fields=id,name`,
    [`POST ${t}/customer?fields=id,country_code`, { body: records({ name: 'Mine', country_code: 'CH' }) }],
    [`POST ${t}/customer`, { body: records({ name: 'Not mine', country_code: 'JP' }) }],
    [`POST ${t}/customer`, { body: records({ name: 'Of nowhere' }) }],
    [
      `POST ${t}/customer?continue=true`,
      {
        body: records(
          { name: 'Mine', country_code: 'CH' },
          { name: 'Not', country_code: 'ch' },
          { name: 'Mine', country_code: 'CH ' },
        ),
      },
    ],
    [`PATCH ${t}/customer/1`, { body: { country_code: 'JP' } }],
    [`PATCH ${t}/customer/1?fields=name`, { body: { name: 'Anna' } }],
    [`PATCH ${t}/customer/2`, { body: { name: 'Hidden' } }],
    [`PATCH ${t}/customer?filter=id > 0&fields=id`, { body: records({ note: 'by a clerk' }) }],
    [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: [{ status: 'open' }] } }],
    [`PATCH ${t}/customer/1`, { body: { purchase_by_customer_id: [{ status: 'lost' }] } }],
    `DELETE ${t}/customer/2`,
    `DELETE ${t}/customer?filter=name = "Mine"&fields=name,country_code`,
    `DELETE ${t}/customer?ids=2`,
    `GET ${t}/product?fields=id,price,is_sold`,
    [`POST ${t}/product`, { body: records({ name: 'Cheap', sku: 'C-1', price: 9.99 }) }],
    [`POST ${t}/product`, { body: records({ name: 'Cheap', sku: 'C-2', price: '9.990', is_sold: true }) }],
    [`POST ${t}/product`, { body: records({ name: 'Dear', sku: 'C-3', price: 10, is_sold: true }) }],
    `DELETE ${t}/product/1`,
    `PATCH ${t}/product/1`,
    `GET ${t}/category?fields=name`,
    [`POST ${t}/category`, { body: records({ name: 'Food for dogs', parent_id: 1 }, { name: 'food', parent_id: 1 }) }],
    [`PATCH ${t}/category/1`, { body: { name: 'Not so' } }],
    `GET ${t}/purchase?fields=id,status`,
    `DELETE ${t}/purchase?force=true&filter=id > 1000`,
    `GET ${t}/tag`,
    `GET ${t}/tag/1`,
    `GET ${t}/tag/2`,
    `GET ${t}/profile`,
    `GET ${t}/country`,
    `GET ${t}/many?limit=1`,
    `GET ${db}/_schema`,
    `GET ${db}/_schema/product`,
    `GET ${db}/_schema/customer`,
    [`PATCH ${db}/_schema/product`, { body: { label: 'x' } }],
    `GET ${db}?as_access_list=true`,
    `GET ${db}`,
    `GET ${db}/_func/add(1,2)`,
  ];
  const manager: CallLine[] = [
    [`PATCH ${db}/_schema/product/_field/name`, { as: 'manager', body: { alias: 'called' } }],
    [`PATCH ${db}/_schema/product/_field/name?fields=*`, { as: 'manager', body: { label: 'Called' } }],
    [
      `PATCH ${db}/_schema/product/_field/name`,
      { as: 'manager', body: { db_function: [{ use: ['SELECT'], function: 'UPPER(name)' }] } },
    ],
  ];
  const ofClerk = lines.map(
    (line): CallLine => (typeof line === 'string' ? [line, { as: 'clerk' }] : [line[0], { as: 'clerk', ...line[1] }]),
  );
  return { title: `${engine} a clerk`, calls: [...ofClerk, ...manager] };
}

/** Questions about calls, and what may not be asked. */
export const explanations: CallGroup = {
  title: 'explanations',
  calls: [
    ...(
      [
        { verb: 'GET', path: 'shop/_table/product' },
        { verb: 'GET', path: 'shop/_table/customer/1', user_id: '{{user.clerk}}', app_id: '{{app.office}}' },
        {
          verb: 'POST',
          path: '/api/v2/shop/_table/customer',
          user_id: '{{user.clerk}}',
          app_id: '{{app.office}}',
          record: { name: 'x', country_code: 'CH' },
        },
        {
          verb: 'POST',
          path: '/api/v2/shop/_table/customer',
          user_id: '{{user.clerk}}',
          app_id: '{{app.office}}',
          record: { name: 'x', country_code: 'JP' },
        },
        { verb: 'delete', path: 'shop/_table/tag', role_id: '{{role.clerk}}' },
        { verb: 'GET', path: 'shop/_table/tag', role_id: '{{role.clerk}}', requestor: 'SCRIPT' },
        { verb: 'GET', path: 'shop/_table/country', role_id: '{{role.clerk}}' },
        { verb: 'GET', path: 'world/_table/cities?limit=1', role_id: '{{role.everything}}' },
        { verb: 'GET', path: 'shop/_table/tag', role_id: '{{role.asleep}}' },
        { verb: 'GET', path: 'shop/_table/tag', role_id: '{{role.nothing}}' },
        { verb: 'GET', path: 'shop', user_id: '{{user.idle}}', app_id: '{{app.office}}' },
        { verb: 'GET', path: 'shop', user_id: '{{user.sleeper}}', app_id: '{{app.office}}' },
        { verb: 'GET', path: 'shop', user_id: '{{user.reader}}' },
        { verb: 'GET', path: 'shop', app_id: '{{app.closed}}' },
        { verb: 'GET', path: 'shop', app_id: '{{app.kiosk}}' },
        { verb: 'GET', path: 'none/_table/x', user_id: 1 },
        { verb: 'GET', path: 'system/admin/session' },
        { verb: 'PUT', path: 'user/session' },
        { verb: 'BREW', path: 'shop' },
        { verb: 'GET' },
        { path: 'shop' },
        {},
        { verb: 'GET', path: '' },
        { verb: 'GET', path: 'x'.repeat(5_000) },
        { verb: 'GET', path: 'shop', user_id: 4711 },
        { verb: 'GET', path: 'shop', app_id: 4711 },
        { verb: 'GET', path: 'shop', role_id: 4711 },
        { verb: 'GET', path: 'shop', role_id: 1, user_id: 1 },
        { verb: 'GET', path: 'shop', user_id: 'x' },
        { verb: 'GET', path: 'shop', record: 'x' },
        { verb: 'GET', path: 'shop', requestor: 'NOBODY' },
        { verb: 'GET', path: 'http://elsewhere.example.com/api/v2/shop/_table/%zz' },
      ] as Json[]
    ).map((body): CallLine => ['POST system/access/explain', { body }]),
    ['POST system/access/explain', { as: 'manager', body: { verb: 'GET', path: 'shop' } }],
    ['POST system/access/explain', { as: 'nobody', body: { verb: 'GET', path: 'shop' } }],
    ['POST system/access/explain', { body: [] }],
    'GET system/service/_use?hours=169',
    ...['service', 'app'].map((name): CallLine => [`GET system/${name}/_use`, { as: 'manager' }]),
    'GET system/access/explain',
    'GET system/access',
    'POST system/access/explain/more',
  ],
};
