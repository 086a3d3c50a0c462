// The resources of the system, each with every verb, and what is particular to it.
import { type CallGroup, type CallLine, type Json, records } from '../call.ts';
import { kioskKey } from './beginnings.ts';

const csv = { 'Content-Type': 'text/csv' };
const xml = { 'Content-Type': 'application/xml' };

/** Ways to read a list that every resource has. */
const listings = [
  '',
  '?fields=*',
  '?fields=id,name',
  '?fields=none',
  '?include_count=true&limit=1',
  '?limit=1&offset=1',
  '?order=id desc',
  '?order=none',
  '?as_list=true',
  '?include_schema=true&limit=1',
  '?count_only=true',
  '?filter=none = 1',
  '?filter=name like "%25a%25"',
  '?filter=(name contains "a") and (name is not null)',
  '?filter=name',
  '?ids=1,2',
  '?ids=1,4711',
  '?ids=1,4711&continue=true',
  '?related=none',
  '?related=user_by_created_by_id&limit=2',
  '?related=*',
  '?group=name&fields=name',
  '?file=all.csv',
  '?file=all.xml',
  '?accept=text/csv&fields=name',
  '?accept=image/png',
];

interface ResourceCase {
  resource: string;
  identifier?: string;
  /** A record that can be made, twice in a batch; a change of it; relations that are asked for. */
  record: Record<string, Json>;
  other: Record<string, Json>;
  change: Record<string, Json>;
  related?: string;
}

const resourceCases: ResourceCase[] = [
  {
    resource: 'role',
    record: { name: 'made' },
    other: { name: 'made too', description: 'x'.repeat(300), is_active: true },
    change: { description: 'changed' },
    related: 'role_service_access_by_role_id,lookup_by_role_id',
  },
  {
    resource: 'app',
    record: { name: 'made', type: 3, path: 'start.html', is_active: true },
    other: {
      name: 'made too',
      type: 1,
      storage_service_id: '{{id.of.shop}}',
      storage_container: 'box',
      path: 'a/b.html',
    },
    change: { description: 'changed' },
    related: 'role_by_role_id,lookup_by_app_id',
  },
  {
    resource: 'user',
    record: { email: 'made@example.com', first_name: 'Made' },
    other: { email: 'made.too@example.com', username: 'made_too', phone: '1' },
    change: { phone: '2' },
    related: 'lookup_by_user_id,user_to_app_to_role_by_user_id',
  },
  {
    resource: 'admin',
    record: { email: 'made.admin@example.com' },
    other: { email: 'made.admin.too@example.com', is_active: false },
    change: { phone: '2' },
    related: 'lookup_by_user_id',
  },
  {
    resource: 'service',
    record: { name: 'made', type: 'sqlite', config: { database: 'made.sqlite' } },
    other: {
      name: 'made-too',
      label: 'Made too',
      type: 'pgsql',
      config: { host: 'db.example.com', database: 'x', username: 'u', password: 'hush' },
    },
    change: { description: 'changed' },
    related: 'service_doc_by_service_id',
  },
  {
    resource: 'lookup',
    record: { name: 'made', value: 'v' },
    other: { name: 'made_too', value: 'hush', private: true },
    change: { value: 'w' },
  },
  {
    resource: 'email_template',
    record: { name: 'made', to: 'a@example.com, b@example.com', subject: 'Hi {first_name}' },
    other: { name: 'made too', to: [{ name: 'A', email: 'a@example.com' }], body_html: '<p>x</p>' },
    change: { subject: 'changed' },
  },
  {
    resource: 'cors',
    record: { path: 'api/v2/made/*', origin: '*', method: ['POST', 'GET'] },
    other: { path: '^/api/v2/made$', origin: 'https://a.example', method: 31, enabled: false },
    change: { max_age: 60 },
  },
  {
    resource: 'custom',
    identifier: 'name',
    record: { name: 'made', value: { dark: true, list: [1, null] } },
    other: { name: 'made too', value: 'text' },
    change: { value: 25 },
  },
];

