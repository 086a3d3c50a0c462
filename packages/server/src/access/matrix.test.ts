// Every kind of caller × verb × address of `system`, `user` and a database: allowed exactly where the contract allows it,
// and refused with its words (contract/http-basics.md §3–4). The expectations are written here, not taken from decide().
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Verb = (typeof verbs)[number];

const systemPaths = [
  '',
  ...[
    'admin',
    'app',
    'audit',
    'cache',
    'constant',
    'cors',
    'custom',
    'email_template',
    'lookup',
    'role',
    'service',
    'user',
  ],
  ...['admin/999', 'app/999', 'audit/999', 'cache/none', 'custom/none', 'lookup/999', 'role/999', 'service/999'],
  ...['user/999', 'service_type', 'service_type/sqlite', 'environment', 'nothing', 'access/explain'],
  ...['admin/session', 'admin/password', 'admin/profile', 'service/_test'],
];
const paths: Record<string, string[]> = {
  system: systemPaths,
  user: ['', 'session', 'password', 'profile', 'custom', 'nothing'],
  shop: ['', '_table', '_table/note', '_table/note/999', '_table/none', '_schema', '_schema/note'],
  none: ['', 'x'],
};

const open: Record<string, Verb[]> = {
  'system/admin/session': [...verbs],
  'system/admin/password': ['POST'],
  'system/environment': ['GET'],
  'user/session': [...verbs],
  'user/password': ['POST'],
  'user/profile': ['GET', 'POST', 'PUT', 'PATCH'],
};

type Grants = (service: string, component: string, verb: Verb) => boolean;
const nothing: Grants = () => false;

interface Kind {
  /** What it brings; made when the platform is there. */
  with: () => { token?: string | null; key?: string; headers?: Record<string, string> };
  /** Signs in again; calls on sessions use a token up. */
  renew?: () => Promise<void>;
  isAdmin?: boolean;
  role?: 'active' | 'inactive';
  grants?: Grants;
  hasSentKey?: boolean;
  hasSentToken?: boolean;
  hasUser?: boolean;
  /** Refused before anything is decided. */
  always?: [status: number, text: string];
}

const refusals = {
  noCredentials: [
    400,
    'No session token (JWT) or API Key detected in request. Please send in X-DreamFactory-Session-Token and/or X-DreamFactory-API-Key request header. You can also use URL query parameters session_token and/or api_key.',
  ],
  noKey: [
    400,
    "No API Key provided. Please provide a valid API Key using X-DreamFactory-API-Key request header or 'api_key' url query parameter.",
  ],
  noToken: [
    400,
    "No session token (JWT) provided. Please provide a valid JWT using X-DreamFactory-Session-Token request header or 'session_token' url query parameter.",
  ],
  noRole: [403, 'Role not found. A role may not be assigned to you or your application.'],
  inactive: [
    403,
    'Access Forbidden. The role assigned to you or your application or the default role of your application is not active.',
  ],
  noUser: [401, 'Unauthorized. User is not authenticated.'],
} satisfies Record<string, [number, string]>;
const texts = new Set(Object.values(refusals).map(([, text]) => text));
const isRefusal = (text: string) =>
  texts.has(text) || /^Access Forbidden\. [A-Z]+ access to .* is not allowed by this user's role\.$/.test(text);

/** What the contract answers at the gate; undefined lets the call pass. */
function expected(kind: Kind, verb: Verb, service: string, component: string): [number, string] | undefined {
  if (kind.always) return kind.always;
  if (kind.isAdmin) return undefined;
  if (kind.role === 'active' && (kind.grants ?? nothing)(service, component, verb)) return undefined;
  if (open[`${service}/${component}`]?.includes(verb)) return undefined;
  if (!kind.hasSentKey && !kind.hasSentToken) return refusals.noCredentials;
  if (!kind.role) {
    if (!kind.hasSentKey) return refusals.noKey;
    return kind.hasSentToken ? refusals.noRole : refusals.noToken;
  }
  if (kind.role === 'inactive') return refusals.inactive;
  if (!kind.hasUser) return refusals.noUser;
  const what = component === '' ? 'service' : `component '${component}' of service`;
  return [403, `Access Forbidden. ${verb} access to ${what} '${service}' is not allowed by this user's role.`];
}

let platform: TestPlatform;
const keys: Record<string, string> = {};
const tokens: Record<string, string> = {};

const person = (name: string) => ({ email: `${name}@example.com`, password: 'pass word' });
async function signIn(name: string): Promise<void> {
  const isAdmin = name === 'admin';
  const { body } = await platform.ask('POST', isAdmin ? 'system/admin/session' : 'user/session', {
    body: isAdmin ? administrator : person(name),
    token: null,
  });
  tokens[name] = body.session_token;
}

