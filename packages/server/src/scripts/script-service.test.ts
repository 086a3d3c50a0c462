// Script services, through HTTP (contract/event-scripts-and-script-services.md §7).
import type { ScriptTypeName } from '@sluice/contract';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../settings/index.ts';
import { engineTypes } from './engines/index.ts';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 5 });
});
afterAll(() => platform.stop());

let count = 0;
/** Makes a service of a script; answers its name and its id. */
async function service(content: string, config: object = {}, definition?: { content: string; format: number }) {
  const name = `script${++count}`;
  const doc = definition ? { service_doc_by_service_id: definition } : {};
  const record = {
    name,
    label: `Script ${count}`,
    type: 'v8js',
    is_active: true,
    config: { content, ...config },
    ...doc,
  };
  const { id } = await platform.create('service', record, 'service_doc_by_service_id');
  return { name, id };
}
/** The answer of a service made of a script. */
async function answerOf(content: string, path = '', options: Parameters<typeof ask>[2] & { verb?: string } = {}) {
  const { name } = await service(content);
  return ask(options.verb ?? 'GET', `${name}${path}`, options);
}
/** A key of an app with a role. */
async function keyWith(rows: object[], name = `role${++count}`): Promise<string> {
  const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: rows });
  const app = await platform.create('app', { name, type: 0, is_active: true, role_id: role.id });
  return (app as unknown as { api_key: string }).api_key;
}

describe('a call', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s reaches the script at any address', async (verb) => {
    const { name } = await service('return [event.request.method, event.resource, event.request.resource]');
    for (const path of ['', '/a', '/a/b c/', '/_table/x/1'])
      expect((await ask(verb, `${name}${path.replace(' ', '%20')}`)).body).toEqual(
        path === '/a/b c/' ? [verb, 'a/b c/', 'a/b c/'] : [verb, path.slice(1), path.slice(1)],
      );
  });

  it('a script sees the request as the contract says, and a response to fill in', async () => {
    const { body } = await answerOf('return { event: event }', '/sub?x=1', {
      ...{ verb: 'POST', body: { a: [1] }, headers: { 'X-Mine': 'yes' } },
    });
    expect(body.event).toMatchObject({
      ...{ __tag__: 'exposed_event', resource: 'sub' },
      request: {
        ...{ api_version: '2.0', method: 'POST', parameters: { x: '1' }, payload: { a: [1] }, content: '{"a":[1]}' },
        ...{ content_type: 'application/json', service: `script${count}`, resource: 'sub' },
        ...{ headers: { 'x-mine': 'yes' }, uri: `/api/v2/script${count}/sub?x=1` },
      },
      response: { content: null, content_type: null, status_code: 200 },
    });
  });

  it('HEAD has the headers of GET; nothing is a 405', async () => {
    const { name } = await service("return { content: 'hello', content_type: 'text/plain', headers: { 'X-A': '1' } }");
    const { status, text, headers } = await ask('HEAD', `${name}/x`);
    expect([status, text, headers['x-a'], headers['content-length']]).toEqual([200, '', '1', '5']);
    expect((await ask('OPTIONS', `${name}/x`)).status).not.toBe(500);
  });
});

