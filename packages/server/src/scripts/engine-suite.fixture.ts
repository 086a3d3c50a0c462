// What every engine does alike, as data, and the tests made of it: the test of an engine is one call of `describeEngine`. A case
// that has no script for an engine is none of its: what only some languages have.
import { Failure, type ScriptTypeName } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../settings/index.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Engine,
  type EngineType,
  ScriptException,
  type ScriptResult,
  type ScriptRun,
} from './engine.ts';

type Scripts = Partial<Record<ScriptTypeName, string>>;

/** One script in the languages that it is written for, and what comes of it. */
export interface EngineCase {
  name: string;
  script: Scripts;
  /** Scripts that run before, one after the other; what comes of them does not matter. */
  before?: Scripts[];
  /** Members beside those of `sampleEvent`. */
  event?: Record<string, unknown>;
  expected: Expected;
}

/** What came of a run; what is absent is not looked at. */
interface Expected {
  /** Members that the event has at least. */
  event?: Record<string, unknown>;
  returned?: unknown;
  exception?: { message: unknown; statusCode?: number; code?: number | string };
  /** The key of the failure it ends with; of several either. */
  failure?: string | string[];
  /** All that was printed, blanks at its ends aside. */
  log?: unknown;
  /** What `platform.api` was asked for. */
  calls?: unknown[];
}

export const sampleEvent = {
  __tag__: 'exposed_event',
  resource: 'contact',
  request: {
    api_version: '2.0',
    method: 'POST',
    parameters: { fields: '*' },
    headers: { 'x-sample': 'yes' },
    payload: { resource: [{ name: 'Ada', note: null, tags: [], more: {} }] },
    content: '{"resource":[{"name":"Ada"}]}',
    content_type: 'application/json',
    uri: '/api/v2/db/_table/contact',
    service: 'db',
    resource: '_table/contact',
  },
  response: { status_code: 200, content_type: null, content: { resource: [{ id: 1 }] }, format: 201, headers: {} },
};

const sampleSession = { user: { id: 7, email: 'ada@example.com' }, lookup: { town: 'Bern' }, requestor: 'API' };

const javaScript = (script: string): Scripts => ({ v8js: script, nodejs: script });

/** What odd values are: through a script that does not touch them they are what they were. */
const oddValues = {
  text: 'line\u2028separator \u2029 "quotes" \\ </script> \u0000 \ud83d\ude00 $x {y} $[z] é',
  empty: '',
  none: null,
  no: false,
  zero: 0,
  third: 0.1,
  large: 9007199254740991,
  list: [],
  nested: [[[{ deep: [null] }]]],
  date: '2024-02-29T23:59:59.999999+00:00',
  exact: '1161380288898609914',
};

