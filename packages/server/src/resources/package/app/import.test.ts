// Imports of app packages through HTTP (contract/packages.md §5): what they make, every refusal, hostile archives, callers with few
// rights, and failures in the middle.
import { mkdir, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../../storage/zip.fixture.ts';
import { packageOf, uploadOf, zipFiles } from '../zip.fixture.ts';
import { appPackage, inventory, outcome, tablesOf, todoTable, upload } from './package.fixture.ts';

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

const withoutPostgres = await engineMissing('pgsql');
const tablesFailed = 'Could not create the database tables for this application.\n';

describe('an import', () => {
  it('APP-010 APP-027 SRV-032 from a form makes the app with all its fields, its files, services, tables and records', async () => {
    const bytes = await appPackage(
      {
        'services.json': [
          {
            ...{ id: 40, name: 'shop', label: 'Shop', type: 'sqlite', is_active: true },
            config: { database: 'shop.db' },
          },
        ],
        'schema.json': {
          service: [
            { name: 'db', table: [todoTable] },
            { name: 'shop', table: [todoTable] },
          ],
        },
        'data.json': {
          service: [
            { name: 'db', table: [{ name: 'todo', record: [{ id: 7, text: 'a' }] }] },
            { name: 'shop', table: [{ name: 'todo', record: [{ text: 'b' }] }] },
          ],
        },
        'index.html': '<h1>Hello</h1>',
        'js/app.js': Buffer.from([0, 255, 1, 254]),
        'app.json': '{"mine":true}',
      },
      { description: 'One', toggle_location: 'bottom', requires_fullscreen: true, api_key: 'x'.repeat(64), role_id: 1 },
    );
    const { status, body } = await upload(platform, bytes, { storage_service_id: '0', storage_container: '' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: expect.any(Number), name: 'my first-app', description: 'One', is_active: true, type: 1 },
      ...{ path: 'index.html', url: null, storage_service_id: 3, storage_container: 'MyFirstApp', role_id: null },
      ...{ requires_fullscreen: true, allow_fullscreen_toggle: true, toggle_location: 'bottom' },
      ...{
        api_key: expect.stringMatching(/^[0-9a-f]{64}$/),
        launch_url: `${platform.url}/files/MyFirstApp/index.html`,
      },
      ...{ created_date: expect.any(String), last_modified_date: expect.any(String) },
      ...{ created_by_id: 1, last_modified_by_id: null },
    });
    expect((await ask('GET', `system/app/${body.id}`)).body).toEqual(body);
    expect((await ask('GET', 'files/MyFirstApp/index.html')).text).toBe('<h1>Hello</h1>');
    expect([...(await ask('GET', 'files/MyFirstApp/js/app.js')).bytes]).toEqual([0, 255, 1, 254]);
    expect((await ask('GET', 'files/MyFirstApp/app.json')).text).toBe('{"mine":true}');
    expect((await ask('GET', 'files/MyFirstApp/description.json')).status).toBe(404);
    expect((await ask('GET', 'db/_table/todo')).body.resource).toEqual([{ id: 7, text: 'a' }]);
    expect((await ask('GET', 'shop/_table/todo')).body.resource).toEqual([{ id: 1, text: 'b' }]);
  });

  it('APP-026 SRV-032 from JSON takes what `import_url` leads to; JSON without it and a form without a file create records', async () => {
    served = await appPackage({ 'index.html': 'x' }, { name: 'fetched' });
    const body = { import_url: `${origin}/x.dfpkg`, storage_service_id: 3, storage_container: 'applications/fetched' };
    const fetched = await ask('POST', 'system/app', { body });
    expect([fetched.status, fetched.body.storage_container]).toEqual([200, 'applications/fetched']);
    expect((await ask('GET', 'files/applications/fetched/index.html')).text).toBe('x');
    const url = `${origin}/gone.dfpkg`;
    server.removeAllListeners('request').on('request', (_request, response) => response.writeHead(404).end());
    expect(outcome(await ask('POST', 'system/app', { body: { import_url: url } }))).toEqual([
      500,
      expect.stringMatching(new RegExp(`^Failed to import package from ${url}\\. `)),
    ]);
    server.removeAllListeners('request').on('request', (_request, response) => response.end(served));
    const inner = `${origin.replace('localhost', '127.0.0.1')}/x.dfpkg`;
    expect(outcome(await ask('POST', 'system/app', { body: { import_url: inner } }))).toEqual([
      500,
      expect.stringContaining('an address that this server does not fetch from'),
    ]);
    const made = await ask('POST', 'system/app?fields=id', { body: { resource: [{ name: 'plain' }] } });
    expect([made.status, made.body]).toMatchObject([201, { resource: [{ id: expect.any(Number) }] }]);
    expect((await ask('POST', 'system/app', uploadOf(Buffer.from(''), { count: 0 }))).status).toBe(400);
    expect((await ask('POST', 'system/app', { body: { import_url: '' } })).status).toBe(400);
  });

  it('a `.dfpkg` that is given to system/package is imported as an app', async () => {
    const bytes = await appPackage({ 'index.html': 'x' }, { name: 'by package' });
    const { status, body } = await ask('POST', 'system/package', uploadOf(bytes, { name: 'a.DFPKG' }));
    expect([status, body.name, body.storage_container]).toEqual([200, 'by package', 'ByPackage']);
  });

  it('the older description is read, and apps of other types have no storage', async () => {
    const older = await zipFiles({ 'app.json': { api_name: 'older', active: false }, 'x.txt': 'x' });
    const { body } = await upload(platform, older, { storage_service_id: '3', storage_container: 'older' });
    expect(body).toMatchObject({ name: 'older', is_active: false, type: 0, launch_url: '' });
    expect([body.storage_service_id, body.storage_container]).toEqual([null, null]);
    expect((await ask('GET', 'files/older/x.txt')).status).toBe(404);
    const remote = await appPackage({}, { name: 'remote', type: 2, url: 'https://a.example/' });
    expect((await upload(platform, remote)).body).toMatchObject({ type: 2, launch_url: 'https://a.example/' });
    const path = await appPackage({}, { name: 'path', type: 3, path: 'x/index.html' });
    expect((await upload(platform, path)).body).toMatchObject({ launch_url: `${platform.url}/x/index.html` });
  });

  it('a service and a table that are there stay as they are, and so do records whose key is there', async () => {
    const bytes = await appPackage(
      {
        'services.json': [{ name: 'DB', type: 'mysql', label: 'Other', config: { host: 'a.example' } }],
        'schema.json': tablesOf([{ name: 'todo', field: [{ name: 'other', type: 'string' }] }]),
        'data.json': tablesOf([
          {
            name: 'todo',
            record: [
              { id: 7, text: 'changed' },
              { id: 8, text: 'new' },
            ],
          },
        ]),
      },
      { name: 'second', type: 0 },
    );
    const before = (await ask('GET', 'db/_schema/todo')).body;
    expect((await upload(platform, bytes)).status).toBe(200);
    expect((await ask('GET', 'db/_schema/todo')).body).toEqual(before);
    expect((await ask('GET', 'system/service?filter=name=db&fields=type')).body.resource).toEqual([{ type: 'sqlite' }]);
    expect((await ask('GET', 'db/_table/todo')).body.resource).toEqual([
      { id: 7, text: 'a' },
      { id: 8, text: 'new' },
    ]);
  });

  it('ids in configurations are those of the archive: mapped by name, or left out', async () => {
    const warned: unknown[] = [];
    const { warn } = platform.log;
    platform.log.warn = ((value: unknown) => warned.push(value)) as typeof warn;
    const script = (name: string, storage_service_id: number) => ({
      ...{ name, type: 'v8js', is_active: true },
      config: { content: '', storage_service_id, storage_path: 'a.js' },
    });
    const bytes = await appPackage(
      {
        'services.json': [
          script('mapped', 77),
          script('unmapped', 78),
          { id: 77, name: 'holder', type: 'local_file', config: { container: 'holder' } },
          { name: 'strange', type: 'no_such_type' },
        ],
      },
      { name: 'mapping', type: 0 },
    );
    expect((await upload(platform, bytes)).status).toBe(200);
    platform.log.warn = warn;
    interface Listed {
      id: number;
      name: string;
      config: { storage_service_id?: number | null };
    }
    const services: Listed[] = (await ask('GET', 'system/service?fields=id,name,config')).body.resource;
    const named = new Map(services.map((service) => [service.name, service]));
    expect(named.get('mapped')?.config.storage_service_id).toBe(named.get('holder')?.id);
    expect(named.get('unmapped')?.config.storage_service_id ?? null).toBeNull();
    expect(named.has('strange')).toBe(false);
    expect(warned).toEqual([
      {
        app: expect.any(Number),
        warnings: [
          'Skipping service strange. Service type no_such_type is not known.',
          'Skipping config for service unmapped. Service not found by id 78',
        ],
      },
    ]);
  });
});

