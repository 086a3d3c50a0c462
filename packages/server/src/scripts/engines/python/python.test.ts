import { expect } from 'vitest';
import { describeEngine, type EngineCase, missingHere, sampleEvent } from '../../engine-suite.fixture.ts';
import { openHostilePlace } from '../../hostile-place.fixture.ts';
import { hostilePython } from './hostile.fixture.ts';
import { python } from './index.ts';

const thrown = (message: unknown, more: { statusCode?: number; code?: number | string } = {}) => ({
  exception: { message, ...more },
});

/** Scripts that only Python 2 can read. */
const python2: [name: string, script: string][] = [
  ['print as a statement', "x = 1\nif x:\n    print 'a', x\nreturn 1"],
  ['print into a stream', "import sys\nprint >>sys.stderr, 'a'\nprint 'b'"],
  ['an exception caught by a comma', 'try:\n    pass\nexcept ValueError, error:\n    pass'],
  ['an exception raised by a comma', "raise ValueError, 'no'"],
  ['backticks', 'return `1` + "a"'],
  ['exec as a statement', "exec 'a = 1'"],
  ['another sign for unequal', 'return 1 <> 2'],
  ['an octal number', 'return 0777'],
  ['a long number', 'return 10L'],
  ['parameters in brackets', 'return (lambda (a, b): a)((1, 2))'],
];