const engineCases: EngineCase[] = [
  {
    name: 'an event that nothing changes comes back as it was',
    script: { ...javaScript('const a = 1;'), python: 'a = 1', php: '$a = 1;' },
    event: { odd: oddValues },
    expected: { event: { ...sampleEvent, odd: oddValues }, returned: undefined },
  },
  {
    name: 'an empty script',
    script: { ...javaScript(''), python: '', php: '' },
    expected: { event: sampleEvent },
  },
  {
    name: 'a script that is a comment',
    script: { ...javaScript('// nothing'), python: '# nothing', php: '// nothing' },
    expected: { event: sampleEvent },
  },
  {
    name: 'what a script changes of the event is in the event',
    script: {
      ...javaScript("event.request.payload.resource[0].name = 'Eve'; event.request.parameters.limit = 5;"),
      python: "event['request']['payload']['resource'][0]['name'] = 'Eve'\nevent.request.parameters['limit'] = 5",
      php: "$event['request']['payload']['resource'][0]['name'] = 'Eve'; $event['request']['parameters']['limit'] = 5;",
    },
    expected: {
      event: {
        request: {
          ...sampleEvent.request,
          parameters: { fields: '*', limit: 5 },
          payload: { resource: [{ name: 'Eve', note: null, tags: [], more: {} }] },
        },
      },
    },
  },
  {
    name: 'what a script returns',
    script: {
      ...javaScript('return { sum: 1 + 2, list: [null, "é"] };'),
      python: "return {'sum': 1 + 2, 'list': [None, 'é']}",
      php: "return ['sum' => 1 + 2, 'list' => [null, 'é']];",
    },
    expected: { returned: { sum: 3, list: [null, 'é'] }, event: sampleEvent },
  },
  {
    name: 'a text that a script returns',
    script: { ...javaScript('return \'a "text"\';'), python: 'return \'a "text"\'', php: 'return \'a "text"\';' },
    expected: { returned: 'a "text"' },
  },
  {
    name: 'a return within a branch',
    script: {
      ...javaScript("if (event.request.method === 'POST') { return { early: true }; }\nreturn { late: true };"),
      python: "if event.request.method == 'POST':\n    return {'early': True}\nreturn {'late': True}",
      php: "if ($event['request']['method'] === 'POST') { return ['early' => true]; }\nreturn ['late' => true];",
    },
    expected: { returned: { early: true } },
  },
  {
    name: 'an error that is thrown',
    script: {
      ...javaScript("throw new Error('Not like this');"),
      python: "raise Exception('Not like this')",
      php: "throw new \\Exception('Not like this');",
    },
    expected: { exception: { message: 'Not like this' } },
  },
  {
    name: 'a text that is thrown',
    script: javaScript("throw 'Not like this';"),
    expected: { exception: { message: 'Not like this' } },
  },
  {
    name: 'an object that is thrown',
    script: { v8js: "throw { status_code: 403, message: 'No', code: 17 };" },
    expected: { exception: { message: 'No', statusCode: 403, code: 17 } },
  },
  {
    name: 'an object that is thrown, of which Node.js passes on message and code alone',
    script: { nodejs: "throw { status_code: 403, message: 'No', code: 17 };" },
    expected: { exception: { message: 'No', code: 17 } },
  },
  {
    name: 'a script that cannot be compiled',
    script: { ...javaScript('return {;'), python: 'return (', php: 'return [;' },
    expected: { exception: { message: expect.stringMatching(/syntax|unexpected|never closed|invalid/i) } },
  },
  {
    name: 'session and configuration',
    script: {
      ...javaScript('return [platform.session.user.email, platform.session.lookup.town, platform.config.df.version];'),
      python: "return [platform.session.user.email, platform['session']['lookup']['town'], platform.config.df.version]",
      php: "return [$platform['session']['user']['email'], $platform['session']['lookup']['town'], $platform['config']['df']['version']];",
    },
    expected: { returned: ['ada@example.com', 'Bern', '2.16.1'] },
  },
  {
    name: 'what is printed goes to the log',
    script: {
      v8js: "console.log('a', { b: 1 }); print('c');",
      nodejs: "console.log('a');",
      python: "print('a')",
      php: "echo 'a';",
    },
    expected: { log: expect.stringMatching(/^a/), event: sampleEvent },
  },
  {
    name: 'a call by the script',
    script: {
      v8js: "const answer = platform.api.get('db/_table/x?limit=1'); return [answer.status_code, answer.content.echo.path];",
      nodejs:
        "platform.api.get('db/_table/x?limit=1', {}, (body, response) => event.setReturn([response.statusCode, JSON.parse(body).echo.path]));",
      python:
        "import json\nanswer = platform.api.get('db/_table/x?limit=1')\nreturn [answer.status, json.loads(answer.read())['echo']['path']]",
      php: "$answer = $platform['api']->get('db/_table/x?limit=1'); return [$answer['status_code'], $answer['content']['echo']['path']];",
    },
    expected: {
      returned: [200, 'db/_table/x?limit=1'],
      calls: [expect.objectContaining({ verb: expect.stringMatching(/^get$/i), path: 'db/_table/x?limit=1' })],
    },
  },
  {
    name: 'a call with payload and options',
    script: {
      v8js: "return platform.api.call('PATCH', 'db/_table/x', { a: [1] }, { parameters: { ids: '1' } }).content;",
      nodejs:
        "platform.api.call('PATCH', 'db/_table/x', { a: [1] }, { parameters: { ids: '1' } }, (body) => event.setReturn(JSON.parse(body)));",
      python:
        "import json\nreturn json.loads(platform.api.call('PATCH', 'db/_table/x', {'a': [1]}, {'parameters': {'ids': '1'}}).read())",
      php: "return $platform['api']->call('PATCH', 'db/_table/x', ['a' => [1]], ['parameters' => ['ids' => '1']])['content'];",
    },
    expected: {
      returned: {
        echo: { verb: 'PATCH', path: 'db/_table/x', payload: { a: [1] }, options: { parameters: { ids: '1' } } },
      },
    },
  },
  {
    name: 'a call that fails is an answer',
    script: {
      v8js: "const answer = platform.api.delete('failing'); return [answer.status_code, answer.content.error.message];",
      nodejs:
        "platform.api.delete('failing', null, {}, (body, response) => event.setReturn([response.statusCode, JSON.parse(body).error.message]));",
      python:
        "import json\nanswer = platform.api.delete('failing')\nreturn [answer.status, json.loads(answer.read())['error']['message']]",
      php: "$answer = $platform['api']->delete('failing'); return [$answer['status_code'], $answer['content']['error']['message']];",
    },
    expected: { returned: [404, 'There is none.'] },
  },
  {
    name: 'a call that ends the run, whatever the script catches',
    script: {
      v8js: "try { platform.api.get('over'); } catch (error) {} return 1;",
      nodejs: "try { platform.api.get('over', {}, () => event.setReturn(1)); } catch (error) {}",
      python: "try:\n    platform.api.get('over')\nexcept BaseException:\n    pass\nreturn 1",
      php: "try { $platform['api']->get('over'); } catch (\\Throwable $error) {} return 1;",
    },
    expected: { failure: 'call.tooDeep' },
  },
  {
    name: 'an answer that is set later, of which the last counts',
    script: {
      nodejs:
        "platform.api.get('db', {}, () => { event.setResponse({ first: 1 }); event.setResponse({ last: 1 }, 201, 'application/json'); });",
    },
    expected: { event: { response: expect.objectContaining({ content: { last: 1 }, status_code: 201 }) } },
  },
  {
    name: 'values that are kept',
    before: [
      {
        v8js: "platform.store.set('count', { n: 1 });",
        php: "$platform['store']->set('count', ['n' => 1]);",
      },
    ],
    script: {
      v8js: "return [platform.store.get('count').n, platform.store.get('none', 5), platform.store.get('none') === null];",
      php: "return [$platform['store']->get('count')['n'], $platform['store']->get('none', 5), $platform['store']->get('none') === null];",
    },
    expected: { returned: [1, 5, true] },
  },
  {
    name: 'globals of an earlier run are gone',
    before: [
      {
        ...javaScript('globalThis.left = 1; left2 = 2;'),
        python: "import builtins, sys\nbuiltins.left = 1\nglobals()['left'] = 1\nsys.left = 1",
        php: '$GLOBALS["left"] = 1; define("LEFT", 1);',
      },
    ],
    script: {
      ...javaScript('return [typeof left, typeof left2];'),
      python: "import builtins, sys\nreturn [hasattr(builtins, 'left'), 'left' in globals(), hasattr(sys, 'left')]",
      php: 'return [isset($GLOBALS["left"]), defined("LEFT")];',
    },
    expected: { returned: expect.not.arrayContaining([true, 'number']) },
  },
  {
    name: 'what an earlier run did to the language is gone',
    before: [
      {
        ...javaScript(
          'Object.prototype.left = 1; JSON.stringify = () => "{}"; Array.prototype.push = null; platform.api.get = null;',
        ),
        python: "import json\njson.dumps = lambda *a, **k: '{}'\nplatform.api.get = None",
      },
    ],
    script: {
      ...javaScript('return [({}).left === undefined, JSON.stringify([1]), typeof platform.api.get, [].push(1)];'),
      python: 'import json\nreturn [True, json.dumps([1]), "function" if callable(platform.api.get) else "none", 1]',
    },
    expected: { returned: [true, '[1]', 'function', 1] },
  },
  {
    name: 'a script that replaces what makes its result harms itself alone',
    script: javaScript('JSON.stringify = () => \'{"forged":1}\'; return { a: 1 };'),
    expected: { returned: { a: 1 } },
  },
  {
    name: 'an endless loop',
    script: { ...javaScript('for (;;) {}'), python: 'while True:\n    pass', php: 'while (true) {}' },
    expected: { failure: 'test.timeout' },
  },
  {
    name: 'an endless loop that catches what ends it',
    script: {
      ...javaScript('for (;;) { try { for (;;) {} } catch (error) {} finally { continue; } }'),
      python: 'while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass',
      php: 'set_error_handler(fn() => true); while (true) { try { while (true) {} } catch (\\Throwable $e) {} }',
    },
    expected: { failure: 'test.timeout' },
  },
  {
    name: 'a pattern that never comes to an end',
    script: {
      ...javaScript("/^(a+)+$/.test('a'.repeat(60) + 'b'); return 1;"),
      python: "import re\nre.match('^(a+)+$', 'a' * 60 + 'b')\nreturn 1",
    },
    expected: { failure: 'test.timeout' },
  },
  {
    name: 'memory without end',
    script: {
      ...javaScript("const all = []; for (;;) all.push('x'.repeat(1000) + all.length);"),
      python: 'all = []\nwhile True:\n    all.append(bytearray(1000000))',
      php: "$all = []; while (true) { $all[] = str_repeat('x', 1000000); }",
    },
    expected: { failure: ['script.memory', 'script.exit'] },
  },
  {
    name: 'one text that is too long',
    script: {
      ...javaScript("let text = 'x'.repeat(1000); for (;;) text += text;"),
      python: "text = 'x' * 1000\nwhile True:\n    text += text",
      php: "$text = str_repeat('x', 1000); while (true) { $text .= $text; }",
    },
    expected: { failure: ['script.memory', 'script.exit', 'exception'] },
  },
  {
    name: 'calls of itself without end',
    script: {
      ...javaScript('const again = () => again() + 1; return again();'),
      python: 'def again():\n    return again() + 1\nreturn again()',
    },
    expected: { failure: ['exception', 'script.memory', 'script.exit'] },
  },
  {
    name: 'output without end',
    script: {
      ...javaScript("for (;;) console.log('x'.repeat(1000));"),
      python: "while True:\n    print('x' * 1000)",
      php: "while (true) { echo str_repeat('x', 1000); }",
    },
    expected: { failure: 'test.output' },
  },
  {
    name: 'a result that is too long',
    script: {
      ...javaScript("return 'x'.repeat(3000000);"),
      python: "return 'x' * 3000000",
      php: "return str_repeat('x', 3000000);",
    },
    expected: { failure: 'script.tooMuchResult' },
  },
  {
    name: 'an event in place of which there is nothing to read',
    script: javaScript("event.toJSON = () => { throw new Error('no'); };"),
    expected: { failure: ['script.noEvent', 'exception'] },
  },
];

