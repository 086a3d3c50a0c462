// Dry runs and the last runs of scripts, through HTTP, by v8js.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 2 });
  const shop = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', shop);
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
  ];
  await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'item', field }] } });
  await ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'one' }, { name: 'two' }] } });
});
afterAll(() => platform.stop());

const save = (name: string, content: string) =>
  ask('POST', `system/event_script/${name}`, {
    body: { name, type: 'v8js', content, is_active: true, allow_event_modification: true },
  });
const remove = (name: string) => ask('DELETE', `system/event_script/${name}`);

const dry = (content: string, request: object, more: object = {}) =>
  ask('POST', 'system/event_script/_dry_run', {
    body: {
      script: {
        name: 'shop._table.item.get.pre_process',
        type: 'v8js',
        content,
        allow_event_modification: true,
        ...more,
      },
      request,
    },
  });
const list = { verb: 'GET', path: 'shop/_table/item?limit=1' };
const countItems = async () => (await ask('GET', 'shop/_table/item')).body.resource.length;

/** A token of a person whose role has these rows on `system`. */
async function personWith(access: { component: string; verb_mask: number }[]): Promise<string> {
  const stamp = Math.random().toString(36).slice(2);
  const rows = access.map((row) => ({ service_id: 1, requestor_mask: 3, ...row }));
  const role = await platform.create('role', {
    ...{ name: stamp, is_active: true, role_service_access_by_role_id: rows },
  });
  const app = await platform.create('app', { name: stamp, is_active: true });
  const person = await platform.create('user', {
    ...{ email: `${stamp}@example.com`, password: 'a good password', is_active: true },
    user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
  });
  keys.set(await platform.tokenOf(person.id), (app as unknown as { api_key: string }).api_key);
  return [...keys.keys()].at(-1) as string;
}
const keys = new Map<string, string>();
const askAs = (token: string, verb: string, path: string, body?: unknown) =>
  ask(verb, path, { token, key: keys.get(token) ?? '', ...(body === undefined ? {} : { body }) });