describe('what is refused', () => {
  const refused = async (bytes: Buffer, fields?: Record<string, string>, form?: object) =>
    outcome(await upload(platform, bytes, fields, form));

  it('in the words of the page, and nothing is made', async () => {
    const before = await inventory(platform);
    const good = await appPackage({}, { name: 'never', type: 0 });
    expect(await refused(good, {}, { count: 2 })).toEqual([
      ...[400, 'Only a single application package file is allowed for import.'],
    ]);
    const ending = [400, "Only package files ending with 'dfpkg' are allowed for import."];
    expect(await refused(good, {}, { name: 'a.zip' })).toEqual(ending);
    expect(outcome(await ask('POST', 'system/app', { body: { import_url: `${origin}/x.zip` } }))).toEqual(ending);
    expect(await refused(Buffer.from('no zip'))).toEqual([500, 'Error opening zip file.']);
    expect(await refused(await zipFiles({ 'x.html': '' }))).toEqual([
      ...[400, 'No application description file in this package file.'],
    ]);
    const described = async (description: object, fields?: Record<string, string>) =>
      refused(await zipFiles({ 'description.json': description }), fields);
    expect(await described({ type: 0 })).toEqual([400, 'No App name provided in description.json']);
    const pathless = [400, 'No Application Path provided in description.json'];
    expect(await described({ name: 'never', type: 1 })).toEqual(pathless);
    expect(await described({ name: 'never', type: 3, path: '' })).toEqual(pathless);
    expect(await described({ name: 'never', type: 2 })).toEqual([
      ...[400, 'No Application URL provided in description.json'],
    ]);
    const stored = { name: 'never', type: 1, path: 'index.html' };
    for (const storage_service_id of ['4711', '1', 'files'])
      expect(await described(stored, { storage_service_id })).toEqual([400, 'Invalid Storage Service provided.']);
    expect(await described({ ...stored, name: 'admin', type: 0 })).toEqual([
      ...[500, expect.stringMatching(/^Could not create the application\.\n[\s\S]*taken/)],
    ]);
    expect(await described({ ...stored, type: 9 })).toEqual([
      ...[500, expect.stringMatching(/^Could not create the application\.\n[\s\S]*type is invalid/)],
    ]);
    const withParts = async (parts: Record<string, unknown>) => refused(await appPackage(parts, { name: 'never' }));
    expect(
      await withParts({ 'services.json': [{ name: 'a b', type: 'local_file', config: { container: 'x' } }] }),
    ).toEqual([500, expect.stringMatching(/^Could not create the services\.\n[\s\S]*letters, numbers/)]);
    for (const bad of [{}, { service: [] }, { service: [{ name: 'db' }] }, { service: [{ table: [todoTable] }] }]) {
      expect(await withParts({ 'schema.json': bad })).toEqual([
        ...[400, `${tablesFailed}Database service or schema not found in schema.json.`],
      ]);
      expect(await withParts({ 'data.json': bad })).toEqual([
        400,
        `${tablesFailed}Database service or data not found.`,
      ]);
    }
    for (const part of ['description.json', 'services.json', 'schema.json', 'data.json'])
      for (const bad of ['x{', '"text"', [1]])
        expect(await withParts({ [part]: bad })).toEqual([
          ...[400, `Invalid package supplied. '${part}' is not what a package has there.`],
        ]);
    for (const service of ['nothing', 'files', 'system'])
      expect(await withParts({ 'schema.json': tablesOf([todoTable], service) })).toEqual([
        ...[500, `${tablesFailed}'${service}' is no database service.`],
      ]);
    await ask('POST', 'files/taken/');
    await ask('POST', 'files/taken/index.html', { body: 'old' });
    expect(
      await refused(await appPackage({ 'index.html': 'new' }, { name: 'never' }), { storage_container: '/taken/' }),
    ).toEqual([400, "File 'taken/index.html' already exists."]);
    expect((await ask('GET', 'files/taken/index.html')).text).toBe('old');
    await ask('DELETE', 'files/taken/?force=true');
    expect(await inventory(platform)).toEqual(before);
  });

  it('abuse: hostile archives, and folders that lead elsewhere', async () => {
    const before = await inventory(platform);
    const description = { name: 'description.json', content: '{"name":"never","type":1,"path":"x"}' };
    const withEntries = (...entries: Parameters<typeof zipOf>) => zipOf(description, ...entries);
    const hostile: [string, Buffer, RegExp][] = [
      ['a slip', withEntries({ name: '../../x.html', content: 'x' }), /the part '\.\.'/],
      ['an absolute path', withEntries({ name: '/etc/x', content: 'x' }), /empty part/],
      ['a backslash', withEntries({ name: '..\\x', content: 'x' }), /backslash/],
      ['a backslash of DOS', withEntries({ name: '..\\x', content: 'x', system: 0 }), /the part '\.\.'/],
      ['a link', withEntries({ name: 'a', content: '/etc/passwd', mode: 0o120777 }), /link/],
      ['a name that storages keep', withEntries({ name: '.sluice-tmp-x', content: 'x' }), /taken/],
      ['a path twice', withEntries({ name: 'A.html', content: 'x' }, { name: 'a.html', content: 'y' }), /twice/],
      ['a part twice', withEntries({ ...description, name: 'Description.json' }), /twice/],
      ['a file that is a folder', withEntries({ name: 'a', content: 'x' }, { name: 'a/b', content: 'y' }), /twice/],
      ['a bomb', withEntries({ name: 'a', size: 110_000_000 }), /more than 40000000 bytes/],
      ['a lie about its size', withEntries({ name: 'a', content: 'x'.repeat(99), size: 1 }), /damaged|larger/],
      [
        '10,000 entries and more',
        withEntries(...Array.from({ length: 10_001 }, (_, at) => ({ name: `f${at}`, content: '' }))),
        /more than 10000/,
      ],
    ];
    for (const [what, bytes, words] of hostile) {
      const { status, body } = await upload(platform, bytes);
      expect([what, status, body.error?.message]).toEqual([what, 400, expect.stringMatching(words)]);
    }
    for (const storage_container of ['../x', 'a/../../x', 'a\\b', '.sluice-tmp', 'a//b'])
      expect((await refused(await appPackage(), { storage_container }))[0]).toBe(400);
    const long = await zipFiles({ 'description.json': `["${'x'.repeat(33 * 1024 * 1024)}"]` });
    expect(await refused(long)).toEqual([400, expect.stringContaining("'description.json' of the package has more")]);
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    expect((await refused(await appPackage({ 'services.json': deep })))[0]).toBe(400);
    expect(await inventory(platform)).toEqual(before);
  }, 90_000);
});

