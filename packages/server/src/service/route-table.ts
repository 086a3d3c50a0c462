// Finds the route of an address and what it does. Compiled once for each service type, read without opening a service.
import { type Failure, fail, type MaybePromise, type Verb, verbs } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import {
  eventOf,
  type Items,
  type Match,
  type Offer,
  type Operation,
  type PathValues,
  type Route,
  type RoutedOperation,
} from './operation.ts';
import { rootRoute } from './root.ts';

/** An operation with its description, as lists of operations show it. */
export type ListedOperation = Omit<RoutedOperation<never>, 'handle'>;

export interface RouteTable<Opened> {
  /** Everything that is not hidden, in the order of the type. */
  readonly operations: readonly ListedOperation[];
  /** Whether a verb needs no credentials there; `component` as `componentOf` makes it of a path. */
  isPublic(component: string, verb: Verb): boolean;
  /** How the token of a call is used; absent: it has to be valid. */
  tokenUse(path: string, verb: Verb): Operation<never>['token'];
  /** The operation of an address; undefined where nothing answers. */
  match(path: string, verb: Verb): Match<Opened> | undefined;
  /**
   * Has a call answered by the operation it was matched with, or by that of its address, where the service was of another
   * type then. Throws `service.resourceUnknown`, and the 405 with its `Allow`.
   */
  handle(call: Call, service: Opened): MaybePromise<Reply>;
}

/** A route, prepared once for all calls. */
interface Target<Opened> {
  route: Route<Opened>;
  /** Below the service. */
  path: string;
  placeholders: string[];
  /** The resource it is below; empty for the root and for routes beside resources. */
  resource: string;
  allow: string[];
  operations: Partial<Record<Verb, RoutedOperation<Opened>>>;
  /** What has the same addresses with a slash at their end. */
  withSlash?: Target<Opened>;
}

/** One part of a path. */
interface Node<Opened> {
  words: Map<string, Node<Opened>>;
  placeholder?: Node<Opened>;
  rest?: Target<Opened>;
  target?: Target<Opened>;
}

/** The verbs a 405 offers, always in one order: those of `operations`, HEAD beside GET. */
export const allowOf = (operations: Partial<Record<Verb, unknown>>): string[] =>
  verbs.filter((verb) => operations[verb]).flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));

/**
 * Compiles the routes of a type; `hasAccessList`: the root lists what roles may name of it. Throws on templates that are
 * malformed or declared twice.
 */
export function createRouteTable<Opened>(offer: Offer<Opened>, hasAccessList = false): RouteTable<Opened> {
  const targets = targetsOf(offer, hasAccessList);
  const root: Node<Opened> = { words: new Map() };
  for (const target of targets) addTarget(root, target);

  const find = (path: string, values: string[]) => (path === '' ? root.target : search(root, path, 0, values));
  const findAddressed = (path: string, values: string[]) => {
    const target = find(withoutSlash(path), values);
    return target?.withSlash && path.endsWith('/') ? target.withSlash : target;
  };
  const table: RouteTable<Opened> = {
    operations: targets.filter(({ route }) => !route.isHidden).flatMap(listOperations),
    isPublic: (component, verb) => find(component, [])?.route.public?.includes(verb) ?? false,
    tokenUse: (path, verb) => findAddressed(path, [])?.operations[verb]?.token,
    match(path, verb) {
      const parts: string[] = [];
      const target = findAddressed(path, parts);
      const operation = target?.operations[verb];
      return operation && { operation, values: valuesOf(target, parts, path), table };
    },
    handle(call, service) {
      const match = call.match?.table === table ? (call.match as Match<Opened>) : table.match(call.path, call.verb);
      if (match) return match.operation.handle(call, match.values, service);
      const path = withoutSlash(call.path);
      const parts: string[] = [];
      const target = findAddressed(call.path, parts);
      if (!target) throw resourceUnknown(call, root, path);
      throw (
        target.route.refusal?.(call.verb, valuesOf(target, parts, call.path)) ?? verbNotSupported(call, target, path)
      );
    },
  };
  return table;
}

/** The parts of a path by the names of their placeholders. */
function valuesOf<Opened>({ route, placeholders }: Target<Opened>, parts: string[], path: string): PathValues {
  if (route.keepsSlash && path.endsWith('/')) parts.push(`${parts.pop()}/`);
  const values: Record<string, string> = {};
  placeholders.forEach((name, index) => {
    values[name] = parts[index] as string;
  });
  return values;
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

function targetsOf<Opened>({ resources = [], routes = [] }: Offer<Opened>, hasAccessList: boolean): Target<Opened>[] {
  const resourceTargets = resources.flatMap(({ entry: { name }, routes, isHidden, items }) =>
    routes.map((route) => targetOf(isHidden ? { ...route, isHidden } : route, name, items)),
  );
  const routeTargets = routes.map((route) => targetOf(route, ''));
  const hasRoot = routeTargets.some(({ path }) => path === '');
  return [...(hasRoot ? [] : [targetOf(rootRoute(resources, hasAccessList), '')]), ...resourceTargets, ...routeTargets];
}

function targetOf<Opened>(route: Route<Opened>, resource: string, items?: Items<Opened>): Target<Opened> {
  const path = [resource, route.path].filter((part) => part !== '').join('/');
  const placeholders = placeholdersOf(path);
  if (route.keepsSlash && !/\{\+[^}]*\}$/.test(path)) throw new Error(`${path} has nothing to keep a slash in`);
  if (new Set(placeholders).size < placeholders.length) throw new Error(`${path} has a placeholder twice`);
  const operations = operationsOf(route, path, items && { resource, placeholder: items.placeholder });
  return { route, path, placeholders, resource, allow: allowOf(operations), operations };
}

