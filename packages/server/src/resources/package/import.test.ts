// Imports through HTTP: refusals, notices and warnings of the page, hostile archives, narrow callers (contract/packages.md §4).
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../storage/zip.fixture.ts';
import { md5 } from './export.ts';
import { packageOf, unzip, uploadOf, zipFiles } from './zip.fixture.ts';

let platform: TestPlatform;
let ask: TestPlatform['ask'];
let server: Server;
let origin = '';
let served: Buffer = Buffer.alloc(0);
beforeAll(async () => {
  platform = await startPlatform({ fetchPrivate: 'localhost', uploadLimit: 40_000_000 });
  ask = platform.ask;
  server = createServer((_request, response) => response.end(served));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await platform.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const outcome = ({ status, body }: { status: number; body: any }): [number, any] => [
  status,
  body.error?.message ?? body,
];
const upload = (bytes: Buffer, query = '', form: Parameters<typeof uploadOf>[1] = {}) =>
  ask('POST', `system/package${query}`, uploadOf(bytes, form));
const send = async (parts: Record<string, unknown>, query = '') => outcome(await upload(await packageOf(parts), query));
const names = async (resource: string) =>
  (await ask('GET', `system/${resource}?fields=*`)).body.resource.map(({ name }: { name: string }) => name);
const success = (notice?: unknown) => [201, { success: true, log: notice ?? [] }];

describe('what is no package', () => {
  it('SRV-044 is refused in the words of the page, and nothing is written', async () => {
    const good = await packageOf({ 'system/role': [{ name: 'never' }] });
    const ending = "Only package files ending with 'zip' are allowed for import.";
    expect(outcome(await upload(good, '', { name: 'x.tar' }))).toEqual([400, ending]);
    expect(outcome(await upload(good, '', { count: 2 }))).toEqual([
      400,
      'Only a single package file is allowed for import.',
    ]);
    expect(outcome(await upload(Buffer.from('no zip')))).toEqual([400, 'Failed to open imported zip file.']);
    const manifest = async (value: unknown) => outcome(await upload(await zipFiles({ 'package.json': value })));
    const unread = 'Cannot read package manifest. A valid password is required if this is a secured package.';
    expect(outcome(await upload(await zipFiles({ 'other.json': {} })))).toEqual([400, unread]);
    for (const bad of [[], 'x{', { version: '0.1' }, { df_version: '2' }])
      expect(await manifest(bad)).toEqual([400, expect.stringMatching(/^Invalid package supplied\./)]);
    expect(await manifest({ version: '0.1', df_version: '2', service: {} })).toEqual([
      ...[400, 'No items found in package manifest.'],
    ]);
    expect(await manifest({ version: '1.0', df_version: '9', service: { system: { role: ['x'] } } })).toEqual([
      400,
      'The package has version 1.0, and this server reads packages up to version 0.1.',
    ]);
    for (const bad of [{ a: 1 }, ['text'], 'no json{'])
      expect(await send({ 'system/role': bad })).toEqual([
        400,
        expect.stringMatching(/^Invalid package supplied\. 'system\/role/),
      ]);
    expect(await send({ 'files/_table': [{ record: [] }] })).toEqual([400, expect.stringMatching(/^Invalid package/)]);
    expect(await names('role')).toEqual([]);
  });

  it('abuse: hostile archives are refused before anything is written', async () => {
    const json = JSON.stringify({ version: '0.1', df_version: '2', service: { system: { role: ['x'] } } });
    const role = { name: 'system/role.json', content: '[{"name":"never"}]' };
    const withManifest = (...entries: Parameters<typeof zipOf>) =>
      zipOf({ name: 'package.json', content: json }, role, ...entries);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ name: `f${at}`, content: '' }));
    const hostile: [string, Buffer, RegExp][] = [
      ['a slip', withManifest({ name: '../../x.json', content: 'x' }), /the part '\.\.'/],
      ['an absolute path', withManifest({ name: '/etc/x', content: 'x' }), /empty part/],
      ['a drive', withManifest({ name: 'c:/x', content: 'x' }), /drive/],
      ['a link', withManifest({ name: 'files/a', content: '/etc/passwd', mode: 0o120777 }), /link/],
      ['a lie about its size', withManifest({ name: 'files/a', content: 'x'.repeat(99), size: 1 }), /damaged|larger/],
      ['a wrong checksum', withManifest({ name: 'files/a', content: 'x', crc: 1 }), /damaged/],
      ['a path twice', withManifest({ ...role, name: 'SYSTEM/role.json' }), /twice/],
      ['10,000 entries and more', withManifest(...many), /more than 10000/],
      ['a bomb', withManifest({ name: 'files/a', size: 110_000_000 }), /more than 40000000 bytes/],
      [
        'two of them',
        withManifest({ name: 'a', size: 30_000_000 }, { name: 'b', size: 30_000_000 }),
        /more than 40000000 bytes/,
      ],
      ['a shared entry', withManifest({ name: 'files/a', content: 'x', offset: 0 }), /damaged/],
    ];
    for (const [what, bytes, words] of hostile) {
      const { status, body } = await upload(bytes);
      expect([what, status, body.error?.message]).toEqual([what, 400, expect.stringMatching(words)]);
    }
    const long = await zipFiles({ 'package.json': json, 'system/role.json': `["${'x'.repeat(33 * 1024 * 1024)}"]` });
    expect(outcome(await upload(long))).toEqual([
      400,
      expect.stringContaining("'system/role.json' of the package has more"),
    ]);
    const deep = await zipFiles({ 'package.json': json, 'system/role.json': `${'['.repeat(5000)}${']'.repeat(5000)}` });
    expect((await upload(deep)).status).toBe(400);
    expect(await names('role')).toEqual([]);
    expect(readdirSync(join(platform.folder, 'temporary'))).toEqual([]);
  }, 90_000);

  it('abuse: zips inside of the zip share the bound of the whole, and are checked like it', async () => {
    const inner = (...paths: string[]) => {
      const manifest = { version: '0.1', df_version: '2', service: { files: paths, system: { role: ['x'] } } };
      return { 'package.json': JSON.stringify(manifest), 'system/role.json': '[{"name":"never"}]' };
    };
    const bomb = zipOf({ name: 'x', content: Buffer.alloc(22_000_000) });
    const slip = zipOf({ name: '../x', content: 'x' });
    const at = (path: string) => `files/${path}${md5(path)}.zip`;
    const slipped = await zipFiles({ ...inner('a/'), [at('a/')]: slip });
    expect(outcome(await upload(slipped))).toEqual([400, expect.stringContaining("the part '..'")]);
    const two = ['a/', 'b/'];
    const bombs = await zipFiles({ ...inner(...two), ...Object.fromEntries(two.map((path) => [at(path), bomb])) });
    expect(outcome(await upload(bombs))).toEqual([400, expect.stringContaining('the most that is accepted')]);
    const text = await zipFiles({ ...inner('a/'), [at('a/')]: 'no zip' });
    expect((await upload(text)).status).toBe(500);
    expect(await names('role')).toEqual([]);
  }, 90_000);

  it('PKG-023 a package of an older server is read with its traditional encryption, and with a wrong password not', async () => {
    const parts = { 'system/cors': [{ path: 'old/*', origin: '*' }] };
    const old = await packageOf(parts, {}, { password: 'pa', zipCrypto: true });
    const unread = 'Cannot read package manifest. A valid password is required if this is a secured package.';
    for (const query of ['', '?password=pb', '?password=pc'])
      expect(outcome(await upload(old, query))).toEqual([400, unread]);
    expect(outcome(await upload(old, '?password=pa'))).toEqual(success());
  });
});