function everyVerb({ resource, identifier = 'id', record, other, change, related }: ResourceCase): CallGroup {
  const path = `system/${resource}`;
  const id = `{{made.${resource}}}`;
  const byName = identifier === 'name';
  const withRelated = related === undefined ? '' : `&related=${related}`;
  return {
    title: `system ${resource}`,
    calls: [
      ...listings.map((query) => `GET ${path}${query}`),
      ...(related === undefined
        ? []
        : [`GET ${path}?related=${related}&include_count=true`, `GET ${path}?related=${related}&accept=text/csv`]),
      `HEAD ${path}`,
      `GET ${path}/4711`,
      `GET ${path}/abc`,
      `GET ${path}/1`,
      `GET ${path}/1?fields=name`,
      `HEAD ${path}/1`,
      [
        `POST ${path}`,
        { body: records(record), status: 201, keep: { [`made.${resource}`]: `resource.0.${identifier}` } },
      ],
      [`POST ${path}`, { body: records(record) }],
      [
        `POST ${path}?fields=*${withRelated}`,
        { body: records(other), keep: { [`other.${resource}`]: `resource.0.${identifier}` } },
      ],
      [`POST ${path}?continue=true`, { body: records({}, record) }],
      [
        `POST ${path}?rollback=true`,
        { body: records({ ...record, name: 'rolled back', email: 'rolled.back@example.com' }, record) },
      ],
      [`POST ${path}`, { body: record }],
      `POST ${path}`,
      [`POST ${path}`, { body: records() }],
      [`POST ${path}`, { body: records('text', null) }],
      [`POST ${path}/${id}`, { body: record }],
      [`POST ${path}`, { body: '{"resource":[', headers: { 'Content-Type': 'application/json' } }],
      [
        `POST ${path}`,
        {
          headers: csv,
          body: `${byName ? 'name,value\nfrom csv,1' : 'name,email,type\nfrom csv,from.csv@example.com,sqlite'}\n`,
        },
      ],
      [
        `POST ${path}?fields=*`,
        {
          headers: xml,
          body: '<any><resource><name>from-xml</name><email>from.xml@example.com</email><type>sqlite</type><value>1</value></resource></any>',
        },
      ],
      [`GET ${path}/${id}`, { status: 200, ...(byName ? {} : { keep: { [`etag.${resource}`]: 'header etag' } }) }],
      ...(byName
        ? []
        : ([
            [`PATCH ${path}/${id}`, { headers: { 'If-Match': `{{etag.${resource}}}` }, body: change }],
            [
              `PATCH ${path}/${id}`,
              { headers: { 'If-Match': `{{etag.${resource}}}` }, body: { ...change, description: 'too late' } },
            ],
          ] as CallLine[])),
      [`PATCH ${path}/${id}`, { headers: { 'If-Match': '*' }, body: change }],
      [`PATCH ${path}/${id}`, { headers: { 'If-Match': '"0-0", W/"1-1"' }, body: change }],
      [`GET ${path}/${id}`, byName ? {} : { headers: { 'If-None-Match': `{{etag.${resource}}}` } }],
      [`PUT ${path}/${id}?fields=*${withRelated}`, { body: change }],
      [`PUT ${path}/${id}`, { body: records(change) }],
      [`PUT ${path}/${id}`, { body: records(change, change) }],
      [`PATCH ${path}/${id}`, { body: { none: 1 } }],
      [`PATCH ${path}/${id}`, { body: { id: 4711, created_date: '2000-01-01T00:00:00Z', created_by_id: 4711 } }],
      `PATCH ${path}/${id}`,
      [`PATCH ${path}/4711`, { body: change }],
      [
        `PATCH ${path}?fields=*`,
        { body: records({ [identifier]: id, ...change }, { [identifier]: `{{other.${resource}}}`, ...change }) },
      ],
      [`PATCH ${path}`, { body: records(change) }],
      [`PATCH ${path}?ids=${id},{{other.${resource}}}`, { body: records(change) }],
      [`PATCH ${path}?ids=${id},4711&rollback=true`, { body: records(change) }],
      [`PATCH ${path}?filter=name = "x"`, { body: records(change) }],
      [
        `POST ${path}`,
        {
          headers: { 'X-HTTP-Method': 'GET' },
          body: { filter: 'name contains "made"', fields: 'name', order: 'name desc' },
        },
      ],
      `MERGE ${path}/${id}`,
      `DELETE ${path}`,
      `DELETE ${path}?filter=name = "x"`,
      `DELETE ${path}/4711`,
      `DELETE ${path}?ids={{other.${resource}}},4711&rollback=true`,
      `DELETE ${path}/${id}?fields=*${withRelated}`,
      `DELETE ${path}/${id}`,
      [`DELETE ${path}`, { body: records({ [identifier]: `{{other.${resource}}}` }) }],
      `GET ${path}?fields=name`,
    ],
  };
}