describe('what a script returns', () => {
  it.each([
    ['a value is the body', 'return { sum: 3 }', 200, { sum: 3 }],
    ['a list', 'return [1, "a"]', 200, [1, 'a']],
    ['a number', 'return 5', 200, 5],
    ['a text alone is JSON', 'return "a \\"text\\""', 200, 'a "text"'],
    ['`response` of it', 'return { response: { content: { a: 1 }, status_code: 201 }, other: 1 }', 201, { a: 1 }],
    ['`response` without content is the body', 'return { response: { a: 1 } }', 200, { a: 1 }],
    ['`response` that is no object', 'return { response: "x" }', 200, 'x'],
    ['`content` of it', 'return { content: { a: 1 }, status_code: 202 }', 202, { a: 1 }],
    ['`content` that is a text without a type is JSON', 'return { content: "x" }', 200, 'x'],
    [
      'nothing: the response of the event',
      'event.response.content = { a: 2 }; event.response.status_code = 203;',
      203,
      { a: 2 },
    ],
    ['nothing at all', 'var x = 1;', 200, null],
    ['a status that is none counts as 200', 'return { content: 1, status_code: 99 }', 200, 1],
    ['a status of errors may be sent', 'return { content: { no: true }, status_code: 404 }', 404, { no: true }],
  ])('%s', async (_title, content, status, expected) => {
    const reply = await answerOf(content);
    expect([reply.status, reply.body]).toEqual([status, expected]);
  });

  it('a text with a type is sent as it is', async () => {
    const { status, text, headers } = await answerOf(
      "return { content: '<b>é</b>', content_type: 'text/html; charset=utf-8', status_code: 201, headers: { 'X-One': 'a', 'X-Two': 2 } }",
    );
    expect([status, text, headers['content-type']]).toEqual([201, '<b>é</b>', 'text/html; charset=utf-8']);
    expect([headers['x-one'], headers['x-two'], headers['x-content-type-options']]).toEqual(['a', '2', 'nosniff']);
    expect(headers['content-security-policy']).toBe('sandbox');
  });

  it('a page of a script runs nothing in the name of the console, unless the script has a policy of its own', async () => {
    const page = (headers: string) =>
      `return { content: '<script>1</script>', content_type: 'text/html', headers: ${headers} }`;
    const policyOf = async (headers: string) => (await answerOf(page(headers))).headers['content-security-policy'];
    expect(await policyOf('{}')).toBe('sandbox');
    expect(await policyOf("{ 'content-security-policy': \"default-src 'none'\" }")).toBe("default-src 'none'");
  });

  it.each([
    ["throw { status_code: 403, message: 'No', code: 7 }", 403, { code: 7, message: 'No' }],
    ["throw new Error('broken')", 500, { message: 'broken' }],
    ["return { error: 'not so' }", 500, { message: 'not so' }],
    ["return { error: { message: 'nor so' } }", 500, { message: 'nor so' }],
  ])('%s is an error', async (content, status, error) => {
    const reply = await answerOf(content);
    expect([reply.status, reply.body.error]).toEqual([status, expect.objectContaining(error)]);
  });

  it('an empty script answers nothing', async () => {
    expect((await answerOf('')).body).toBeNull();
  });
});

describe('abuse', () => {
  it.each([
    [
      'headers of the connection',
      "{ 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Connection: 'x', Trailer: 'a' }",
    ],
    ['names that are none', "{ 'a b': 1, 'x:': 2, '': 3, 'é': 4 }"],
    ['values with line breaks and signs', "{ 'x-a': 'a\\r\\nX-B: b', 'x-c': 'ž\\u0000', 'x-d': { e: 1 } }"],
  ])('%s harm no answer', async (_title, headers) => {
    const {
      status,
      body,
      headers: got,
    } = await answerOf(`return { content: { long: 'answer' }, headers: ${headers} }`);
    expect([status, body]).toEqual([200, { long: 'answer' }]);
    expect(got).not.toHaveProperty('x-b');
  });

  it.each(["'text/html\\r\\nX-B: b'", "'ž'", "' '", "'x'", '{}', '5'])('content type %s', async (type) => {
    const { status, text, headers } = await answerOf(`return { content: 'abc', content_type: ${type} }`);
    expect([status, text.replaceAll('"', '')]).toEqual([200, 'abc']);
    expect(headers).not.toHaveProperty('x-b');
  });

  it.each([204, 205, 304, 206, 599])('status %d with a content', async (status) => {
    const reply = await answerOf(`return { content: 'abc', content_type: 'text/plain', status_code: ${status} }`);
    expect(reply.status).toBe(status);
    expect((await ask('GET', 'system/environment')).status).toBe(200);
  });

  it('bodies come as they are parsed; one that is no text has no payload', async () => {
    const { name } = await service('return { payload: event.request.payload }');
    const send = async (body: string | Buffer, type: string) => {
      const { status, body: got } = await ask('POST', name, { body, headers: { 'content-type': type } });
      return [status, got.error ? got.error.message : got.payload];
    };
    expect(await send('<a>1</a>', 'text/plain')).toEqual([200, '<a>1</a>']);
    expect(await send('a=1&b=2', 'application/x-www-form-urlencoded')).toEqual([200, { a: '1', b: '2' }]);
    expect(await send(Buffer.from([0, 255, 1, 254]), 'image/png')).toEqual([200, null]);
    expect(await send(`"${'x'.repeat(1024 * 1024)}"`, 'application/json')).toEqual([
      200,
      expect.stringMatching(/^x{1048576}$/),
    ]);
    expect(await send('{"a":', 'application/json')).toEqual([400, expect.stringMatching(/^Malformed JSON/)]);
  });

  it('a huge answer is refused by its bound, and the next call is served', async () => {
    const { status, body } = await answerOf("return { a: 'x'.repeat(25 * 1024 * 1024) }");
    expect([status, body.error.message]).toEqual([500, expect.stringMatching(/longer than \d+ characters|memory/)]);
    expect((await answerOf('return 1')).body).toBe(1);
  });
});