const placeholdersOf = (path: string): string[] =>
  [...path.matchAll(/\{\+?([^}]*)\}/g)].map(([, name]) => name as string);

function addTarget<Opened>(root: Node<Opened>, target: Target<Opened>): void {
  let node = root;
  const parts = target.path === '' ? [] : target.path.split('/');
  for (const [index, part] of parts.entries()) {
    if (/^\{\+[^{}]+\}$/.test(part)) {
      if (target.route.endsInSlash && node.rest && !node.rest.withSlash) {
        node.rest.withSlash = target;
        return;
      }
      if (index < parts.length - 1 || node.rest) throw new Error(`${target.path} is not well formed or there twice`);
      node.rest = target;
      return;
    }
    if (/^\{[^{}]+\}$/.test(part)) {
      node.placeholder ??= { words: new Map() };
      node = node.placeholder;
    } else {
      if (/[{}]/.test(part)) throw new Error(`${target.path}: a placeholder stands for a whole part`);
      const word = part.toLowerCase();
      const next = node.words.get(word) ?? { words: new Map() };
      node.words.set(word, next);
      node = next;
    }
  }
  if (node.target) throw new Error(`${target.path} is there twice`);
  node.target = target;
}

/** The target of a path from `start` on: words take precedence over placeholders, a single part over the rest. */
function search<Opened>(node: Node<Opened>, path: string, start: number, values: string[]): Target<Opened> | undefined {
  if (start > path.length) return node.target;
  const [part, next] = partAt(path, start);
  const word = childByWord(node, part);
  const byWord = word && search(word, path, next, values);
  if (byWord) return byWord;
  if (node.placeholder) {
    values.push(part);
    const byValue = search(node.placeholder, path, next, values);
    if (byValue) return byValue;
    values.pop();
  }
  if (node.rest) values.push(path.slice(start));
  return node.rest;
}

/** A part, and where the one after it begins: past the end when there is none. */
function partAt(path: string, start: number): [part: string, next: number] {
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;
  return [path.slice(start, end), end + 1];
}

const childByWord = <Opened>({ words }: Node<Opened>, part: string): Node<Opened> | undefined =>
  words.size === 0 ? undefined : (words.get(part) ?? words.get(part.toLowerCase()));

/** 404: names what follows the last part that exists, and the resource that part belongs to. */
function resourceUnknown<Opened>({ service }: Call, root: Node<Opened>, path: string): Failure {
  let resource = partAt(path, 0)[0];
  let owner = service;
  let lastWord = service;
  let [node, start]: [Node<Opened> | undefined, number] = [root, 0];
  while (node && start <= path.length) {
    const [part, next] = partAt(path, start);
    const word: Node<Opened> | undefined = childByWord(node, part);
    if (word) lastWord = part.toLowerCase();
    node = word ?? node.placeholder;
    start = next;
    if (node?.target) [resource, owner] = [path.slice(start), lastWord];
  }
  return fail('service.resourceUnknown', { resource, service: owner });
}

function verbNotSupported<Opened>({ verb, service }: Call, { resource, allow }: Target<Opened>, path: string): Failure {
  const subPath = path.slice(resource === '' ? 0 : resource.length + 1);
  const owner = resource === '' ? service : resource.slice(resource.lastIndexOf('/') + 1);
  return fail('http.verbNotSupported', { verb, path: subPath, service: owner }, { allow });
}

function operationsOf<Opened>(
  route: Route<Opened>,
  path: string,
  items: RoutedOperation<Opened>['items'],
): Target<Opened>['operations'] {
  const takesSlashes = path.includes('{+');
  const place = {
    path: path.replaceAll('{+', '{'),
    event: eventOf({ path, event: route.event }),
    takesSlashes,
    endsInSlash: route.endsInSlash ?? false,
    items: items && placeholdersOf(path).includes(items.placeholder) ? items : undefined,
    ...(route.isDefined ? { isDefined: true } : {}),
  };
  const operations: Target<Opened>['operations'] = {};
  for (const verb of verbs) {
    const operation = route.operations[verb];
    if (operation) operations[verb] = { ...operation, ...place, verb, isPublic: route.public?.includes(verb) ?? false };
  }
  return operations;
}

const listOperations = <Opened>({ operations }: Target<Opened>): ListedOperation[] =>
  verbs.flatMap((verb) => {
    if (!operations[verb]) return [];
    const { handle, ...listed } = operations[verb];
    return [listed];
  });
