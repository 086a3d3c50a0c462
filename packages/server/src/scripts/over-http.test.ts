// Scripts around calls, through HTTP, by v8js, on a database that is really there.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 5 });
  const name = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', name);
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
    { name: 'price', type: 'decimal', precision: 10, scale: 2, allow_null: true },
  ];
  const made = await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'item', field }] } });
  expect(made.status).toBe(200);
  const filled = await ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'one' }, { name: 'two' }] } });
  expect(filled.status).toBe(200);
});
afterAll(() => platform.stop());

const written: string[] = [];
const save = async (name: string, content: string, more: Record<string, unknown> = {}) => {
  written.push(name);
  const body = { name, type: 'v8js', content, is_active: true, allow_event_modification: true, ...more };
  return ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body });
};
afterEach(async () => {
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
});

const get = 'shop._table.item.get';
const list = () => ask('GET', 'shop/_table/item');

describe('system/event_script', () => {
  it('SRV-043 POST on a name makes a script and then changes it', async () => {
    const first = await save('shop.get', 'a');
    expect([first.status, first.body]).toEqual([201, { name: 'shop.get' }]);
    const second = await save('shop.get', 'b');
    expect([second.status, second.body]).toEqual([200, { name: 'shop.get' }]);
    expect((await ask('GET', 'system/event_script/shop.get')).body).toMatchObject({
      ...{ name: 'shop.get', type: 'v8js', content: 'b', is_active: true, allow_event_modification: true },
      ...{ storage_service_id: null, storage_path: null, scm_repository: null, scm_reference: null },
    });
    expect((await ask('GET', 'system/event_script?as_list=true')).body).toEqual({ resource: ['shop.get'] });
  });

  it('POST on a name keeps to the version that was read, and makes one only where there is none', async () => {
    const path = 'system/event_script/shop.get';
    written.push('shop.get');
    const send = (content: string, headers: Record<string, string>) =>
      ask('POST', path, { body: { name: 'shop.get', type: 'v8js', content }, headers });
    const none = { 'If-None-Match': '*' };
    const made = await send('a', none);
    const version = String(made.headers.etag);
    expect([made.status, (await ask('GET', path)).headers.etag]).toEqual([201, version]);
    expect([(await send('b', none)).status, (await send('c', { 'If-Match': '"0-0"' })).status]).toEqual([412, 412]);
    const changed = await send('d', { 'If-Match': version });
    expect([changed.status, changed.headers.etag === version]).toEqual([200, false]);
    expect((await send('e', { 'If-Match': version })).status).toBe(412);
    expect((await ask('GET', path)).body.content).toBe('d');
    await ask('DELETE', path);
    expect((await send('f', { 'If-Match': version })).status).toBe(412);
  });

  it('SRV-043 refuses an empty body, an unknown name and an unknown type', async () => {
    const empty = await ask('POST', 'system/event_script/x.get', { body: {} });
    expect([empty.status, empty.body.error.message]).toEqual([400, expect.stringMatching(/^No record\(s\) detected/)]);
    const none = await ask('GET', 'system/event_script/none.get');
    expect(none.body.error.code).toBe(404);
    expect([none.status, none.body.error.message]).toEqual([404, "Record with identifier 'none.get' not found."]);
    expect((await save('x.get', '', { type: 'perl' })).status).toBe(400);
  });

  it('SRV-043 DELETE answers the name', async () => {
    await save('shop.get', 'a');
    expect((await ask('DELETE', 'system/event_script/shop.get')).body).toEqual({ name: 'shop.get' });
    expect((await ask('GET', 'system/event_script/shop.get')).status).toBe(404);
  });

  it('a script type that the operator switched off is a 503', async () => {
    const other = await startPlatform({ scriptsDisabled: 'nodejs' });
    const body = { name: 'a.get', type: 'nodejs', content: '' };
    const refused = await other.ask('POST', 'system/event_script/a.get', { body });
    expect([refused.status, refused.body.error.message]).toEqual([
      503,
      'Scripting with nodejs is disabled for this instance.',
    ]);
    await other.stop();
  });
});

