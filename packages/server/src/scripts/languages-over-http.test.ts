// What scripts of each language do with calls, through HTTP, on a database and a file service that are really there.
import { readFileSync } from 'node:fs';
import { type ScriptTypeName, scriptTypeNames } from '@sluice/contract';
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { missingHere } from './engine-suite.fixture.ts';
import { engineTypes } from './engines/index.ts';

let platform: TestPlatform;
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 20 });
  const shop = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', shop);
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
    { name: 'note', type: 'text', allow_null: true },
    { name: 'price', type: 'decimal', precision: 30, scale: 20, allow_null: true },
    { name: 'big', type: 'bigint', allow_null: true },
    { name: 'day', type: 'date', allow_null: true },
    { name: 'made', type: 'timestamp', allow_null: true },
  ];
  const made = await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'item', field }] } });
  expect(made.status).toBe(200);
  const resource = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  expect((await ask('POST', 'shop/_table/item', { body: { resource } })).status).toBe(200);
});
afterAll(() => platform.stop());

const written: string[] = [];
const save = async (type: ScriptTypeName, name: string, content: string) => {
  written.push(name);
  const body = { name, type, content, is_active: true, allow_event_modification: true };
  const { status, text } = await ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body });
  expect([200, 201], text).toContain(status);
};
afterEach(async () => {
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
  await ask('DELETE', 'shop/_table/item?filter=id>3');
});

const item = 'shop._table.item';
const list = (query = '') => ask('GET', `shop/_table/item${query}`);
const namesOf = ({ body }: Answer): unknown[] => body.resource.map(({ name }: { name?: string }) => name);

type Scripts = Record<ScriptTypeName, string>;
const javaScript = (script: string) => ({ v8js: script, nodejs: script });

/** A call, a script at one of its events, and what is answered then. */
interface LanguageCase {
  name: string;
  event: string;
  script: Scripts;
  call: () => Promise<Answer>;
  expected: (answer: Answer, type: ScriptTypeName) => void | Promise<void>;
}

const resource = (...records: object[]) => ({ body: { resource: records } });