describe('a script that lies in a file service', () => {
  const put = async (path: string, body: string) => {
    const { status } = await ask('POST', `files/${path}`, { body, headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(201);
  };
  const link = (path: string) => ({ content: '', storage_service_id: filesId, storage_path: path });
  let filesId = 0;
  beforeAll(async () => {
    filesId = (await ask('GET', 'system/service?filter=name=files&fields=id')).body.resource[0].id;
  });

  it('is loaded once, and again when its cache is cleared by its service or by its name (C-SVC-12, SVC-041)', async () => {
    await put('one.js', 'return 1');
    const { name } = await service('', link('one.js'));
    expect((await ask('GET', name)).body).toBe(1);
    await ask('PUT', 'files/one.js', { body: 'return 2', headers: { 'content-type': 'text/plain' } });
    expect((await ask('GET', name)).body).toBe(1);
    expect((await ask('DELETE', `system/cache/${name}`)).body).toEqual({ success: true });
    expect((await ask('GET', name)).body).toBe(2);
    await ask('PUT', 'files/one.js', { body: 'return 3', headers: { 'content-type': 'text/plain' } });
    expect((await ask('DELETE', `system/cache/_event/${name}`)).body).toEqual({ success: true });
    expect((await ask('GET', name)).body).toBe(3);
  });

  it('is an empty one while it is not there, which no cache keeps', async () => {
    const { name } = await service('', { ...link('later.js'), cache_enabled: true, cache_ttl: 5 });
    const first = await ask('GET', name);
    expect([first.status, first.body]).toEqual([200, null]);
    await put('later.js', 'return "there"');
    expect((await ask('GET', name)).body).toBe('there');
  });

  it('is loaded with the rights of the caller, also where another loaded it before', async () => {
    await put('rights.js', 'return "loaded"');
    const { name, id } = await service('', link('rights.js'));
    const own = { service_id: id, component: '*', verb_mask: 31, requestor_mask: 3 };
    const files = { service_id: filesId, component: '*', verb_mask: 1, requestor_mask: 3 };
    const [without, withFiles] = [await keyWith([own]), await keyWith([own, files])];
    const by = async (key: string) => (await ask('GET', name, { token: null, key })).body;
    expect([await by(without), await by(withFiles), await by(without)]).toEqual([null, 'loaded', null]);
  });
});

describe('the definition', () => {
  const definition = {
    format: 1,
    content: `
paths:
  /: {get: {}}
  /customers: {get: {}}
  /customers/{id}: {get: {}, put: {}}
  /customers/me: {get: {}}
  /a/{b}/item10/{c}: {get: {}}
  /a/{b}/item9: {get: {}}
`,
  };

  it('gives the access list, naturally sorted, with every level above', async () => {
    const { name } = await service('return "the script"', {}, definition);
    const { body } = await ask('GET', `${name}?as_access_list=true`);
    expect(body).toEqual({
      resource: [
        ...['', '*', 'a/*', 'a/{b}/*', 'a/{b}/item9', 'a/{b}/item10/*', 'a/{b}/item10/{c}'],
        ...['customers', 'customers/*', 'customers/me', 'customers/{id}'],
      ],
    });
    expect((await ask('GET', `${name}/customers?as_access_list=true`)).body).toBe('the script');
    expect((await ask('POST', `${name}?as_access_list=true`)).body).toBe('the script');
  });

  it('the access list is that of the script where it says so', async () => {
    const { name } = await service('return { resource: ["own"] }', { implements_access_list: true }, definition);
    expect((await ask('GET', `${name}?as_access_list=true`)).body).toEqual({ resource: ['own'] });
  });

  it('without one, the list names the service alone', async () => {
    const { name } = await service('return 1');
    expect((await ask('GET', `${name}?as_access_list=true`)).body).toEqual({ resource: ['', '*'] });
  });

  it('a caller sees what their role has verbs on', async () => {
    const { name, id } = await service('return 1', {}, definition);
    const key = await keyWith([
      { service_id: id, component: '', verb_mask: 1, requestor_mask: 1 },
      { service_id: id, component: 'customers/*', verb_mask: 1, requestor_mask: 1 },
    ]);
    const { body } = await ask('GET', `${name}?as_access_list=true`, { token: null, key });
    expect(body.resource).toEqual(['', '*', 'customers', 'customers/*', 'customers/me', 'customers/{id}']);
  });

  it('of a format that there is not is a 500 where it is served, and no hindrance to calls', async () => {
    const { name, id } = await service('return 1', {}, definition);
    await platform.store.db.updateTable('service_doc').set({ format: 7 }).where('service_id', '=', id).execute();
    await ask('DELETE', 'system/cache');
    const { status, body } = await ask('GET', `${name}?as_access_list=true`);
    expect([status, body.error.message]).toEqual([500, "Invalid API Doc Format '7'."]);
    expect((await ask('GET', `${name}/x`)).body).toBe(1);
  });

  it('a bomb of aliases is refused where it is served, and no hindrance to calls', async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`)}]`);
    const content = `paths: {/x: {get: {}}}\na0: &a0 [x]\n${levels.join('\n')}`;
    const { name } = await service('return 1', {}, { format: 1, content });
    const { status, body } = await ask('GET', `${name}?as_access_list=true`);
    expect([status, body.error.message]).toEqual([500, expect.stringMatching(/it holds more than 200000 values$/)]);
    expect((await ask('GET', `${name}/x`)).body).toBe(1);
    expect((await ask('GET', `system/event?service=${name}`)).body).toEqual({
      [name]: { [name]: expect.objectContaining({ type: 'api' }) },
    });
  });
});

