// What scripts are given beside the call itself: lookup keys, configuration and the body as it was sent, through HTTP
// (contract/event-scripts-and-script-services.md §4).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

let count = 0;
async function service(content: string): Promise<{ name: string; id: number }> {
  const name = `script${++count}`;
  const config = { content };
  const { id } = await platform.create('service', { name, label: name, type: 'v8js', is_active: true, config });
  return { name, id };
}

/** A person with a role and an app that may use a service, with lookup keys of each. */
async function caller(serviceId: number, lookups: Record<'role' | 'app' | 'user', object[]>, requestorMask = 3) {
  const stamp = `p${++count}`;
  const row = { service_id: serviceId, component: '*', verb_mask: 31, requestor_mask: requestorMask };
  const role = await platform.create('role', {
    ...{ name: stamp, is_active: true, role_service_access_by_role_id: [row] },
    lookup_by_role_id: lookups.role,
  });
  const app = await platform.create('app', { name: stamp, is_active: true, lookup_by_app_id: lookups.app });
  const person = await platform.create('user', {
    ...{ email: `${stamp}@example.com`, password: 'a good password', is_active: true },
    user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
    lookup_by_user_id: lookups.user,
  });
  return { token: await platform.tokenOf(person.id), key: (app as unknown as { api_key: string }).api_key };
}
const nothing = { role: [], app: [], user: [] };

describe('lookup keys', () => {
  it("those of the instance, the app and the role stand in the text, a person's own do not", async () => {
    for (const lookup of [
      { name: 'place', value: 'of the instance' },
      { name: 'both', value: 'of the instance' },
      { name: 'hidden', value: 'a private value', private: true },
    ])
      await platform.create('lookup', lookup);
    const { name, id } = await service(`return { content: {
      text: ['{place}', '{both}', '{hidden}', '{mine}', '{unknown}', '{ place }'],
      lookup: platform.session.lookup, secret: platform.session.lookup_secret } };`);
    const jo = await caller(id, {
      app: [{ name: 'both', value: 'of the app' }],
      role: [{ name: 'place', value: 'of the role' }],
      user: [
        { name: 'place', value: 'of Jo' },
        { name: 'mine', value: 'of Jo' },
        { name: 'pin', value: 'the pin of Jo', private: true },
      ],
    });
    expect((await ask('GET', name, jo)).body).toEqual({
      text: ['of the role', 'of the app', 'a private value', '{mine}', '{unknown}', '{ place }'],
      lookup: { place: 'of Jo', both: 'of the app', mine: 'of Jo' },
      secret: { hidden: 'a private value', pin: 'the pin of Jo' },
    });
  });

  it('abuse: a value that could end a text in any of the languages is data of the session alone', async () => {
    const values = [`'); evil('`, '"', '`', '\\', '$' + '{1}', '{x}', 'a\nb', 'a\u2028b', '*/', '?>'];
    for (const [index, value] of values.entries()) await platform.create('lookup', { name: `nasty${index}`, value });
    const { name } = await service(`return { content: {
      text: [${values.map((_, index) => `'{nasty${index}}'`).join(', ')}],
      data: [${values.map((_, index) => `platform.session.lookup.nasty${index}`).join(', ')}] } };`);
    const { body } = await ask('GET', name);
    expect(body).toEqual({ text: values.map((_, index) => `{nasty${index}}`), data: values });
  });

  it('a change of a key is in the next run; a private value is in no log, list or message', async () => {
    const secret = await platform.create('lookup', { name: 'turning', value: 'first value', private: true });
    const { name } = await service(`console.log('{turning}'); throw 'with {turning}';`);
    expect((await ask('GET', name)).body.error.message).toBe('with **********');
    await ask('PATCH', `system/lookup/${secret.id}`, { body: { value: 'second value' } });
    expect((await ask('GET', name)).body.error.message).toBe('with **********');
    const { resource } = (await ask('GET', `system/event_script/_runs?name=service.${name}`)).body;
    expect(resource.map(({ log, message }: { log: string; message: string }) => [log, message])).toEqual([
      ['**********\n', 'with **********'],
      ['**********\n', 'with **********'],
    ]);
    const changed = await service(`return { content: '{turning}'.length };`);
    expect((await ask('GET', changed.name)).body).toBe('second value'.length);
  });
});