beforeAll(async () => {
  platform = await startPlatform();
  const shop = await platform.create('service', {
    name: 'shop',
    type: 'sqlite',
    is_active: true,
    config: { database: 'shop' },
  });
  const { openSqlite } = await import('@sluice/sql');
  await platform.ask('GET', 'shop/_table');
  const file = openSqlite(`${platform.folder}/db/shop`);
  file.exec('create table note (id integer primary key, text text)');
  file.close();
  const role = (name: string, rows: object[], is_active = true) =>
    platform.create('role', { name, is_active, role_service_access_by_role_id: rows });
  const row = (service_id: number | null, component: string, verb_mask: number) => ({
    ...{ service_id, component, verb_mask, requestor_mask: 1 },
  });
  const [system, users] = [1, 7];
  const reader = await role('reader', [row(system, '*', 1), row(shop.id, '_table/*', 1)]);
  const writer = await role('writer', [
    row(shop.id, '*', 31),
    row(shop.id, '_table/note', 3),
    row(users, 'custom', 31),
    row(system, 'role/*', 1),
  ]);
  const asleep = await role('asleep', [row(null, '*', 31)], false);
  const scripted = await role('scripted', [{ ...row(null, '*', 31), requestor_mask: 2 }]);
  for (const [name, more] of Object.entries({
    bare: {},
    reading: { role_id: reader.id },
    asleep: { role_id: asleep.id },
    closed: { role_id: reader.id, is_active: false },
  })) {
    const app = await platform.create('app', { name, is_active: true, ...more });
    keys[name] = String(app.api_key);
    if (name === 'reading') {
      const withRole = (role_id: number) => ({ user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id }] });
      await platform.create('user', { ...person('writer'), ...withRole(writer.id) });
      await platform.create('user', { ...person('sleeper'), ...withRole(asleep.id) });
      await platform.create('user', { ...person('scripted'), ...withRole(scripted.id) });
    }
  }
  await platform.create('user', person('plain'));
  for (const name of ['admin', 'plain', 'writer', 'sleeper', 'scripted']) await signIn(name);
}, 60_000);
afterAll(() => platform.stop());

const reading: Grants = (service, component, verb) =>
  verb === 'GET' && (service === 'system' || (service === 'shop' && /^_table(\/|$)/.test(component)));
const writing: Grants = (service, component, verb) => {
  if (service === 'user') return component === 'custom';
  if (service === 'system') return verb === 'GET' && /^role(\/|$)/.test(component);
  if (service !== 'shop') return false;
  return component === '_table/note' ? verb === 'GET' || verb === 'POST' : true;
};
const unknownKey = 'k'.repeat(64);
const basic = (login: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
});
const closed: [number, string] = [403, 'App is not active.'];
const signedIn = (name: string) => ({ hasUser: true, hasSentToken: true, renew: () => signIn(name) });
const token = (name: string, key?: string) => () => ({
  token: tokens[name] ?? '',
  ...(key === undefined ? {} : { key: keys[key] ?? key }),
});

const kinds: Record<string, Kind> = {
  'a stranger': { with: () => ({ token: null }) },
  'an unknown key': { with: () => ({ token: null, key: unknownKey }), hasSentKey: true },
  'the key of an app without role': { with: () => ({ token: null, key: keys.bare as string }), hasSentKey: true },
  'the key of an app with a role': {
    with: () => ({ token: null, key: keys.reading as string }),
    hasSentKey: true,
    role: 'active',
    grants: reading,
  },
  'the key of an app whose role is inactive': {
    with: () => ({ token: null, key: keys.asleep as string }),
    hasSentKey: true,
    role: 'inactive',
  },
  'the key of an inactive app': { with: () => ({ token: null, key: keys.closed as string }), always: closed },
  'a user without key': { with: token('plain'), ...signedIn('plain') },
  'a user with an unknown key': { with: token('plain', unknownKey), ...signedIn('plain'), hasSentKey: true },
  'a user, app without role': { with: token('plain', 'bare'), ...signedIn('plain'), hasSentKey: true },
  "a user by the app's role": {
    with: token('plain', 'reading'),
    ...signedIn('plain'),
    hasSentKey: true,
    role: 'active',
    grants: reading,
  },
  "a user, the app's role inactive": {
    with: token('plain', 'asleep'),
    ...signedIn('plain'),
    hasSentKey: true,
    role: 'inactive',
  },
  'a user with a role of their own': {
    with: token('writer', 'reading'),
    ...signedIn('writer'),
    hasSentKey: true,
    role: 'active',
    grants: writing,
  },
  'a user whose own role is inactive': {
    with: token('sleeper', 'reading'),
    ...signedIn('sleeper'),
    hasSentKey: true,
    role: 'inactive',
  },
  'a user whose role is for scripts': {
    with: token('scripted', 'reading'),
    ...signedIn('scripted'),
    hasSentKey: true,
    role: 'active',
  },
  'a user with the key of an inactive app': { with: token('plain', 'closed'), always: closed },
  'a user by Basic credentials': {
    with: () => ({ token: null, key: keys.reading as string, ...basic('plain@example.com', 'pass word') }),
    hasSentKey: true,
    hasUser: true,
    role: 'active',
    grants: reading,
  },
  'an administrator': { with: token('admin'), isAdmin: true, renew: () => signIn('admin') },
  'an administrator with an unknown key': {
    with: token('admin', unknownKey),
    isAdmin: true,
    renew: () => signIn('admin'),
  },
  'an administrator by Basic credentials': {
    with: () => ({ token: null, ...basic(administrator.email, administrator.password) }),
    isAdmin: true,
  },
};

const cases = Object.entries(paths).flatMap(([service, list]) => list.map((path) => [service, path] as const));

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test.each(verbs)('%s', async (verb) => {
    for (const [service, path] of cases) {
      const endsSession = /session$/.test(path) && (verb === 'PUT' || verb === 'DELETE');
      // Signing in answers by its own credentials; a token sent along is ignored.
      if (kind.always && /session$/.test(path) && verb !== 'GET') continue;
      const answer = await platform.ask(verb, `${service}/${path}`, kind.with());
      const text: string = answer.body?.error?.message ?? '';
      const at = `${verb} ${service}/${path}`;
      const expectation = expected(kind, verb, service, path);
      if (expectation) expect([at, answer.status, text]).toEqual([at, ...expectation]);
      else expect([at, isRefusal(text) ? text : 'passed']).toEqual([at, 'passed']);
      if (endsSession) await kind.renew?.();
    }
  });
});
