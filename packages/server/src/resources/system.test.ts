import { aCallerWith, aPerson, nobody } from '@sluice/testkit/call';
import { storeEngine } from '@sluice/testkit/store';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

/** Those that are no records. */
const others = [
  'limit_cache',
  'package',
  'script_type',
  'service_type',
  'admin/password',
  'admin/profile',
  'admin/session',
  'cache',
  'constant',
  'environment',
  'event',
  'import',
];
/** All that the root lists, by name: a resource that says it has an address has one. */
const resourceNames = () => {
  const addressed = Object.values(system.resources).filter(({ isAddressed }) => isAddressed);
  const names = [...others, ...addressed.map(({ definition }) => definition.name)];
  // Jobs are ours; older clients read the list.
  return names.filter((name) => name !== 'job').sort();
};

test.each(['/role', 'role//1', 'admin//session', 'role/1//', '/'])('an empty part leads nowhere: %s', async (path) => {
  await ask('POST', 'role', { resource: [{ name: 'reader' }] });
  expect((await ask('GET', path)).status).toBe(path === '/' ? 200 : 404);
});

describe('the root', () => {
  test('lists what there is, by name', async () => {
    const names = resourceNames();
    expect(names).toEqual(
      expect.arrayContaining(['admin', 'app', 'audit', 'custom', 'lookup', 'role', 'service', 'user']),
    );
    expect((await ask('GET', '')).body).toEqual({ resource: names.map((name) => ({ name })) });
    expect((await ask('GET', '?as_list=true')).body).toEqual({ resource: names });
    expect((await ask('GET', '?fields=name,read_only&include_access=true')).body.resource).toContainEqual({
      name: 'environment',
      read_only: true,
      access: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    });
    expect(Object.keys((await ask('GET', '?fields=*')).body.resource[0])).toEqual([
      'name',
      'label',
      'description',
      'class_name',
      'singleton',
      'read_only',
      'subscription_required',
    ]);
  });

  test('lists components for role rows: of what the caller may touch', async () => {
    const { body } = await ask('GET', '?as_access_list=true');
    expect(body.resource.slice(0, 8)).toEqual([
      '',
      '*',
      'admin/',
      'admin/*',
      'admin/password',
      'admin/profile',
      'admin/session',
      'app/',
    ]);
    const some = aCallerWith([{ component: '' }, { component: 'role/*' }]);
    expect((await ask('GET', '?as_access_list=true', undefined, { caller: some })).body.resource).toEqual([
      '',
      '*',
      'role/',
      'role/*',
    ]);
    expect((await ask('GET', '?include_access=true', undefined, { caller: some })).body.resource[0]).toEqual({
      name: 'admin',
      access: [],
    });
    expect((await ask('GET', 'role?as_access_list=true')).body).toEqual({ resource: [] });
  });

  test('derives its operations from what it lists', () => {
    const paths = new Set(system.operations.map((operation) => operation.path.replace(/\/[{_].*/, '')));
    expect([...paths].filter((path) => path !== '').sort()).toEqual(resourceNames());
    expect(system.operations).toContainEqual(
      expect.objectContaining({ verb: 'PATCH', path: 'role/{id}', summary: 'Update one of the roles', event: 'role' }),
    );
  });
});

describe('addresses', () => {
  test.each([
    ['GET', 'setting', 404, "Resource 'setting' not found for service 'system'."],
    ['GET', 'Role', 200, undefined],
    ['GET', 'Admin/Session/x', 404, "Resource 'x' not found for service 'session'."],
    ['GET', 'owned_lookup', 404, "Resource 'owned_lookup' not found for service 'system'."],
    ['GET', 'import', 405, "GET requests without a resource are not currently supported by the 'import' service."],
    ['GET', 'constant/a/b/c', 200, undefined],
    ['POST', 'cache', 405, "POST requests without a resource are not currently supported by the 'cache' service."],
    ['DELETE', 'cache/nothing', 404, 'Could not find a service for nothing'],
    ['DELETE', 'audit', 405, "DELETE requests without a resource are not currently supported by the 'audit' service."],
    ['PATCH', 'audit/1', 405, "PATCH requests for resource '1' are not currently supported by the 'audit' service."],
    ['GET', 'service_doc', 404, "Resource 'service_doc' not found for service 'system'."],
    ['GET', 'constructor', 404, "Resource 'constructor' not found for service 'system'."],
    ['GET', 'role/1/2', 404, "Resource '2' not found for service 'role'."],
    ['GET', 'admin/nothing', 404, "Resource 'nothing' not found for service 'admin'."],
    ['POST', '', 405, "POST requests without a resource are not currently supported by the 'system' service."],
    [
      'DELETE',
      'environment',
      405,
      "DELETE requests without a resource are not currently supported by the 'environment' service.",
    ],
    [
      'POST',
      'service_type',
      405,
      "POST requests without a resource are not currently supported by the 'service_type' service.",
    ],
    [
      'PATCH',
      'service_type/sqlite',
      405,
      "PATCH requests for resource 'sqlite' are not currently supported by the 'service_type' service.",
    ],
  ] as const)('%s %s → %i', async (verb, path, status, text) => {
    const response = await ask(verb, path);
    expect([response.status, response.body.error?.message]).toEqual([status, text]);
  });

  test.each(['admin/session', 'admin/password', 'admin/profile', 'admin/setup'])(
    '%s is answered by identity',
    async (path) => {
      expect((await ask('POST', path)).body).toEqual({ handled: path });
    },
  );
});

describe('service types', () => {
  test('have exactly nine keys and stand in order of name', async () => {
    const { body } = await ask('GET', 'service_type?limit=1&include_count=true');
    expect(body).toEqual({ resource: expect.any(Array) });
    expect(body.resource.map((type: { name: string }) => type.name)).toEqual([
      'everything',
      'gadget',
      'saml',
      'system',
    ]);
    expect(Object.keys(body.resource[0])).toEqual([
      'name',
      'label',
      'description',
      'group',
      'singleton',
      'dependencies_required',
      'subscription_required',
      'service_definition_editable',
      'config_schema',
    ]);
    expect(body.resource[1].config_schema).toBeNull();
  });

  test('are narrowed by group, projected by fields, found by name', async () => {
    const few = await ask('GET', 'service_type?group=file,SSO&fields=name,nope');
    expect(few.body).toEqual({ resource: [{ name: 'everything' }, { name: 'saml' }] });
    expect((await ask('GET', 'service_type?as_list=true')).body.resource).toContain('gadget');
    expect((await ask('GET', 'service_type/gadget?fields=label')).body).toEqual({ label: 'gadget' });
    const none = await ask('GET', 'service_type/oracle');
    expect([none.status, none.body.error.message]).toEqual([404, "Service type 'oracle' not found."]);
  });

  test('offer the rows of the instance in their picklists, and do not tell how', async () => {
    await ask('POST', 'app', { resource: [{ name: 'shop', is_active: true }, { name: 'off' }] });
    const { body } = await ask('GET', 'service_type/system');
    expect(body.config_schema[0]).toMatchObject({
      name: 'default_app_id',
      type: 'picklist',
      values: [
        { label: '', name: null },
        { label: 'admin', name: 1 },
        { label: 'api_docs', name: 2 },
        { label: 'file_manager', name: 3 },
        { label: 'shop', name: 4 },
      ],
    });
    const { config_schema } = (await ask('GET', 'service_type/everything')).body;
    const headers = config_schema.find((field: { name: string }) => field.name === 'headers');
    expect(headers.items[2].values).toHaveLength(5);
    expect(JSON.stringify(config_schema)).not.toMatch(/"(secret|choices|atLeast)"/);
  });
});

describe('the environment', () => {
  const readEnvironment = async (caller: object = { user: aPerson() }) =>
    (await ask('GET', 'environment', undefined, { caller })).body;
  const readAppNames = async (caller: object) =>
    (await readEnvironment(caller)).apps.map((app: { name: string }) => app.name);
  const jo = aCallerWith([], { id: 2 });

  beforeEach(async () => {
    await ask('POST', 'role', { resource: [{ name: 'r' }] });
    await ask('POST', 'app', {
      resource: [
        { name: 'open', type: 2, url: 'https://x.example', is_active: true, role_id: 1 },
        { name: 'assigned', type: 3, path: 'a', is_active: true },
        { name: 'inactive', type: 3, path: 'a', role_id: 1 },
        { name: 'pageless', type: 0, is_active: true, role_id: 1 },
      ],
    });
    await ask('POST', 'user', {
      resource: [{ email: 'jo@example.com', user_to_app_to_role_by_user_id: [{ app_id: 5, role_id: 1 }] }],
    });
  });

  test('tells a stranger what the sign-in page needs and nothing of the machine', async () => {
    const environment = await readEnvironment(nobody);
    expect(Object.keys(environment)).toEqual(['authentication', 'apps', 'platform']);
    expect(environment.platform).toEqual({ license: 'OPEN SOURCE', bitnami_demo: false, is_hosted: false });
    const payload = { email: 'string', password: 'string', remember_me: 'bool' };
    expect(environment.authentication).toEqual({
      admin: { path: 'system/admin/session', verb: 'POST', payload },
      user: { path: 'user/session', verb: 'POST', payload },
      oauth: [],
      adldap: [],
      saml: [],
      allow_open_registration: false,
      open_reg_email_service_id: null,
      allow_forever_sessions: false,
      login_attribute: 'email',
    });
  });

  test('tells people and roles more, administrators where things are', async () => {
    const environment = await readEnvironment(jo);
    const parts = ['authentication', 'apps', 'platform', 'server', 'client', 'config', 'code_host'];
    expect(Object.keys(environment)).toEqual(parts);
    expect(environment.platform).toMatchObject({ version: '2.16.1', license: 'OPEN SOURCE' });
    for (const key of ['db_driver', 'install_path', 'packages', 'sluice_version'])
      expect(environment.platform).not.toHaveProperty(key);
    expect(environment.client).toEqual({ user_agent: null, ip_address: '127.0.0.1', locale: 'en' });
    expect(environment.config).toMatchObject({ always_wrap_resources: true, db: { max_records_returned: 100_000 } });
    const role = aCallerWith([]);
    expect(await readEnvironment({ role: role.role })).toHaveProperty('server');
    expect((await readEnvironment()).platform).toMatchObject({
      version: '2.16.1',
      sluice_version: expect.any(String),
      db_driver: storeEngine,
    });
  });

  test('shows the apps a caller may open', async () => {
    expect(await readAppNames(nobody)).toEqual(['open']);
    expect(await readAppNames(jo)).toEqual(['open', 'assigned']);
    expect(await readAppNames({ user: aPerson() })).toEqual(['admin', 'api_docs', 'file_manager', 'open', 'assigned']);
    const [open] = (await readEnvironment(nobody)).apps;
    expect(open).toEqual({
      id: 4,
      name: 'open',
      description: null,
      url: 'https://x.example',
      is_default: false,
      allow_fullscreen_toggle: true,
      requires_fullscreen: false,
      toggle_location: 'top',
    });
  });

  test("marks the person's default app, else the instance's", async () => {
    const readDefaultIds = async (caller: object) =>
      (await readEnvironment(caller)).apps
        .filter((app: { is_default: boolean }) => app.is_default)
        .map((app: { id: number }) => app.id);
    expect(await readDefaultIds(nobody)).toEqual([]);
    await ask('PATCH', 'service/1', { config: { default_app_id: 4 } });
    expect(await readDefaultIds(nobody)).toEqual([4]);
    expect(await readDefaultIds(aCallerWith([], { id: 2, defaultAppId: 5 }))).toEqual([5]);
  });

  test('lists the providers people can sign in with, active ones only', async () => {
    await ask('POST', 'service', {
      resource: [
        { name: 'okta', label: 'Okta', type: 'saml', is_active: true },
        { name: 'off', type: 'saml' },
      ],
    });
    expect((await readEnvironment(nobody)).authentication.saml).toEqual([
      { path: 'okta/sso', name: 'okta', label: 'Okta', verb: 'GET', type: 'saml', icon_class: null },
    ]);
  });

  test('follows the settings', async () => {
    const other = await startSystem({ loginAttribute: 'username', license: 'GOLD', foreverSessions: true });
    const { body } = await other.ask('GET', 'environment', undefined, { caller: nobody });
    expect(body.platform.license).toBe('GOLD');
    expect(body.authentication).toMatchObject({
      login_attribute: 'username',
      allow_forever_sessions: true,
      user: { payload: { username: 'string' } },
    });
    await other.close();
  });
});