/** What a run of the tests has: its bounds are small, and its functions note what they were called with. */
export function testRun(script: string, parts: Partial<ScriptRun> = {}) {
  const calls: ApiRequest[] = [];
  let log = '';
  const kept = new Map<string, unknown>();
  const api = async (request: ApiRequest): Promise<ApiResponse> => {
    calls.push(request);
    if (request.path === 'over') throw new Failure('call.tooDeep', 508, 'Too deep.', { code: 508 });
    const [status, content] =
      request.path === 'failing' ? [404, { error: { message: 'There is none.' } }] : [200, { echo: request }];
    return {
      status_code: status,
      content,
      content_type: 'application/json',
      format: 201,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(content),
    };
  };
  const run: ScriptRun = {
    identifier: 'db._table.contact.post.pre_process',
    script,
    event: JSON.stringify(sampleEvent),
    platform: { config: '{"df":{"version":"2.16.1"}}', session: JSON.stringify(sampleSession) },
    api,
    store: { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) },
    log(text) {
      log += text;
      if (log.length > 100_000) throw new Failure('test.output', 500, 'Too much output.', { code: 500 });
    },
    bounds: { time: 60_000, memory: 64 * 1024 * 1024, result: 1_000_000 },
    signal: new AbortController().signal,
    ...parts,
  };
  return { run, calls, kept, log: () => log };
}

