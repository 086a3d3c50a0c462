// Exports of apps through HTTP, and imports of them on another instance (contract/packages.md §5).
import { randomBytes } from 'node:crypto';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../zip.fixture.ts';
import { outcome, todoTable, upload } from './package.fixture.ts';

let source: TestPlatform;
let target: TestPlatform;
let app: { id: number };
const files = {
  'index.html': Buffer.from('<h1>Ä</h1>'),
  'js/app.js': randomBytes(300_000),
  'empty.txt': Buffer.alloc(0),
};
beforeAll(async () => {
  source = await startPlatform();
  target = await startPlatform();
  const { ask } = source;
  await ask('POST', 'files/site/', {});
  for (const folder of ['site/js', 'site/nothing']) await ask('POST', `files/${folder}/`, {});
  for (const [name, body] of Object.entries(files)) await ask('POST', `files/site/${name}`, { body });
  app = await source.create('app', {
    ...{ name: 'Straße "1"', description: 'One', type: 1, path: 'index.html', is_active: true },
    ...{ storage_service_id: 3, storage_container: 'site', requires_fullscreen: true },
  });
});
afterAll(async () => {
  await source.stop();
  await target.stop();
});

const exported = (query = '', id: unknown = app.id) => source.ask('GET', `system/app/${id}?pkg=true${query}`);
const schemaOf = (value: unknown) => `&schema=${encodeURIComponent(JSON.stringify(value))}`;

it('an app alone is its description, as an attachment of its name', async () => {
  const { status, headers, bytes } = await exported();
  expect(status).toBe(200);
  expect(headers['content-disposition']).toBe(
    `attachment; filename="Stra_e _1_.dfpkg"; filename*=UTF-8''Stra%C3%9Fe%20%221%22.dfpkg`,
  );
  const parts = await unzip(bytes);
  expect([...parts.keys()]).toEqual(['description.json']);
  expect(JSON.parse(String(parts.get('description.json')))).toEqual({
    ...{ id: app.id, name: 'Straße "1"', description: 'One', is_active: true, type: 1, path: 'index.html', url: null },
    ...{ requires_fullscreen: true, allow_fullscreen_toggle: true, toggle_location: 'top' },
  });
  expect((await source.ask('GET', `system/app/${app.id}?pkg=false`)).body.name).toBe('Straße "1"');
});

const engines: [string, () => Promise<object>, string | undefined][] = [
  ['sqlite', async () => ({ type: 'sqlite', config: { database: 'shop.db' } }), undefined],
  [
    'pgsql',
    async () => {
      const { host, port, user: username, password, database } = await freshDatabase('pgsql');
      return { type: 'pgsql', config: { host, port, username, password, database } };
    },
    await engineMissing('pgsql'),
  ],
];
for (const [engine, configure, missing] of engines)
  describe.skipIf(missing)(engine, () => {
    it('round trip: another instance has the same files byte for byte, folders, tables and records', async () => {
      const service = `shop_${engine}`;
      for (const { create } of [source, target])
        await create('service', { name: service, label: service, is_active: true, ...(await configure()) });
      const child = {
        ...{ name: 'child', label: 'A child' },
        field: [
          { name: 'id', type: 'id' },
          { name: 'todo_id', type: 'reference', ref_table: 'todo', ref_field: 'id', allow_null: true },
        ],
      };
      await source.ask('POST', `${service}/_schema`, { body: { resource: [todoTable, child] } });
      const rows = {
        todo: [
          { id: 3, text: 'Ä' },
          { id: 4, text: null },
        ],
        child: [{ id: 1, todo_id: 4 }],
      };
      for (const [table, resource] of Object.entries(rows))
        await source.ask('POST', `${service}/_table/${table}`, { body: { resource } });
      const box = await source.create('service', {
        ...{ name: `box_${engine}`, label: 'Box', type: 'local_file', is_active: true },
        config: { container: 'box', public_path: ['open'] },
      });
      const whole = await exported(
        `&include_files=true&include_data=true&service=${box.id}${schemaOf({ [service]: ['child', 'todo'] })}`,
      );
      expect(whole.status).toBe(200);
      const imported = await upload(target, whole.bytes, { storage_container: `to/${engine}` });
      expect([imported.status, imported.text]).toEqual([200, expect.anything()]);
      const { ask } = target;
      for (const [name, content] of Object.entries(files))
        expect((await ask('GET', `files/to/${engine}/${name}`)).bytes.equals(content)).toBe(true);
      const listed = (await ask('GET', `files/to/${engine}/?full_tree=true`)).body.resource;
      expect(listed.map(({ path }: { path: string }) => path.slice(`to/${engine}/`.length)).sort()).toEqual(
        [...Object.keys(files), 'js/', 'nothing/'].sort(),
      );
      for (const [table, resource] of Object.entries(rows))
        expect((await ask('GET', `${service}/_table/${table}`)).body.resource).toEqual(resource);
      const described = async (platform: TestPlatform) => (await platform.ask('GET', `${service}/_schema/child`)).body;
      expect((await described(target)).field).toEqual((await described(source)).field);
      const [made] = (await ask('GET', `system/service?filter=name=box_${engine}`)).body.resource;
      expect(made).toMatchObject({ label: 'Box', config: { container: 'box', public_path: ['open'] } });
      const { id } = imported.body;
      // What was imported is exported as it came.
      const again = await ask(
        'GET',
        `system/app/${id}?pkg=true&include_files=true${schemaOf({ [service]: ['todo'] })}`,
      );
      const parts = [await unzip(whole.bytes), await unzip(again.bytes)];
      for (const name of Object.keys(files))
        expect(parts[1]?.get(name)?.equals(parts[0]?.get(name) as Buffer)).toBe(true);
      await ask('DELETE', `system/app/${id}`);
    });
  });