describe('a dry run', () => {
  it('shows the event before and after, and what the script would change', async () => {
    const { status, body } = await dry("event.request.parameters.filter = 'id=2'; print('seen');", list);
    expect(status).toBe(200);
    expect(body.before).toMatchObject({
      __tag__: 'exposed_event',
      request: { method: 'GET', parameters: { limit: '1' }, service: 'shop', resource: '_table/item' },
    });
    expect(body.before).not.toHaveProperty('response');
    expect(body.after.request.parameters).toEqual({ limit: '1', filter: 'id=2' });
    expect(body.effect).toEqual({
      request: { parameters: { from: { limit: '1' }, to: { limit: '1', filter: 'id=2' } } },
    });
    expect(body).toMatchObject({ outcome: 'done', log: 'seen', calls: [], store: [] });
    expect(body.milliseconds).toBeGreaterThanOrEqual(0);
  });

  it('without the right to change, shows what the script left and no effect', async () => {
    const { body } = await dry('event.request.method = "POST";', list, { allow_event_modification: false });
    expect([body.after.request.method, body.effect]).toEqual(['POST', {}]);
  });

  it('shows an answer in the place of the operation, and that of a script behind it', async () => {
    const before = await dry('event.response = { content: { a: 1 }, status_code: 202 };', list);
    expect(before.body.effect.response).toMatchObject({
      content: { from: null, to: { a: 1 } },
      status_code: { from: null, to: 202 },
    });
    const name = 'shop._table.item.get.post_process';
    const after = await dry('event.response.content.n = event.response.content.resource.length;', list, { name });
    expect(after.body.effect.response.content).toMatchObject({ to: { n: 1, resource: [{ name: 'one' }] } });
    const response = { status_code: 404, content: { typed: true } };
    const typed = await dry('return { content: event.response.content };', { ...list, response }, { name });
    expect([typed.body.before.response.status_code, typed.body.returned]).toEqual([404, { content: { typed: true } }]);
  });

  it('makes calls that read, shows all others, and does none of them', async () => {
    const target = `${platform.url}/healthz`;
    const script = `
      const items = platform.api.get('shop/_table/item').content.resource;
      const made = platform.api.post('shop/_table/item', { resource: [{ name: 'three' }] });
      platform.api.delete('shop/_table/item?force=true');
      platform.api.get('${target}');
      platform.store.set('kept', { a: 1 });
      return { items: items.length, made: made.status_code, kept: platform.store.get('kept'), none: platform.store.get('none') };`;
    const { body } = await dry(script, list);
    expect(body.returned).toEqual({ items: 2, made: 200, kept: { a: 1 }, none: null });
    expect(body.calls).toEqual([
      { verb: 'GET', path: 'shop/_table/item', status_code: 200, done: true },
      {
        ...{ verb: 'POST', path: 'shop/_table/item', payload: { resource: [{ name: 'three' }] } },
        ...{ status_code: null, done: false },
      },
      { verb: 'DELETE', path: 'shop/_table/item?force=true', status_code: null, done: false },
      { verb: 'GET', path: target, status_code: null, done: false },
    ]);
    expect(body.store).toEqual([
      { action: 'set', key: 'kept', value: { a: 1 }, done: false },
      { action: 'get', key: 'kept', value: { a: 1 }, done: false },
      { action: 'get', key: 'none', done: false },
    ]);
    expect(await countItems()).toBe(2);
    const rows = await platform.store.db.selectFrom('script_value').selectAll().execute();
    expect(rows).toEqual([]);
  });

  it('holds scripts of calls inside it to reading, too', async () => {
    await save('shop._table.item.get.pre_process', "platform.api.delete('shop/_table/item?force=true');");
    const { body } = await dry("return { n: platform.api.get('shop/_table/item').content.resource.length };", list, {
      name: 'shop.get.pre_process',
    });
    await remove('shop._table.item.get.pre_process');
    expect(body.returned).toEqual({ n: 2 });
    expect(body.calls.map(({ verb, done }: { verb: string; done: boolean }) => [verb, done])).toEqual([
      ['GET', true],
      ['DELETE', false],
    ]);
    expect(await countItems()).toBe(2);
  });

  it('an answer that a script service makes of calls that were not made is cached for nobody; a queued one is not queued', async () => {
    const content = "return { content: { made: platform.api.post('shop/_table/item', {}).status_code } };";
    const service = (name: string, config: object) =>
      platform.create('service', { name, label: name, type: 'v8js', is_active: true, config: { content, ...config } });
    await service('keeping', { cache_enabled: true, cache_ttl: 5 });
    await service('waiting', { queued: true });
    const script = `return { made: platform.api.get('keeping').content.made, queued: platform.api.get('waiting').status_code };`;
    const { body } = await dry(script, list);
    expect(body.returned).toEqual({ made: 200, queued: 200 });
    expect(body.calls.map(({ path, done }: { path: string; done: boolean }) => [path, done])).toEqual([
      ...[
        ['keeping', true],
        ['shop/_table/item', false],
        ['waiting', false],
      ],
    ]);
    // As a script asks, so that the key of the cache is the same.
    await save('shop.get.pre_process', "event.response = { content: platform.api.get('keeping').content };");
    const real = await ask('GET', 'shop');
    await remove('shop.get.pre_process');
    expect(real.body).toEqual({ made: 400 });
    const jobs = (await ask('GET', 'system/job')).text;
    expect(jobs).not.toContain('queued script');
  });

  it('a script that throws, and one that never ends, are shown as that', async () => {
    const thrown = await dry("print('a'); throw { status_code: 403, message: 'No' };", list);
    expect(thrown.body).toMatchObject({ outcome: 'failed', error: { status_code: 403, message: 'No' }, log: 'a' });
    expect([thrown.body.after, thrown.body.effect]).toEqual([null, {}]);
    const endless = await dry('for (;;) {}', list);
    expect(endless.body).toMatchObject({ outcome: 'timeout', error: { status_code: 500 } });
  });

  it('leaves nothing: no script, no run, no line of the log', async () => {
    const info = vi.spyOn(platform.log, 'info');
    await dry("print('dry');", list, { name: 'shop.patch.pre_process' });
    expect((await ask('GET', 'system/event_script/shop.patch.pre_process')).status).toBe(404);
    expect((await ask('GET', 'system/event_script/_runs?name=shop.patch.pre_process')).body).toEqual({ resource: [] });
    expect(info).not.toHaveBeenCalled();
    info.mockRestore();
  });

  it('refuses what it cannot read, with the fields at fault', async () => {
    const refused = await ask('POST', 'system/event_script/_dry_run', {
      body: { script: { name: 'a', type: 'perl' } },
    });
    expect([refused.status, Object.keys(refused.body.error.context)]).toEqual([400, ['type', 'path']]);
    await save('shop.get.post_process', "return { content: platform.api.post('system/event_script/_dry_run', {}) };");
    const inside = await ask('GET', 'shop');
    await remove('shop.get.post_process');
    expect(inside.body.content).toMatchObject({ error: { message: 'A script cannot start a dry run.' } });
  });
});

