// The paths of a definition that is kept with its service, which stand in place of generated ones: filtered alike, at our address
// and with our credentials. What a reference names outside of the definition is left out, never looked at.
import { type Verb, verbs } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { isRecord } from '../call/payload.ts';
import { type Section, sections } from './components.ts';
import { type Definition, pathStart } from './definition.ts';
import { reachOf } from './reach.ts';
import { commonResponse } from './responses.ts';
import type { Form } from './schema.ts';
import type { Path, PathsContext } from './service-paths.ts';

export type StoredContext = Pick<
  PathsContext,
  'caller' | 'key' | 'tag' | 'prefix' | 'form' | 'components' | 'operationId'
>;

type Json = Record<string, unknown>;

/** Says where calls go and with which credentials, or belongs to verbs that no service has. */
const leftOut = new Set(['security', 'servers', 'callbacks', 'head', 'options', 'trace']);

/** The paths, with their leading slash and without the name of the service before them. */
export async function* storedPaths({ document }: Definition, context: StoredContext): AsyncGenerator<Path> {
  const paths = Object.entries(isRecord(document.paths) ? document.paths : {}).filter(([path]) => path.startsWith('/'));
  const start = pathStart(paths, context.key);
  const rewrite = createRewrite(document, context);
  for (const [path, item] of paths) {
    await pause();
    if (!isRecord(item)) continue;
    const place = path.slice(start) || '/';
    const entries = Object.entries(item).flatMap(([name, value]) => {
      if (leftOut.has(name)) return [];
      const verb = verbs.find((one) => one.toLowerCase() === name);
      if (!verb) return [[name, rewrite(value)] as const];
      return isRecord(value) && isReached(context, place, verb)
        ? [[name, operationOf(rewrite(value) as Json, place, verb, context)] as const]
        : [];
    });
    if (entries.some(([name]) => verbs.some((verb) => verb.toLowerCase() === name)))
      yield [place, Object.fromEntries(entries)];
  }
}

function isReached({ caller, key }: StoredContext, place: string, verb: Verb): boolean {
  const path = place.replace(/^\/+|\/+$/g, '');
  const seeker = { caller, key, leadsTo: () => true };
  return reachOf(seeker, { path, verb, isPublic: false, takesSlashes: false }) !== undefined;
}

function operationOf(operation: Json, place: string, verb: Verb, context: StoredContext): Json {
  const { tag, prefix, form, components } = context;
  const own = typeof operation.operationId === 'string' ? `${prefix}${operation.operationId}` : undefined;
  const responses = isRecord(operation.responses) ? operation.responses : {};
  return {
    ...Object.fromEntries(Object.entries(operation).filter(([name]) => !leftOut.has(name))),
    tags: [tag],
    operationId: own ?? context.operationId(tag, verb, place),
    responses: { ...responses, default: responses.default ?? commonResponse(components, 'Error', form) },
  };
}

/** Copies a part of a definition for a document: references lead to its components, null is said as in its form. */
function createRewrite(document: Json, { components, prefix, key, form }: StoredContext) {
  const all = isRecord(document.components) ? document.components : {};
  const reference = (ref: string): Json | undefined => {
    const [, section, name] = /^#\/components\/(\w+)\/([^/]+)$/.exec(ref) ?? [];
    if (section === undefined || name === undefined || !isSection(section)) return undefined;
    const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
    const list = all[section];
    if (!isRecord(list) || !Object.hasOwn(list, plain)) return undefined;
    const id = `stored ${key}\0${plain}`;
    return components.ref(section, id, `${prefix}${plain}`, () => rewrite(list[plain]));
  };
  const rewrite = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(rewrite).filter((item) => item !== undefined);
    if (!isRecord(part)) return part;
    if (typeof part.$ref === 'string') return reference(part.$ref);
    const entries = Object.entries(part).map(
      ([name, value]) => [name, data.has(name) ? value : rewrite(value)] as const,
    );
    const known = entries.filter(([, value]) => value !== undefined);
    return nullsIn(form, boundsIn(form, Object.fromEntries(known)));
  };
  return rewrite;
}

/** What holds values, not descriptions of them. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const']);

const isSection = (name: string): name is Section => (sections as readonly string[]).includes(name);

/** `exclusiveMinimum` is a flag beside `minimum` in 3.0, and a number of its own in 3.1. */
function boundsIn(form: Form, schema: Json): Json {
  let result = schema;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = result[exclusive];
    if (form === '3.0' && typeof value === 'number') result = { ...result, [bound]: value, [exclusive]: true };
    if (form === '3.0' || typeof value !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: limit, ...rest } = result;
    result = limit === undefined ? rest : { ...rest, [isExclusive ? exclusive : bound]: limit };
  }
  return result;
}

/** A schema of either form in one: `nullable` becomes a type and the other way round. */
function nullsIn(form: Form, schema: Json): Json {
  const { type, nullable, ...rest } = schema;
  if (form === '3.1') {
    if (typeof nullable !== 'boolean') return schema;
    if (typeof type !== 'string') return type === undefined ? rest : { ...rest, type };
    return { ...rest, type: nullable ? [type, 'null'] : type };
  }
  if (type === 'null') return { ...rest, nullable: true };
  if (!Array.isArray(type)) return schema;
  const others = type.filter((one) => one !== 'null');
  const takesNull = others.length < type.length;
  const types = others.map((one) => ({ type: one, ...(takesNull ? { nullable: true } : {}) }));
  return types.length === 1 ? { ...rest, ...types[0] } : { ...rest, anyOf: types };
}
