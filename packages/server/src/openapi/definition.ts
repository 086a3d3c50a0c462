// A definition of a service, written by hand: its text into a document and the operations of that (contract/
// event-scripts-and-script-services.md §7). Nothing outside the text is looked at: `$ref` leads inside it or nowhere.
import { Failure, fail, type Verb, verbs } from '@sluice/contract';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { parseJson } from '../call/formats/json.ts';
import { isRecord } from '../call/payload.ts';
import { isSwagger2, upgradeSwagger2 } from './swagger-2.ts';

/** The row of a definition. Format 0 is JSON, 1 is YAML. */
export interface StoredDefinition {
  content: string | null;
  format: number | null;
}

/** What placeholders of a definition stand for. */
export interface NamedService {
  name: string;
  label: string | null;
  description: string | null;
}

export interface Definition {
  /** The document, placeholders filled; one of Swagger 2.0 in the form of OpenAPI 3.0, any other as it was written. */
  document: Record<string, unknown>;
  /** What can be called, in the order of the document. */
  operations: DefinedOperation[];
  /** Where it says that calls go: an address of the web, complete. */
  address?: string;
}

export interface DefinedOperation {
  /** Below the service, with `{placeholders}`, without the slashes around it; empty for the service itself. */
  path: string;
  verb: Verb;
  operationId?: string;
  summary?: string;
  /** Those of its path included. */
  parameters: DefinedParameter[];
}

export interface DefinedParameter {
  name: string;
  in: string;
  /** What it may be, where the document lists that. */
  values?: string[];
}

/**
 * Bounds of a definition: how deep it is nested, its values once aliases stand for what they name, aliases, and what is taken of
 * it as operations.
 */
const bounds = { depth: 100, values: 200_000, aliases: 1_000, operations: 2_000, parameters: 100, choices: 1_000 };

/** Reads a definition; undefined where there is none. Throws `definition.badFormat` and `definition.unreadable`. */
export function readDefinition({ content, format }: StoredDefinition, service: NamedService): Definition | undefined {
  if (content === null || content.trim() === '') return undefined;
  const parse = parsers.get(format ?? 0);
  if (!parse) throw fail('definition.badFormat', { format: format ?? 0 });
  try {
    const filled = copyFilled(parse(content), placeholdersOf(service));
    if (!isRecord(filled)) throw new Unreadable('it is no object');
    const document = isSwagger2(filled) ? upgradeSwagger2(filled) : filled;
    const address = addressOf(filled);
    return {
      ...{ document, operations: operationsOf(document, service.name) },
      ...(address === undefined ? {} : { address }),
    };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    throw fail('definition.unreadable', { service: service.name, problem }, { cause: error });
  }
}

/** `servers` of OpenAPI, the first one; `schemes`, `host` and `basePath` of Swagger 2.0. */
function addressOf(document: Record<string, unknown>): string | undefined {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const { schemes, host, basePath = '' } = document;
  const scheme = Array.isArray(schemes) && !schemes.includes('https') ? schemes[0] : 'https';
  const address = isSwagger2(document) ? `${scheme}://${host ?? ''}${basePath}` : isRecord(server) ? server.url : '';
  return typeof address === 'string' && /^https?:\/\/[^/]/.test(address) && URL.canParse(address) ? address : undefined;
}

class Unreadable extends Error {}

const problemOf = (error: unknown): string | undefined => {
  if (error instanceof YAMLException)
    return error.mark ? `${error.reason}, line ${error.mark.line + 1}, column ${error.mark.column + 1}` : error.reason;
  return error instanceof Unreadable || error instanceof Failure ? error.message : undefined;
};

const parsers = new Map<number, (text: string) => unknown>([
  [0, (text) => parseJson(text, { depth: bounds.depth, names: bounds.values, values: bounds.values })],
  // YAML 1.2, as OpenAPI wants it: `yes` is a text, and `<<` merges nothing.
  [1, (text) => load(text, { schema: CORE_SCHEMA, maxDepth: bounds.depth, maxAliases: bounds.aliases })],
]);

/** The texts of the placeholders, by their names. */
function placeholdersOf({ name, label, description }: NamedService): ReadonlyMap<string, string> {
  const lower = name.toLowerCase();
  const words = name.replace(/_+/g, ' ').replace(/(^| )./g, (letter) => letter.toUpperCase());
  const camel = words.replaceAll(' ', '');
  return new Map([
    ['service.name', lower],
    ['service.names', pluralOf(lower)],
    ['service.Name', camel],
    ['service.Names', pluralOf(camel)],
    ['service.label', label ?? ''],
    ['service.description', description ?? ''],
  ]);
}