/** What only one of them has. */
const particular: CallGroup[] = [
  {
    title: 'roles and what they hold',
    calls: [
      [
        'POST system/role?fields=*&related=role_service_access_by_role_id,lookup_by_role_id',
        {
          body: records({
            name: 'holder',
            role_service_access_by_role_id: [
              {
                service_id: '{{id.of.shop}}',
                component: '_table/*',
                verb_mask: 3,
                filters: [{ name: 'a', operator: '=', value: '1' }],
              },
              { component: '*' },
            ],
            lookup_by_role_id: [
              { name: 'l', value: 'v' },
              { name: 'p', value: 'hush', private: true },
            ],
          }),
          status: 201,
          keep: {
            holder: 'resource.0.id',
            'row.one': 'resource.0.role_service_access_by_role_id.0.id',
            'row.two': 'resource.0.role_service_access_by_role_id.1.id',
          },
        },
      ],
      [
        'PATCH system/role/{{holder}}?fields=*&related=role_service_access_by_role_id,lookup_by_role_id',
        {
          body: {
            role_service_access_by_role_id: [
              { id: '{{row.one}}', verb_mask: 1 },
              { id: '{{row.two}}', role_id: null },
              { component: 'new', verb_mask: 31, requestor_mask: 3, filter_op: 'OR' },
            ],
            lookup_by_role_id: [
              { name: 'p', value: '**********' },
              { name: 'l', value: 'w' },
            ],
          },
        },
      ],
      [
        'PUT system/role/{{holder}}?related=role_service_access_by_role_id',
        { body: { role_service_access_by_role_id: [{ id: '{{row.one}}', verb_mask: 1 }] } },
      ],
      ['PATCH system/role/{{holder}}', { body: { role_service_access_by_role_id: 'text' } }],
      ['PATCH system/role/{{holder}}', { body: { role_service_access_by_role_id: [{ service_id: 4711 }] } }],
      ['PATCH system/role/{{holder}}', { body: { app_by_role_id: [{ name: 'x' }] } }],
      [
        'PATCH system/role/{{holder}}',
        { body: { user_to_app_to_role_by_role_id: [{ user_id: '{{user.reader}}', app_id: '{{app.kiosk}}' }] } },
      ],
      'GET system/role/{{holder}}?related=user_to_app_to_role_by_role_id,service_by_role_service_access,user_by_user_to_app_to_role,app_by_user_to_app_to_role,app_by_role_id',
      'GET system/role/{{holder}}?related=role_adldap_by_role_id',
      'GET system/role/{{role.clerk}}?related=role_service_access_by_role_id,lookup_by_role_id',
      'GET system/role_service_access',
      'GET system/user_to_app_to_role',
      'GET system/owned_lookup',
      'GET system/service_doc',
      'DELETE system/role/{{holder}}?related=role_service_access_by_role_id,lookup_by_role_id',
    ],
  },
  {
    title: 'apps',
    calls: [
      ['POST system/app?fields=*', { body: records({ name: 'short key', api_key: 'short' }) }],
      ['POST system/app?fields=*', { body: records({ name: 'taken key', api_key: kioskKey }) }],
      [
        'POST system/app?fields=*',
        { body: records({ name: 'fresh', url: 'https://a.example.com', type: 2, role_by_role_id: { name: 'x' } }) },
      ],
      [
        'POST system/app?fields=*&related=lookup_by_app_id',
        {
          body: records({
            name: 'fresh',
            url: 'https://a.example.com',
            type: 2,
            lookup_by_app_id: [{ name: 'a', value: 'b' }],
          }),
          keep: { fresh: 'resource.0.id' },
        },
      ],
      'PATCH system/app/{{fresh}}?regenerate=true&fields=*',
      'GET system/app/{{fresh}}?fields=launch_url',
      'GET system/app/{{fresh}}?fields=api_key',
      'GET system/app/{{fresh}}?pkg=true',
      ['POST system/app/_key', { body: { name: 'key', access: 'read', service: 'shop', table: 'gone' } }],
      ['POST system/app/_key', { body: { name: 'key', access: 'read', service: 'shop', table: 'product' } }],
      ['POST system/app/_key', { body: { name: 'key 2', access: 'read', service: 'shop', tables: [] } }],
      ['PATCH system/app/{{fresh}}?fields=*', { body: { type: 3, path: '/deep/start.html' } }],
      ['PATCH system/app/{{fresh}}?fields=*', { body: { type: 9, role_id: 4711 } }],
      ['PATCH system/app/1', { body: { name: 'renamed' } }],
      ['PATCH system/app/1', { body: { is_active: false } }],
      ['PATCH system/app/1', { body: { api_key: 'X'.repeat(64) } }],
      ['PATCH system/app/1?regenerate=true', { body: {} }],
      'DELETE system/app/1',
      'DELETE system/app?force=true&rollback=true',
      ['POST system/app', { body: { import_url: 'http://127.0.0.1/x.dfpkg' } }],
      'DELETE system/app/{{fresh}}?delete_storage=true',
      'GET system/app?fields=id,api_key',
      'GET system/app?fields=id,name,api_key&file=apps.csv',
      'GET /console.json',
    ],
  },
  {
    title: 'people',
    calls: [
      ...(
        [
          { email: 'a' },
          { email: 'long@example.com', phone: '1'.repeat(40) },
          { email: 'pw@example.com', password: 'abc' },
          { email: 'pw@example.com', password: 12345 },
          { email: 'name@example.com', username: 'a b' },
          { email: 'name@example.com', username: 'abc' },
          { email: 'READER@example.com' },
          { username: 'no_email' },
          { email: 'app@example.com', default_app_id: 4711 },
          { email: 'flag@example.com', is_active: 'maybe' },
          { email: 'flag2@example.com', is_sys_admin: true },
          { email: null },
          { email: { a: 1 } },
        ] as Record<string, Json>[]
      ).map((person): CallLine => ['POST system/user?fields=*', { body: records(person) }]),
      ['POST system/user?send_invite=true', { body: records({ email: 'invited@example.com' }) }],
      ['PATCH system/user/{{user.reader}}?send_invite=true', { body: {} }],
      [
        'POST system/user?related=user_to_app_to_role_by_user_id',
        {
          body: records({
            email: 'roles@example.com',
            user_to_app_to_role_by_user_id: [
              { app_id: 1, role_id: '{{role.reader}}' },
              { app_id: 1, role_id: '{{role.clerk}}' },
            ],
          }),
        },
      ],
      [
        'POST system/user?related=user_to_app_to_role_by_user_id',
        {
          body: records({
            email: 'roles@example.com',
            user_to_app_to_role_by_user_id: [{ app_id: 4711, role_id: '{{role.reader}}' }],
          }),
        },
      ],
      [
        'PATCH system/user/{{user.reader}}?related=lookup_by_user_id,user_to_app_to_role_by_user_id',
        {
          body: {
            lookup_by_user_id: [
              { name: 'a', value: '1' },
              { name: 'b', value: '2' },
            ],
          },
        },
      ],
      [
        'PATCH system/user/{{user.reader}}?related=lookup_by_user_id',
        { body: { lookup_by_user_id: [{ name: 'a', user_id: null }] } },
      ],
      ['PATCH system/user/1', { body: { phone: '1' } }],
      ['PATCH system/admin/{{user.reader}}', { body: { phone: '1' } }],
      'GET system/user/1',
      'GET system/admin/{{user.reader}}',
      'DELETE system/user/1',
      'DELETE system/admin/{{user.reader}}',
      'DELETE system/admin/1',
      'DELETE system/admin?force=true',
      'GET system/admin/none',
      'GET system/admin/1?fields=password,security_answer,confirm_code',
      'GET system/user?filter=password like "%25"',
      'GET system/user?filter=security_answer is null',
      'GET system/user?order=password',
      'GET system/user?file=user.json',
      'GET system/user?filter=is_active = false&fields=email',
      'GET system/user?filter=NAME LIKE "READER%25"&fields=email',
      'GET system/user?related=app_by_user_to_app_to_role,role_by_user_to_app_to_role&fields=id',
      'GET system/user?related=role_by_role_id',
      'GET system/user?filter=email = "{user.email}"',
      ['GET system/user?related=user_by_created_by_id', { as: 'manager' }],
      ['PATCH system/user/{{user.idle}}', { as: 'manager', body: { phone: '3' } }],
      [
        'PATCH system/user/{{user.idle}}',
        { as: 'manager', body: { user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: '{{role.clerk}}' }] } },
      ],
      [
        'POST system/user',
        {
          as: 'manager',
          body: records({
            email: 'hired@example.com',
            user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: '{{role.everything}}' }],
          }),
        },
      ],
      ['POST system/role', { as: 'manager', body: records({ name: 'by a manager' }) }],
      ['GET system/role?fields=name', { as: 'manager' }],
      ['GET system/app?fields=name', { as: 'manager' }],
      ['GET system/app/1', { as: 'manager' }],
      ['GET system/admin', { as: 'manager' }],
      ['GET system', { as: 'manager' }],
      ['GET system/environment', { as: 'manager' }],
    ],
  },
  {
    title: 'services',
    calls: [
      ...(
        [
          { name: 'a b', type: 'sqlite' },
          { name: 'x'.repeat(50), type: 'sqlite' },
          { name: 'typeless' },
          { name: 'strange', type: 'none' },
          { name: 'second', type: 'system' },
          { name: 'fileless', type: 'sqlite', config: {} },
          { name: 'outside', type: 'sqlite', config: { database: '../x.sqlite' } },
          { name: 'inside', type: 'sqlite', config: { database: '/none/there.sqlite' } },
          { name: 'listed', type: 'sqlite', config: [] },
          { name: 'stated', type: 'sqlite', config: { database: 's.sqlite', statements: ['DROP TABLE x'] } },
          {
            name: 'stated',
            type: 'sqlite',
            config: { database: 's.sqlite', statements: ['PRAGMA cache_size = -2000'], max_records: 'many' },
          },
          { name: 'hostless', type: 'pgsql', config: { database: 'x' } },
          { name: 'ported', type: 'mysql', config: { host: 'h', database: 'x', port: 'y' } },
          { name: 'shop', type: 'sqlite', config: { database: 'x.sqlite' } },
          {
            name: 'documented',
            type: 'sqlite',
            config: { database: 'd.sqlite' },
            service_doc_by_service_id: { format: 0, content: '{"paths":{}}' },
          },
        ] as Record<string, Json>[]
      ).map(
        (service): CallLine => [
          'POST system/service?fields=*&related=service_doc_by_service_id',
          { body: records(service) },
        ],
      ),
      'GET system/service/{{id.of.shop}}',
      'GET system/service/{{id.of.shop}}?fields=config',
      'GET system/service/{{id.of.shop}}?fields=id,name&related=role_service_access_by_service_id',
      'GET system/service/shop',
      'GET system/service?filter=type = "sqlite"&fields=name',
      'GET system/service?filter=config like "%25x%25"',
      'GET system/service?order=config',
      ['PATCH system/service/{{id.of.shop}}?fields=*', { body: { config: { max_records: 1000 } } }],
      [
        'PATCH system/service/{{id.of.shop}}?fields=config',
        { body: { config: { none: 1, cache_enabled: 'perhaps' } } },
      ],
      ['PATCH system/service/{{id.of.system}}', { body: { name: 'renamed' } }],
      ['PATCH system/service/{{id.of.system}}', { body: { is_active: false } }],
      ['PATCH system/service/{{id.of.system}}?fields=config', { body: { config: { default_app_id: 1 } } }],
      ['PATCH system/service/{{id.of.system}}', { body: { config: { default_app_id: 4711 } } }],
      'GET system/environment',
      'DELETE system/service/{{id.of.system}}',
      'DELETE system/service/{{id.of.user}}',
      'DELETE system/service?force=true&rollback=true',
      ['PATCH system/service/{{id.of.db}}', { body: { is_active: false } }],
      'GET db/_table',
      'GET db',
      ['PATCH system/service/{{id.of.db}}', { body: { is_active: true } }],
      'GET db/_table',
      'GET db/_schema',
      ['PATCH system/service/{{id.of.db}}', { body: { name: 'database' } }],
      'GET db/_table',
      'GET database/_table',
      ['PATCH system/service/{{id.of.db}}', { body: { name: 'db' } }],
      ...(
        [
          { type: 'sqlite', config: { database: 'shop.sqlite' } },
          { type: 'sqlite', config: { database: 'not.there.sqlite' } },
          { type: 'sqlite', config: { database: '/none/there' } },
          { type: 'sqlite', config: {} },
          { type: 'sqlite', config: { database: 'shop.sqlite', statements: ['SELECT 1'] } },
          { type: 'pgsql', config: { host: '127.0.0.1', port: 1, database: 'x', username: 'u' } },
          { type: 'mysql', config: { host: '127.0.0.1', port: 1, database: 'x', username: 'u' } },
          { type: 'none', config: {} },
          { type: 'user', config: {} },
          {},
          { type: 'pgsql', config: { host: '127.0.0.1', port: 'x', database: 'x' } },
        ] as Json[]
      ).map((body): CallLine => ['POST system/service/_test', { body }]),
      ['POST system/service/{{id.of.shop}}/_test', { body: { config: {} } }],
      ['POST system/service/{{id.of.shop}}/_test', { body: { config: { database: '/none' } } }],
      ['POST system/service/4711/_test', { body: {} }],
      'GET system/service/_test',
      ['POST system/service/_test', { as: 'manager', body: { type: 'sqlite' } }],
      'GET system/service_type',
      'GET system/service_type?fields=name,label',
      'GET system/service_type?group=Database,file',
      'GET system/service_type?as_list=true',
      'GET system/service_type/sqlite',
      'GET system/service_type/none',
      'GET system/service_type/sqlite/more',
      'POST system/service_type',
      'PUT system/service_type/sqlite',
      'HEAD system/service_type',
      'GET system/service_type?accept=application/xml&fields=name',
    ],
  },
  {
    title: 'the rest of the system',
    calls: [
      'GET system',
      'GET system?fields=*',
      'GET system?fields=name,label',
      'GET system?as_list=true',
      'GET system?as_access_list=true',
      'GET system?include_access=true',
      'POST system',
      'DELETE system',
      'HEAD system',
      'GET /api/v2?fields=name',
      'GET /api/v2?group=database',
      'GET /api/v2?group=source control,file',
      'GET /api/v2?type=sqlite',
      'GET /api/v2?accept=text/csv',
      'GET /api/v2?accept=application/xml',
      'GET /api/v2?file=true',
      'POST /api/v2',
      'HEAD /api/v2',
      'GET /api/v2/api_docs',
      'GET files',
      'GET logs',
      'GET email',
      'POST email',
      'GET system/environment?accept=application/xml',
      'GET system/environment?fields=platform',
      ['GET system/environment', { headers: { 'Accept-Language': 'de-CH,de;q=0.9', 'User-Agent': 'a browser' } }],
      ['GET system/environment', { as: 'kiosk' }],
      ['GET system/environment', { as: 'reader' }],
      'POST system/environment',
      'GET system/environment/more',
      'HEAD system/environment',
      'GET system/constant',
      'GET system/constant/anything',
      'POST system/constant',
      'GET system/setting',
      'GET system/config',
      'GET system/cors',
      'GET system/event',
      'GET system/event_script',
      'GET system/limit',
      'GET system/script_type',
      'GET system/package',
      'POST system/import',
      'GET system/cache',
      'GET system/cache?fields=*',
      'GET system/cache?as_list=true',
      'GET system/cache/shop',
      'POST system/cache',
      'DELETE system/cache/none',
      'DELETE system/cache/SHOP',
      'DELETE system/cache/files',
      'DELETE system/cache/_event/shop',
      'DELETE system/cache/shop/more',
      'DELETE system/cache',
      [
        'POST system/custom?fields=*',
        {
          body: records(
            { name: 'chat', value: false },
            { name: 'deep', value: { a: { b: [1, 'x', null, true] } } },
            { name: 'none', value: null },
            { name: 'sl/ash', value: 1 },
          ),
        },
      ],
      'GET system/custom/chat',
      'GET system/custom/deep',
      'GET system/custom/deep?accept=application/xml',
      'GET system/custom/deep?accept=text/csv',
      'GET system/custom/none',
      'GET system/custom/sl%2Fash',
      'GET system/custom/Chat',
      ['PUT system/custom', { body: records({ name: 'chat', value: true }) }],
      'GET system/custom?fields=*',
      ['POST system/custom', { body: { chat: true } }],
      ['PATCH system/custom/chat', { body: { name: 'talk' } }],
      'GET system/custom?as_list=true',
      ['POST system/lookup', { body: records({ name: 'made', value: 'x' }, { name: 'made', value: 'y' }) }],
      [
        'POST system/lookup?fields=*',
        { body: records({ name: 'numeric', value: 5 }, { name: 'shop_name', value: 'sharp', private: false }) },
      ],
      'GET shop/_table/tag?filter=name = "{shop_name}"',
      'GET shop/_table/tag?filter=name = "{strtolower(shop_name)}"',
      'GET shop/_table/tag?filter=name = "{strtoupper(shop_name)}"',
      ['POST system/email_template?fields=*', { body: records({ name: '' }) }],
      [
        'POST system/email_template?fields=*',
        {
          body: records({
            name: 'odd',
            to: 7,
            cc: ['x'],
            attachment: [{ service: 'files', path: 'a' }],
            subject: 'x'.repeat(90),
          }),
        },
      ],
    ],
  },
];