describe('the last runs', () => {
  const runs = async (name: string) => (await ask('GET', `system/event_script/_runs?name=${name}`)).body.resource;

  it('say when, how long, how it ended, for whom and what was printed; newest first', async () => {
    const name = 'shop._table.item.get.pre_process';
    await save(name, "print('hello'); if (event.request.parameters.fail) throw 'Not like this';");
    await ask('GET', 'shop/_table/item?limit=1');
    await ask('GET', 'shop/_table/item?fail=1');
    await remove(name);
    const [failed, done, ...others] = await runs(name);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({ name, type: 'v8js', outcome: 'failed', message: 'Not like this', log: 'hello' });
    expect(done).toEqual({
      ...{ name, type: 'v8js', outcome: 'done', log: 'hello' },
      ...{ started: expect.stringMatching(/^\d{4}-.*Z$/), milliseconds: expect.any(Number) },
      request: { verb: 'GET', path: 'shop/_table/item' },
      caller: { user: { id: 1, name: expect.any(String) }, app: null },
    });
    expect((await ask('GET', 'system/event_script/_runs')).body.resource).toContainEqual(done);
  });

  it('hide what the script knew: in lists, in the log, in messages', async () => {
    const info = vi.spyOn(platform.log, 'info');
    const name = 'user.session.post.post_process';
    await save(name, 'print(JSON.stringify(event)); throw event.request.payload.password;');
    const secret = 'a "very" good password';
    const person = { email: 'eve@example.com', password: secret, is_active: true };
    await platform.create('user', person);
    const refused = await ask('POST', 'user/session', { token: null, body: person });
    await remove(name);
    const [run] = await runs(name);
    expect(run.log).toContain('eve@example.com');
    expect(run.log).toContain('"session_token":"**********"');
    for (const text of [JSON.stringify(run), JSON.stringify(info.mock.calls), refused.text])
      expect(text).not.toMatch(/very|eyJ/);
    expect(refused.body.error.message).toBe('**********');
    info.mockRestore();
  });

  it('are bounded: twenty of a script, with the beginning of what it printed', async () => {
    const name = 'shop._table.item.get.pre_process';
    await save(name, "print('x'.repeat(100000));");
    for (let count = 0; count < 25; count++) await ask('GET', 'shop/_table/item');
    await remove(name);
    const list = await runs(name);
    expect([list.length, list[0].log.length]).toEqual([20, 16 * 1024]);
  });

  it('and dry runs are for those who may write scripts', async () => {
    const reader = await personWith([{ component: 'event_script/*', verb_mask: 1 }]);
    const runner = await personWith([
      { component: 'event_script/_runs', verb_mask: 1 },
      { component: 'event_script/_dry_run', verb_mask: 2 },
    ]);
    const writer = await personWith([
      { component: 'event_script/*', verb_mask: 3 },
      { component: 'event_script', verb_mask: 3 },
    ]);
    const body = { script: { name: 'shop.get.pre_process', type: 'v8js', content: 'return 5;' }, request: list };
    const statuses = async (token: string) => [
      (await askAs(token, 'GET', 'system/event_script/_runs')).status,
      (await askAs(token, 'POST', 'system/event_script/_dry_run', body)).status,
    ];
    expect(await statuses(reader)).toEqual([403, 403]);
    expect(await statuses(runner)).toEqual([403, 403]);
    expect(await statuses(writer)).toEqual([200, 200]);
    // Reads are made as the caller, who may not read the table.
    const inside = await askAs(writer, 'POST', 'system/event_script/_dry_run', {
      ...body,
      script: { ...body.script, content: "return { status: platform.api.get('shop/_table/item').status_code };" },
    });
    expect(inside.body.returned).toEqual({ status: 403 });
  });
});

it('administrators alone see what runs scripts and what confines them', async () => {
  const { body } = await platform.ask('GET', 'system/script_type/nodejs');
  expect(body).toMatchObject({ available: true, confinement: expect.stringMatching(/^(bubblewrap|user)$/) });
  const list = await platform.ask('GET', 'system/script_type?fields=name,confinement');
  expect(list.body.resource).toContainEqual({ name: 'v8js', confinement: 'webassembly' });
  const token = await personWith([{ component: 'script_type/*', verb_mask: 1 }]);
  const shown = await askAs(token, 'GET', 'system/script_type/nodejs');
  expect(Object.keys(shown.body)).toEqual(['name', 'label', 'description', 'sandboxed', 'supports_inline_execution']);
});

it('/metrics says of the types that were needed whether they run, and what confines them', async () => {
  await dry('', list);
  const page = (await ask('GET', '/metrics', { token: null })).text;
  expect(page).toContain('sluice_script_engine{type="v8js",confinement="webassembly"} 1');
});