describe('what an import says', () => {
  it('SRV-044 names what it leaves out because what it names is not there', async () => {
    const parts = {
      'system/role': [
        {
          ...{ id: 7, name: 'X' },
          role_service_access_by_role_id: [
            { id: 3, service_id: 9, component: '*', verb_mask: 1 },
            { id: 4, service_id: 3, component: '*', verb_mask: 1 },
          ],
        },
      ],
      'system/service': [
        { id: 20, name: 'mine', type: 'local_file', config: { container: 'mine' } },
        { id: 21, name: 'strange', type: 'no_such_type', config: {} },
        { id: 22, name: 'blob', type: 'azure_blob', config: { account_key: '**********', container: 'c' } },
      ],
      'system/app': [{ id: 30, name: 'Y', storage_service_id: 99, role_id: 99 }],
      'system/user': [
        {
          ...{ id: 5, email: 'a@b.example', default_app_id: 99, password: 'plain' },
          user_to_app_to_role_by_user_id: [
            { id: 3, app_id: 30, role_id: 99 },
            { id: 4, app_id: 99, role_id: 7 },
            { id: 5, app_id: 30, role_id: 7 },
          ],
        },
      ],
      'system/limit': [{ name: 'L', type: 'instance.role', role_id: 99, rate: 1, period: 'minute' }],
      'system/event_script': [{ name: 'db.get.pre_process', type: 'v8js', content: '', storage_service_id: 99 }],
      'system/constant': [],
      'db/_proc': [],
    };
    const [status, body] = await send(parts);
    expect(status).toBe(201);
    expect(body.log.warning).toEqual([
      'Skipping service strange. Service type no_such_type is not known.',
      'Skipping service blob. Its account_key is a secret, which no package has.',
      'Skipping relation role_service_access_by_role_id with id 3 for Role X. Service not found for 9',
      'Skipping role_id for app Y. Role not found for 99',
      'Skipping storage_service_id for app Y. Service not found for 99',
      'Skipping default_app_id for user a@b.example. App not found for 99',
      'Skipping password for user a@b.example. It is no hash that this server takes.',
      'Skipping relation user_to_app_to_role_by_user_id with id 3 for user a@b.example. Role not found for id 99',
      'Skipping relation user_to_app_to_role_by_user_id with id 4 for user a@b.example. App not found for id 99',
      'Skipping limit L. Role not found for 99',
      'Skipping event_script db.get.pre_process. Service not found for 99',
      'Skipping resource constant. Not supported.',
      'Skipping resource _proc. Not supported.',
    ]);
    const role = (await ask('GET', 'system/role?related=role_service_access_by_role_id')).body.resource[0];
    expect(role.role_service_access_by_role_id).toMatchObject([{ service_id: 3 }]);
  });

  it('SRV-044 says of each duplicate whether it was left or overwritten, and of an import of duplicates alone that it did nothing', async () => {
    const role = (description: string) => ({ 'system/role': [{ name: 'Guest', description }] });
    const read = async () =>
      (await ask('GET', 'system/role?filter=name=Guest')).body.resource.map(({ description }: never) => description);
    expect(await send(role('one'))).toEqual(success());
    expect(await send(role('two'))).toEqual([
      200,
      { success: false, log: { notice: ['Ignored duplicate found for system/role with name Guest'] } },
    ]);
    expect(await read()).toEqual(['one']);
    expect(await send(role('two'), '?overwrite=true')).toEqual(
      success({ notice: ['Overwrote duplicate found for system/role with name Guest'] }),
    );
    expect(await read()).toEqual(['two']);
    const app = (await platform.create('app', { name: 'first' })) as { api_key?: string };
    expect(await send({ 'system/app': [{ name: 'second', api_key: app.api_key }] })).toEqual(
      success({ notice: ['Duplicate API Key found for app second. Regenerating API Key.'] }),
    );
    expect(await send({ 'system/email_template': [{ subject: 'nameless' }] })).toEqual([
      500,
      expect.stringMatching(/^Failed to insert system\/email_template\. .*\nContext: \{/),
    ]);
  });

  it('a mask never becomes a value', async () => {
    const service = {
      name: 'masked',
      type: 'mysql',
      config: { host: 'a.example', database: 'x', password: '**********' },
    };
    const lookup = { name: 'masked', private: true, value: '**********' };
    expect(await send({ 'system/service': [service], 'system/lookup': [lookup] })).toEqual(success());
    const { config } = await platform.store.db
      .selectFrom('service')
      .select('config')
      .where('name', '=', 'masked')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(config).password).toBeUndefined();
    const row = await platform.store.db
      .selectFrom('lookup')
      .select('value')
      .where('name', '=', 'masked')
      .executeTakeFirst();
    expect(row?.value).toBeNull();
    // What is here stays where the package overwrites.
    await ask('PATCH', 'system/lookup/1', { body: { value: 'entered here' } });
    const before = await platform.store.db
      .selectFrom('lookup')
      .select('value')
      .where('name', '=', 'masked')
      .executeTakeFirst();
    await send({ 'system/lookup': [lookup] }, '?overwrite=true');
    const after = await platform.store.db
      .selectFrom('lookup')
      .select('value')
      .where('name', '=', 'masked')
      .executeTakeFirst();
    expect(after?.value).toBe(before?.value);
  });

  it('abuse: a hash that would take long to compare is not taken', async () => {
    const costly = `$argon2id$v=19$m=4194304,t=99,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`;
    const [, body] = await send({ 'system/user': [{ email: 'slow@b.example', password: costly }] });
    expect(body.log.warning).toEqual([
      'Skipping password for user slow@b.example. It is no hash that this server takes.',
    ]);
  });

  it('SRV-044 tables: those of `db` get the fields they lack, a record that fails is named, the others are written', async () => {
    const table = (...fields: object[]) => ({ name: 'todo', field: [{ name: 'id', type: 'id' }, ...fields] });
    const text = { name: 'text', type: 'string', length: 10 };
    expect(await send({ 'db/_schema': [table(text)] })).toEqual(success());
    expect(await send({ 'db/_schema': [table(text)] })).toEqual([
      200,
      { success: false, log: { notice: ['Ignored duplicate found for db/_schema with name todo'] } },
    ]);
    expect(await send({ 'db/_schema': [table(text, { name: 'more', type: 'integer', allow_null: true })] })).toEqual(
      success(),
    );
    const record = [
      { id: 1, text: 'a' },
      { id: 2, text: 'b', no_such: 1 },
      { id: 'x', text: 'c' },
    ];
    const [status, body] = await send({ 'db/_table': [{ name: 'todo', record }] });
    expect([status, Object.keys(body.log)]).toEqual([201, ['error']]);
    expect(body.log.error[0]).toMatch(/^Failed to insert db\/_table\/todo\. \d records: /);
    expect((await ask('GET', 'db/_table/todo?fields=id')).body.resource).toContainEqual({ id: 1 });
    const [, again] = await send({ 'db/_table': [{ name: 'todo', record: [record[0], { text: 'keyless' }] }] });
    expect(again.log).toEqual({
      notice: ['Ignored duplicate found for db/_table/todo with id 1'],
      warning: ['Skipped duplicate check for db/_table/todo by key/field id. Key/Field is not set'],
    });
  });
});

