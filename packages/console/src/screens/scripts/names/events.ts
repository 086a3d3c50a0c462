// The events of a service as the drill-down shows them: resources, endpoints, and the names of scripts (SCR-012, SCR-013). Pure.
import { type Verb, verbs } from '@sluice/contract';

/** What `system/event` says of one service: its resources by name. */
export type EventTree = Readonly<Record<string, EventResource>>;

export interface EventResource {
  type: string;
  endpoints: readonly string[];
  /** The values of the first placeholder of its name. */
  parameter: Readonly<Record<string, readonly string[]>> | null;
}

/** When a script runs; `event` is the plain name, behind the answer. */
export const steps = ['pre_process', 'post_process', 'event', 'queued'] as const;
export type Step = (typeof steps)[number];

/** The service of a name: what stands before its first dot. */
export const serviceOf = (name: string): string => name.split('.')[0] ?? '';

/** A name in its parts: `db._table.contact.get.pre_process` is step `pre_process` of GET on `db._table.contact`. */
export function readName(name: string): { base: string; verb: Verb | null; step: Step } {
  const [, event = name, ending] = /^(.+?)(?:\.(pre_process|post_process|queued))?$/i.exec(name) ?? [];
  const dot = event.lastIndexOf('.');
  const verb = event.slice(dot + 1).toUpperCase() as Verb;
  const hasVerb = dot > 0 && verbs.includes(verb);
  return {
    base: hasVerb ? event.slice(0, dot) : event,
    verb: hasVerb ? verb : null,
    step: (ending?.toLowerCase() as Step | undefined) ?? 'event',
  };
}

/** What of a name stands behind that of its service or resource; the whole of it where it does not begin so. */
export const nameBelow = (name: string, above: string): string =>
  name.toLowerCase().startsWith(`${above.toLowerCase()}.`) ? name.slice(above.length + 1) : name;

/** A placeholder that an endpoint names and for which there are values. */
interface Placeholder {
  name: string;
  values: readonly string[];
}

const placeholderOf = (endpoint: string, { parameter }: EventResource): Placeholder | null => {
  const found = Object.entries(parameter ?? {}).find(([name]) => endpoint.includes(`{${name}}`));
  return found ? { name: found[0], values: found[1] } : null;
};

/** A name that a script of an endpoint can have. */
export interface ScriptName {
  name: string;
  /** The value that stands in place of the placeholder; null for the endpoint itself. */
  value: string | null;
}

/** The endpoint itself, and one name for each value of its placeholder (OPEN-191). */
export function scriptNames(endpoint: string, resource: EventResource): ScriptName[] {
  const placeholder = placeholderOf(endpoint, resource);
  const named = (placeholder?.values ?? []).map((value) => ({
    name: endpoint.replace(`{${placeholder?.name}}`, () => value),
    value,
  }));
  return [{ name: endpoint, value: null }, ...named];
}

/** Where the script of a name stands in the tree of its service. */
export interface Place {
  resource: string;
  endpoint: string;
}

/** Finds the places of names, in any letter case; quick for many names, since the tree is read once. */
export function placeFinder(tree: EventTree): (name: string) => Place | null {
  const exact = new Map<string, Place>();
  const patterns: { before: string; after: string; values: ReadonlySet<string>; place: Place }[] = [];
  for (const [resource, entry] of Object.entries(tree)) {
    const values = new Set(
      Object.values(entry.parameter ?? {})
        .flat()
        .map((value) => value.toLowerCase()),
    );
    for (const endpoint of entry.endpoints) {
      const place = { resource, endpoint };
      const lower = endpoint.toLowerCase();
      if (!exact.has(lower)) exact.set(lower, place);
      const [before, after] = splitAtFirst(lower);
      if (before !== lower) patterns.push({ before, after, values, place });
    }
  }
  // Of two that fit, the one that says more.
  patterns.sort((a, b) => b.before.length + b.after.length - a.before.length - a.after.length);
  return (name) => {
    const lower = name.toLowerCase();
    const found = exact.get(lower);
    if (found) return found;
    const fitting = patterns.filter(
      ({ before, after }) =>
        lower.length > before.length + after.length && lower.startsWith(before) && lower.endsWith(after),
    );
    const valueIn = ({ before, after }: (typeof patterns)[number]) =>
      lower.slice(before.length, lower.length - after.length);
    return (fitting.find((pattern) => pattern.values.has(valueIn(pattern))) ?? fitting[0])?.place ?? null;
  };
}

/** What stands before and behind the first placeholder. */
const splitAtFirst = (name: string): [string, string] => {
  const placeholder = /\{[^{}]+\}/.exec(name);
  return placeholder
    ? [name.slice(0, placeholder.index), name.slice(placeholder.index + placeholder[0].length)]
    : [name, ''];
};

/** How many scripts there are at each place of a service. */
export interface ScriptCounts {
  resources: ReadonlyMap<string, number>;
  endpoints: ReadonlyMap<string, number>;
  /** Scripts of the service whose names are at none of its endpoints. */
  others: readonly string[];
}

export function countScripts(tree: EventTree, names: readonly string[]): ScriptCounts {
  const placeOf = placeFinder(tree);
  const counts = { resources: new Map<string, number>(), endpoints: new Map<string, number>(), others: [] as string[] };
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const name of names) {
    const place = placeOf(name);
    if (!place) {
      counts.others.push(name);
      continue;
    }
    add(counts.resources, place.resource);
    add(counts.endpoints, place.endpoint);
  }
  return counts;
}

/** The longest name that servers keep (contract/event-scripts-and-script-services.md §3). */
export const maxNameLength = 80;

/** Why a script cannot have a name; its words are `scripts:name.<problem>`. */
export function nameProblem(name: string): 'empty' | 'blank' | 'tooLong' | null {
  if (name === '') return 'empty';
  if (/[\s/]/.test(name)) return 'blank';
  return name.length > maxNameLength ? 'tooLong' : null;
}

/** The address of a call that a name is about: of `db._table.{table_name}.get` the first table, where one is known. */
export function callPath(name: string, tree: EventTree | undefined): string {
  const { base } = readName(name);
  const place = tree ? placeFinder(tree)(name) : null;
  const [service = '', ...parts] = base.split('.');
  if (!place || !tree) return parts.length === 0 ? service : `${service}/${parts.join('/')}`;
  // The template has the dots that part the address; a value may have dots of its own.
  const [before, after] = splitAtFirst(readName(place.endpoint).base);
  if (before === base) return before.split('.').join('/');
  const isTemplate = base.toLowerCase() === `${before}${placeholderText(place.endpoint)}${after}`.toLowerCase();
  const first = placeholderOf(place.endpoint, tree[place.resource] as EventResource)?.values[0];
  const value = isTemplate
    ? (first ?? placeholderText(place.endpoint))
    : base.slice(before.length, base.length - after.length);
  return `${before.split('.').join('/')}${value}${after.split('.').join('/')}`;
}

const placeholderText = (endpoint: string): string => /\{[^{}]+\}/.exec(endpoint)?.[0] ?? '';