describe('an import that fails in the middle leaves nothing', () => {
  const failing = async (parts: Record<string, unknown>, more: object = {}, database = 'db') => {
    const before = await inventory(platform, database);
    const answer = outcome(await upload(platform, await appPackage(parts, { name: 'half', ...more })));
    expect(await inventory(platform, database)).toEqual(before);
    return answer;
  };
  const service = { name: 'half', type: 'local_file', config: { container: 'half' } };
  const table = (name: string, ...more: object[]) => ({ name, field: [{ name: 'id', type: 'id' }, ...more] });
  const records = (name: string, ...record: object[]) => ({ name, record });

  it('where a record of the store is refused', async () => {
    const named = await failing({ 'services.json': [service] }, { name: 'admin' });
    expect(named).toEqual([500, expect.stringMatching(/^Could not create the application\.\n/)]);
  });

  const suite = (database: () => string) => {
    it('where a table is refused', async () => {
      const bad = table('half_b', { name: 'x', type: 'reference', ref_table: 'nowhere', ref_field: 'id' });
      const schema = { 'schema.json': tablesOf([table('half_a'), bad], database()) };
      expect(await failing({ 'services.json': [service], ...schema, 'x.html': '' }, {}, database())).toEqual([
        ...[500, expect.stringMatching(new RegExp(`^${tablesFailed}`))],
      ]);
    });

    it('where a record is refused, also what was added to a table that had been there', async () => {
      await ask('POST', `${database()}/_schema`, { body: { resource: [todoTable] } });
      const count = async () => (await ask('GET', `${database()}/_table/todo?fields=id`)).body.resource.length;
      const before = await count();
      const rows = Array.from({ length: 250 }, (_, at) => ({ text: `new ${at}` }));
      const data = tablesOf([records('todo', ...rows), records('half_a', { id: 'x' })], database());
      // The tables reference each other, and are dropped all the same.
      const other = (name: string) => ({
        name: 'other_id',
        type: 'reference',
        allow_null: true,
        ref_table: name,
        ref_field: 'id',
      });
      const schema = tablesOf([table('half_a', other('half_b')), table('half_b', other('half_a'))], database());
      expect(
        await failing({ 'services.json': [service], 'schema.json': schema, 'data.json': data }, {}, database()),
      ).toEqual([
        500,
        expect.stringMatching(new RegExp(`^${tablesFailed}Failed to insert ${database()}/_table/half_a\\.`)),
      ]);
      expect(await count()).toBe(before);
      // The same without the fault is imported.
      const good = tablesOf([records('half_b', { id: 2, other_id: 1 }), records('half_a', { id: 1 })], database());
      const bytes = await appPackage({ 'schema.json': schema, 'data.json': good }, { name: `good ${database()}` });
      const imported = await upload(platform, bytes);
      expect([imported.status, imported.text]).toEqual([200, expect.anything()]);
      expect((await ask('GET', `${database()}/_table/half_b`)).body.resource).toEqual([{ id: 2, other_id: 1 }]);
      await ask('DELETE', `${database()}/_schema?ids=half_a,half_b&rollback=true`);
    });
  };

  describe('SQLite', () => suite(() => 'db'));

  describe.skipIf(withoutPostgres)('PostgreSQL', () => {
    beforeAll(async () => {
      const { host, port, user: username, password, database } = await freshDatabase('pgsql');
      const config = { host, port, username, password, database };
      await platform.create('service', { name: 'pg', label: 'PG', type: 'pgsql', is_active: true, config });
    });
    suite(() => 'pg');
  });

  it('where a file cannot be written', async () => {
    // A link that leads out: the storage says that nothing is there, and writes nothing through it.
    const folder = join(platform.folder, 'files', 'app');
    await mkdir(join(folder, 'linked'), { recursive: true });
    await symlink('/tmp', join(folder, 'linked', 'out'));
    const before = await inventory(platform);
    const parts = { 'a.html': 'a', 'in/b.html': 'b', 'out/c.html': 'c', 'services.json': [service] };
    const bytes = await appPackage({ ...parts, 'schema.json': tablesOf([table('half_a')]) }, { name: 'half' });
    const { status, body } = await upload(platform, bytes, { storage_container: 'linked' });
    expect([status, body.error.message]).toEqual([
      500,
      expect.stringMatching(/^Could not import the files of this application\.\n/),
    ]);
    expect(body.error.message).not.toContain('Not taken back');
    expect(await inventory(platform)).toEqual(before);
  });
});