describe('the events around it', () => {
  const written: string[] = [];
  /** A script that adds the name of its event and what it sees as the resource to a header. */
  async function listen(event: string) {
    written.push(event);
    const content = `event.response.headers['x-heard-' + ${written.length}] = JSON.stringify(['${event}', event.resource]);`;
    const body = { name: event, type: 'v8js', content, is_active: true, allow_event_modification: true };
    expect((await ask('POST', `system/event_script/${encodeURIComponent(event)}`, { body })).status).toBe(201);
  }
  const heard = async (path: string, verb = 'GET') =>
    Object.entries((await ask(verb, path)).headers)
      .filter(([name]) => name.startsWith('x-heard-'))
      .map(([, value]) => JSON.parse(value));

  it('are named after the service, or after the path of its definition that fits', async () => {
    const paths = ['/c/{id}', '/c/me', '/c/{id}/{part}/x'].map((path) => `  ${path}: {get: {}}`).join('\n');
    const { name } = await service('return { a: 1 }', {}, { format: 1, content: `paths:\n${paths}` });
    for (const event of ['', '.c.{id}', '.c.me', '.c.{id}.{part}.x']) await listen(`${name}${event}.get.post_process`);
    expect(await heard(name)).toEqual([[`${name}.get.post_process`, '']]);
    expect(await heard(`${name}/other/way`)).toEqual([[`${name}.get.post_process`, 'other/way']]);
    expect(await heard(`${name}/c/5`)).toEqual([[`${name}.c.{id}.get.post_process`, { '{id}': '5' }]]);
    expect(await heard(`${name}/c/me`)).toEqual([[`${name}.c.me.get.post_process`, '']]);
    expect(await heard(`${name}/c/5/6/x`)).toEqual([
      [`${name}.c.{id}.{part}.x.get.post_process`, { '{id}': '5', '{part}': '6' }],
    ]);
    expect(await heard(`${name}/c/5/6/y`)).toEqual([[`${name}.get.post_process`, 'c/5/6/y']]);
    expect(await heard(`${name}/c/5`, 'POST')).toEqual([]);
  });

  it('a template of many parts is matched, and an address of more leads to the service', async () => {
    const parts = Array.from({ length: 300 }, (_, at) => `{p${at}}`);
    const { name } = await service(
      'return event.resource.length',
      {},
      {
        format: 0,
        content: JSON.stringify({ paths: { [`/${parts.join('/')}`]: { get: {} } } }),
      },
    );
    const path = Array(300).fill('x').join('/');
    expect((await ask('GET', `${name}/${path}`)).body).toBe(599);
    expect((await ask('GET', `${name}/${path}/y`)).body).toBe(601);
  });

  it('are listed from the definition', async () => {
    const { name } = await service('return 1', {}, { format: 1, content: 'paths:\n  /a/{b}: {get: {}}' });
    expect(Object.keys((await ask('GET', `system/event?service=${name}`)).body[name])).toEqual([`${name}.a.{b}`]);
    const plain = await service('return 1');
    expect((await ask('GET', `system/event?service=${plain.name}&as_list=true`)).body.resource).toEqual(
      ['get', 'post', 'put', 'patch', 'delete'].map((verb) => `${plain.name}.${verb}`),
    );
  });
});

