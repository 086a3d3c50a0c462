// Packages through HTTP: from an instance with everything to a fresh one (contract/packages.md).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unzip, uploadOf } from './zip.fixture.ts';

const platforms: TestPlatform[] = [];
async function start(): Promise<TestPlatform> {
  const platform = await startPlatform();
  platforms.push(platform);
  return platform;
}
afterAll(async () => {
  for (const platform of platforms) await platform.stop();
});

let source: TestPlatform;
beforeAll(async () => {
  source = await start();
  await fill(source);
});

/** Makes some of everything, things that name each other among it. */
async function fill(platform: TestPlatform): Promise<void> {
  const { create, ask } = platform;
  const box = await create('service', {
    ...{ name: 'box', label: 'Box', type: 'local_file', is_active: true },
    config: { container: 'box', public_path: ['open'] },
  });
  const shop = await create('service', {
    name: 'shop',
    label: 'Shop',
    type: 'sqlite',
    is_active: true,
    config: { database: 'shop.db' },
  });
  const role = await create(
    'role',
    {
      ...{ name: `O'Neil, "reader"`, is_active: true },
      role_service_access_by_role_id: [
        { service_id: shop.id, component: '_table/*', verb_mask: 1, requestor_mask: 1 },
        { service_id: null, component: '*', verb_mask: 1, requestor_mask: 3 },
      ],
      lookup_by_role_id: [
        { name: 'region', value: 'eu' },
        { name: 'secret', value: 'hidden', private: true },
      ],
      role_adldap_by_role_id: { dn: 'cn=readers,dc=example,dc=com' },
    },
    'role_service_access_by_role_id',
  );
  const app = await create('app', {
    ...{ name: 'site', is_active: true, type: 1, path: 'index.html', storage_service_id: box.id },
    ...{ storage_container: 'site', role_id: role.id },
  });
  await create('user', {
    ...{ email: 'jo@example.com', password: 'jo pass word', name: 'Jo', first_name: 'Jo', last_name: 'Doe' },
    ...{ default_app_id: app.id },
    user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
  });
  await create('admin', { email: 'eve@example.com', password: 'eve pass word', name: 'Eve' });
  await ask('POST', 'system/limit', {
    body: { resource: [{ name: 'per minute', type: 'instance.role', role_id: role.id, rate: 10, period: 'minute' }] },
  });
  await ask('POST', 'system/limit', {
    body: {
      resource: [{ name: 'shop only', type: 'instance.service', service_id: shop.id, rate: 99, period: 'hour' }],
    },
  });
  await create('lookup', { name: 'host', value: '{nothing}' });
  await create('lookup', { name: 'token', value: 'clear', private: true });
  await create('cors', { path: 'api/*', origin: 'https://a.example', method: ['GET', 'POST'] });
  await create('email_template', { name: 'Hello ü', subject: 'Hi', body_text: 'Hello {name}' });
  await ask('POST', 'system/custom', { body: { resource: [{ name: 'a,b', value: { deep: [1, null] } }] } });
  await ask('POST', 'system/event_script/shop.get.post_process', {
    body: { type: 'v8js', content: 'event.response.content;', is_active: false },
  });
  await ask('POST', 'system/service', {
    body: {
      resource: [
        { name: 'hello', type: 'v8js', is_active: true, config: { content: 'return 1;', storage_service_id: box.id } },
      ],
    },
  });
  const schema = await ask('POST', 'shop/_schema', { body: { resource: tables } });
  expect(schema.status, schema.text).toBe(200);
  const teams = Array.from({ length: 3 }, (_, at) => ({ id: at + 1, name: `team ${at}`, lead_id: null }));
  expect((await ask('POST', 'shop/_table/team', { body: { resource: teams } })).status).toBe(200);
  const people = Array.from({ length: 5 }, (_, at) => ({ id: at + 1, name: `p'${at}"`, team_id: (at % 3) + 1 }));
  expect((await ask('POST', 'shop/_table/person', { body: { resource: people } })).status).toBe(200);
  await ask('PATCH', 'shop/_table/team', { body: { resource: [{ id: 1, lead_id: 5 }] } });
  await ask('POST', 'box/docs/');
  await ask('POST', 'box/docs/deep/');
  await ask('POST', 'box/docs/deep/%C3%BC%20n.txt', { body: 'deep' });
  await ask('POST', 'box/a.txt', { body: 'alone' });
}

/** Two tables that name each other. */
const tables = [
  {
    name: 'person',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 80 },
      { name: 'team_id', type: 'reference', ref_table: 'team', ref_field: 'id' },
    ],
  },
  {
    name: 'team',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 80 },
      { name: 'lead_id', type: 'reference', ref_table: 'person', ref_field: 'id', allow_null: true },
    ],
  },
];

