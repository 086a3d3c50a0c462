// What a script of v8js finds in its context, as the text of a function that QuickJS evaluates before the script is there:
// `event`, `platform`, `print`, `var_dump`, `exit`, `sleep`, `require` and `console` (contract/event-scripts-and-script-services.md
// §4). All it uses of the language is taken before the script can replace it.

export const prelude = String.raw`
(function (host) {
  'use strict';
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { keys, freeze } = Object;
  const [makeText, makeFunction, ScriptError, EngineError] = [String, Function, Error, InternalError];
  const [isInteger, Seen] = [Number.isInteger, WeakSet];
  const globals = globalThis;
  const exitMark = freeze({});
  let outcome;

  const call = (name, argument) => {
    if (outcome) throw exitMark;
    const answer = host(name, stringify(argument));
    return answer === undefined ? undefined : parse(answer);
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof ScriptError) return makeText(value);
    try {
      return (typeof value === 'object' && stringify(value)) || makeText(value);
    } catch (error) {
      return '[object]';
    }
  };
  const writeLine = (...values) => {
    let line = '';
    for (let index = 0; index < values.length; index++) line += (index > 0 ? ' ' : '') + shown(values[index]);
    call('log', line + '\n');
  };

  const dumped = (value, indent, seen) => {
    if (value === null || value === undefined) return 'NULL';
    if (typeof value === 'boolean') return 'bool(' + value + ')';
    if (typeof value === 'number') return (isInteger(value) ? 'int(' : 'float(') + value + ')';
    if (typeof value === 'string') return 'string(' + value.length + ') ' + stringify(value);
    if (typeof value !== 'object') return typeof value;
    if (seen.has(value)) return '*RECURSION*';
    seen.add(value);
    const names = keys(value);
    let text = (isArray(value) ? 'array(' : 'object(') + names.length + ') {\n';
    for (let index = 0; index < names.length; index++)
      text += indent + '  [' + stringify(names[index]) + ']=>\n' + indent + '  ' + dumped(value[names[index]], indent + '  ', seen) + '\n';
    return text + indent + '}';
  };

  const finish = (event, returned) => {
    try {
      const text = stringify(event);
      if (typeof text !== 'string' || text[0] !== '{') return { kind: 'noEvent' };
      const value = returned === event ? undefined : stringify(returned);
      if (text.length + (value === undefined ? 0 : value.length) > host.maxResult) return { kind: 'tooMuchResult' };
      return { kind: 'done', event: text, returned: value };
    } catch (error) {
      return isMemory(error) ? { kind: 'memory' } : { kind: 'noEvent' };
    }
  };
  // With no memory left for the error itself, null is thrown.
  const isMemory = (error) => error === null || (error instanceof EngineError && error.message === 'out of memory');

  const thrown = (error) => {
    if (isMemory(error)) return { kind: 'memory' };
    const isObject = typeof error === 'object' && error !== null;
    const message = isObject ? error.message : makeText(error);
    const { status_code: statusCode, code } = isObject ? error : {};
    return {
      kind: 'thrown',
      message: typeof message === 'string' ? message : '',
      statusCode: typeof statusCode === 'number' ? statusCode : undefined,
      code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
    };
  };

  return function (script, eventText, configText, sessionText) {
    const event = parse(eventText);
    const send = (verb, path, payload, options) => call('api', { verb: makeText(verb), path: makeText(path), payload, options });
    const platform = {
      api: {
        get: (path, payload, options) => send('GET', path, payload, options),
        post: (path, payload, options) => send('POST', path, payload, options),
        put: (path, payload, options) => send('PUT', path, payload, options),
        patch: (path, payload, options) => send('PATCH', path, payload, options),
        delete: (path, payload, options) => send('DELETE', path, payload, options),
        call: send,
      },
      config: parse(configText),
      session: parse(sessionText),
      store: {
        get: (key, fallback = null) => {
          const found = call('get', makeText(key));
          return found === undefined ? fallback : found;
        },
        set: (key, value) => void call('set', [makeText(key), value === undefined ? null : value]),
      },
    };
    const modules = {};
    globals.print = (...values) => void call('log', values.map(shown).join(''));
    globals.var_dump = (...values) => {
      for (let index = 0; index < values.length; index++) call('log', dumped(values[index], '', new Seen()) + '\n');
    };
    globals.sleep = (seconds) => void call('sleep', +seconds || 0);
    globals.exit = () => {
      outcome = finish(event, undefined);
      throw exitMark;
    };
    globals.require = (name) => {
      const source = call('module', makeText(name));
      if (source === undefined) throw new ScriptError('The module "' + name + '" could not be found in any known locations.');
      if (modules[source.name]) return modules[source.name].exports;
      const module = (modules[source.name] = { exports: {} });
      makeFunction('module', 'exports', source.text)(module, module.exports);
      if (source.global) globals[source.global] = module.exports;
      return module.exports;
    };
    globals.console = { log: writeLine, info: writeLine, warn: writeLine, error: writeLine, debug: writeLine };
    try {
      const returned = makeFunction('event', 'platform', script)(event, platform);
      return outcome || finish(event, returned);
    } catch (error) {
      return outcome || thrown(error);
    }
  };
});
`;