describe('the cache', () => {
  const cached = { cache_enabled: true, cache_ttl: 5 };
  const counting = `
    var n = (platform.store.get('n') || 0) + 1; platform.store.set('n', n);
    return { content: { n: n, user: platform.session.user ? platform.session.user.id : null }, status_code: Number(event.request.parameters.status || 200) };`;

  it('has answers of GET for a while, told apart by path and parameters without `_`', async () => {
    const { name } = await service(counting, cached);
    const n = async (path: string, verb = 'GET') => (await ask(verb, `${name}${path}`)).body.n;
    expect([await n(''), await n(''), await n('?_=1'), await n('?_=2')]).toEqual([1, 1, 1, 1]);
    expect([await n('?a=1'), await n('?a=1&_=3'), await n('?a=2'), await n('/x')]).toEqual([2, 2, 3, 4]);
    expect([await n('', 'POST'), await n('', 'DELETE'), await n('')]).toEqual([5, 6, 1]);
    expect((await ask('HEAD', name)).status).toBe(200);
    expect(await n('')).toBe(1);
  });

  it('keeps only what went well, with its status, its headers and its type', async () => {
    const { name } = await service(counting, cached);
    const of = async (status: number) => (await ask('GET', `${name}?status=${status}`)).body.n;
    expect([await of(404), await of(404), await of(500), await of(500), await of(302), await of(302)]).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect([await of(201), await of(201)]).toEqual([7, 7]);
    const text = await service(
      "return { content: String(Math.random()), content_type: 'text/plain; charset=utf-8', status_code: 202, headers: { 'X-A': 'b' } }",
      cached,
    );
    const [first, second] = [await ask('GET', text.name), await ask('GET', text.name)];
    expect(second.text).toBe(first.text);
    for (const { status, headers } of [first, second])
      expect([status, headers['x-a'], headers['content-type']]).toEqual([202, 'b', 'text/plain; charset=utf-8']);
  });

  it('is each caller’s own', async () => {
    const { name, id } = await service(counting, cached);
    const rows = [{ service_id: id, component: '*', verb_mask: 1, requestor_mask: 3 }];
    const [one, other] = [await keyWith(rows), await keyWith(rows)];
    const by = async (options: Parameters<typeof ask>[2]) => (await ask('GET', name, options)).body;
    expect(await by({})).toEqual({ n: 1, user: 1 });
    expect(await by({ token: null, key: one })).toEqual({ n: 2, user: null });
    expect(await by({ token: null, key: other })).toEqual({ n: 3, user: null });
    expect(await by({ token: null, key: one })).toEqual({ n: 2, user: null });
    expect(await by({ key: one })).toEqual({ n: 4, user: 1 });
    expect(await by({ headers: { host: 'evil.example' } })).toEqual({ n: 5, user: 1 });
    expect(await by({})).toEqual({ n: 1, user: 1 });
  });

  it('SRV-039: is flushed by DELETE system/cache/{service}, and when the service changes', async () => {
    const { name, id } = await service(counting, cached);
    const n = async () => (await ask('GET', name)).body.n;
    expect([await n(), await n()]).toEqual([1, 1]);
    expect((await ask('GET', 'system/cache')).body.resource).toContainEqual({ name });
    expect((await ask('DELETE', `system/cache/${name}`)).body).toEqual({ success: true });
    expect([await n(), await n()]).toEqual([2, 2]);
    await ask('PATCH', `system/service/${id}`, { body: { config: { cache_ttl: 6 } } });
    expect([await n(), await n()]).toEqual([3, 3]);
    expect((await ask('DELETE', 'system/cache')).body).toEqual({ success: true });
    expect(await n()).toBe(4);
  });

  it.each([{ cache_enabled: false, cache_ttl: 5 }, { cache_enabled: true, cache_ttl: 0 }, { cache_ttl: 5 }])(
    'is off with %j',
    async (config) => {
      const { name } = await service(counting, config);
      expect([(await ask('GET', name)).body.n, (await ask('GET', name)).body.n]).toEqual([1, 2]);
    },
  );
});