it('platform.config has what everybody who is signed in sees of the environment', async () => {
  const { name } = await service('return { content: platform.config };');
  const { platform: shared, server, config } = (await ask('GET', 'system/environment')).body;
  const { version, license, bitnami_demo, is_hosted, secured_package_export } = shared;
  expect((await ask('GET', name)).body).toEqual({
    df: { version: '2.16.1', api_version: '2.0' },
    ...{ platform: { version, license, bitnami_demo, is_hosted, secured_package_export }, server, config },
  });
});

it('abuse: a script token that a caller brings along makes no script of them', async () => {
  const { name, id } = await service('return { content: platform.session.requestor };');
  const forScripts = await caller(id, nothing, 2);
  const sent: Record<string, string>[] = [{}, { 'X-DreamFactory-Script-Token': 'made-up' }];
  for (const headers of sent) expect((await ask('GET', name, { ...forScripts, headers })).status).toBe(403);
  expect((await ask('GET', `${name}?script_token=made-up`, forScripts)).status).toBe(403);
  const forCallers = await caller(id, nothing, 1);
  const headers = { 'X-DreamFactory-Script-Token': 'made-up' };
  expect((await ask('GET', name, { ...forCallers, headers })).body).toBe('API');
});

describe('the body as it was sent', () => {
  const shown = async (body: string | Uint8Array, type: string, options: object = {}) => {
    const { name } = await service('return { content: [event.request.content, event.request.payload] };');
    return (await ask('POST', name, { body, headers: { 'content-type': type }, ...options })).body;
  };

  it.each([
    ['JSON with its blanks, order and digits', '{ "b": 1.0,\n"a" : 0.10 }', 'application/json'],
    ['JSON of many kinds', '{"__proto__":{"a":1},"u":"\u2028","e":{},"l":[]}', 'application/json; charset=utf-8'],
    ['a form', 'a=1&b=%20x+y&a=2', 'application/x-www-form-urlencoded'],
    ['CSV', 'a,b\r\n1,"x, y"\r\n', 'text/csv'],
    ['XML', '<resource><a>1</a></resource>', 'application/xml'],
    ['a text', 'any text', 'text/plain'],
  ])('%s', async (_what, text, type) => {
    expect((await shown(text, type))[0]).toBe(text);
  });

  it('bytes that are no text are base64, and one of more than a MiB is made again of what was read', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
    expect(await shown(bytes, 'image/png')).toEqual([bytes.toString('base64'), null]);
    const { name } = await service('return { content: event.request.content };');
    const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.png"\r\n\r\n';
    const parts = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await ask('POST', name, { body: parts, headers })).body).toBe(parts.toString('base64'));
    const long = `{ "a": "${'x'.repeat(1024 * 1024)}" }`;
    const sent = await ask('POST', name, { body: long, headers: { 'content-type': 'application/json' } });
    expect(sent.body).toBe(JSON.stringify(JSON.parse(long)));
  });

  it('a key in the body does not take it away', async () => {
    const { name, id } = await service('return { content: event.request.content };');
    const { key, token } = await caller(id, nothing);
    const text = `{ "api_key": "${key}", "session_token": "${token}", "n": 1 }`;
    const headers = { 'content-type': 'application/json' };
    expect((await ask('POST', name, { token: null, body: text, headers })).body).toBe(text);
  });

  it('content that a script changed is read by its type', async () => {
    await platform.create('service', {
      ...{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } },
    });
    const field = [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string' },
    ];
    await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'item', field }] } });
    const event = 'shop._table.item.post.pre_process';
    const content = `event.request.content = event.request.content.replace('tea', 'coffee');`;
    await ask('POST', `system/event_script/${event}`, {
      body: { name: event, type: 'v8js', content, is_active: true, allow_event_modification: true },
    });
    for (const [body, type] of [
      ['name\ntea\n', 'text/csv'],
      ['{"resource":[{"name":"tea"}]}', 'application/json'],
      ['<resource><name>tea</name></resource>', 'application/xml'],
    ] as const) {
      const answer = await ask('POST', 'shop/_table/item?fields=name', { body, headers: { 'content-type': type } });
      expect([type, answer.status, answer.body]).toEqual([type, 200, { resource: [{ name: 'coffee' }] }]);
    }
  });
});