async function exportAll({ ask }: TestPlatform, set: object = {}): Promise<Buffer> {
  const { body: manifest } = await ask('GET', 'system/package');
  const { status, body, text } = await ask('POST', 'system/package', { body: { ...manifest, ...set } });
  expect(status, text).toBe(200);
  const { pathname } = new URL(body.path);
  const file = await ask('GET', pathname);
  expect(file.status).toBe(200);
  return file.bytes;
}

const importInto = ({ ask }: TestPlatform, bytes: Buffer, query = '') =>
  ask('POST', `system/package${query}`, uploadOf(bytes));

const message = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
  status,
  body.error?.message,
];

/** Without what differs between two instances: ids, dates, and keys of seeded apps. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/^id$|_id$|_date$|^service_/.test(name) && name !== 'key_text' && name !== 'launch_url')
      .map(([name, member]) => [name, bare(member)]),
  );
}

/** The records of an archive that are not seeded, by path. */
async function contentOf(bytes: Buffer): Promise<Map<string, unknown>> {
  const seeded = new Set(['system', 'api_docs', 'files', 'logs', 'db', 'email', 'user', 'admin', 'file_manager']);
  const content = new Map<string, unknown>();
  for (const [path, file] of await unzip(bytes)) {
    if (path === 'package.json') continue;
    if (path.endsWith('.zip')) content.set(path, [...(await unzip(file))].map(String));
    else if (!path.endsWith('.json')) content.set(path, file.toString());
    else
      content.set(
        path,
        (JSON.parse(file.toString()) as { name: string; email?: string }[])
          .filter(({ name, email }) => !(path.startsWith('system/') && seeded.has(name)) && email !== 'ada@example.com')
          .map(bare),
      );
  }
  return content;
}

it('PKG-027 SRV-044 everything of an instance comes into a fresh one, and a second import finds duplicates alone', async () => {
  const bytes = await exportAll(source);
  const target = await start();
  const first = await importInto(target, bytes);
  expect(first.status, first.text).toBe(201);
  expect(first.body.success).toBe(true);
  expect(Object.keys(first.body.log)).toEqual(['notice']);
  const [before, after] = [await contentOf(bytes), await contentOf(await exportAll(target))];
  expect([...after.keys()].filter((path) => !path.startsWith('files/'))).toEqual(
    [...before.keys()].filter((path) => !path.startsWith('files/')),
  );
  // Secrets are in no package.
  const secrets = (text: string) => text.replaceAll('"**********"', 'null');
  for (const [path, content] of before)
    if (!path.startsWith('files/'))
      expect(JSON.parse(secrets(JSON.stringify(after.get(path)))), path).toEqual(
        JSON.parse(secrets(JSON.stringify(content))),
      );
  // What names others names the same ones here.
  const rows = await target.ask(
    'GET',
    'system/role?related=role_service_access_by_role_id,app_by_role_id,role_adldap_by_role_id',
  );
  const services = await target.ask('GET', 'system/service?fields=*');
  const idOf = (name: string) => services.body.resource.find((row: { name: string }) => row.name === name).id;
  expect(rows.body.resource[0]).toMatchObject({
    role_service_access_by_role_id: [{ service_id: idOf('shop') }, { service_id: null }],
    app_by_role_id: [{ name: 'site', storage_service_id: idOf('box') }],
    role_adldap_by_role_id: { role_id: rows.body.resource[0].id, dn: 'cn=readers,dc=example,dc=com' },
  });
  const hello = services.body.resource.find((row: { name: string }) => row.name === 'hello');
  expect(hello.config.storage_service_id).toBe(idOf('box'));
  const limits = await target.ask('GET', 'system/limit');
  expect(limits.body.resource).toMatchObject([{ role_id: rows.body.resource[0].id }, { service_id: idOf('shop') }]);
  // People have their passwords, roles and default app.
  const key = (await target.ask('GET', 'system/app?filter=name=site')).body.resource[0].api_key;
  const session = { body: { email: 'jo@example.com', password: 'jo pass word' }, token: null, key };
  expect((await target.ask('POST', 'user/session', session)).body).toMatchObject({ email: 'jo@example.com' });
  expect((await target.ask('GET', 'shop/_table/team/1')).body).toEqual({ id: 1, name: 'team 0', lead_id: 5 });
  expect((await target.ask('GET', 'box/docs/deep/%C3%BC%20n.txt')).text).toBe('deep');
  const second = await importInto(target, bytes);
  expect(second.body.log.notice).toContain('Ignored duplicate found for shop/_table/team with id 3');
  expect(second.body.log.notice).toContain(`Ignored duplicate found for system/role with name O'Neil, "reader"`);
  expect(second.body.log.warning).toEqual(["Skipping storage resource box/a.txt. File 'a.txt' already exists."]);
  expect(second.body.log.error).toBeUndefined();
  // The importer's own password would be another one afterwards, and their session over.
  const { service } = (await source.ask('GET', 'system/package')).body;
  const others = { service: { ...service, system: { ...service.system, admin: ['eve@example.com'] } } };
  const third = await importInto(target, await exportAll(source, others), '?overwrite=true');
  expect(third.status, third.text).toBe(201);
  expect(third.body.log.notice).toContain('Overwrote duplicate found for system/user with email jo@example.com');
  expect(third.body.log.notice).toContain('Overwrote duplicate found for shop/_table/person with id 1');
  const overwritten = await target.ask(
    'GET',
    'system/role?related=role_service_access_by_role_id,lookup_by_role_id,role_adldap_by_role_id',
  );
  expect(overwritten.body.resource[0].role_adldap_by_role_id.dn).toBe('cn=readers,dc=example,dc=com');
  expect(overwritten.body.resource[0].role_service_access_by_role_id).toHaveLength(2);
  expect(overwritten.body.resource[0].lookup_by_role_id).toHaveLength(2);
}, 90_000);