const ownCases: EngineCase[] = [
  ...python2.map(
    ([name, script]): EngineCase => ({
      name: `Python 2: ${name}`,
      script: { python: script },
      expected: thrown(
        expect.stringMatching(/^The script is written in Python 2, and scripts are run by Python 3: .* \(line \d\)$/),
      ),
    }),
  ),
  {
    name: 'a mistake that no Python can read is called no Python 2, and has its line',
    script: { python: '# first\na = 1\nb = = 2' },
    expected: thrown('invalid syntax (line 3)'),
  },
  {
    name: 'members are attributes and keys, at any depth',
    script: {
      python: `
event.request.parameters.limit = 5
event['request'].parameters['offset'] = event.request['parameters'].limit + 1
del event.request.parameters.fields
event.request.payload.resource[0].more.deep = {'a': 1}
try:
    event.request.nothing
except AttributeError as error:
    return [str(error), 'nothing' in event.request, event.request.get('nothing', 7)]
`,
    },
    expected: {
      returned: ["there is no member 'nothing'", false, 7],
      event: {
        request: expect.objectContaining({
          parameters: { limit: 5, offset: 6 },
          payload: { resource: [{ name: 'Ada', note: null, tags: [], more: { deep: { a: 1 } } }] },
        }),
      },
    },
  },
  {
    name: 'a member that is named like a method is a key',
    script: { python: "return [event.odd['items'], event.odd['get'], event.odd.get('keys')]" },
    event: { odd: { items: 1, get: 2, keys: 3 } },
    expected: { returned: [1, 2, 3] },
  },
  {
    name: 'an answer has status, headers, the text to read, and what it says',
    script: {
      python: `
import json
answer = platform.api.get('db/_table/x', {'parameters': {'limit': 1}})
read = answer.read()
return [answer.status, answer.getheader('Content-Type'), json.loads(read.decode('utf-8')) == json.loads(read),
        answer.read(), answer.text == read, answer.json().echo.options.parameters.limit]
`,
    },
    expected: { returned: [200, 'application/json', true, '', true, 1] },
  },
  {
    name: 'functions of the platform are keys, too',
    script: {
      python: "return platform['api']['get']('db')['json']()['echo'] if False else platform['api']['get']('db').status",
    },
    expected: { returned: 200 },
  },
  {
    name: 'a payload may be the text of a body',
    script: {
      python:
        "return [platform.api.post('db', '{\"a\": [1]}').json().echo.payload, platform.api.put('db', b'a, b').json().echo.payload]",
    },
    expected: { returned: [{ a: [1] }, 'a, b'] },
  },
  {
    name: 'values that are kept',
    before: [{ python: "platform.store.set('count', {'n': 1})" }],
    script: {
      python: "return [platform.store.get('count').n, platform['store']['get']('none', 5), platform.store.get('none')]",
    },
    expected: { returned: [1, 5, null] },
  },
  {
    name: 'an error with a status',
    script: { python: "raise ScriptError('No', status_code=403, code='mine')" },
    expected: thrown('No', { statusCode: 403, code: 'mine' }),
  },
  {
    name: "an error of the script's own class with a status",
    script: {
      python: "class No(Exception):\n    status_code = 404\n\ndef refuse():\n    raise No('Not here')\n\nrefuse()",
    },
    expected: thrown('Not here', { statusCode: 404 }),
  },
  {
    name: 'an error in a line of the script has its kind and line',
    script: { python: '# first\ndef work():\n    return nothing\n\nwork()' },
    expected: thrown("NameError: name 'nothing' is not defined (line 3)"),
  },
  {
    name: 'an error in a library has the line of the script that led to it',
    script: { python: "import json\n\njson.loads('{')" },
    expected: thrown(expect.stringMatching(/^JSONDecodeError: .* \(line 3\)$/)),
  },
  {
    name: 'where an error came from is in the log',
    script: { python: "def work():\n    raise ValueError('no')\n\nwork()" },
    expected: { ...thrown('no'), log: '  line 4, in script\n  line 2, in work\nValueError: no'.trim() },
  },
  {
    name: 'an exception that is assigned',
    script: { python: "event.exception = ScriptError('No', status_code=403)" },
    expected: { event: { exception: { message: 'No', status_code: 403, code: null } } },
  },
  {
    name: 'the blanks in a text of many lines are its own, and a comment may end the script',
    script: { python: 'text = """a\n  b\n\tc\n"""\nif True:\n\treturn text # last' },
    expected: { returned: 'a\n  b\n\tc\n' },
  },
  {
    name: 'imports that only modules may have',
    script: { python: 'from __future__ import annotations\nfrom math import *\nreturn floor(pi)' },
    expected: { returned: 3 },
  },
  {
    name: 'the end of the process by exit(), before the last line',
    script: { python: "import sys\nevent.request.payload = 'left'\nsys.exit()\nevent.request.payload = 'never'" },
    expected: { event: { request: { ...sampleEvent.request, payload: 'left' } }, returned: undefined },
  },
  {
    name: 'the end of the process with a code',
    script: { python: 'import sys\nsys.exit(3)' },
    expected: { failure: 'script.exit' },
  },
  {
    name: 'the end of the process past all that Python does at its end',
    script: { python: 'import os\nos._exit(0)' },
    expected: { failure: 'script.noEvent' },
  },
  {
    name: 'numbers are what they were: whole ones of any length, none beyond all',
    script: { python: "return {'n': 2**80, 'half': 1e400, 'none': float('nan'), 'same': event.odd.long}" },
    event: { odd: { long: 9007199254740991 } },
    expected: { returned: { n: 2 ** 80, half: null, none: null, same: 9007199254740991 } },
  },
  {
    name: 'values that JSON does not have become what it has',
    script: {
      python: `
import datetime, decimal
return [datetime.date(2024, 2, 29), decimal.Decimal('0.10'), decimal.Decimal(3), (1, 2), {3}, b'text', (n for n in [1])]
`,
    },
    expected: { returned: ['2024-02-29', 0.1, 3, [1, 2], [3], 'text', [1]] },
  },
  {
    name: 'a value that is no JSON in any way',
    script: { python: 'return object()' },
    expected: thrown('what the script left has a value that is no JSON: object'),
  },
  {
    name: 'half of a pair of surrogates, and a name that is a prototype elsewhere',
    script: { python: "event.odd['added'] = event.odd.half\nreturn event.odd" },
    event: { odd: { half: '\ud83d', ['__proto__']: 1 } },
    expected: { returned: JSON.parse('{"half":"\\ud83d","__proto__":1,"added":"\\ud83d"}') },
  },
  {
    name: 'what is written to either stream is in the log, in its order',
    script: { python: "import sys\nprint('a', 1)\nprint('b', file=sys.stderr)\nsys.stdout.buffer.write('ü'.encode())" },
    expected: { log: 'a 1\nb\nü' },
  },
  {
    name: 'a process that the script starts prints to the log, and ends without a result of its own',
    script: {
      python: `
import os
child = os.fork()
if child == 0:
    print('from the child', flush=True)
    return {'ok': 'child'}
os.waitpid(child, 0)
return {'ok': 'parent'}
`,
    },
    expected: { returned: { ok: 'parent' }, log: 'from the child' },
  },
  {
    name: 'threads call the platform one after the other',
    script: {
      python: `
import threading
found = []
threads = [threading.Thread(target=lambda n=n: found.append(platform.api.get('db/%d' % n).json().echo.path)) for n in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
return sorted(found)
`,
    },
    expected: { returned: Array.from({ length: 8 }, (_, index) => `db/${index}`) },
  },
];

const harm = hostilePython(await openHostilePlace());
describeEngine(python, { ownCases: [...ownCases, ...harm], missing: await missingHere(python), slow: 500 });
