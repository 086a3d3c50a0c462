// The program that runs one script of nodejs, in a process of its own that the server started ahead: it waits for the script on
// descriptor 3, runs it, and says there what came of it (confined/frames.ts). What it uses of the language is taken before the
// script can replace it. Arguments: a folder of modules, then the names of those that scripts may load. Without dependencies, and
// without what Node.js would have to load first.
'use strict';

const { readSync, writeSync, read } = require('node:fs');
const { compileFunction } = require('node:vm');
const { createRequire } = require('node:module');
const { format, inspect } = require('node:util');
const { parse, stringify } = JSON;
const makeText = String;
const { allocUnsafe, concat } = Buffer;
const indexOf = Function.call.bind(Buffer.prototype.indexOf);
const toText = Function.call.bind(Buffer.prototype.toString);
const part = Function.call.bind(Buffer.prototype.subarray);
const { assign } = Object;
const [ScriptPromise, ScriptError, SyntaxFailure] = [Promise, Error, SyntaxError];
const leave = process.reallyExit.bind(process);
const [modulesFolder, ...allowedModules] = process.argv.splice(2);

/** Modules of Node.js that are of use to a script; its process confines it, not this list. */
const ownModules = new Set([
  ...[
    'assert',
    'buffer',
    'crypto',
    'events',
    'path',
    'punycode',
    'querystring',
    'readline',
    'stream',
    'string_decoder',
  ],
  ...[
    'timers',
    'url',
    'util',
    'zlib',
    'assert/strict',
    'stream/promises',
    'timers/promises',
    'util/types',
    'perf_hooks',
  ],
]);

const channel = 3;
const lineEnd = 0x0a;

const start = parse(readLine());
const maxResult = start.result;
const answers = new Map();
let lastId = 0;
let isReading = false;
let isOver = false;
let rest = allocUnsafe(0);
/** What `setReturn` or a `return` gave last, as JSON; undefined: the event itself. */
let returned;
let event;

process.on('uncaughtException', (error) => finish(thrown(error)));
process.on('unhandledRejection', (error) => finish(thrown(error)));
// The event loop is empty, or the script ended it.
process.on('exit', (code) => {
  if (code === 0 || code === undefined) finish(outcome());
});
run();

function run() {
  event = parse(start.event);
  addSetters();
  const platform = { api: apiOfScript(), config: parse(start.config), session: parse(start.session) };
  replaceConsole();
  let result;
  try {
    result = compile(start.script)(event, platform, requireForScript);
  } catch (error) {
    finish(thrown(error));
    return;
  }
  if (typeof result?.then !== 'function') setReturned(result);
  else ScriptPromise.resolve(result).then(setReturned, (error) => finish(thrown(error)));
}

/** The body of a function; of one that may wait where the text says `await` and is no other function. */
function compile(script) {
  const names = ['event', 'platform', 'require'];
  const options = { filename: `${start.identifier}.js` };
  try {
    return compileFunction(script, names, options);
  } catch (error) {
    if (!(error instanceof SyntaxFailure) || !/\bawait\b/.test(script)) throw error;
    const wait = compileFunction(`return async () => {${script}\n}`, names, options);
    return (...values) => wait(...values)();
  }
}

/** Of several the last counts (contract §4). */
function addSetters() {
  const hidden = (value) => ({ value, enumerable: false, configurable: true, writable: true });
  Object.defineProperties(event, {
    setResponse: hidden((content, status = 200, type = 'application/json') => {
      event.response = { ...event.response, content, status_code: status, content_type: type };
      returned = undefined;
    }),
    setRequest: hidden((request) => {
      event.request = request;
      returned = undefined;
    }),
    setReturn: hidden(setReturned),
  });
}

function setReturned(value) {
  if (value === event || value === undefined) return;
  try {
    returned = stringify(value);
  } catch (error) {
    finish(thrown(error));
  }
}

function outcome() {
  let text;
  try {
    text = stringify(event);
  } catch {
    return { kind: 'noEvent' };
  }
  if (typeof text !== 'string' || text[0] !== '{') return { kind: 'noEvent' };
  if (text.length + (returned === undefined ? 0 : returned.length) > maxResult) return { kind: 'tooMuchResult' };
  return { kind: 'done', event: text, returned };
}