it('SRV-044 two exports of an untouched instance are equal, but for their dates', async () => {
  const [one, two] = [await unzip(await exportAll(source)), await unzip(await exportAll(source))];
  const dated = (text: string) => text.replaceAll(/"created_date": "[^"]+"/g, '');
  expect([...one.keys()].filter((path) => !path.startsWith('files/'))).toEqual(
    [...two.keys()].filter((path) => !path.startsWith('files/')),
  );
  for (const [path, content] of one) {
    if (path.startsWith('files/') || path === 'package.json') continue;
    expect(two.get(path)?.equals(content), path).toBe(true);
  }
  expect(dated(one.get('package.json')?.toString() ?? '')).toBe(dated(two.get('package.json')?.toString() ?? ''));
});

it('the manifest lists what there is: people by four keys, rules by id, kinds without records and inactive services not at all', async () => {
  const platform = await start();
  const empty = (await platform.ask('GET', 'system/package?system_only=true')).body;
  expect(empty).toMatchObject({ version: '0.1', secured: false, description: '' });
  expect(Object.keys(empty.service)).toEqual(['system']);
  expect(Object.keys(empty.service.system)).toEqual(['service', 'app', 'admin', 'email_template']);
  expect(empty.service.system.admin).toEqual([
    { username: 'ada@example.com', email: 'ada@example.com', first_name: null, last_name: null },
  ]);
  await platform.create('service', { name: 'off', type: 'local_file', is_active: false, config: { container: 'off' } });
  const lost = { name: 'lost', type: 'mysql', is_active: true, config: { host: '127.0.0.1', port: 1, database: 'x' } };
  await platform.create('service', lost);
  await platform.create('cors', { path: '*', origin: '*' });
  await platform.ask('POST', 'files/a/b/');
  const { service } = (await platform.ask('GET', 'system/package?as_list=true&fields=x&limit=1')).body;
  expect(service.system.cors).toEqual([1]);
  expect(service).toMatchObject({ lost: { reachable: false }, db: { reachable: true, _schema: [], _table: [] } });
  expect(service.files).toEqual(['a/']);
  expect(Object.keys(service)).not.toContain('off');
  const tree = (await platform.ask('GET', 'system/package?full_tree=true')).body;
  expect(tree.service.files).toEqual(['a/', 'a/b/']);
  const file = await platform.ask('GET', 'system/package?file=manifest.json');
  expect(file.headers['content-disposition']).toContain('manifest.json');
});

it('PKG-010 the environment says that packages may be secured', async () => {
  expect((await source.ask('GET', 'system/environment')).body.platform.secured_package_export).toBe(true);
});