it('secrets are masked, and without include_data there are no records', async () => {
  const secret = { host: 'db.example', database: 'x', username: 'u', password: 'hidden' };
  await source.create('service', { name: 'secretive', label: 'S', type: 'mysql', config: secret });
  await source.ask('POST', 'db/_schema', { body: { resource: [todoTable] } });
  const { bytes } = await exported(`&service=secretive${schemaOf({ db: ['todo'] })}`);
  const parts = await unzip(bytes);
  expect([...parts.keys()]).toEqual(['description.json', 'services.json', 'schema.json']);
  expect(String(parts.get('services.json'))).not.toContain('hidden');
});

it('what cannot be exported is refused in words', async () => {
  expect(outcome(await exported('', 4711))).toEqual([404, 'App not found in database with app id - 4711']);
  expect(outcome(await exported('&service=db,nothing'))).toEqual([
    ...[404, 'Resource not found for system/service/nothing'],
  ]);
  expect(outcome(await exported(schemaOf({ db: ['nothing'] })))).toEqual([
    ...[404, 'Resource not found for db/_schema/nothing'],
  ]);
  for (const bad of ['x{', '[]', '1', '{"db":"todo"}', '{"db":[1]}'])
    expect(outcome(await exported(`&schema=${encodeURIComponent(bad)}`))).toEqual([
      ...[400, "The parameter 'schema' has to be a JSON object of lists of tables by service."],
    ]);
  await source.ask('POST', 'files/reserved/', {});
  await source.ask('POST', 'files/reserved/Data.json', { body: '{}' });
  const storage = { type: 1, path: 'x.html', storage_service_id: 3, storage_container: 'reserved' };
  const reserved = await source.create('app', { name: 'reserved', ...storage });
  expect(outcome(await exported('&include_files=true', reserved.id))).toEqual([
    ...[400, "The file 'Data.json' of the app has a name that packages keep for themselves."],
  ]);
});

it('an app without a folder of its own has that of its start page', async () => {
  const rootless = await source.create('app', {
    ...{ name: 'rootless', type: 1, path: 'site/index.html', storage_service_id: 3 },
  });
  const parts = await unzip((await exported('&include_files=true', rootless.id)).bytes);
  expect([...parts.keys()].sort()).toEqual(
    ['description.json', ...Object.keys(files).map((name) => `site/${name}`)].sort(),
  );
});

it('abuse: a caller exports what they may read, and nothing is left out silently', async () => {
  const row = (service_id: number, component: string) => ({ service_id, component, verb_mask: 1 });
  const rows = [row(1, 'app/*'), row(3, 'site/*')];
  const role = await source.create('role', {
    ...{ name: 'reader', is_active: true },
    role_service_access_by_role_id: rows,
  });
  const reader = await source.create('app', { name: 'reader', is_active: true, role_id: role.id });
  const key = (reader as { api_key?: string }).api_key as string;
  const read = (query: string) => source.ask('GET', `system/app/${app.id}?pkg=true${query}`, { key, token: null });
  expect((await read('&include_files=true')).status).toBe(200);
  expect((await read('&service=db')).status).toBe(401);
  expect((await read(schemaOf({ db: ['todo'] }))).status).toBe(401);
  const narrow = await source.create('role', {
    ...{ name: 'narrow', is_active: true },
    role_service_access_by_role_id: [row(1, 'app/*'), row(3, 'site'), row(3, 'site/index.html')],
  });
  await source.ask('PATCH', `system/app/${reader.id}`, { body: { role_id: narrow.id } });
  const refused = await read('&include_files=true');
  expect([refused.status, refused.body?.error?.message]).toEqual([403, expect.stringContaining('site/')]);
});
