import { expect } from 'vitest';
import { describeEngine, type EngineCase, missingHere, sampleEvent } from '../../engine-suite.fixture.ts';
import { openHostilePlace } from '../../hostile-place.fixture.ts';
import { hostilePhp } from './hostile.fixture.ts';
import { php } from './index.ts';

const thrown = (message: unknown, more: { statusCode?: number; code?: number | string } = {}) => ({
  exception: { message, ...more },
});

/** Exceptions of the documents, by either name, and their statuses. */
const restExceptions: [script: string, status: number][] = [
  ["throw new RestException(418, 'No');", 418],
  ["throw new \\DreamFactory\\Core\\Exceptions\\RestException(409, 'No');", 409],
  ["throw new \\DreamFactory\\Core\\Exceptions\\BadRequestException('No');", 400],
  ["use DreamFactory\\Core\\Exceptions\\NotFoundException;\nthrow new NotFoundException('No');", 404],
  ["throw new ForbiddenException('No');", 403],
  ["throw new UnauthorizedException('No');", 401],
  ["throw new InternalServerErrorException('No');", 500],
];

const ownCases: EngineCase[] = [
  ...restExceptions.map(
    ([script, statusCode]): EngineCase => ({
      name: `an exception with the status ${statusCode}`,
      script: { php: script },
      expected: thrown('No', { statusCode }),
    }),
  ),
  {
    name: 'an exception with a code',
    script: { php: "throw new RuntimeException('No', 17);" },
    expected: thrown('No', { code: 17 }),
  },
  {
    name: "an exception of the script's own, by a name that is taken where it is not",
    script: {
      php: "class NotFoundException extends Exception { public $status_code = 410; }\nthrow new NotFoundException('Gone');",
    },
    expected: thrown('Gone', { statusCode: 410 }),
  },
  {
    name: 'a mistake has its line',
    script: { php: '// first\n$a = 1;\nreturn [;' },
    expected: thrown('syntax error, unexpected token ";", expecting "]" (line 3)'),
  },
  {
    name: 'an error in a line of the script has its line',
    script: { php: '// first\nfunction work() {\n  return nothing();\n}\nwork();' },
    expected: thrown('Call to undefined function nothing() (line 3)'),
  },
  {
    name: 'the event is a reference',
    script: { php: "$event = ['request' => ['payload' => 'new']];" },
    expected: { event: { request: { payload: 'new' } } },
  },
  {
    name: 'an event in place of which there is something else',
    script: { php: "$event = 'text';" },
    expected: { failure: 'script.noEvent' },
  },
  {
    name: 'a file as it is elsewhere: with its mark, a namespace to use, and functions below their use',
    script: {
      php: '\n<?php\nuse ArrayObject as A;\nreturn sum(new A([1, 2]));\nfunction sum($all) { return array_sum((array) $all); }\n?>\n',
    },
    expected: { returned: 3 },
  },
  {
    name: 'a script sees its two variables and no other',
    script: { php: 'return array_keys(get_defined_vars());' },
    expected: { returned: ['event', 'platform'] },
  },
  {
    name: 'the platform answers to keys and members, and its functions can be taken out of it',
    script: {
      php: "$get = $platform['api']->get; $all = [$get('a'), $platform->api->get('b'), $platform['api']['get']('c')];\nreturn [...array_map(fn ($answer) => $answer['content']['echo']['path'], $all), isset($platform['api'], $platform->store), $platform->session['user']['id']];",
    },
    expected: { returned: ['a', 'b', 'c', true, 7] },
  },
  {
    name: 'options of curl, by name and by constant',
    script: {
      php: "return $platform['api']->get('db', null, [CURLOPT_TIMEOUT => 5, 'CURLOPT_HTTPHEADER' => ['A: b']])['content']['echo']['options'];",
    },
    expected: { returned: { CURLOPT_TIMEOUT: 5, CURLOPT_HTTPHEADER: ['A: b'] } },
  },
  {
    name: 'a function that the platform does not have',
    script: { php: "\n$platform['api']->fetch('db');" },
    expected: thrown(expect.stringContaining('There is no function fetch()')),
  },
  {
    name: 'objects stay objects: empty ones, emptied ones, those whose names are numbers; lists stay lists',
    script: {
      php: "unset($event['request']['parameters']['fields'], $event['odd']['one']['a']); $event['odd']['numbers'][0] = 'c'; $event['odd']['full'] = [1, 2]; array_pop($event['odd']['list']);",
    },
    event: {
      odd: { empty: {}, one: { a: 1 }, numbers: { 0: 'a', 1: 'b' }, full: {}, list: [[], {}], deep: [[{ a: {} }]] },
    },
    expected: {
      event: {
        request: { ...sampleEvent.request, parameters: {} },
        odd: { empty: {}, one: {}, numbers: { 0: 'c', 1: 'b' }, full: [1, 2], list: [[]], deep: [[{ a: {} }]] },
      },
    },
  },
  {
    name: 'numbers are what they were, none beyond all',
    script: {
      php: "return ['long' => $event['odd']['long'], 'third' => $event['odd']['third'], 'large' => 1e400, 'none' => NAN];",
    },
    event: { odd: { long: 1161380288898609900, third: 0.1 } },
    expected: { returned: { long: 1161380288898609900, third: 0.1, large: null, none: null } },
  },
  {
    name: 'text that is no UTF-8, and half of a pair of surrogates, are replaced',
    script: { php: "return [\"a\\xffb\", $event['odd']['half'], $event['odd']['whole'], $event['odd']['written']];" },
    event: { odd: { half: 'a\ud83db', whole: '\ud83d\ude00', written: '\\ud83d' } },
    expected: { returned: ['a\ufffdb', 'a\ufffdb', '\ud83d\ude00', '\\ud83d'] },
  },
  {
    name: 'the end of the script by exit, before the last line',
    script: { php: "$event['request']['payload'] = 'left'; exit; $event['request']['payload'] = 'never';" },
    expected: { event: { request: { ...sampleEvent.request, payload: 'left' } }, returned: undefined },
  },
  {
    name: 'warnings are in the log, with their line, and end nothing',
    script: { php: "echo 'a', \"\\n\";\n$a = $event['nothing'];\nreturn 1;" },
    expected: { returned: 1, log: 'a\nWarning: Undefined array key "nothing" (line 2)' },
  },
  {
    name: 'warnings that the script silences are not in the log, and what it logs by error_log() is',
    script: { php: "$b = @$event['silent'];\nerror_log('b');" },
    expected: { log: 'b' },
  },
  {
    name: 'what is printed with buffers of its own is in the log',
    script: { php: "ob_start(); echo 'hidden'; $text = ob_get_clean(); ob_start(); print(strtoupper($text));" },
    expected: { log: 'HIDDEN' },
  },
  {
    name: 'an error that PHP cannot go on from',
    script: { php: 'class A extends B {}\nfinal class B {}' },
    expected: thrown(expect.stringMatching(/\(line 1\)$/)),
  },
  {
    name: 'calls of itself without end',
    script: { php: 'function again() { return again() + 1; }\nreturn again();' },
    expected: { failure: ['script.memory', 'script.exit'] },
  },
  {
    name: 'a limit of memory that the script itself sets',
    script: { php: "ini_set('memory_limit', -1); $all = []; while (true) { $all[] = str_repeat('x', 1000000); }" },
    expected: { failure: ['script.memory', 'script.exit'] },
  },
];

const harm = hostilePhp(await openHostilePlace());
describeEngine(php, { ownCases: [...ownCases, ...harm], missing: await missingHere(php), slow: 500 });