describe('output', () => {
  it('is logged, and not with log_output=false', async () => {
    const { name } = await service("console.log('printed ' + event.request.parameters.who); return 1");
    const info = vi.spyOn(platform.log, 'info');
    const printed = () => JSON.stringify(info.mock.calls);
    await ask('GET', `${name}?who=one`);
    expect(printed()).toContain('printed one');
    await ask('GET', `${name}?who=two&log_output=false`);
    expect(printed()).not.toContain('printed two');
    info.mockRestore();
    expect(await printedBy(name)).toEqual([undefined, 'printed one']);
  });
});

/** What the runs of a script service printed, the newest first. */
const printedBy = async (name: string): Promise<(string | undefined)[]> =>
  (await ask('GET', `system/event_script/_runs?name=service.${name}`)).body.resource.map(({ log }: { log?: string }) =>
    log?.trim(),
  );

describe('a script that is queued', () => {
  it('answers 202 at once and runs afterwards, with the event and as the caller of the call', async () => {
    const { name } = await service(
      "console.log(JSON.stringify([event.request.method, event.resource, event.request.payload, platform.session.user.id])); throw 'x'",
      { queued: true },
    );
    const { status, body } = await ask('PUT', `${name}/a/b`, { body: { a: 1 } });
    expect([status, body]).toEqual([202, { success: true }]);
    await vi.waitFor(async () => expect((await printedBy(name)).at(-1)).toBe('["PUT","a/b",{"a":1},1]'), 5_000);
  });

  it.each([{ delay: '600' }, { QUEUED_DELAY: '600', QUEUED_QUEUE: 'low' }])('waits as %j says', async (config) => {
    const { name } = await service('1', { queued: true, config });
    expect((await ask('GET', name)).status).toBe(202);
    const { resource } = (await ask('GET', 'system/job')).body;
    const job = resource.find(({ subject }: { subject: string | null }) => subject === `service.${name}`);
    expect(Math.round((Date.parse(job.run_at) - Date.now()) / 10_000)).toBe(60);
  });

  it('still answers its access list', async () => {
    const { name } = await service('1', { queued: true });
    expect((await ask('GET', `${name}?as_access_list=true`)).body).toEqual({ resource: ['', '*'] });
  });
});