it('PKG-014 PKG-015 PKG-016 PKG-017 PKG-018 PKG-028 PKG-029 exports what the payload names to where it says', async () => {
  const { ask } = source;
  const service = {
    system: { user: ['jo@example.com'], app: [{ name: 'site' }], role: [1], cors: [1], custom: { ids: 'a,b' } },
    shop: { _schema: ['team'], _table: ['team'] },
    box: ['docs', 'a.txt'],
  };
  const list = { ...service, system: { ...service.system, custom: [{ name: 'a,b' }] } };
  const storage = { name: 'box', folder: 'open', filename: 'my' };
  const { status, body, text } = await ask('POST', 'system/package', {
    body: { secured: false, storage, service: list },
  });
  expect([status, body], text).toEqual([
    200,
    { success: true, path: `${source.url}/api/v2/box/open/my.zip`, is_public: true },
  ]);
  const files = await unzip((await ask('GET', new URL(body.path).pathname)).bytes);
  expect([...files.keys()]).toEqual([
    ...['system/user.json', 'system/app.json', 'system/role.json', 'system/cors.json', 'system/custom.json'],
    ...['shop/_schema.json', 'shop/_table.json', 'box/docs/e3e2a9bfd88566b05001b02a3f51d286.zip', 'box/a.txt'],
    'package.json',
  ]);
  expect(JSON.parse(String(files.get('package.json'))).service).toEqual({
    system: { user: ['jo@example.com'], app: ['site'], role: [`O'Neil, "reader"`], cors: [1], custom: ['a,b'] },
    ...{ shop: service.shop, box: service.box },
  });
  const defaults = await ask('POST', 'system/package', {
    body: { storage: { name: '', folder: '', filename: '' }, service: { system: { app: ['site'] } } },
  });
  expect(defaults.body.path).toMatch(/\/api\/v2\/files\/__EXPORTS\/[^/]+_\d{4}-\d\d-\d\d_\d\d\.\d\d\.\d\d\.zip$/);
  expect(defaults.body.is_public).toBe(false);
  const granular = await ask('POST', 'system/package', {
    body: { storage: 'box', service: { system: { role: { filter: 'id=1', related: 'app_by_role_id' } } } },
  });
  expect(granular.status, granular.text).toBe(200);
});

it('SRV-044 refuses an export that names what cannot be exported, in the words of the page', async () => {
  const ask = async (body: object) => message(await source.ask('POST', 'system/package', { body }));
  const service = { system: { role: [1] } };
  expect(await ask({ secured: true, service })).toEqual([400, 'Password is required for secured package.']);
  expect(await ask({ secured: true, password: '12345', service })).toEqual([
    400,
    'Password must be at least 6 characters long for secured package.',
  ]);
  for (const empty of [{}, { service: {} }, { service: { system: { role: [] }, box: [] } }])
    expect(await ask(empty)).toEqual([400, 'No items found in package manifest.']);
  const role = (list: unknown) => ask({ service: { system: { role: list } } });
  expect(await role([9])).toEqual([404, 'Resource not found for system/role/9']);
  expect(await role(['constructor'])).toEqual([404, 'Resource not found for system/role/constructor']);
  expect(await role({ ids: '' })).toEqual([400, 'No resource ids or filter provided for system/role.']);
  const shop = (lists: object) => ask({ service: { shop: lists } });
  expect(await shop({ _schema: { ids: '1' } })).toEqual([400, 'Granular export not supported for resource _schema']);
  expect(await shop({ _table: { ids: '1' } })).toEqual([501, 'Granular export for _table resource is not supported.']);
  expect(await shop({ _proc: ['x'] })).toEqual([501, 'Exporting _proc resource is not supported.']);
  expect(await shop({ _table: ['nothing'] })).toEqual([404, 'Resource not found for shop/_table/nothing']);
  expect(await ask({ service: { box: ['no.txt'] } })).toEqual([404, 'Resource not found for box/no.txt']);
  expect(await ask({ service: { box: ['../x'] } })).toEqual([400, expect.stringContaining("the part '..'")]);
  const storage = (value: unknown) => ask({ service, storage: value });
  expect(await storage('x')).toEqual([500, 'Can not find storage service x.']);
  expect(await storage({ name: 'shop' })).toEqual([500, 'Can not find storage service shop.']);
  expect((await storage({ name: 'box', folder: '../..' }))[0]).toBe(400);
  await source.ask('POST', 'box/taken.zip/');
  expect(await storage({ name: 'box', folder: '/', filename: 'taken.zip' })).toEqual([
    500,
    expect.stringContaining('Failed to save the exported package using storage service box. '),
  ]);
});

it('PKG-023 an export with a password is encrypted whole, and imported with it alone', async () => {
  const bytes = await exportAll(source, { secured: true, password: 'secret1', service: { system: { cors: [1] } } });
  await expect(unzip(bytes)).rejects.toThrow();
  expect(JSON.parse(String((await unzip(bytes, 'secret1')).get('package.json')))).toMatchObject({ secured: true });
  const target = await start();
  const unread = 'Cannot read package manifest. A valid password is required if this is a secured package.';
  for (const query of ['', '?password=wrong1'])
    expect(message(await importInto(target, bytes, query))).toEqual([400, unread]);
  const form = uploadOf(bytes, { fields: { password: 'secret1' } });
  expect((await target.ask('POST', 'system/package', form)).status).toBe(201);
  expect((await target.ask('GET', 'system/cors')).body.resource).toHaveLength(1);
});