const cases: LanguageCase[] = [
  {
    name: 'before it: a changed key of a record is written, the others as they were sent',
    event: `${item}.post.pre_process`,
    script: {
      ...javaScript("event.request.payload.resource[0].name = 'changed';"),
      python: "event.request.payload.resource[0].name = 'changed'",
      php: "$event['request']['payload']['resource'][0]['name'] = 'changed';",
    },
    call: () =>
      ask('POST', 'shop/_table/item?fields=*', resource({ name: 'sent', note: 'kept', big: '1161380288898609914' })),
    expected: ({ body }) =>
      expect(body.resource[0]).toMatchObject({ name: 'changed', note: 'kept', big: '1161380288898609914' }),
  },
  {
    name: 'before it: a payload that is replaced whole is written',
    event: `${item}.post.pre_process`,
    script: {
      ...javaScript("event.request.payload = { resource: [{ name: 'new' }, { name: 'newer' }] };"),
      python: "event.request.payload = {'resource': [{'name': 'new'}, {'name': 'newer'}]}",
      php: "$event['request']['payload'] = ['resource' => [['name' => 'new'], ['name' => 'newer']]];",
    },
    call: () => ask('POST', 'shop/_table/item?fields=*', resource({ name: 'sent', note: 'gone' })),
    expected: ({ body }) => expect(body.resource).toMatchObject([{ name: 'new', note: null }, { name: 'newer' }]),
  },
  {
    name: 'before it: a bare record',
    event: `${item}.{id}.patch.pre_process`,
    script: {
      ...javaScript("event.request.payload.note = 'by ' + event.request.payload.name;"),
      python: "event.request.payload.note = 'by ' + event.request.payload.name",
      php: "$event['request']['payload']['note'] = 'by ' . $event['request']['payload']['name'];",
    },
    call: () => ask('PATCH', 'shop/_table/item/1?fields=*', { body: { name: 'one' } }),
    expected: ({ body }) => expect(body).toMatchObject({ name: 'one', note: 'by one' }),
  },
  {
    name: 'before it: records sent as CSV',
    event: `${item}.post.pre_process`,
    script: {
      ...javaScript(
        'const all = event.request.payload.resource || event.request.payload; all[0].name = all[0].name.toUpperCase();',
      ),
      python:
        "payload = event.request.payload\nall = payload.resource if 'resource' in payload else payload\nall[0].name = all[0].name.upper()",
      php: "$payload = &$event['request']['payload']; if (isset($payload['resource'])) { $all = &$payload['resource']; } else { $all = &$payload; } $all[0]['name'] = strtoupper($all[0]['name']);",
    },
    call: () =>
      ask('POST', 'shop/_table/item?fields=name', {
        body: 'name,note\nsent,a\nother,b\n',
        headers: { 'content-type': 'text/csv' },
      }),
    expected: (answer) => expect(namesOf(answer)).toEqual(['SENT', 'other']),
  },
  {
    name: 'before it: the text of the body, where the payload is left alone',
    event: `${item}.post.pre_process`,
    script: {
      ...javaScript("event.request.content = event.request.content.replace('sent', 'written');"),
      python: "event.request.content = event.request.content.replace('sent', 'written')",
      php: "$event['request']['content'] = str_replace('sent', 'written', $event['request']['content']);",
    },
    call: () => ask('POST', 'shop/_table/item?fields=*', resource({ name: 'sent' })),
    expected: (answer) => expect(namesOf(answer)).toEqual(['written']),
  },
  {
    name: 'before it: filter, fields, order and limit',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript(
        "Object.assign(event.request.parameters, { filter: 'id>1', fields: 'name', order: 'id desc', limit: 1 });",
      ),
      python: "event.request.parameters.update(filter='id>1', fields='name', order='id desc', limit=1)",
      php: "$event['request']['parameters'] = ['filter' => 'id>1', 'fields' => 'name', 'order' => 'id desc', 'limit' => 1];",
    },
    call: () => list('?fields=*'),
    expected: ({ body }) => expect(body.resource).toEqual([{ name: 'three' }]),
  },
  {
    name: 'before it: the last parameter can be taken away',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript('delete event.request.parameters.filter;'),
      python: 'del event.request.parameters.filter',
      php: "unset($event['request']['parameters']['filter']);",
    },
    call: () => list('?filter=id%3D1'),
    expected: ({ body }) => expect(body.resource).toHaveLength(3),
  },
  {
    name: 'before it: a header',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript("event.request.headers.accept = 'text/csv'; event.request.headers['x-added'] = 'yes';"),
      python: "event.request.headers.accept = 'text/csv'\nevent.request.headers['x-added'] = 'yes'",
      php: "$event['request']['headers']['accept'] = 'text/csv'; $event['request']['headers']['x-added'] = 'yes';",
    },
    async call() {
      await save(
        'v8js',
        `${item}.get.post_process`,
        "event.response.headers['X-Seen'] = event.request.headers.accept + ' ' + event.request.headers['x-added'];",
      );
      return list();
    },
    expected: ({ headers }) => expect(headers['x-seen']).toBe('text/csv yes'),
  },
  {
    name: 'before it: an answer in place of the operation',
    event: `${item}.post.pre_process`,
    script: {
      ...javaScript(
        "event.response = { content: { short: [1, null] }, status_code: 202, headers: { 'X-Made': 'yes' } };",
      ),
      python: "event.response = {'content': {'short': [1, None]}, 'status_code': 202, 'headers': {'X-Made': 'yes'}}",
      php: "$event['response'] = ['content' => ['short' => [1, null]], 'status_code' => 202, 'headers' => ['X-Made' => 'yes']];",
    },
    call: () => ask('POST', 'shop/_table/item', resource({ name: 'never' })),
    async expected(answer) {
      expect([answer.status, answer.body, answer.headers['x-made']]).toEqual([202, { short: [1, null] }, 'yes']);
      expect(namesOf(await list())).not.toContain('never');
    },
  },
  {
    name: 'before it: what is thrown ends the call, with a status where the language has one',
    event: `${item}.post.pre_process`,
    script: {
      v8js: "throw { status_code: 403, message: 'No' };",
      nodejs: "throw new Error('No');",
      python: "raise ScriptError('No', status_code=403)",
      php: "throw new ForbiddenException('No');",
    },
    call: () => ask('POST', 'shop/_table/item', resource({ name: 'never' })),
    async expected({ status, body }, type) {
      expect([status, body.error.message]).toEqual([type === 'nodejs' ? 500 : 403, 'No']);
      expect(namesOf(await list())).not.toContain('never');
    },
  },
  {
    name: 'before it: an error that is returned ends the call',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript("return { error: { message: 'Told' } };"),
      python: "return {'error': {'message': 'Told'}}",
      php: "return ['error' => ['message' => 'Told']];",
    },
    call: () => list(),
    expected: ({ status, body }) => expect([status, body.error.message]).toEqual([500, 'Told']),
  },
  {
    name: 'before it: an exception that is assigned ends the call with its status',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript("event.exception = { status_code: 409, message: 'Not now', code: 17 };"),
      python: "event.exception = ScriptError('Not now', status_code=409, code=17)",
      php: "$event['exception'] = ['status_code' => 409, 'message' => 'Not now', 'code' => 17];",
    },
    call: () => list(),
    expected: ({ status, body }) => expect([status, body.error.message, body.error.code]).toEqual([409, 'Not now', 17]),
  },
  {
    name: 'before it: what is returned without request or response changes nothing',
    event: `${item}.get.pre_process`,
    script: {
      ...javaScript('return { anything: 1 };'),
      python: "return {'anything': 1}",
      php: "return ['anything' => 1];",
    },
    call: () => list(),
    expected: (answer) => expect(namesOf(answer)).toEqual(['one', 'two', 'three']),
  },
  {
    name: 'after it: content, status and a header are changed, the rest of the content is as it was',
    event: `${item}.get.post_process`,
    script: {
      ...javaScript(
        "event.response.content.count = event.response.content.resource.length; event.response.status_code = 203; event.response.headers['X-Made'] = 'yes';",
      ),
      python:
        "event.response.content.count = len(event.response.content.resource)\nevent.response.status_code = 203\nevent.response.headers['X-Made'] = 'yes'",
      php: "$event['response']['content']['count'] = count($event['response']['content']['resource']); $event['response']['status_code'] = 203; $event['response']['headers']['X-Made'] = 'yes';",
    },
    call: () => list('?fields=name'),
    expected: ({ status, body, headers }) =>
      expect([status, body, headers['x-made']]).toEqual([
        203,
        { resource: [{ name: 'one' }, { name: 'two' }, { name: 'three' }], count: 3 },
        'yes',
      ]),
  },
  {
    name: 'after it: a text with a type of its own is sent as it is',
    event: `${item}.get.post_process`,
    script: {
      ...javaScript("return { content: '<a>ü</a>', content_type: 'application/xml', status_code: 200 };"),
      python: "return {'content': '<a>ü</a>', 'content_type': 'application/xml', 'status_code': 200}",
      php: "return ['content' => '<a>ü</a>', 'content_type' => 'application/xml', 'status_code' => 200];",
    },
    call: () => list(),
    expected: ({ text, headers }) =>
      expect([text, headers['content-type']]).toEqual(['<a>ü</a>', expect.stringContaining('application/xml')]),
  },
  {
    name: 'after it: any other value that is returned is the content',
    event: `${item}.get.post_process`,
    script: { ...javaScript('return [1, "two"];'), python: "return [1, 'two']", php: "return [1, 'two'];" },
    call: () => list(),
    expected: ({ body }) => expect(body).toEqual([1, 'two']),
  },
  {
    name: 'after it: a failure can be answered in another way',
    event: 'shop._table.{table_name}.get.post_process',
    script: {
      ...javaScript('return { content: { was: event.response.status_code }, status_code: 200 };'),
      python: "return {'content': {'was': event.response.status_code}, 'status_code': 200}",
      php: "return ['content' => ['was' => $event['response']['status_code']], 'status_code' => 200];",
    },
    call: () => ask('GET', 'shop/_table/missing'),
    expected: ({ status, body }) => expect([status, body]).toEqual([200, { was: 404 }]),
  },
  {
    name: 'the plain event: nothing of it is changed any more',
    event: `${item}.get`,
    script: {
      ...javaScript('event.response.content = 1; event.request.parameters.limit = 1; return { content: 2 };'),
      python: "event.response.content = 1\nevent.request.parameters.limit = 1\nreturn {'content': 2}",
      php: "$event['response']['content'] = 1; return ['content' => 2];",
    },
    call: () => list(),
    expected: (answer) => expect(namesOf(answer)).toEqual(['one', 'two', 'three']),
  },
  {
    name: 'the plain event: what is thrown fails the call',
    event: `${item}.get`,
    script: {
      ...javaScript("throw new Error('Late');"),
      python: "raise Exception('Late')",
      php: "throw new Exception('Late');",
    },
    call: () => list(),
    expected: ({ status, body }) => expect([status, body.error.message]).toEqual([500, 'Late']),
  },
  {
    name: 'the plain event: calls of the platform, reading and writing, as the caller',
    event: `${item}.get`,
    script: {
      v8js: "const one = platform.api.get('shop/_table/item/1', null, { parameters: { fields: 'name' } }); platform.api.post('shop/_table/item', { resource: [{ name: one.content.name + ' by ' + platform.session.user.email }] });",
      nodejs:
        "platform.api.get('shop/_table/item/1', { parameters: { fields: 'name' } }, (body) => platform.api.post('shop/_table/item', { resource: [{ name: JSON.parse(body).name + ' by ' + platform.session.user.email }] }, {}, () => {}));",
      python:
        "one = platform.api.get('shop/_table/item/1', {'parameters': {'fields': 'name'}}).json()\nplatform.api.post('shop/_table/item', {'resource': [{'name': one.name + ' by ' + platform.session.user.email}]})",
      php: "$one = $platform['api']->get('/api/v2/shop/_table/item/1', null, ['parameters' => ['fields' => 'name']]); $platform['api']->post('shop/_table/item', ['resource' => [['name' => $one['content']['name'] . ' by ' . $platform['session']['user']['email']]]]);",
    },
    call: () => list(),
    async expected() {
      const found = await ask('GET', 'shop/_table/item?filter=id>3');
      expect(namesOf(found)).toContain('one by ada@example.com');
    },
  },
  {
    name: 'a call of the platform that fails is an answer, and its parameters may be in the path',
    event: `${item}.get.post_process`,
    script: {
      v8js: "const none = platform.api.get('nothing/x'); const some = platform.api.get('/api/v2/shop/_table/item/2?fields=name'); return { content: [none.status_code, none.content.error.message, some.content], status_code: 200 };",
      nodejs:
        "platform.api.get('nothing/x', {}, (body, response) => platform.api.get('shop/_table/item/2?fields=name', {}, (more) => event.setReturn({ content: [response.statusCode, JSON.parse(body).error.message, JSON.parse(more)], status_code: 200 })));",
      python:
        "none = platform.api.get('nothing/x')\nsome = platform.api.get('/api/v2/shop/_table/item/2?fields=name')\nreturn {'content': [none.status, none.json().error.message, some.json()], 'status_code': 200}",
      php: "$none = $platform->api->get('nothing/x'); $some = $platform->api->get('shop/_table/item/2?fields=name'); return ['content' => [$none['status_code'], $none['content']['error']['message'], $some['content']], 'status_code' => 200];",
    },
    call: () => ask('GET', 'shop/_table/item'),
    expected: ({ body }) => expect(body).toEqual([404, expect.stringContaining('nothing'), { name: 'two' }]),
  },
];