describe('an event map', () => {
  it('SVC-010: has the service called with the event, once its call is over, as its caller', async () => {
    const { name: source } = await service('return { answer: 42 }');
    const listener = (map: object) =>
      service(
        'console.log(JSON.stringify([event.name, event.data, event.request.method, event.response.content, platform.session.user.id]))',
        { service_event_map: [map] },
      );
    const one = await listener({ event: `${source}.get`, data: 'told' });
    const all = await listener({ event: `${source}.*`, data: null });
    const none = await listener({ event: `${source}.delete`, data: null });
    expect((await ask('GET', `${source}/x`)).body).toEqual({ answer: 42 });
    const line = (data: string) => JSON.stringify([`${source}.get`, data, 'GET', { answer: 42 }, 1]);
    await vi.waitFor(async () => expect(await printedBy(one.name)).toEqual([line('told')]), 5_000);
    await vi.waitFor(async () => expect(await printedBy(all.name)).toEqual([line(`${source}.get`)]), 5_000);
    expect(await printedBy(none.name)).toEqual([]);
  });

  it('that leads to itself ends', async () => {
    const name = `script${count + 1}`;
    // A run for an event calls the service once, which is an event again.
    await service(`if (event.data) platform.api.get('${name}'); console.log(event.data || 'called'); return 1`, {
      service_event_map: [{ event: `${name}.get`, data: 'again' }],
    });
    expect((await ask('GET', name)).body).toBe(1);
    await vi.waitFor(
      async () => expect((await printedBy(name)).filter((line) => line === 'again')).toHaveLength(5),
      15_000,
    );
    const { resource } = (await ask('GET', 'system/job')).body;
    expect(resource.filter(({ subject }: { subject: string }) => subject === `service.${name}`)).toEqual([]);
  }, 20_000);
});