describe('system/script_type and system/event', () => {
  it('SRV-043 names the languages', async () => {
    const { resource } = (await ask('GET', 'system/script_type')).body;
    const named = resource.map(({ name, label }: { name: string; label: string }) => [name, label]);
    expect(named).toEqual([
      ['nodejs', 'Node.js'],
      ['php', 'PHP'],
      ['python', 'Python'],
      ['v8js', 'V8js'],
    ]);
    expect((await ask('GET', 'system/script_type/v8js')).body).toEqual({
      ...{ name: 'v8js', label: 'V8js', description: expect.any(String) },
      ...{ sandboxed: true, supports_inline_execution: false, available: true, confinement: 'webassembly' },
    });
    const unknown = await ask('GET', 'system/script_type/x');
    expect([unknown.status, unknown.body.error.message]).toEqual([404, "Script engine type 'x' not found."]);
  });

  it('lists the events of a service, unwrapped, with the values of the first placeholder', async () => {
    const { body } = await ask('GET', 'system/event?service=shop&scriptable=true');
    expect(Object.keys(body)).toEqual(['shop']);
    expect(body.shop.shop.endpoints).toEqual([
      ...['shop.get', 'shop.get.pre_process', 'shop.get.post_process', 'shop.get.queued'],
    ]);
    expect(body.shop['shop._table.{table_name}']).toMatchObject({ type: 'api', parameter: { table_name: ['item'] } });
    expect(body.shop['shop._table.{table_name}'].endpoints).toContain('shop._table.{table_name}.patch.post_process');
  });

  it('lists names alone, and nothing of an unknown service', async () => {
    const { body } = await ask('GET', 'system/event?service=shop&as_list=true');
    expect(body.resource).toContain('shop._table.{table_name}.{id}.delete');
    expect(body.resource).not.toContain('shop.get.pre_process');
    expect((await ask('GET', 'system/event?service=nothing')).body).toEqual({});
  });
});

describe('before the operation', () => {
  it('a script changes parameters and payload', async () => {
    await save(`${get}.pre_process`, 'event.request.parameters.filter = "name=\'two\'";');
    expect((await list()).body.resource).toMatchObject([{ name: 'two' }]);
    await save('shop._table.item.post.pre_process', "event.request.payload.resource[0].name = 'changed';");
    const { body } = await ask('POST', 'shop/_table/item?fields=*', { body: { resource: [{ name: 'sent' }] } });
    expect(body.resource[0].name).toBe('changed');
    await ask('DELETE', `shop/_table/item/${body.resource[0].id}`);
  });

  it('without the right to change, a script changes nothing', async () => {
    await save(`${get}.pre_process`, 'event.request.parameters.filter = "id=0"; event.response = { content: 1 };', {
      allow_event_modification: false,
    });
    expect((await list()).body.resource).toHaveLength(2);
  });

  it('a response short-circuits the operation', async () => {
    await save(
      `${get}.pre_process`,
      'event.response = { content: { short: 1 }, status_code: 202, headers: { "X-Made": "y" } };',
    );
    const answer = await list();
    expect([answer.status, answer.body, answer.headers['x-made']]).toEqual([202, { short: 1 }, 'y']);
  });

  it('what a script returns without request or response changes nothing', async () => {
    await save(`${get}.pre_process`, 'return { anything: 1 };');
    expect((await list()).body.resource).toHaveLength(2);
  });

  it('a thrown object has its status, a text is a 500, and the operation is skipped', async () => {
    await save('shop._table.item.delete.pre_process', "throw { status_code: 403, message: 'No', code: 17 };");
    const refused = await ask('DELETE', 'shop/_table/item?force=true');
    expect([refused.status, refused.body.error.message, refused.body.error.code]).toEqual([403, 'No', 17]);
    await save(`${get}.pre_process`, "throw 'Not like this';");
    const failed = await list();
    expect([failed.status, failed.body.error.message]).toEqual([500, 'Not like this']);
    await save(`${get}.pre_process`, "return { error: { message: 'told' } };");
    expect((await list()).body.error.message).toBe('told');
    await save(`${get}.pre_process`, '');
    expect((await list()).body.resource).toHaveLength(2);
  });

  it('fires the name with the placeholder first, then the real one', async () => {
    await save('shop._table.{table_name}.get.pre_process', "event.request.parameters.filter = 'id=1';");
    await save(`${get}.pre_process`, 'event.response = { content: event.request.parameters };');
    expect((await list()).body).toEqual({ filter: 'id=1' });
  });

  it('stop_propagation keeps the further names from being fired', async () => {
    await save('shop._table.{table_name}.get.pre_process', 'event.stop_propagation = true;');
    await save(`${get}.pre_process`, "throw 'fired';");
    expect((await list()).status).toBe(200);
  });
});