describe('callers without all rights', () => {
  const row = (service_id: number | null, component: string, verb_mask: number) => ({
    service_id,
    component,
    verb_mask,
  });
  /** A user whose role has these rows. */
  async function caller(name: string, rows: object[]) {
    const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: rows });
    const app = await platform.create('app', { name: `key of ${name}`, is_active: true, role_id: role.id });
    const user = await platform.create('user', { email: `${name}@b.example`, password: 'pass word' });
    await ask('PATCH', `system/user/${user.id}?related=user_to_app_to_role_by_user_id`, {
      body: { user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] },
    });
    const options = { key: (app as { api_key?: string }).api_key as string, token: await platform.tokenOf(user.id) };
    return { ask: ((verb, path, more = {}) => ask(verb, path, { ...options, ...more })) as TestPlatform['ask'] };
  }

  it('abuse: import nothing where one step is not theirs', async () => {
    const all = {
      'services.json': [{ name: 'theirs', type: 'sqlite', is_active: true, config: { database: 'theirs.db' } }],
      'schema.json': tablesOf([{ ...todoTable, name: 'theirs' }]),
      'data.json': tablesOf([{ name: 'theirs', record: [{ id: 1, text: 'x' }] }]),
      'a/index.html': 'x',
    };
    const rows = {
      app: row(1, 'app/*', 2),
      service: row(1, 'service/*', 2),
      schema: row(5, '_schema/*', 2),
      table: row(5, '_table/*', 2),
      files: row(3, 'TheirApp/*', 2),
    };
    const bytes = await appPackage(all, { name: 'their app' });
    const before = await inventory(platform);
    const words: Record<keyof typeof rows, RegExp> = {
      app: /app/,
      service: /service/,
      schema: /_schema/,
      table: /_table\/theirs/,
      files: /theirapp/i,
    };
    for (const missing of Object.keys(rows) as (keyof typeof rows)[]) {
      const given = Object.entries(rows).flatMap(([name, value]) => (name === missing ? [] : [value]));
      const narrow = await caller(`no.${missing}`, given);
      const { status, body } = await upload(narrow, bytes);
      expect([missing, status, body.error?.message]).toEqual([missing, 403, expect.stringMatching(words[missing])]);
      if (missing !== 'app') continue;
      const byPackage = await caller('by.package', [...given, row(1, 'package/*', 2)]);
      expect((await byPackage.ask('POST', 'system/package', uploadOf(bytes, { name: 'a.dfpkg' }))).status).toBe(403);
    }
    const brought = await appPackage({ ...all, 'schema.json': tablesOf([todoTable], 'theirs') }, { name: 'their app' });
    const narrow = await caller('no.brought', Object.values(rows));
    expect((await upload(narrow, brought)).status).toBe(403);
    const { files: _files, ...rest } = rows;
    const given = Object.values(rest);
    const inFile = await caller('no.file', [...given, row(3, 'TheirApp', 2)]);
    expect((await upload(inFile, bytes)).status).toBe(403);
    const after = await inventory(platform);
    expect({ ...after, apps: after.apps.filter((name) => !String(name).startsWith('key of ')) }).toEqual(before);
    const wide = await caller('wide', Object.values(rows));
    const { status, body } = await upload(wide, bytes);
    expect([status, body.name]).toEqual([200, 'their app']);
    // Without GET on apps the answer has what was sent.
    expect(body.api_key).toBeUndefined();
    expect((await ask('GET', 'db/_table/theirs')).body.resource).toEqual([{ id: 1, text: 'x' }]);
  });

  it('abuse: a package gives no more rights than its importer has', async () => {
    const role = await platform.create('role', {
      ...{ name: 'greedy', is_active: true },
      role_service_access_by_role_id: [row(null, '*', 31)],
    });
    const narrow = await caller('greedy.importer', [row(1, 'app/*', 31), row(1, 'service/*', 31)]);
    const own = await appPackage({}, { name: 'greedy app', type: 0, role_id: role.id, api_key: 'k'.repeat(64) });
    const { body } = await upload(narrow, own);
    expect([body.name, body.role_id]).toEqual(['greedy app', null]);
    expect((await ask('GET', `system/app/${body.id}`)).body.api_key).not.toBe('k'.repeat(64));
    // People who register would get the role.
    const open = {
      id: 7,
      name: 'user',
      type: 'user',
      config: { allow_open_registration: true, open_reg_role_id: role.id },
    };
    const config = async () => (await ask('GET', 'system/service/7')).body.config;
    const registration = await config();
    const services = await appPackage({ 'services.json': [open] }, { name: 'opened', type: 0 });
    expect((await upload(narrow, services)).status).toBe(200);
    expect(await config()).toEqual(registration);
    // Names of lookup keys are for administrators, as in every other write.
    const spying = { name: 'spying', type: 'mysql', config: { host: '{secret.key}', database: 'x' } };
    const before = await inventory(platform);
    const spied = await upload(narrow, await appPackage({ 'services.json': [spying] }, { name: 'spied', type: 0 }));
    const written = await narrow.ask('POST', 'system/service', { body: { resource: [spying] } });
    // Of a batch the refusal is that of its record.
    expect([spied.status, written.status]).toEqual([403, 400]);
    expect(await inventory(platform)).toEqual(before);
  });

  it('what they may not take back is said', async () => {
    await ask('POST', 'db/_schema', {
      body: {
        resource: [
          { ...todoTable, name: 'kept' },
          { ...todoTable, name: 'wrong' },
        ],
      },
    });
    const narrow = await caller('no.delete', [row(1, 'app/*', 2), row(5, '_table/*', 3)]);
    const data = tablesOf([
      { name: 'kept', record: [{ text: 'x' }] },
      { name: 'wrong', record: [{ id: 'x' }] },
    ]);
    const { status, body } = await upload(narrow, await appPackage({ 'data.json': data }, { name: 'left', type: 0 }));
    expect([status, body.error.message]).toEqual([
      500,
      expect.stringMatching(/\nNot taken back: 1 records of db\/_table\/kept\.$/),
    ]);
    expect((await ask('GET', 'system/app?filter=name=left')).body.resource).toEqual([]);
  });
});

it('a pre_process script sees and changes the apps that JSON creates, and leaves packages alone', async () => {
  const content = 'if (event.request.payload) event.request.payload.resource[0].description = "seen";';
  const name = 'system.app.post.pre_process';
  const made = await ask('POST', `system/event_script/${name}`, {
    body: { type: 'nodejs', content, is_active: true, allow_event_modification: true },
  });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  const plain = await ask('POST', 'system/app?fields=description', { body: { resource: [{ name: 'scripted' }] } });
  expect(plain.body).toMatchObject({ resource: [{ description: 'seen' }] });
  const packed = await upload(platform, await appPackage({}, { name: 'unscripted', type: 0, description: 'own' }));
  expect([packed.status, packed.body.description]).toEqual([200, 'own']);
  await ask('DELETE', `system/event_script/${name}`);
});

it('SRV-044 a platform package is still none of system/app', async () => {
  const bytes = await packageOf({ 'system/role': [{ name: 'never' }] });
  expect(outcome(await upload(platform, bytes))).toEqual([
    400,
    'No application description file in this package file.',
  ]);
});