describe('rights', () => {
  it('a role allows verbs at addresses of it, and the script calls as its caller', async () => {
    const { name, id } = await service("return platform.api.get('system/role').status_code");
    const key = await keyWith([{ service_id: id, component: 'open/*', verb_mask: 1, requestor_mask: 1 }]);
    const by = async (verb: string, path: string) => {
      const { status, body } = await ask(verb, `${name}/${path}`, { token: null, key });
      return [status, status === 200 ? body : null];
    };
    expect(await by('GET', 'open/x')).toEqual([200, 401]);
    expect(await by('POST', 'open/x')).toEqual([401, null]);
    expect(await by('GET', 'closed')).toEqual([401, null]);
    expect((await ask('GET', `${name}/open/x`, { token: null })).status).toBe(400);
  });

  it('limits count its calls', async () => {
    const { name, id } = await service('return 1');
    const limit = { name, type: 'instance.service', service_id: id, rate: 2, period: 'hour', is_active: true };
    expect((await ask('POST', 'system/limit', { body: { resource: [limit] } })).status).toBe(200);
    const key = await keyWith([{ service_id: id, component: '*', verb_mask: 31, requestor_mask: 1 }]);
    const statuses = [];
    for (const path of ['', '/a', '/b/c'])
      statuses.push((await ask('GET', `${name}${path}`, { token: null, key })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('SVC-010: the configuration', () => {
  it('has what the documents say, for each of the four types', async () => {
    const { body } = await ask('GET', 'system/service_type?group=Script');
    expect(body.resource.map(({ name, label }: { name: string; label: string }) => [name, label])).toEqual([
      ...[
        ['nodejs', 'Node.js'],
        ['php', 'PHP'],
        ['python', 'Python'],
        ['v8js', 'V8js'],
      ],
    ]);
    for (const type of body.resource) {
      expect(type).toMatchObject({ group: 'Script', singleton: false, service_definition_editable: false });
      const fields = type.config_schema.map(({ name, type: kind }: { name: string; type: string }) => [name, kind]);
      expect(fields).toEqual([
        ...[
          ['queued', 'boolean'],
          ['implements_access_list', 'boolean'],
          ['content', 'text'],
          ['config', 'object'],
        ],
        ...[
          ['storage_service_id', 'integer'],
          ['storage_path', 'string'],
          ['scm_repository', 'string'],
        ],
        ...[
          ['scm_reference', 'string'],
          ['cache_enabled', 'boolean'],
          ['cache_ttl', 'integer'],
        ],
        ['service_event_map', 'array'],
      ]);
      const events = type.config_schema.find(({ name }: { name: string }) => name === 'service_event_map');
      expect(events.items.map(({ name, type: kind }: { name: string; type: string }) => [name, kind])).toEqual([
        ...[
          ['event', 'event_picklist'],
          ['data', 'text'],
        ],
      ]);
    }
  });

  it('is read as it was written, braces of scripts included', async () => {
    const config = {
      content: 'if (true) { return {a: "{user.id} {nothing}"}; }',
      config: { delay: '5' },
      service_event_map: [{ event: 'db.*', data: null }],
      ...{ storage_path: null, scm_repository: null, scm_reference: null, storage_service_id: null },
      ...{ queued: false, implements_access_list: true, cache_enabled: true, cache_ttl: 3 },
    };
    const { name, id } = await service(config.content, config);
    expect((await ask('GET', `system/service/${id}`)).body.config).toMatchObject({
      ...config,
      service_event_map: [expect.objectContaining({ event: 'db.*', data: null })],
    });
    expect((await ask('GET', name)).status).toBe(200);
  });

  it('a switched-off language is a 503, when it is saved and when it is called', async () => {
    const other = await startPlatform({ scriptsDisabled: 'php,v8js' });
    try {
      const record = { name: 'x', label: 'X', type: 'v8js', is_active: true, config: { content: '1' } };
      const { status, body } = await other.ask('POST', 'system/service', { body: { resource: [record] } });
      const first = body.error.context?.resource?.[0] ?? body.error;
      expect([status, first.message]).toEqual([503, 'Scripting with v8js is disabled for this instance.']);
    } finally {
      await other.stop();
    }
  });
});

describe('each language', async () => {
  const scripts: Record<ScriptTypeName, { sum: string; reply: string; left: string; thrown: string }> = {
    nodejs: {
      sum: 'return { sum: Number(event.request.parameters.a) + event.request.payload.b, at: event.resource };',
      reply: "return { content: 'x', content_type: 'text/plain', status_code: 201, headers: { 'X-A': 'b' } };",
      left: 'event.response.content = { left: true }; event.response.status_code = 202;',
      thrown: "throw new Error('no');",
    },
    v8js: {
      sum: 'return { sum: Number(event.request.parameters.a) + event.request.payload.b, at: event.resource };',
      reply: "return { content: 'x', content_type: 'text/plain', status_code: 201, headers: { 'X-A': 'b' } };",
      left: 'event.response.content = { left: true }; event.response.status_code = 202;',
      thrown: "throw new Error('no');",
    },
    python: {
      sum: "return {'sum': int(event['request']['parameters']['a']) + event['request']['payload']['b'], 'at': event['resource']}",
      reply: "return {'content': 'x', 'content_type': 'text/plain', 'status_code': 201, 'headers': {'X-A': 'b'}}",
      left: "event['response']['content'] = {'left': True}\nevent['response']['status_code'] = 202",
      thrown: "raise Exception('no')",
    },
    php: {
      sum: "return ['sum' => $event['request']['parameters']['a'] + $event['request']['payload']['b'], 'at' => $event['resource']];",
      reply:
        "return ['content' => 'x', 'content_type' => 'text/plain', 'status_code' => 201, 'headers' => ['X-A' => 'b']];",
      left: "$event['response']['content'] = ['left' => true]; $event['response']['status_code'] = 202;",
      thrown: "throw new Exception('no');",
    },
  };

  for (const [type, { sum, reply, left, thrown }] of Object.entries(scripts) as [
    ScriptTypeName,
    (typeof scripts)['php'],
  ][]) {
    const engineType = engineTypes.find(({ name }) => name === type);
    const engine = engineType?.open({ settings: readSettings({}), log: { warn: () => {} } });
    const missing = engine ? (await engine.state()).missing : 'no engine';
    await engine?.close();
    it.skipIf(missing)(
      `${type} answers as the contract says`,
      async () => {
        const of = async (content: string) => {
          const name = `script${++count}`;
          await platform.create('service', { name, label: name, type, is_active: true, config: { content } });
          const { status, text, headers } = await ask('POST', `${name}/a/1?a=1`, { body: { b: 2 } });
          return { status, text, headers };
        };
        expect(await of(sum)).toMatchObject({ status: 200, text: '{"sum":3,"at":"a/1"}' });
        expect(await of(reply)).toMatchObject({
          ...{ status: 201, text: 'x', headers: { 'x-a': 'b', 'content-type': expect.stringMatching(/^text\/plain/) } },
        });
        expect(await of(left)).toMatchObject({ status: 202, text: '{"left":true}' });
        expect(await of(thrown)).toMatchObject({ status: 500, text: expect.stringMatching(/"message":"no"/) });
      },
      30_000,
    );
  }
});