describe('after the operation', () => {
  it('a script changes content, status and headers', async () => {
    await save(
      `${get}.post_process`,
      'event.response.content.added = event.response.content.resource.length; event.response.headers["X-Made"] = "y"; event.response.status_code = 203;',
    );
    const answer = await list();
    expect([answer.status, answer.body.added, answer.headers['x-made']]).toEqual([203, 2, 'y']);
  });

  it('runs when the operation failed, too', async () => {
    await save(
      'shop._table.{table_name}.get.post_process',
      'return { content: { was: event.response.status_code }, status_code: 200 };',
    );
    const answer = await ask('GET', 'shop/_table/missing');
    expect([answer.status, answer.body]).toEqual([200, { was: 404 }]);
  });

  it('a script that changes nothing leaves numbers as they are', async () => {
    await ask('PATCH', 'shop/_table/item/1', { body: { price: '0.10' } });
    const before = await list();
    await save(`${get}.post_process`, '');
    expect((await list()).text).toBe(before.text);
  });

  it('a script of the event itself changes nothing, and fails the call where it throws', async () => {
    await save(get, 'event.response.content = 1;');
    expect((await list()).body.resource).toHaveLength(2);
    await save(get, "throw 'late';");
    expect((await list()).status).toBe(500);
  });
});

describe('what a script has', () => {
  it('calls inside, as SCRIPT, with the session of the caller', async () => {
    await save(
      'shop.get.post_process',
      "const inner = platform.api.get('shop/_table/item', null, { parameters: { fields: 'name' } }); const none = platform.api.get('nothing/x'); return { content: [inner.content.resource, none.status_code, none.content.error.message, platform.session.user.is_sys_admin] };",
    );
    const { body } = await ask('GET', 'shop');
    expect(body).toEqual([[{ name: 'one' }, { name: 'two' }], 404, expect.stringContaining('nothing'), true]);
  });

  it('keeps values for its next run', async () => {
    await save(
      'shop.get.post_process',
      "const n = platform.store.get('n', 0) + 1; platform.store.set('n', n); return { content: n };",
    );
    expect([(await ask('GET', 'shop')).text, (await ask('GET', 'shop')).text]).toEqual(['1', '2']);
  });
});

describe('a bad script is no worse than a failed call', () => {
  const failsWith = async (content: string, message: RegExp) => {
    await save(`${get}.pre_process`, content);
    const failed = await list();
    expect([failed.status, failed.body.error.message]).toEqual([500, expect.stringMatching(message)]);
    await save(`${get}.pre_process`, '');
    expect((await list()).status).toBe(200);
  };

  it('an endless loop', () =>
    failsWith('for (;;) {}', /Script 'shop\._table\.item\.get\.pre_process' was ended.*5 seconds/));
  it('a script that calls itself', () =>
    failsWith("platform.api.get('shop/_table/item');", /Script '.*' was ended: more than 5 scripts called each other/));
  it('calls without end', () =>
    failsWith(
      "for (;;) platform.api.get('shop');",
      /Script '.*' was ended: the scripts of its call (made|took) more than/,
    ));
  it('output without end', () => failsWith("for (;;) print('x'.repeat(1000));", /it printed more than/));
  it('a way out by constructors', () =>
    failsWith(
      "const root = [].constructor.constructor('return this')(); if (typeof root.process !== 'undefined' || typeof root.fetch !== 'undefined') return 1; throw 'nothing there';",
      /nothing there/,
    ));
});