/** What was written down of all that; dates of sign-ins apart, since they are written behind their answers. */
const audit: CallGroup = {
  title: 'audit',
  calls: [
    `GET system/audit?filter=${encodeURIComponent('action in (create, update, delete)')}&fields=created_date,action,resource,record_id,record_name,user_id,user_email,app_id,ip_address,user_agent,outcome,request_id,before,after&order=id`,
    `GET system/audit?filter=${encodeURIComponent('action = "create" and resource = "role"')}&fields=record_name,after&order=record_name&accept=text/csv`,
    `GET system/audit?filter=${encodeURIComponent('resource = "service"')}&fields=action,record_name,before,after&order=id&accept=application/xml`,
    'GET system/audit?limit=2&fields=action,resource&order=id&include_count=false',
    'GET system/audit?include_schema=true&limit=1&fields=action',
    'GET system/audit/4711000',
    'GET system/audit/abc',
    'GET system/audit?filter=none = 1',
    'GET system/audit?related=*',
    'POST system/audit',
    'PUT system/audit/1',
    'PATCH system/audit',
    'DELETE system/audit',
    'DELETE system/audit/1',
    'DELETE system/audit?force=true',
    ['GET system/audit', { as: 'manager' }],
    `GET system/audit?filter=${encodeURIComponent('action = "sign_in"')}&fields=created_date,resource,record_id,record_name,user_id,user_email,app_id,outcome,before,after&order=user_email,app_id,outcome,resource`,
  ],
};

/** Every verb where there are no records to change; at the session's own address for nobody, who has none to lose. */
const verbs: CallGroup = {
  title: 'system verbs',
  calls: ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE', 'OPTIONS'].flatMap((verb): CallLine[] => [
    ...[
      'environment',
      'constant',
      'service_type',
      'service_type/sqlite',
      'cache/none',
      'access/explain',
      'admin/password',
      'admin/profile',
      'admin/setup',
      'admin/none',
      'audit',
      'audit/4711',
      'role/4711',
      'service/_test',
      'service/4711/_test',
      'none',
    ].map((path) => `${verb} system/${path}`),
    ...[
      'system/admin/session',
      'system/environment',
      'user',
      'user/session',
      'user/password',
      'user/profile',
      'user/register',
    ].map((path): CallLine => [`${verb} ${path}`, { as: 'nobody' }]),
    ...['user', 'user/password', 'user/profile', 'user/none'].map((path) => `${verb} ${path}`),
  ]),
};

export const system: CallGroup[] = [verbs, ...resourceCases.map(everyVerb), ...particular, audit];
