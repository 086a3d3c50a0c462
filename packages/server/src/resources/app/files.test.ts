// Apps that take their files along when they are deleted.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlatform } from '@sluice/testkit/platform';
import { afterAll, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());

const service = await platform.create('service', {
  ...{ name: 'sites', label: 'sites', type: 'local_file', is_active: true, config: { container: 'sites' } },
});
const root = join(platform.folder, 'files/sites');

const addFile = (path: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), 'x');
};
const addApp = (name: string, set: object = {}) =>
  platform.create('app', {
    ...{ name, type: 1, storage_service_id: service.id, storage_container: name, path: 'index.html', ...set },
  });
const isThere = (path: string) => existsSync(join(root, path));

it('deletes the files of an app with delete_storage alone, and answers where they were (SRV-033)', async () => {
  for (const path of ['one/index.html', 'one/js/a.js', 'two/index.html']) addFile(path);
  const { id: one } = await addApp('one');
  const { id: two } = await addApp('two');
  expect((await platform.ask('DELETE', `system/app/${two}?delete_storage=false`)).body).toEqual({ id: two });
  expect(isThere('two/index.html')).toBe(true);
  expect((await platform.ask('DELETE', `system/app/${one}?delete_storage=true`)).body).toEqual({
    ...{ id: one, storage_service_id: service.id, storage_container: 'one' },
    launch_url: `${platform.url}/sites/one/index.html`,
  });
  expect([isThere('one'), isThere('two')]).toEqual([false, true]);
});

it('deletes those of several apps, by ids, whole (SRV-033, APP-024)', async () => {
  for (const path of ['a/index.html', 'shared/a.txt']) addFile(path);
  const ids = [];
  for (const [name, set] of [
    ['a', {}],
    ['b', { storage_container: 'shared' }],
    ['c', { storage_container: 'shared' }],
  ] as const)
    ids.push((await addApp(name, set)).id);
  const address = `system/app?ids=${ids.join(',')}&fields=*&rollback=true&delete_storage=true`;
  expect((await platform.ask('DELETE', address)).status).toBe(200);
  expect([isThere('a'), isThere('shared')]).toEqual([false, false]);
});

it.each([
  ['of another app in the same folder', { storage_container: 'kept' }],
  ['of another app in a folder below', { storage_container: 'kept/sub' }],
  ['of another app that begins in it', { storage_container: '', path: 'kept/index.html' }],
])('keeps files %s', async (_, set) => {
  addFile('kept/sub/index.html');
  const other = await addApp('other', set);
  const { id } = await addApp('kept');
  expect((await platform.ask('DELETE', `system/app/${id}?delete_storage=true`)).status).toBe(200);
  expect(isThere('kept/sub/index.html')).toBe(true);
  await platform.ask('DELETE', `system/app/${other.id}`);
});

it('abuse: deletes no service whole, and nothing outside of one', async () => {
  addFile('all/a.txt');
  for (const storage_container of ['', '/', '//', '..', '../sites', '/..//']) {
    const { id } = await addApp('bad', { storage_container });
    const { status } = await platform.ask('DELETE', `system/app/${id}?delete_storage=true`);
    expect([storage_container, status]).toEqual([storage_container, /\./.test(storage_container) ? 500 : 200]);
    expect((await platform.ask('GET', `system/app/${id}`)).status).toBe(404);
  }
  expect(isThere('all/a.txt')).toBe(true);
});

it('says so where the app is gone and its files are not, also in one of several', async () => {
  addFile('gone/a.txt');
  const { id } = await addApp('gone');
  await platform.ask('PATCH', `system/service/${service.id}`, { body: { is_active: false } });
  const { status, body } = await platform.ask('DELETE', `system/app?ids=${id}&rollback=true&delete_storage=true`);
  expect([status, body.error.message]).toEqual([
    500,
    "The app 'gone' is deleted, but not all of its files in 'sites/gone': Service sites is deactivated.",
  ]);
  expect((await platform.ask('GET', `system/app/${id}`)).status).toBe(404);
  await platform.ask('PATCH', `system/service/${service.id}`, { body: { is_active: true } });
});

it('abuse: a person who may delete apps but no files deletes no files', async () => {
  addFile('theirs/a.txt');
  const { id } = await addApp('theirs');
  const role = await platform.create('role', {
    ...{ name: 'apps', is_active: true },
    role_service_access_by_role_id: [
      { service_id: 1, component: 'app/*', verb_mask: 31, requestor_mask: 1 },
      { service_id: 1, component: 'app', verb_mask: 31, requestor_mask: 1 },
    ],
  });
  const key = await platform.create('app', { name: 'limited', is_active: true, role_id: role.id });
  const { status, body } = await platform.ask('DELETE', `system/app/${id}?delete_storage=true`, {
    token: '',
    headers: { 'x-dreamfactory-api-key': String(key.api_key) },
  });
  expect([status, body.error.message]).toEqual([500, expect.stringContaining('theirs')]);
  expect(isThere('theirs/a.txt')).toBe(true);
});