const pluralOf = (word: string): string =>
  /[^aeiou]y$/i.test(word) ? `${word.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;

/**
 * A copy of a document, names and texts filled: after it was parsed, so that no label can change what is written around it. Aliases
 * become copies; what they would grow to is bounded, and one that holds itself ends at the depth.
 */
function copyFilled(value: unknown, placeholders: ReadonlyMap<string, string>): unknown {
  let values = 0;
  const fill = (text: string): string =>
    text.includes('{service.')
      ? text.replace(/\{(service\.\w+)\}/g, (placeholder, name: string) => placeholders.get(name) ?? placeholder)
      : text;
  const copy = (part: unknown, depth: number): unknown => {
    values += 1;
    if (values > bounds.values) throw new Unreadable(`it holds more than ${bounds.values} values`);
    if (depth > bounds.depth) throw new Unreadable(`it is nested more than ${bounds.depth} deep`);
    if (typeof part === 'string') return fill(part);
    if (Array.isArray(part)) return part.map((item) => copy(item, depth + 1));
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).filter(([name]) => name !== '__proto__');
    const [first] = entries;
    // `title: {service.label}` without quotes is a map in YAML.
    if (entries.length === 1 && first?.[1] === null && placeholders.has(first[0])) return placeholders.get(first[0]);
    return Object.fromEntries(entries.map(([name, member]) => [fill(name), copy(member, depth + 1)]));
  };
  return copy(value, 0);
}

/** Where the paths of a definition begin: the name of the service may stand before all of them. */
export function pathStart(paths: readonly (readonly [path: string, item: unknown])[], service: string): number {
  const prefix = `/${service.toLowerCase()}`;
  const hasPrefix = (path: string) => `${path.toLowerCase()}/`.startsWith(`${prefix}/`);
  return paths.length > 0 && paths.every(([path]) => hasPrefix(path)) ? prefix.length : 0;
}

function operationsOf(document: Record<string, unknown>, service: string): DefinedOperation[] {
  const paths = Object.entries(isRecord(document.paths) ? document.paths : {}).filter(([path]) => path.startsWith('/'));
  const start = pathStart(paths, service);
  const operations: DefinedOperation[] = [];
  for (const [path, item] of paths) {
    if (!isRecord(item)) continue;
    for (const verb of verbs) {
      const operation = item[verb.toLowerCase()];
      if (!isRecord(operation)) continue;
      if (operations.length >= bounds.operations)
        throw new Unreadable(`it has more than ${bounds.operations} operations`);
      operations.push({
        path: path.slice(start).replace(/^\/+|\/+$/g, ''),
        verb,
        ...(typeof operation.operationId === 'string' ? { operationId: operation.operationId } : {}),
        ...(typeof operation.summary === 'string' ? { summary: operation.summary } : {}),
        parameters: parametersOf(document, [item.parameters, operation.parameters]),
      });
    }
  }
  return operations;
}

/** The parameters of lists, the last of a name and a place counts. */
function parametersOf(document: Record<string, unknown>, lists: unknown[]): DefinedParameter[] {
  const parameters = new Map<string, DefinedParameter>();
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const item of list.slice(0, bounds.parameters)) {
      const parameter = followReference(document, item);
      if (!isRecord(parameter) || typeof parameter.name !== 'string') continue;
      const { name } = parameter;
      const place = typeof parameter.in === 'string' ? parameter.in : 'query';
      const values = choicesOf(document, parameter);
      parameters.set(`${place} ${name}`, { name, in: place, ...(values ? { values } : {}) });
    }
  }
  return [...parameters.values()];
}

/** `enum` of its schema, or, as older documents have it, its own `enum` or `options`. */
function choicesOf(document: Record<string, unknown>, parameter: Record<string, unknown>): string[] | undefined {
  const schema = followReference(document, parameter.schema);
  const choices = [isRecord(schema) ? schema.enum : undefined, parameter.enum, parameter.options].find(Array.isArray);
  return choices
    ?.slice(0, bounds.choices)
    .filter((choice) => ['string', 'number', 'boolean'].includes(typeof choice))
    .map(String);
}

/** What `$ref` leads to inside the document, followed a few times; undefined where it leads elsewhere. */
function followReference(document: Record<string, unknown>, value: unknown): unknown {
  let current = value;
  for (let count = 0; count < 5 && isRecord(current) && typeof current.$ref === 'string'; count++) {
    const { $ref: reference } = current;
    if (!reference.startsWith('#/')) return undefined;
    current = reference
      .slice(2)
      .split('/', bounds.depth)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (node, part) => (isRecord(node) && Object.hasOwn(node, part) ? node[part] : undefined),
        document,
      );
  }
  return current;
}