describe('an import that fails', () => {
  const count = async () =>
    Promise.all(['role', 'service', 'app', 'user', 'custom'].map(async (name) => (await names(name)).length));

  it('SRV-044 in the middle leaves nothing of what is in the store', async () => {
    const before = await count();
    const parts = {
      'system/role': [{ id: 1, name: 'half' }],
      'system/service': [{ id: 40, name: 'half', type: 'local_file', config: { container: 'half' } }],
      'system/app': [{ name: 'half' }],
      'system/user': [{ email: 'half@b.example' }],
      'system/custom': [{ name: 'half', value: 1 }],
      'system/event_script': [{ name: 'no good name', type: 'v8js', content: '' }],
      'db/_schema': [{ name: 'half', field: [{ name: 'id', type: 'id' }] }],
    };
    const [status, text] = await send(parts);
    expect([status, text]).toEqual([500, expect.stringMatching(/^Failed to insert event_script\. /)]);
    expect(await count()).toEqual(before);
    expect((await ask('GET', 'db/_schema/half')).status).toBe(404);
    // The same without the fault is imported.
    expect((await send({ ...parts, 'system/event_script': [] }))[0]).toBe(201);
  });
});

describe('from an address', () => {
  it('PKG-027 imports what `import_url` leads to, from the body or the query', async () => {
    served = await packageOf({ 'system/custom': [{ name: 'fetched', value: 1 }] });
    const body = { import_url: `${origin}/x.zip` };
    expect((await ask('POST', 'system/package', { body })).status).toBe(201);
    const query = `?import_url=${encodeURIComponent(body.import_url)}`;
    expect((await ask('POST', `system/package${query}`)).status).toBe(200);
    const ending = "Only package files ending with 'zip' are allowed for import.";
    expect(outcome(await ask('POST', 'system/package', { body: { import_url: `${origin}/x.tar` } }))).toEqual([
      400,
      ending,
    ]);
  });

  it('abuse: nothing is fetched from private networks, nor more than may be uploaded', async () => {
    const url = `${origin.replace('localhost', '127.0.0.1')}/x.zip`;
    expect(outcome(await ask('POST', 'system/package', { body: { import_url: url } }))).toEqual([
      500,
      `Failed to import package from ${url}. The URL leads to an address that this server does not fetch from.`,
    ]);
    expect((await ask('POST', 'system/package', { body: { import_url: 'file:///etc/passwd.zip' } })).status).toBe(400);
  });
});

