// What can be written behind `event` and `platform`, by language (contract/event-scripts-and-script-services.md §4). Pure.
import type { ScriptTypeName } from '@sluice/contract';
import type { Completion, Completions } from '../../ui/index.ts';

/** Members by name: of what type they are, and what they have themselves. */
interface Members {
  [name: string]: { detail: string; members?: Members; isMethod?: boolean };
}

const request: Members = {
  method: { detail: 'text, GET …' },
  parameters: { detail: 'of the query' },
  headers: { detail: 'by lower-case name' },
  payload: { detail: 'the body, parsed' },
  content: { detail: 'the body, as text' },
  content_type: { detail: 'text' },
  uri: { detail: '/api/v2/db/_table/x' },
  service: { detail: 'text' },
  resource: { detail: 'path behind the service' },
  api_version: { detail: "'2.0'" },
};

const response: Members = {
  status_code: { detail: 'number' },
  content: { detail: 'the answer, parsed' },
  content_type: { detail: 'text or null' },
  headers: { detail: 'by name' },
};

const session: Members = {
  user: {
    detail: 'who calls, or null',
    members: {
      ...Object.fromEntries(
        ['id', 'name', 'username', 'display_name', 'first_name', 'last_name', 'email'].map((name) => [
          name,
          { detail: '' },
        ]),
      ),
      is_sys_admin: { detail: 'true or false' },
      last_login_date: { detail: 'text' },
    },
  },
  app: { detail: 'of the API key', members: { id: { detail: 'number' } } },
  role: {
    detail: 'of the caller',
    members: { id: { detail: 'number' }, name: { detail: 'text' }, services: { detail: 'list' } },
  },
  lookup: { detail: 'lookup keys' },
  lookup_secret: { detail: 'private lookup keys' },
  api_key: { detail: 'text' },
  session_token: { detail: 'text' },
  requestor: { detail: "'API' or 'SCRIPT'" },
};

/** The arguments of the calls of `platform.api`, by language: Node.js takes a callback, Python has no payload on reads. */
const callArguments: Record<ScriptTypeName, { read: string; write: string; call: string }> = {
  v8js: {
    read: '(path, payload?, options?)',
    write: '(path, payload, options?)',
    call: '(verb, path, payload?, options?)',
  },
  php: {
    read: '(path, payload?, options?)',
    write: '(path, payload, options?)',
    call: '(verb, path, payload?, options?)',
  },
  nodejs: {
    read: '(path, options, callback)',
    write: '(path, payload, options, callback)',
    call: '(verb, path, payload, options, callback)',
  },
  python: { read: '(path, options)', write: '(path, payload, options)', call: '(verb, path, payload, options)' },
};

const answerSetters: Members = {
  setResponse: { detail: '(content, status?, type?)', isMethod: true },
  setRequest: { detail: '(request)', isMethod: true },
  setReturn: { detail: '(content)', isMethod: true },
};

function rootsOf(type: ScriptTypeName, hasResponse: boolean): Members {
  const { read, write, call } = callArguments[type];
  const api: Members = {
    get: { detail: read, isMethod: true },
    ...Object.fromEntries(['post', 'put', 'patch', 'delete'].map((name) => [name, { detail: write, isMethod: true }])),
    call: { detail: call, isMethod: true },
  };
  const store: Members = {
    get: { detail: '(key, default?)', isMethod: true },
    set: { detail: '(key, value), for 15 minutes', isMethod: true },
  };
  return {
    event: {
      detail: 'the call',
      members: {
        request: { detail: 'what is asked', members: request },
        response: {
          detail: hasResponse ? 'what was answered' : 'absent; set it to answer at once',
          members: response,
        },
        resource: { detail: 'path below the resource' },
        stop_propagation: { detail: 'true: no further scripts' },
        ...(type === 'nodejs' ? answerSetters : {}),
      },
    },
    platform: {
      detail: 'the instance',
      members: {
        api: { detail: 'calls, as the caller', members: api },
        session: { detail: 'who calls', members: session },
        config: { detail: 'of the instance', members: { df: { detail: 'settings' } } },
        ...(type === 'nodejs' || type === 'python'
          ? {}
          : { store: { detail: 'values kept between runs', members: store } }),
      },
    },
  };
}

/** A chain of members at the end of a text: `event.request.pay`, `$event['request']['pay`, `platform["session"].`. */
const chain =
  /(?:^|[^\w$.\]'"])(\$?)(event|platform)((?:\s*(?:\??\.|->)\s*\w+|\[\s*(?:'\w+'|"\w+")\s*\])*)\s*(?:(\??\.|->)\s*(\w*)|\[\s*(['"])(\w*))$/;
const start = /(?:^|[^\w$.>'"])(\$?[a-z]\w*)$/i;

/** Completion for scripts of a language; `hasResponse` where they run behind the operation. */
export function completeScript(type: ScriptTypeName, hasResponse: boolean): (before: string) => Completions | null {
  const roots = rootsOf(type, hasResponse);
  const sigil = type === 'php' ? '$' : '';
  return (before) => {
    const found = chain.exec(before);
    if (found) {
      const [, written, root = '', path = '', separator, plain = '', quote, quoted = ''] = found;
      if (written !== sigil) return null;
      const names = [...path.matchAll(/\w+/g)].map(([name]) => name);
      const members = names.reduce<Members | undefined>(
        (at, name) => memberOf(at, name)?.members,
        roots[root]?.members,
      );
      if (!members || !isWayIn(type, root, names, separator ?? '[', members)) return null;
      const end = separator === undefined ? `${quote}]` : '';
      return { length: separator === undefined ? quoted.length : plain.length, options: optionsOf(members, end) };
    }
    const typed = start.exec(before)?.[1];
    if (typed === undefined || (sigil === '$') !== typed.startsWith('$')) return null;
    const options = Object.entries(roots).map(
      ([name, { detail }]): Completion => ({ label: sigil + name, kind: 'variable', detail }),
    );
    return { length: typed.length, options: options.filter(({ label }) => label.startsWith(typed)) };
  };
}

const memberOf = (members: Members | undefined, name: string) =>
  members && Object.hasOwn(members, name) ? members[name] : undefined;

/** PHP has arrays but for what has methods; JavaScript and Python have both ways. */
function isWayIn(type: ScriptTypeName, root: string, path: string[], separator: string, members: Members): boolean {
  if (type !== 'php') return separator !== '->';
  const hasMethods = root === 'platform' && path.length > 0 && Object.values(members).some(({ isMethod }) => isMethod);
  return hasMethods ? separator === '->' : separator === '[';
}

const optionsOf = (members: Members, end: string): Completion[] =>
  Object.entries(members).map(([name, { detail, isMethod = false }]) => ({
    label: name,
    kind: isMethod ? 'method' : 'property',
    ...(detail ? { detail } : {}),
    ...(end === '' ? {} : { apply: `${name}${end}` }),
  }));