/** Message and code alone: another status is that of `setResponse` (contract §4). */
function thrown(error) {
  const isObject = typeof error === 'object' && error !== null;
  const message = isObject ? error.message : makeText(error);
  const code = isObject ? error.code : undefined;
  return {
    kind: 'thrown',
    message: typeof message === 'string' ? message : '',
    code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
  };
}

function finish(frame) {
  if (isOver) return;
  isOver = true;
  send(frame);
  leave(0);
}

function send(frame) {
  const bytes = Buffer.from(`${stringify(frame)}\n`);
  for (let from = 0; from < bytes.length; ) from += writeSync(channel, bytes, from);
}

/** Verb, path, payload, options and callback, of which the middle ones may be left out; a promise where there is no callback. */
function apiOfScript() {
  const send = (verb, path, payload, options, callback) => {
    const values = [payload, options, callback];
    const place = values.findIndex((value) => typeof value === 'function');
    const given = place < 0 ? values : values.slice(0, place);
    const answer = ask('api', { verb: makeText(verb), path: makeText(path), payload: given[0], options: given[1] });
    if (place < 0) return answer.then(({ text, ...response }) => response);
    answer.then((response) => values[place](response.text, httpResponse(response)));
    return undefined;
  };
  return {
    get: (path, options, callback) =>
      typeof options === 'function' ? send('GET', path, options) : send('GET', path, undefined, options, callback),
    post: (path, payload, options, callback) => send('POST', path, payload, options, callback),
    put: (path, payload, options, callback) => send('PUT', path, payload, options, callback),
    patch: (path, payload, options, callback) => send('PATCH', path, payload, options, callback),
    delete: (path, payload, options, callback) => send('DELETE', path, payload, options, callback),
    call: send,
  };
}

/** What a callback sees of an answer, by the names of Node.js. */
const httpResponse = ({ status_code: statusCode, headers, content_type: type }) => ({
  statusCode,
  statusMessage: '',
  headers: type === null || type === undefined ? headers : { 'content-type': type, ...headers },
});

function ask(name, argument) {
  lastId += 1;
  send({ kind: 'call', id: lastId, name, argument: stringify(argument) });
  return new ScriptPromise((resolve) => {
    answers.set(lastId, resolve);
    readAnswers();
  });
}

/** Reads while an answer is waited for, so that the event loop goes on just as long. */
function readAnswers() {
  if (isReading || answers.size === 0) return;
  isReading = true;
  read(channel, allocUnsafe(65_536), 0, 65_536, null, (error, length, bytes) => {
    isReading = false;
    // The server has gone.
    if (error || length === 0) return leave(1);
    rest = concat([rest, part(bytes, 0, length)]);
    for (let end = indexOf(rest, lineEnd); end >= 0; end = indexOf(rest, lineEnd)) {
      const { id, answer } = parse(toText(rest, 'utf8', 0, end));
      rest = part(rest, end + 1);
      const resolve = answers.get(id);
      answers.delete(id);
      resolve?.(answer === null ? undefined : parse(answer));
    }
    readAnswers();
  });
}

/** The first line; nothing follows it before it is answered. */
function readLine() {
  const parts = [];
  for (;;) {
    const bytes = allocUnsafe(65_536);
    const length = readSync(channel, bytes, 0, bytes.length, null);
    // It was not needed.
    if (length === 0) process.reallyExit(0);
    parts.push(part(bytes, 0, length));
    if (bytes[length - 1] === lineEnd) return toText(concat(parts));
  }
}

/** What is printed is written at once: a script that is ended loses nothing of it. */
function replaceConsole() {
  const line = (...values) => {
    writeSync(1, `${format(...values)}\n`);
  };
  const names = ['log', 'info', 'debug', 'warn', 'error', 'trace'];
  assign(console, Object.fromEntries(names.map((name) => [name, line])), { dir: (value) => line(inspect(value)) });
}

function requireForScript(name) {
  const known = makeText(name).replace(/^node:/, '');
  if (ownModules.has(known)) return require(known);
  const [scope, ...others] = known.split('/');
  const library = scope.startsWith('@') ? `${scope}/${others[0]}` : scope;
  if (modulesFolder && allowedModules.includes(library) && !known.split('/').includes('..'))
    return createRequire(`${modulesFolder}/`)(known);
  throw new ScriptError(`The module "${known}" is not one that scripts may load.`);
}