/** What goes in and out as it is where no script changes it: each call, and what is compared of its answer. */
const odd = {
  ...{ big: '1161380288898609914', price: '0.10', note: '1e400', day: '2024-02-29', made: '2024-02-29 23:59:59' },
  name: 'a\u2028b "c" \\ </script> \u00fc \ud83d\ude00',
};
const oddText = `{"resource":[{"name":"odd","value":{"empty":{},"list":[],"none":null,"third":0.1,"whole":10.0,"large":1e300,"beyond":1e400,"__proto__":{"a":1},"deep":[[{"a":{}}]],"line":"\u2028","0":{"0":"a","1":"b"},"text":"1e400"}}]}`;
const picture = Buffer.from(Array.from({ length: 2_048 }, (_, index) => (index * 7 + (index >> 8)) % 256));

async function roundTrip(): Promise<unknown[]> {
  const json = { 'content-type': 'application/json' };
  const answers = [
    await ask('POST', 'shop/_table/item?fields=*', resource({ id: 90, ...odd })),
    await ask('PATCH', 'shop/_table/item/90?fields=*', {
      body: '{"price":12345678.12345678901234567890}',
      headers: json,
    }),
    await ask('GET', 'shop/_table/item/90'),
    await ask('GET', 'shop/_table/item?filter=id%3D90'),
    await ask('DELETE', 'shop/_table/item/90?fields=*'),
    await ask('POST', 'system/custom', { body: oddText, headers: json }),
    await ask('GET', 'system/custom/odd'),
    await ask('DELETE', 'system/custom/odd'),
    await ask('PUT', 'files/picture.png', { body: picture, headers: { 'content-type': 'image/png' } }),
    await ask('GET', 'files/picture.png'),
    await ask('DELETE', 'files/picture.png'),
  ];
  return answers.map(({ status, bytes, headers }) => [status, headers['content-type'], bytes.toString('latin1')]);
}

