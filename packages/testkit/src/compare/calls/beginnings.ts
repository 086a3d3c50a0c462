// What the other calls need: services over the shop, roles that give much, little and nothing, apps, people, sessions.
import { type CallGroup, type CallLine, type Json, records } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import type { Callers } from '../record.ts';

/** The service over the shop of an engine. */
export const serviceOf = (engine: ShopEngine) => (engine === 'sqlite' ? 'shop' : `shop_${engine}`);

export const admin = { email: 'ada@example.com', password: 'correct horse' };
/** Of the console's app on every server. */
export const consoleKey = 'A'.repeat(64);
/** Of the app that clerks use. */
export const officeKey = 'office7'.repeat(10);
export const kioskKey = 'kiosk42'.repeat(10);
const closedKey = 'closed9'.repeat(10);

const everyVerb = 31;
const password = 'battery staple';

/** Who calls, by name. */
export const callers: Callers = {
  admin: { 'X-DreamFactory-Session-Token': '{{admin}}' },
  nobody: {},
  kiosk: { 'X-DreamFactory-API-Key': kioskKey },
  'an app without a role': { 'X-DreamFactory-API-Key': officeKey },
  'a closed app': { 'X-DreamFactory-API-Key': closedKey },
  'an unknown key': { 'X-DreamFactory-API-Key': 'unknown1'.repeat(8) },
  clerk: { 'X-DreamFactory-API-Key': officeKey, 'X-DreamFactory-Session-Token': '{{clerk}}' },
  reader: { 'X-DreamFactory-API-Key': officeKey, 'X-DreamFactory-Session-Token': '{{reader}}' },
  manager: { 'X-DreamFactory-API-Key': officeKey, 'X-DreamFactory-Session-Token': '{{manager}}' },
  'a reader without a key': { 'X-DreamFactory-Session-Token': '{{reader}}' },
  'a clerk at the kiosk': { 'X-DreamFactory-API-Key': kioskKey, 'X-DreamFactory-Session-Token': '{{clerk}}' },
};

const access = (service: string, component: string, verbs: number, more: Record<string, Json> = {}): Json => ({
  service_id: `{{id.of.${service}}}`,
  component,
  verb_mask: verbs,
  requestor_mask: 1,
  ...more,
});

const filter = (name: string, operator: string, value: string) => ({ name, operator, value });

/** The calls that make all of it; a run in which one of these fails says nothing. */
export function beginnings(engines: readonly ShopEngine[]): CallGroup[] {
  const services = engines.map(serviceOf);
  return [
    {
      title: 'first session',
      calls: [
        [
          'POST system/admin/session',
          { as: 'nobody', status: 200, body: { ...admin }, keep: { admin: 'session_token' } },
        ],
        ['GET system/admin/session', { status: 200 }],
      ],
    },
    { title: 'services', calls: [...engines.flatMap(makeServices), ...idsOf(['world', 'user', 'db', 'system'])] },
    {
      title: 'roles',
      calls: [
        makeRole('reader', [
          ...services.flatMap((service) => [access(service, '_table/*', 1), access(service, '_schema/*', 1)]),
          access('world', '*', 1),
        ]),
        makeRole('clerk', services.flatMap(clerkAccess), [
          { name: 'region', value: 'CH' },
          { name: 'hidden', value: 'JP', private: true },
        ]),
        makeRole('manager', [
          access('system', 'user/*', everyVerb),
          access('system', 'role/*', 1),
          access('system', 'app', 1),
          access('system', 'custom/*', everyVerb),
          access('system', 'environment', 1),
          ...services.map((service) => access(service, '*', everyVerb)),
        ]),
        makeRole(
          'kiosk',
          services.map((service) => access(service, '_table/product/*', 1)),
        ),
        makeRole('everything', [{ service_id: null, component: '*', verb_mask: 1, requestor_mask: 1 }]),
        makeRole('nothing', []),
        [
          'POST system/role',
          {
            status: 201,
            body: records({ name: 'asleep', is_active: false }),
            keep: { 'role.asleep': 'resource.0.id' },
          },
        ],
      ],
    },
    {
      title: 'apps',
      calls: [
        makeApp('office', { api_key: officeKey, type: 0 }),
        makeApp('kiosk', {
          api_key: kioskKey,
          role_id: '{{role.kiosk}}',
          type: 2,
          url: 'https://kiosk.example.com/start',
        }),
        makeApp('closed', { api_key: closedKey, is_active: false }),
      ],
    },
    {
      title: 'people',
      calls: [
        makePerson('clerk', 'clerk', { lookup_by_user_id: [{ name: 'region', value: 'CH' }] }),
        makePerson('reader', 'reader'),
        makePerson('manager', 'manager'),
        makePerson('sleeper', 'asleep'),
        makePerson('idle', 'reader', { is_active: false }),
        ...['clerk', 'reader', 'manager'].map(signIn),
      ],
    },
  ];
}