export const simpleScripts: Record<ScriptTypeName, string> = {
  v8js: 'return { ok: 1 };',
  nodejs: 'return { ok: 1 };',
  python: "return {'ok': 1}",
  php: "return ['ok' => 1];",
};

const timedOut = new Failure('test.timeout', 500, 'Too long.', { code: 500 });

interface SuiteOptions {
  /** Milliseconds that a loop may go on before it is ended. */
  slow?: number;
  /** What only this language has. */
  ownCases?: EngineCase[];
  /** Why it cannot run here: the cases are left out. */
  missing?: string | undefined;
}

const engineContext = () => ({ settings: readSettings({}), log: { warn: () => {} } });

/** Why an engine cannot run here, what is to be installed most often; undefined where it can. */
export async function missingHere(type: EngineType): Promise<string | undefined> {
  const engine = type.open(engineContext());
  const { missing } = await engine.state();
  await engine.close();
  return missing;
}

/** Runs the cases of an engine. */
export function describeEngine(type: EngineType, { slow = 1_000, ownCases = [], missing }: SuiteOptions = {}): void {
  const cases = [...engineCases, ...ownCases].filter(({ script }) => script[type.name] !== undefined);

  describe.skipIf(missing)(missing ?? `${type.name}: an engine`, { timeout: 30_000 }, () => {
    let engine: Engine;
    beforeAll(() => {
      engine = type.open(engineContext());
    });
    afterAll(() => engine.close());

    it('can run here', async () => {
      expect((await engine.state()).missing).toBeUndefined();
    });

    it.each(cases)('$name', async ({ script, before = [], event, expected }) => {
      const stop = new AbortController();
      const isEndless = expected.failure === timedOut.key;
      const timer = setTimeout(() => stop.abort(timedOut), isEndless ? slow : 25_000);
      const parts = {
        event: JSON.stringify({ ...sampleEvent, ...event }),
        signal: stop.signal,
        bounds: { time: isEndless ? slow : 25_000, memory: 64 * 1024 * 1024, result: 1_000_000 },
      };
      const { run, calls, log } = testRun(script[type.name] as string, parts);
      for (const earlier of before)
        await engine.run({ ...run, script: earlier[type.name] ?? '' }).catch(() => undefined);
      const outcome = await engine.run(run).catch((error: unknown) => error);
      clearTimeout(timer);
      check(outcome, expected);
      if ('log' in expected) expect(log().trim()).toEqual(expected.log);
      if (expected.calls) expect(calls).toEqual(expected.calls);
      // Whatever it was: the next run is served as if nothing had happened.
      if (expected.failure) check(await engine.run(testRun(simpleScripts[type.name]).run), { returned: { ok: 1 } });
    });

    it('runs at once keep to themselves', async () => {
      const scripts = Array.from({ length: 12 }, (_, index) => ({
        ...javaScript(`const before = typeof mine; globalThis.mine = ${index}; return [before, mine, event.resource];`),
        python: `return ['undefined', ${index}, event.resource]`,
        php: `return ['undefined', ${index}, $event['resource']];`,
      }));
      const results = await Promise.all(
        scripts.map((script, index) =>
          engine.run(
            testRun(script[type.name] as string, {
              event: JSON.stringify({ ...sampleEvent, resource: `number ${index}` }),
            }).run,
          ),
        ),
      );
      expect(results.map(({ returned }) => JSON.parse(returned as string))).toEqual(
        scripts.map((_, index) => ['undefined', index, `number ${index}`]),
      );
    });
  });
}

function check(outcome: unknown, expected: Expected): void {
  const { event, exception, failure } = expected;
  if (failure) {
    const key = outcome instanceof Failure ? outcome.key : outcome instanceof ScriptException ? 'exception' : outcome;
    expect([failure].flat()).toContain(key);
    return;
  }
  if (exception) {
    expect(outcome).toBeInstanceOf(ScriptException);
    const { message, statusCode, code } = outcome as ScriptException;
    expect({ message, statusCode, code }).toEqual({ statusCode: undefined, code: undefined, ...exception });
    return;
  }
  if (outcome instanceof Error) throw outcome;
  const result = outcome as ScriptResult;
  if (event) expect(JSON.parse(result.event)).toMatchObject(event);
  if ('returned' in expected) expect(result.returned && JSON.parse(result.returned)).toEqual(expected.returned);
}
