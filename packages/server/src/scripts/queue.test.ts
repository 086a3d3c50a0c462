// Queued scripts through HTTP: they run after their call, as its caller, as jobs of the store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startProcess } from '../process.fixture.ts';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 5 });
  const service = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', service);
  const text = { type: 'string', allow_null: true };
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', ...text },
    { name: 'by', ...text },
  ];
  const tables = ['item', 'note'].map((name) => ({ name, field }));
  expect((await ask('POST', 'shop/_schema', { body: { resource: tables } })).status).toBe(200);
});
afterAll(() => platform.stop());

const written: string[] = [];
/** Saves a script; `note(text)` in it writes a record of `note`. */
async function save(name: string, content: string, more: Record<string, unknown> = {}): Promise<void> {
  written.push(name);
  const note = `const note = (name) => platform.api.post('shop/_table/note', { resource: [{ name: JSON.stringify(name),
    by: platform.session.user ? platform.session.user.email : null }] });`;
  const body = { name, type: 'v8js', content: `${note}\n${content}`, is_active: true, ...more };
  expect((await ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body })).status).toBe(201);
}
afterEach(async () => {
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
  await platform.store.db.deleteFrom('job').where('name', '=', 'queued script').execute();
  await ask('DELETE', 'shop/_table/note?force=true');
});

const notes = async (): Promise<unknown[]> =>
  (await ask('GET', 'shop/_table/note')).body.resource.map(({ name }: { name: string }) => JSON.parse(name));
const jobs = async () =>
  (await ask('GET', `system/job?filter=${encodeURIComponent("name='queued script'")}`)).body.resource;
const addItem = (options: Parameters<typeof ask>[2] = {}) =>
  ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'one' }] }, ...options });
/** Makes what waits due, and has it looked for. */
const hurry = async () => {
  const run_at = new Date().toISOString();
  await platform.store.db.updateTable('job').set({ run_at }).where('name', '=', 'queued script').execute();
  await platform.store.bus.publish({ table: 'job' });
};
const post = 'shop._table.item.post.queued';

describe('a script named .queued', () => {
  it('runs after the call, with its request and response, and its result is ignored', async () => {
    await save(
      post,
      `note([event.request.method, event.request.payload.resource[0].name, event.response.status_code,
        typeof event.response.content.resource[0].id, event.resource]);
      return { response: { content: 'other' } };`,
      { allow_event_modification: true },
    );
    expect((await addItem()).body.resource[0].id).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await notes()).toEqual([['POST', 'one', 200, 'number', 'item']]), 5_000);
    await vi.waitFor(async () => expect(await jobs()).toEqual([]));
    expect((await ask('GET', 'shop/_table/note')).body.resource[0].by).toBe('ada@example.com');
  });

  it('gives way to a plain one of the same event', async () => {
    await save(post, "note('queued');");
    await save('shop._table.item.post', "note('plain');");
    await addItem();
    expect(await notes()).toEqual(['plain']);
    expect(await jobs()).toEqual([]);
    await ask('PATCH', 'system/event_script/shop._table.item.post', { body: { is_active: false } });
    await addItem();
    await vi.waitFor(async () => expect(await notes()).toEqual(['plain', 'queued']), 5_000);
  });

  it('runs when a call failed, too, and is not fired for a call that may not be made', async () => {
    await save('shop._table.item.{id}.get.queued', 'note(1);');
    await save('shop._table.{table_name}.{id}.get.queued', 'note(event.response.status_code);');
    expect((await ask('GET', 'shop/_table/item/999')).status).toBe(404);
    await vi.waitFor(async () => expect((await notes()).sort()).toEqual([1, 404]), 5_000);
    await vi.waitFor(async () => expect(await jobs()).toEqual([]));
    expect((await ask('GET', 'shop/_table/item/999', { token: null })).status).toBe(400);
    expect(await jobs()).toEqual([]);
  });

  it('waits for its delay, and names its script in the list of jobs', async () => {
    await save(post, "note('late');", { config: { delay: '600', connection: 'redis', queue: 'low' } });
    await addItem();
    const [job] = await jobs();
    expect(job).toMatchObject({ state: 'waiting', subject: post, attempts: 0 });
    const seconds = (Date.parse(job.run_at) - Date.now()) / 1_000;
    expect(Math.round(seconds / 10)).toBe(60);
    expect(await notes()).toEqual([]);
  });

  it('does not run once it is deleted', async () => {
    await save(post, "note('never');", { config: { delay: 600 } });
    await addItem();
    await ask('DELETE', `system/event_script/${post}`);
    await hurry();
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), 8_000);
    expect(await notes()).toEqual([]);
  });

  it('keeps no token, key or cookie of its caller, and no longer content than a job holds', async () => {
    await save(
      post,
      'note([event.request.headers, event.request.parameters, event.request.uri, event.request.payload, event.response]);',
    );
    await addItem({
      headers: { cookie: 'a=b', authorization: 'Basic x', 'x-mine': 'yes' },
      body: { resource: [{ name: 'x'.repeat(250), by: 'y'.repeat(100) }] },
    });
    await ask('POST', 'shop/_table/item?session_token=&api_key=secret&fields=*', {
      body: { resource: Array.from({ length: 700 }, () => ({ name: 'x'.repeat(250) })) },
    });
    await vi.waitFor(async () => expect(await notes()).toHaveLength(2), 8_000);
    const found = (await notes()) as [Record<string, string>, unknown, string, unknown, { content: unknown }][];
    const [short, long] = found.sort((a, b) => a[2].length - b[2].length);
    expect(Object.keys(short![0])).toContain('x-mine');
    for (const header of ['cookie', 'authorization', 'x-dreamfactory-session-token'])
      expect(Object.keys(short![0])).not.toContain(header);
    expect(short![4].content).not.toBeNull();
    expect([long![1], long![2]]).toEqual([{ fields: '*' }, '/api/v2/shop/_table/item?fields=*']);
    expect([long![3], long![4].content]).toEqual([null, null]);
  });
});

