// Scripts that lie in a file service, through HTTP: real files, v8js.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let platform: TestPlatform;
let link: { storage_service_id: number; storage_path: string };
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);
const upload = async (path: string, body: string | Buffer) => {
  const type = { 'content-type': 'application/octet-stream' };
  const made = await ask('PUT', `scripts/${path}`, { body, headers: type });
  expect([made.status, made.text.slice(0, 200)]).toEqual([made.status < 202 ? made.status : 201, expect.anything()]);
};

beforeAll(async () => {
  platform = await startPlatform();
  const files = { name: 'scripts', label: 'Scripts', type: 'local_file', is_active: true };
  const { id } = await platform.create('service', { ...files, config: { container: 'scripts' } });
  await platform.create('service', {
    ...{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true },
    config: { database: 'shop.sqlite' },
  });
  link = { storage_service_id: id, storage_path: 'a.js' };
});
afterAll(() => platform.stop());

const written = new Set<string>();
const save = (name: string, more: Record<string, unknown> = link) => {
  written.add(name);
  const body = { name, type: 'v8js', content: 'x', is_active: true, allow_event_modification: true, ...more };
  return ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body });
};
afterEach(async () => {
  for (const name of written) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
  written.clear();
  vi.restoreAllMocks();
});
const returns = (value: unknown) => `return { content: ${JSON.stringify(value)} };`;
const answers = (value: unknown) => `event.response = { content: ${JSON.stringify(value)} };`;

/** Somebody whose role may read the shop, and what else is said. */
async function person(name: string, rows: Record<string, unknown>[] = []) {
  const access = [{ service: 'shop', component: '*', verb_mask: 1 }, ...rows];
  const services = (await ask('GET', 'system/service?fields=id,name')).body.resource as { id: number; name: string }[];
  const role = await platform.create('role', {
    ...{ name, is_active: true },
    role_service_access_by_role_id: access.map(({ service, ...row }: Record<string, unknown>) => ({
      ...row,
      service_id: services.find((found) => found.name === service)?.id,
    })),
  });
  const app = await platform.create('app', { name, is_active: true, role_id: role.id });
  return { role: role.id, options: { token: null, key: String(app.api_key) } };
}

describe('a script that lies elsewhere', () => {
  it('has no text of its own, and lies where scripts can', async () => {
    expect((await save('shop.get.post_process')).status).toBe(201);
    expect((await ask('GET', 'system/event_script/shop.get.post_process')).body).toMatchObject({
      ...link,
      content: '',
    });
    const services = (await ask('GET', 'system/service?fields=id,name')).body.resource as {
      id: number;
      name: string;
    }[];
    const shop = services.find(({ name }) => name === 'shop')!.id;
    for (const storage_service_id of [shop, 999]) {
      const refused = await save('shop.post', { ...link, storage_service_id });
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining('The selected storage service id is invalid.'),
      ]);
    }
  });

  it('is that of its content where a part of the link is missing', async () => {
    await save('shop.get.post_process', { ...link, storage_path: null, content: returns('own') });
    expect((await ask('GET', 'shop')).body).toBe('own');
  });

  it('is loaded, and cached under its event until it is saved or its cache is flushed', async () => {
    await upload('a.js', returns(1));
    await save('shop.get.post_process');
    const read = async () => (await ask('GET', 'shop')).body;
    expect(await read()).toBe(1);
    await upload('a.js', returns(2));
    expect(await read()).toBe(1);
    expect((await ask('DELETE', 'system/cache/_event/shop.get.post_process')).body).toEqual({ success: true });
    expect(await read()).toBe(2);
    await upload('a.js', returns(3));
    await save('shop.get.post_process');
    expect(await read()).toBe(3);
    await upload('a.js', returns(4));
    await ask('PATCH', 'system/event_script/shop.get.post_process', { body: { is_active: true } });
    expect(await read()).toBe(4);
    await upload('a.js', returns(5));
    await ask('DELETE', 'system/cache');
    expect(await read()).toBe(5);
  });
});

