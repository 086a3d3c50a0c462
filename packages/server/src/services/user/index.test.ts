import { configSchema, Failure, verbs } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymousCaller, type Call, type Caller, type Reply } from '../../call/call.ts';
import { openTestInstance, type TestInstance } from '../../identity/instance.fixture.ts';
import type { Service } from '../../service/service.ts';
import { userService } from './index.ts';

let instance: TestInstance;
let service: Service;
beforeAll(async () => {
  instance = await openTestInstance();
  const context = { id: 7, name: 'user', label: 'User', dataFolder: instance.folder, log: { warn() {}, error() {} } };
  service = await userService(instance.identity, instance.settings, instance.store).open({} as never, context as never);
});
afterAll(() => instance.close());

const admin: Caller = { ...anonymousCaller, user: { id: 99, isAdmin: true } as Caller['user'], hasSentToken: true };
const call = (
  path: string,
  { verb = 'GET', caller = admin, query = {} }: { verb?: string; caller?: Caller; query?: Record<string, string> } = {},
) =>
  new Promise<Reply>((resolve) =>
    resolve(
      service.handle({
        verb,
        path,
        service: 'user',
        caller,
        credentials: {},
        query: {
          get: (name: string) => query[name],
          has: (name: string) => name in query,
          names: () => Object.keys(query),
          pairs: () => Object.entries(query),
          isEmpty: Object.keys(query).length === 0,
        },
        body: async () => undefined,
      } as unknown as Call),
    ),
  ).then(
    ({ body }) => (body as { value: unknown }).value,
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return `${error.status} ${error.message}`;
    },
  );

describe('the root lists what acts', () => {
  it.each([
    [{}, [{ name: 'password' }, { name: 'profile' }, { name: 'register' }, { name: 'session' }, { name: 'custom' }]],
    [{ as_list: 'true' }, ['password', 'profile', 'register', 'session', 'custom']],
    [{ as_access_list: 'true' }, ['', '*', 'password/', 'profile/', 'register/', 'session/', 'custom/']],
    [
      { fields: 'name', include_access: 'true' },
      ['password', 'profile', 'register', 'session', 'custom'].map((name) => ({
        name,
        access: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      })),
    ],
  ] as [Record<string, string>, unknown[]][])('with %o', async (query, resource) => {
    expect(await call('', { query })).toEqual({ resource });
  });
  it('gives no components to a caller without rights at the root', async () => {
    expect(await call('', { caller: anonymousCaller, query: { as_access_list: 'true' } })).toEqual({ resource: [] });
  });
});

it.each([
  ['session', { caller: anonymousCaller }, '401 There is no valid session for the current request.'],
  ['session/', { caller: anonymousCaller }, '401 There is no valid session for the current request.'],
  [
    'session',
    { verb: 'PATCH' },
    "405 PATCH requests without a resource are not currently supported by the 'session' service.",
  ],
  ['profile', { caller: anonymousCaller }, '401 There is no valid session for the current request.'],
  [
    'profile',
    { verb: 'DELETE' },
    "405 DELETE requests without a resource are not currently supported by the 'profile' service.",
  ],
  ['password', {}, "405 GET requests without a resource are not currently supported by the 'password' service."],
  ['', { verb: 'POST' }, "405 POST requests without a resource are not currently supported by the 'user' service."],
  ['nothing', {}, "404 Resource 'nothing' not found for service 'user'."],
  ['constructor', {}, "404 Resource 'constructor' not found for service 'user'."],
  ['session/x', {}, "404 Resource 'x' not found for service 'session'."],
] as [string, object, string][])('%s with %o', async (path, how, expected) => {
  expect(await call(path, how)).toBe(expected);
});

it('offers operations for exactly the verbs it handles', async () => {
  const offered = userService(instance.identity, instance.settings, instance.store).routes.operations.map(
    ({ verb, path }) => `${verb} ${path}`,
  );
  const handled: string[] = [];
  for (const path of ['', 'session', 'password', 'profile', 'register', 'custom', 'custom/{name}'])
    for (const verb of verbs) {
      const outcome = await call(path, { verb });
      if (outcome === '400 Create record by identifier not currently supported.') continue;
      if (typeof outcome !== 'string' || !outcome.startsWith('405')) handled.push(`${verb} ${path}`);
    }
  expect(handled.sort()).toEqual(offered.sort());
});

it('describes its configuration', () => {
  const schema = configSchema(userService(instance.identity, instance.settings, instance.store).config ?? {});
  expect(schema.map(({ name, type, default: value }) => [name, type, value])).toEqual([
    ['allow_open_registration', 'boolean', false],
    ['open_reg_role_id', 'picklist', null],
    ['app_role_map', 'array', null],
    ['open_reg_email_service_id', 'picklist', null],
    ['open_reg_email_template_id', 'picklist', null],
    ['invite_email_service_id', 'picklist', null],
    ['invite_email_template_id', 'picklist', null],
    ['password_email_service_id', 'picklist', null],
    ['password_email_template_id', 'picklist', null],
  ]);
});
