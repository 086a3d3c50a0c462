// What scripts change of a call is what is done, what they leave stays as it was, and a slow or greedy one is its own callers'
// matter: through HTTP, by v8js (contract/event-scripts-and-script-services.md §1, §5, §6).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 20 });
  const shop = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', shop);
  const content = 'return { content: event.request };';
  await platform.create('service', {
    ...{ name: 'echo', label: 'Echo', type: 'v8js', is_active: true, config: { content } },
  });
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string', allow_null: true },
    { name: 'price', type: 'decimal', precision: 10, scale: 2, allow_null: true },
    { name: 'big', type: 'bigint', allow_null: true },
  ];
  await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'item', field }] } });
});
afterAll(() => platform.stop());

const written: string[] = [];
async function save(name: string, content: string): Promise<void> {
  written.push(name);
  const body = { name, type: 'v8js', content, is_active: true, allow_event_modification: true };
  const { status, text } = await ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body });
  expect(status, text).toBeLessThan(300);
}
afterEach(async () => {
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
  await ask('DELETE', 'shop/_table/item?force=true');
});

const names = async () =>
  (await ask('GET', 'shop/_table/item?order=id')).body.resource.map(({ name }: { name: string }) => name);

describe('what a script before the operation changes is what is done:', () => {
  it.each([
    ['the payload, whole', "event.request.payload = { resource: [{ name: 'a' }, { name: 'b' }] };", ['a', 'b']],
    ['the payload, a bare list', "event.request.payload = [{ name: 'a' }];", ['a']],
    ['a key of it', "event.request.payload.resource[0].name = 'key';", ['key']],
    ['a record that is added', "event.request.payload.resource.push({ name: 'more' });", ['sent', 'more']],
    ['the content', `event.request.content = '{"resource":[{"name":"content"}]}';`, ['content']],
    [
      'the payload, where the content is changed, too',
      `event.request.payload = { resource: [{ name: 'payload' }] }; event.request.content = '{"resource":[{"name":"content"}]}';`,
      ['payload'],
    ],
    [
      'a request that is returned',
      "return { request: { payload: { resource: [{ name: 'returned' }] } } };",
      ['returned'],
    ],
    ['nothing', 'event.request.uri = "/elsewhere"; event.resource = "other";', ['sent']],
    ['the verb, which is another operation then', "event.request.method = 'GET'; event.request.payload = null;", []],
  ])('%s', async (_what, content, expected) => {
    await save('shop._table.item.post.pre_process', content);
    const { status, text } = await ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'sent' }] } });
    expect(status, text).toBeLessThan(300);
    expect(await names()).toEqual(expected);
  });

  it.each([
    ['a bare record', '{"name":"sent"}', 'application/json', "event.request.payload.name = 'new';"],
    [
      'a wrapped record',
      '{"resource":{"name":"sent"}}',
      'application/json',
      "event.request.payload = { name: 'new' };",
    ],
    ['a form', 'name=sent', 'application/x-www-form-urlencoded', "event.request.payload.name = 'new';"],
    ['the content of a form', 'name=sent', 'application/x-www-form-urlencoded', "event.request.content = 'name=new';"],
    ['XML', '<record><name>sent</name></record>', 'application/xml', "event.request.payload = { name: 'new' };"],
  ])('%s', async (_what, body, type, content) => {
    const [{ id }] = (await ask('POST', 'shop/_table/item', { body: [{ name: 'old' }] })).body.resource;
    await save('shop._table.item.{id}.patch.pre_process', content);
    const answer = await ask('PATCH', `shop/_table/item/${id}`, { body, headers: { 'content-type': type } });
    expect([answer.status, await names()]).toEqual([200, ['new']]);
  });

  it('CSV, as its records', async () => {
    await save('shop._table.item.post.pre_process', "event.request.payload.resource[1].name = 'new';");
    const headers = { 'content-type': 'text/csv' };
    const { status, text } = await ask('POST', 'shop/_table/item', { body: 'name\na\nb\n', headers });
    expect([status, text, await names()]).toEqual([200, expect.any(String), ['a', 'new']]);
  });

  it('parameters: filter, fields, limit, and one that is taken away', async () => {
    await ask('POST', 'shop/_table/item', { body: { resource: ['a', 'b', 'c'].map((name) => ({ name })) } });
    await save(
      'shop._table.item.get.pre_process',
      `const { parameters } = event.request; parameters.filter = "name > 'a'"; parameters.fields = 'name'; parameters.limit = 1; delete parameters.offset;`,
    );
    const { body } = await ask('GET', 'shop/_table/item?limit=3&offset=2');
    expect(body.resource).toEqual([{ name: 'b' }]);
  });

  it('headers: one set, one changed, one taken away, in any letter case', async () => {
    await save(
      'echo.get.pre_process',
      "const { headers } = event.request; headers['X-Set'] = 'set'; headers['x-changed'] = 'new'; delete headers['x-gone'];",
    );
    const { body } = await ask('GET', 'echo', { headers: { 'X-Changed': 'old', 'X-Gone': 'here', 'X-Kept': 'kept' } });
    expect(body.headers).toMatchObject({ 'x-set': 'set', 'x-changed': 'new', 'x-kept': 'kept' });
    expect(body.headers).not.toHaveProperty('x-gone');
  });

  it('a verb that the caller may not use is refused', async () => {
    const [{ id: shopId }] = (await ask('GET', 'system/service?filter=name=shop')).body.resource;
    const row = { service_id: shopId, component: '_table/item', verb_mask: 1, requestor_mask: 3 };
    const role = await platform.create('role', {
      ...{ name: 'reader', is_active: true, role_service_access_by_role_id: [row] },
    });
    const app = await platform.create('app', { name: 'reader', is_active: true, role_id: role.id });
    const key = (app as unknown as { api_key: string }).api_key;
    await ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'kept' }] } });
    await save(
      'shop._table.item.get.pre_process',
      "event.request.method = 'DELETE'; event.request.parameters.force = true;",
    );
    expect((await ask('GET', 'shop/_table/item', { token: null, key })).status).toBe(401);
    for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${name}`);
    expect(await names()).toEqual(['kept']);
  });
});

it('what no script touched stays as it was: digits, nulls, large numbers, through scripts on all steps', async () => {
  const record =
    '{"resource":[{"name":"\u2028 <é> __proto__","price":0.10,"big":"1161380288898609914"},{"name":null}]}';
  const headers = { 'content-type': 'application/json' };
  const write = () => ask('POST', 'shop/_table/item?fields=name,price,big', { body: record, headers });
  const plain = (await write()).text;
  for (const step of ['post.pre_process', 'post.post_process', 'post']) await save(`shop._table.item.${step}`, '');
  expect((await write()).text).toBe(plain);
  expect(plain).toContain('1161380288898609914');
});

describe('events', () => {
  const note = (text: string) =>
    `event.request.headers['x-order'] = (event.request.headers['x-order'] || '') + '${text}';`;

  it('are fired in both spellings, each with one script, as lists have it first', async () => {
    await save('system.role.{id}.get.pre_process', note('listed '));
    await save(
      'system.role.get.pre_process',
      `${note('older')} event.response = { content: { order: event.request.headers['x-order'] } };`,
    );
    expect((await ask('GET', 'system/role/1')).body).toEqual({ order: 'listed older' });
    // The list has one name alone.
    expect((await ask('GET', 'system/role')).body).toEqual({ order: 'older' });
  });

  it('of fields are fired in both spellings, too', async () => {
    await save('shop._schema.{table_name}._field.get.pre_process', note('listed '));
    await save(
      'shop._schema.item.{field}.get.pre_process',
      `${note('older')} event.response = { content: { order: event.request.headers['x-order'] } };`,
    );
    const short = await ask('GET', 'shop/_schema/item/name');
    expect(short.body).toEqual({ order: 'older' });
  });

  it('stop_propagation ends one step of an event, and no other step', async () => {
    await save(
      'shop._table.{table_name}.get.post_process',
      'event.stop_propagation = true; event.response.content.seen = 1; return event;',
    );
    await save('shop._table.item.get.post_process', "throw 'not reached';");
    await save('shop._table.item.get', 'throw { status_code: 409, message: "reached" };');
    const answer = await ask('GET', 'shop/_table/item');
    expect([answer.status, answer.body.error.message]).toEqual([409, 'reached']);
  });

  it('an exception of a script behind a write fails the call; what was written stays', async () => {
    for (const step of ['post.post_process', 'post']) {
      await save(`shop._table.item.${step}`, "throw { status_code: 422, message: 'late' };");
      const answer = await ask('POST', 'shop/_table/item', { body: { resource: [{ name: step }] } });
      expect([answer.status, answer.body.error.message], step).toEqual([422, 'late']);
      for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${name}`);
    }
    expect(await names()).toEqual(['post.post_process', 'post']);
  });

  it('an exception before a write keeps all records of the call unwritten, and the script behind it sees the refusal', async () => {
    await save(
      'shop._table.item.post.pre_process',
      "if (event.request.payload.resource[1].name === 'bad') throw 'no';",
    );
    await save(
      'shop._table.item.post.post_process',
      'return { content: { was: event.response.content.error.message }, status_code: 200 };',
    );
    const answer = await ask('POST', 'shop/_table/item', { body: { resource: [{ name: 'good' }, { name: 'bad' }] } });
    expect([answer.status, answer.body, await names()]).toEqual([200, { was: 'no' }, []]);
  });

  it('are not fired where the role refuses the call', async () => {
    await save('shop._table.item.get.pre_process', 'event.response = { content: 1 };');
    await save('shop._table.item.get.post_process', 'return { content: 1, status_code: 200 };');
    expect((await ask('GET', 'shop/_table/item', { token: null })).status).toBe(400);
  });
});