describe('PKG-025 callers without all rights', () => {
  /** A user whose role has these rows. */
  async function caller(name: string, rows: object[]) {
    const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: rows });
    const app = (await platform.create('app', { name, is_active: true, role_id: role.id })) as {
      api_key?: string;
      id: number;
    };
    const user = await platform.create('user', { email: `${name}@b.example`, password: 'pass word' });
    await ask('PATCH', `system/user/${user.id}?related=user_to_app_to_role_by_user_id`, {
      body: { user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] },
    });
    const options = { key: app.api_key as string, token: await platform.tokenOf(user.id) };
    return (verb: string, path: string, more: object = {}) => ask(verb, path, { ...options, ...more });
  }
  const row = (service_id: number, component: string, verb_mask: number) => ({ service_id, component, verb_mask });

  it('see in the manifest what they may read, and need GET and POST on system/package', async () => {
    await ask('POST', 'files/docs/');
    await ask('POST', 'files/docs/a.txt', { body: 'a' });
    await ask('POST', 'files/other.txt', { body: 'b' });
    const rows = [row(1, 'package/*', 3), row(1, 'role/*', 1), row(3, 'docs/*', 1), row(3, '__EXPORTS/*', 2)];
    const call = await caller('narrow', rows);
    const { service } = (await call('GET', 'system/package?full_tree=true')).body;
    expect(Object.keys(service)).toEqual(['system', 'files']);
    expect(Object.keys(service.system)).toEqual(['role']);
    expect(service.files).toEqual(['docs/', 'docs/a.txt']);
    const body = { service: { files: ['docs/a.txt', 'other.txt'], system: { role: ['narrow'] } } };
    expect((await call('POST', 'system/package', { body })).status).toBe(200);
    const refused = await call('POST', 'system/package', { body: { ...body, storage: { folder: 'docs' } } });
    expect(refused.status).toBe(403);
    expect((await call('POST', 'system/package', { body: { service: { system: { user: [1] } } } })).status).toBe(403);
    const stranger = await caller('stranger', [row(1, 'role/*', 31)]);
    expect((await stranger('GET', 'system/package')).status).toBe(403);
    expect((await stranger('POST', 'system/package', { body })).status).toBe(403);
  });

  it('who bring a key alone see what its role gives, and nothing else', async () => {
    const rows = [row(1, 'package/*', 1), row(1, 'role/*', 1)];
    const role = await platform.create('role', {
      name: 'keyed',
      is_active: true,
      role_service_access_by_role_id: rows,
    });
    const app = await platform.create('app', { name: 'keyed', is_active: true, role_id: role.id });
    const key = (app as { api_key?: string }).api_key as string;
    const { status, body } = await ask('GET', 'system/package', { key, token: null });
    expect([status, Object.keys(body.service ?? {}), Object.keys(body.service?.system ?? {})]).toEqual([
      ...[200, ['system'], ['role']],
    ]);
  });

  it('abuse: import nothing where one step is not theirs, and get no more rights by it', async () => {
    const call = await caller('importer', [row(1, 'package/*', 2), row(1, 'role/*', 31), row(1, 'user/*', 31)]);
    const parts = { 'system/role': [{ name: 'by importer' }], 'system/app': [{ name: 'by importer' }] };
    const refused = await call('POST', 'system/package', uploadOf(await packageOf(parts)));
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringMatching(/^Failed to insert apps\. /),
    ]);
    const greedy = {
      name: 'greedy',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31 }],
    };
    const more = await call('POST', 'system/package', uploadOf(await packageOf({ 'system/role': [greedy] })));
    expect(more.status).toBe(403);
    const admin = await call(
      'POST',
      'system/package',
      uploadOf(await packageOf({ 'system/admin': [{ email: 'x@b.example' }] })),
    );
    expect(admin.status).toBe(403);
    const hash = `$2b$10$${'a'.repeat(53)}`;
    const person = { 'system/user': [{ email: 'hashed@b.example', password: hash }] };
    const { body } = await call('POST', 'system/package', uploadOf(await packageOf(person)));
    expect(body.log.warning).toEqual([
      'Skipping password for user hashed@b.example. Only administrators import passwords.',
    ]);
    for (const name of ['by importer', 'greedy']) expect(await names('role')).not.toContain(name);
  });

  it('abuse: hashes of passwords are exported for administrators alone', async () => {
    const call = await caller('reader', [row(1, 'package/*', 2), row(1, 'user/*', 1), row(3, '*', 3)]);
    const body = { service: { system: { user: ['reader@b.example'] } }, storage: { filename: 'people.zip' } };
    expect((await call('POST', 'system/package', { body })).status).toBe(200);
    const files = await unzip((await ask('GET', 'files/__EXPORTS/people.zip')).bytes);
    expect(String(files.get('system/user.json'))).not.toContain('$argon2');
    expect((await ask('POST', 'system/package', { body })).status).toBe(200);
    const whole = await unzip((await ask('GET', 'files/__EXPORTS/people.zip')).bytes);
    expect(String(whole.get('system/user.json'))).toContain('$argon2');
  });
});