describe('a queued script that fails', () => {
  it('leaves its call alone, is tried three times, and is given up with its reason', async () => {
    await save(post, "throw 'no luck';");
    expect((await addItem()).status).toBe(200);
    for (const [attempts, state] of [
      [1, 'waiting'],
      [2, 'waiting'],
      [3, 'failed'],
    ]) {
      await vi.waitFor(
        async () => expect((await jobs())[0]).toMatchObject({ attempts, state, error: 'no luck' }),
        8_000,
      );
      if (state === 'waiting') await hurry();
    }
  });

  it('is given up at once where it was ended by a bound', async () => {
    await save(post, "note('x'); platform.store.set('a', 'x'.repeat(1100000));");
    await addItem();
    await vi.waitFor(async () => expect((await jobs())[0]).toMatchObject({ state: 'failed', attempts: 1 }), 8_000);
    expect((await jobs())[0].error).toContain('keeps values');
  });

  it('that leads to itself ends', async () => {
    await save(post, "note('again'); platform.api.post('shop/_table/item', { resource: [{ name: 'more' }] });");
    await addItem();
    await vi.waitFor(async () => {
      expect(await jobs()).toEqual([]);
      expect(await notes()).toHaveLength(5);
    }, 10_000);
    expect(await jobs()).toEqual([]);
  });
});

describe('the caller of a queued script', () => {
  /** A person with a role for an app; what they add runs `post` as them, later. */
  async function addAsPerson(name: string) {
    const { body: shop } = await ask('GET', "system/service?filter=name='shop'");
    const access = ['_table/item', '_table/note'].map((component) => ({
      ...{ service_id: shop.resource[0].id, component, verb_mask: 31, requestor_mask: 3 },
    }));
    const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: access });
    const app = await platform.create('app', { name, is_active: true, type: 0 });
    const user = await platform.create('user', {
      ...{ email: `${name}@example.com`, name, first_name: name, last_name: name, is_active: true },
      user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
    });
    await save(
      post,
      "const { status_code, content } = note('done'); if (status_code >= 400) throw content.error.message;",
      {
        config: { delay: 3_600 },
      },
    );
    const added = await addItem({
      token: await platform.tokenOf(user.id),
      key: String((app as Record<string, unknown>).api_key),
    });
    expect(added.status).toBe(200);
    expect(await jobs()).toHaveLength(1);
    return { role, app, user };
  }
  const runAndRead = async () => {
    await hurry();
    return vi.waitFor(async () => {
      const found = (await jobs()).filter(({ error }: { error: string | null }) => error !== null);
      expect(found).toHaveLength(1);
      return found[0];
    }, 8_000);
  };

  it('is the one who called', async () => {
    await addAsPerson('berta');
    await hurry();
    await vi.waitFor(async () => expect(await notes()).toEqual(['done']), 8_000);
    expect((await ask('GET', 'shop/_table/note')).body.resource[0].by).toBe('berta@example.com');
  });

  it('has to be active when it runs', async () => {
    const { user } = await addAsPerson('carl');
    await ask('PATCH', `system/user/${user.id}`, { body: { is_active: false } });
    expect(await runAndRead()).toMatchObject({ state: 'failed', attempts: 1, error: 'User is not active.' });
    expect(await notes()).toEqual([]);
  });

  it('has to have a key that is still good', async () => {
    const { app } = await addAsPerson('dora');
    expect((await ask('PATCH', `system/app/${app.id}?regenerate=true`, { body: {} })).status).toBe(200);
    expect(await runAndRead()).toMatchObject({ state: 'failed', error: expect.stringContaining('API key') });
    expect(await notes()).toEqual([]);
  });

  it('may do what their role allows by then', async () => {
    const { role } = await addAsPerson('emil');
    expect((await ask('PATCH', `system/role/${role.id}`, { body: { is_active: false } })).status).toBe(200);
    expect((await runAndRead()).error).toMatch(/Role|Access Forbidden/);
    expect(await notes()).toEqual([]);
  });
});

it('is done although the process is killed once the call is answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-queue-'));
  const start = () =>
    startProcess({
      ...{ SLUICE_DATA: folder, SLUICE_ADMIN_EMAIL: 'ada@example.com', SLUICE_ADMIN_PASSWORD: 'correct horse' },
    });
  const first = await start();
  const session = { email: 'ada@example.com', password: 'correct horse' };
  const { body } = await first.ask('POST', 'system/admin/session', { body: session });
  const token: string = body.session_token;
  const content = "platform.api.post('system/custom', { resource: [{ name: 'done', value: event.request.method }] });";
  const script = {
    name: 'system.environment.get.queued',
    type: 'v8js',
    content,
    is_active: true,
    config: { delay: 1 },
  };
  expect((await first.ask('POST', 'system/event_script', { token, body: { resource: [script] } })).status).toBe(201);
  expect((await first.ask('GET', 'system/environment', { token })).status).toBe(200);
  await first.stop('SIGKILL');
  const second = await start();
  await vi.waitFor(
    async () =>
      expect((await second.ask('GET', 'system/custom', { token })).body).toMatchObject({
        resource: [{ name: 'done', value: 'GET' }],
      }),
    { timeout: 10_000, interval: 200 },
  );
  await second.stop();
  rmSync(folder, { recursive: true });
}, 30_000);