describe('abuse:', () => {
  it('abuse: a script makes 500 calls and no more', async () => {
    await save(
      'shop.get.pre_process',
      "for (let n = 0; n < 500; n++) platform.api.get('echo'); event.response = { content: { n: 500 } };",
    );
    expect((await ask('GET', 'shop')).body).toEqual({ n: 500 });
    await save(
      'shop.get.pre_process',
      "for (let n = 0; n < 501; n++) platform.api.get('echo'); event.response = { content: 1 };",
    );
    const refused = await ask('GET', 'shop');
    expect([refused.status, refused.body.error.message]).toEqual([500, expect.stringMatching(/more than 500 calls/)]);
  });

  it('abuse: fifty slow calls of one caller leave calls without scripts, and scripts of others, their place', async () => {
    await save('shop.get.pre_process', 'sleep(0.4); event.response = { content: { slow: 1 } };');
    const person = await platform.create('admin', {
      email: 'second@example.com',
      password: 'a good password',
      is_active: true,
    });
    const token = await platform.tokenOf(person.id);
    // One of each beforehand: what a first call costs is no matter here.
    await ask('GET', 'shop');
    let done = 0;
    const slow = Array.from({ length: 50 }, async () => {
      const { status } = await ask('GET', 'shop');
      done += 1;
      return status;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await ask('GET', 'shop/_table/item', { token })).status).toBe(200);
    expect(done).toBeLessThan(25);
    expect((await ask('GET', 'shop', { token })).body).toEqual({ slow: 1 });
    expect(done).toBeLessThan(50);
    expect(new Set(await Promise.all(slow))).toEqual(new Set([200]));
  });
});