const oddEvents = [
  ...['post', 'get'].map((verb) => `shop._table.{table_name}.${verb}`),
  ...['patch', 'get', 'delete'].map((verb) => `shop._table.{table_name}.{id}.${verb}`),
  ...['system.custom.post', 'system.custom.get', 'system.custom.delete'],
  ...['put', 'get', 'delete'].map((verb) => `files.{file_path}.${verb}`),
];

const commentIn: Scripts = { ...javaScript('// nothing'), python: '# nothing', php: '// nothing' };

const samples = new URL('../../../console/src/fields/script-samples/', import.meta.url);
const sampleFile: Scripts = { v8js: 'v8js.js', nodejs: 'nodejs.js', python: 'python.py', php: 'php.php' };

for (const type of scriptTypeNames) {
  const engine = engineTypes.find(({ name }) => name === type);
  const missing = engine ? await missingHere(engine) : 'This version has no engine for it.';

  describe.skipIf(missing)(missing ?? `${type}, through HTTP`, () => {
    it.each(cases)('$name', async ({ event, script, call, expected }) => {
      await save(type, event, script[type]);
      await expected(await call(), type);
    });

    it('a script that changes nothing changes nothing', async () => {
      const before = await roundTrip();
      for (const event of oddEvents)
        for (const step of ['.pre_process', '.post_process', '']) await save(type, event + step, commentIn[type]);
      expect(await roundTrip()).toEqual(before);
      const { body } = await ask('GET', 'system/event_script/_runs');
      const ran = new Set(body.resource.map((run: { name: string; type: string }) => run.type === type && run.name));
      const saved = oddEvents.flatMap((event) => [`${event}.pre_process`, `${event}.post_process`, event]);
      expect(saved.filter((name) => !ran.has(name))).toEqual([]);
    });

    it('the sample script runs as it is before and after an operation (SCR-007, SCR-034)', async () => {
      const sample = readFileSync(new URL(sampleFile[type], samples), 'utf8');
      for (const step of ['.pre_process', '.post_process', '']) await save(type, `${item}.get${step}`, sample);
      const answer = await list();
      expect(namesOf(answer)).toEqual(['one', 'two', 'three']);
      expect(Object.keys(answer.headers).some((name) => name.startsWith('x-script-'))).toBe(true);
      const refused = await list('?limit=2000');
      expect([refused.status, refused.body.error.message]).toEqual([
        type === 'nodejs' ? 500 : 400,
        'Ask for at most 1000 records.',
      ]);
      const { body } = await ask('GET', `system/event_script/_runs?name=${item}.get.pre_process`);
      const run = body.resource.find(({ outcome }: { outcome: string }) => outcome === 'done');
      expect(run.log).toMatch(/^GET \/api\/v2\/shop\/_table\/item by ada@example\.com\s+Version \d/);
    });
  });
}
