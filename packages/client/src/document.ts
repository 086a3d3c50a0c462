// Reading a document without trust: what is not as expected is as if it were not there.

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member by its own name; documents may have any names. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const objectAt = (value: unknown, ...names: string[]): Json => {
  const found = names.reduce(member, value);
  return isObject(found) ? found : {};
};

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export type Section = 'schemas' | 'parameters' | 'responses' | 'requestBodies';

/** The name of the component that a reference leads to. */
export function refName(value: unknown, section: Section): string | undefined {
  const ref = member(value, '$ref');
  const start = `#/components/${section}/`;
  return typeof ref === 'string' && ref.startsWith(start) ? ref.slice(start.length) : undefined;
}

/** The component that a reference leads to, or the value itself. */
export function resolve(document: Json, value: unknown, section: Section): Json {
  const name = refName(value, section);
  if (name !== undefined) return objectAt(document, 'components', section, name);
  return isObject(value) ? value : {};
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Verb = (typeof verbs)[number];

export interface Operation {
  verb: Verb;
  parameters: Json[];
  /** The schema of the body; undefined: there is none. */
  body: unknown;
  isBodyRequired: boolean;
  isBodyJson: boolean;
  /** The schema of the answer; undefined: it is not said. */
  answer: unknown;
  /** It answers bytes or a text. */
  isAnswerJson: boolean;
}

export interface Path {
  service: string;
  /** Below the service, with a slash in front; empty for the service itself. */
  rest: string;
  operations: Operation[];
}

/** The paths of a document, in its order, each with the name of its service; of one service or of all. */
export function readPaths(document: Json): Path[] {
  const servers = document.servers;
  const url = member(Array.isArray(servers) ? servers[0] : undefined, 'url');
  const [, ofOne] = /\/api\/v2\/([^/]+)\/?$/.exec(typeof url === 'string' ? url : '') ?? [];
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]): Path[] => {
    // An address that leads elsewhere is none of the service.
    if (!path.startsWith('/') || /[?#\\]|(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return [];
    const slash = path.indexOf('/', 1);
    const [service, rest] =
      ofOne !== undefined
        ? [decode(ofOne), path === '/' ? '' : path]
        : slash < 0
          ? [path.slice(1), '']
          : [path.slice(1, slash), path.slice(slash)];
    if (service === '') return [];
    return [{ service, rest, operations: verbs.flatMap((verb) => readOperation(document, item, verb)) }];
  });
}

/** As the text stands where it is not encoded. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readOperation(document: Json, item: unknown, verb: Verb): Operation[] {
  const operation = member(item, verb);
  if (!isObject(operation)) return [];
  const listed = [member(item, 'parameters'), operation.parameters].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const requestBody = resolve(document, operation.requestBody, 'requestBodies');
  const [bodyType, body] = firstContent(requestBody);
  const responses = objectAt(operation, 'responses');
  const success = Object.keys(responses).find((status) => /^2/.test(status));
  const [answerType, answer] = firstContent(resolve(document, member(responses, success ?? ''), 'responses'));
  return [
    {
      verb,
      parameters: listed.map((parameter) => resolve(document, parameter, 'parameters')),
      body,
      isBodyRequired: requestBody.required === true,
      isBodyJson: bodyType === undefined || isJson(bodyType),
      answer,
      isAnswerJson: answerType === undefined || isJson(answerType),
    },
  ];
}

const isJson = (type: string): boolean => /\bjson\b/.test(type);

/** The schema of a body or an answer, of JSON where there are several. */
function firstContent(value: Json): [type?: string, schema?: unknown] {
  const content = Object.entries(objectAt(value, 'content'));
  const [type, media] = content.find(([name]) => isJson(name)) ?? content[0] ?? [];
  return type === undefined ? [] : [type, member(media, 'schema') ?? {}];
}