describe('a script that cannot be loaded', () => {
  it('before the operation is a 503 that tells nothing of where it lies; the log does', async () => {
    const warn = vi.spyOn(platform.log, 'warn');
    await save('shop.get.pre_process', { ...link, storage_path: 'secret/none.js' });
    const failed = await ask('GET', 'shop');
    expect([failed.status, failed.body.error.message]).toEqual([
      503,
      "Script 'shop.get.pre_process' could not be loaded.",
    ]);
    expect(failed.text).not.toMatch(/secret|none\.js/);
    const causes = warn.mock.calls.map(([details]) => (details as { err?: Error }).err?.message);
    expect(causes.join()).toContain('secret/none.js');
  });

  it('is tried again with the next call', async () => {
    await save('shop.get.pre_process', { ...link, storage_path: 'later.js' });
    expect((await ask('GET', 'shop')).status).toBe(503);
    await upload('later.js', answers('there'));
    expect((await ask('GET', 'shop')).body).toBe('there');
  });

  it('after the operation, and at its event, is left out', async () => {
    await save('shop.get.post_process', { ...link, storage_path: 'none.js' });
    await save('shop.get', { ...link, storage_path: 'none.js' });
    expect((await ask('GET', 'shop')).status).toBe(200);
  });

  it('before the operation is left out where the operator says so', async () => {
    const other = await startPlatform({ scriptsSkipUnloadable: true });
    const { id } = await other.create('service', {
      ...{ name: 'scripts', label: 'Scripts', type: 'local_file', is_active: true },
      config: { container: 'scripts' },
    });
    const script = { name: 'system.get.pre_process', type: 'v8js', is_active: true };
    const body = { ...script, storage_service_id: id, storage_path: 'none.js' };
    expect((await other.ask('POST', 'system/event_script/system.get.pre_process', { body })).status).toBe(201);
    expect((await other.ask('GET', 'system')).status).toBe(200);
    await other.stop();
  });

  it.each<[string, string, string | Buffer | undefined]>([
    ['a folder', 'folder/', undefined],
    ['no text', 'binary.js', Buffer.from([0x61, 0xff, 0xfe])],
    ['longer than a script may be', 'long.js', `${' '.repeat(1024 * 1024)};`],
  ])('%s is none', async (_what, storage_path, content) => {
    await (content === undefined ? ask('POST', 'scripts/folder/') : upload(storage_path, content));
    await save('shop.get.pre_process', { ...link, storage_path });
    expect((await ask('GET', 'shop')).status).toBe(503);
  });
});

describe('whose rights count', () => {
  it('those of the caller, also when it was loaded for another', async () => {
    await upload('a.js', answers('ran'));
    const may = await person('reader', [{ service: 'scripts', component: '*', verb_mask: 1 }]);
    const mayNot = await person('stranger');
    await save('shop.get.pre_process');
    expect((await ask('GET', 'shop', mayNot.options)).status).toBe(503);
    expect((await ask('GET', 'shop', may.options)).body).toBe('ran');
    expect((await ask('GET', 'shop', mayNot.options)).status).toBe(503);
    await ask('PATCH', `system/role/${may.role}`, { body: { is_active: false } });
    await ask('PATCH', `system/service/${link.storage_service_id}`, { body: { is_active: false } });
    expect((await ask('GET', 'shop')).status).toBe(503);
    await ask('PATCH', `system/service/${link.storage_service_id}`, { body: { is_active: true } });
    expect((await ask('GET', 'shop')).body).toBe('ran');
  });

  it('abuse: a path leads out of no container', async () => {
    for (const storage_path of ['../../keys.json', '/../keys.json', 'x/../../../etc/passwd', '..']) {
      await save('shop.get.pre_process', { ...link, storage_path });
      expect((await ask('GET', 'shop')).status, storage_path).toBe(503);
    }
  });

  it('abuse: scripts that lie where their loading leads to themselves end', async () => {
    await upload('a.js', '');
    for (const step of ['.pre_process', '.post_process', '']) {
      await save(`scripts.{file_path}.get${step}`);
      await save(`scripts.a.js.get${step}`);
    }
    const start = Date.now();
    const failed = await ask('GET', 'scripts/a.js');
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(Date.now() - start).toBeLessThan(10_000);
    expect((await ask('GET', 'shop')).status).toBe(200);
  });
});