function makeServices(engine: ShopEngine): CallLine[] {
  const name = serviceOf(engine);
  const login = ['host', 'port', 'database', 'username', 'password'];
  const keys = { sqlite: ['database'], pgsql: login, mysql: [...login, 'schema'] }[engine];
  const config = Object.fromEntries(keys.map((key) => [key, `{{${engine}.${key}}}`]));
  const make = (service: string, label: string, more: Record<string, Json>): CallLine => [
    'POST system/service?fields=id,name,type',
    {
      status: 201,
      body: records({ name: service, label, type: engine, is_active: true, config: { ...config, ...more } }),
      keep: { [`id.of.${service}`]: 'resource.0.id' },
    },
  ];
  return [
    make(name, 'Shop', {}),
    make(`${name}_small`, 'Shop, a few records at a time', { max_records: 3, allow_upsert: true }),
    make(`${name}_cached`, 'Shop, remembered', { cache_enabled: true, cache_ttl: 5 }),
  ];
}

const idsOf = (names: string[]): CallLine[] =>
  names.map((name) => [
    `GET system/service?filter=name = "${name}"&fields=id,name,type,is_active`,
    { status: 200, keep: { [`id.of.${name}`]: 'resource.0.id' } },
  ]);

/** Rows with record filters of every kind. */
const clerkAccess = (service: string): Json[] => [
  access(service, '_table', 1),
  access(service, '_table/customer/*', everyVerb, {
    filters: [filter('country_code', '=', '{region}')],
    filter_op: 'AND',
  }),
  access(service, '_table/product/*', 3, {
    filters: [filter('price', '<', '10'), filter('is_sold', '=', 'true')],
    filter_op: 'AND',
  }),
  access(service, '_table/category/*', 15, {
    filters: [filter('name', 'starts with', 'F'), filter('parent_id', 'is null', '')],
    filter_op: 'OR',
  }),
  access(service, '_table/purchase/*', everyVerb, { filters: [filter('status', 'in', "('open', 'paid')")] }),
  access(service, '_table/purchase_item/*', 1),
  access(service, '_table/tag/*', 1, { filters: [filter('name', 'contains', 'e')] }),
  access(service, '_table/tag', 0),
  access(service, '_table/profile/*', 1, { filters: [filter('customer_id', '=', '{user.id}')] }),
  access(service, '_table/country/*', 1, { filters: [filter('code', '=', '{hidden}')] }),
  access(service, '_schema/product', 1),
];

function makeRole(name: string, rows: Json[], lookups: Json[] = []): CallLine {
  const record = {
    name,
    description: `May do what a ${name} does`,
    is_active: true,
    role_service_access_by_role_id: rows,
    lookup_by_role_id: lookups,
  };
  return ['POST system/role', { status: 201, body: records(record), keep: { [`role.${name}`]: 'resource.0.id' } }];
}

const makeApp = (name: string, more: Record<string, Json>): CallLine => [
  'POST system/app?fields=*',
  {
    status: 201,
    body: records({ name, description: `The ${name}`, is_active: true, ...more }),
    keep: { [`app.${name}`]: 'resource.0.id' },
  },
];

function makePerson(name: string, role: string, more: Record<string, Json> = {}): CallLine {
  const record = {
    email: `${name}@example.com`,
    first_name: name,
    last_name: 'Example',
    password,
    is_active: true,
    user_to_app_to_role_by_user_id: [{ app_id: '{{app.office}}', role_id: `{{role.${role}}}` }],
    ...more,
  };
  return [
    'POST system/user?fields=*&related=user_to_app_to_role_by_user_id,lookup_by_user_id',
    { status: 201, body: records(record), keep: { [`user.${name}`]: 'resource.0.id' } },
  ];
}

const signIn = (name: string): CallLine => [
  'POST user/session',
  {
    as: 'an app without a role',
    status: 200,
    body: { email: `${name}@example.com`, password },
    keep: { [name]: 'session_token' },
  },
];
