// Whether rows of access give more than other rows do: who is no administrator may give only what they hold
// (contract/role-access.md §2, §5). Pure.
import { type Requestor, requestorMask, type Verb, verbMask, verbs } from '@sluice/contract';
import { type AccessRow, componentKey, type Decision, decide } from './decide.ts';
import { namesInBraces } from './lookups.ts';

/** The first place where rows give more than allowed. */
export interface Excess {
  /** Lower-cased name; null means services no row names. */
  service: string | null;
  /** As a row would be written for it: `_table/contact`, `_table/*`, empty for the root. */
  component: string;
  verbs: Verb[];
  requestor: Requestor;
  /** The verbs are held, but only with a record filter that the given rows do not keep. */
  isUnfiltered: boolean;
}

const none: readonly AccessRow[] = [];

/**
 * Where `granted` gives a verb that `held` does not give, or gives it without the record filter of `held`. What
 * `before` gave is not counted: a role that gives more than its editor holds may be made to give less.
 *
 * What `decide` answers changes only at the components that rows name, below them, and where their wildcards begin and
 * end; so asking at one place between each two of these is asking everywhere. A literal name in braces, which
 * `decide` takes for a template of names, is held by whoever holds the names.
 */
export function exceeding(
  granted: readonly AccessRow[],
  held: readonly AccessRow[],
  before: readonly AccessRow[] = none,
  isKept: Kept = forOthers(),
): Excess | undefined {
  if (granted.every((row) => row.verbMask === 0)) return undefined;
  const places = [granted, held, before].map(placesOf);
  const services = new Set(granted.map((row) => row.service ?? unnamed));
  // Rows for all services give something wherever other rows name a service, too.
  if (services.has(unnamed)) for (const it of places) for (const service of it.keys()) services.add(service);
  for (const service of services) {
    const own = places.flatMap((it) => [...(it.get(service) ?? [])]);
    for (const component of new Set([...everywhere, ...own])) {
      const excess = excessAt({ service, component }, granted, held, before, isKept);
      if (excess) return excess;
    }
  }
  return undefined;
}

type Place = Pick<Parameters<typeof decide>[1], 'service' | 'component'>;

function excessAt(
  place: Place,
  granted: readonly AccessRow[],
  held: readonly AccessRow[],
  before: readonly AccessRow[],
  isKept: Kept,
): Excess | undefined {
  for (const requestor of Object.keys(requestorMask) as Requestor[]) {
    const ask = (rows: readonly AccessRow[], verb: Verb) => decide(rows, { ...place, verb, requestor });
    const given = ask(granted, 'GET').mask;
    const missing: Verb[] = [];
    const unfiltered: Verb[] = [];
    for (const verb of verbs) {
      if ((given & verbMask[verb]) === 0) continue;
      const own = ask(held, verb);
      if (own.allowed && !own.filterRow) continue;
      const decision = ask(granted, verb);
      if (keeps(decision, ask(before, verb))) continue;
      if (!own.allowed) missing.push(verb);
      else if (!keeps(decision, own, isKept)) unfiltered.push(verb);
    }
    const isUnfiltered = missing.length === 0;
    const found = isUnfiltered ? unfiltered : missing;
    if (found.length > 0) return { ...shown(place), verbs: found, requestor, isUnfiltered };
  }
  return undefined;
}

/** Whether all that the first decision lets through is let through by the second too. */
function keeps({ filterRow }: Decision, than: Decision, isSame: (condition: string) => boolean = always): boolean {
  if (!than.allowed) return false;
  return !than.filterRow || (filterRow !== undefined && implies(filterRow, than.filterRow, isSame));
}

const always = () => true;

/**
 * Whether the conditions of the one row hold back whatever those of the other do. A change is tested by the fields it
 * has, so where one of several conditions is enough, fewer of them are not the narrower filter.
 */
function implies(row: AccessRow, other: AccessRow, isSame: (condition: string) => boolean): boolean {
  const [all, wanted] = [marksOf(row), [...marksOf(other)]];
  const hasAll = wanted.every((mark) => all.has(mark) && isSame(mark));
  return isAnyOf(row) ? hasAll && isAnyOf(other) && all.size === wanted.length : hasAll;
}

/** One condition of several is enough. */
const isAnyOf = (row: AccessRow) => marksOf(row).size > 1 && /^\s*or\s*$/i.test(row.filterOp);

/** The conditions of a row as texts that are equal when they are the same condition. */
const marksOf = ({ filters }: AccessRow): Set<string> => new Set((filters ?? []).map(markOf));

function markOf(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return JSON.stringify(condition) ?? '';
  // Without a value it is compared with an empty text, which null is not.
  const { name, operator, value = '' } = condition as Record<string, unknown>;
  const plain = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : text);
  return JSON.stringify([plain(name), plain(operator), value]);
}

/** Whether a condition of the holder's means the same for whoever is given rows with it. */
type Kept = (condition: string) => boolean;

/**
 * Under another role or through another app their names and ids stand for something else, and so do the lookup keys that
 * any of them has of its own, `owned`.
 */
export const forOthers =
  (owned: ReadonlySet<string> = new Set()): Kept =>
  (condition) =>
    namesIn(JSON.parse(condition)).every((name) => !/^(role|app)\./i.test(name) && !owned.has(name));

/** As another person everything in braces may stand for something else. */
export const asAnother: Kept = (condition) => !condition.includes('{');

/** The rows without their record filters. */
export const withoutFilters = (rows: readonly AccessRow[]): AccessRow[] =>
  rows.map((row) => ({ ...row, filters: null }));

/** Lookup names that stand in braces in the record filters of rows. */
export function namesInFilters(rows: readonly AccessRow[]): Set<string> {
  return new Set(rows.flatMap(({ filters }) => namesIn(filters)));
}

const namesIn = (value: unknown): string[] => textsIn(value).flatMap(namesInBraces);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// ---- where to ask ----

/** A name no row has: texts are stored without NUL. */
const fresh = '\0';
const unnamed = fresh;

/** The root, a name no row speaks of, and a table no row speaks of: only tables have filters. */
const everywhere = [fresh, '', `_table/${fresh}`];

const known = new WeakMap<readonly AccessRow[], Map<string, Set<string>>>();

/**
 * For each service rows name, components such that every other one but those of `everywhere` is decided as one of them:
 * each component rows name and what is below it, and a name that only the beginning of a wildcard fits. What somebody
 * holds is compared with many rows one by one, so it is remembered.
 */
function placesOf(rows: readonly AccessRow[]): Map<string, Set<string>> {
  const remembered = known.get(rows);
  if (remembered) return remembered;
  const services = new Map<string, Set<string>>();
  for (const row of rows) {
    if (row.service === null) continue;
    const places = services.get(row.service) ?? new Set();
    services.set(row.service, places);
    const component = componentKey(row.component);
    // A wildcard's text is a name too.
    places.add(component).add(`${component}/${fresh}`);
    if (component.endsWith('*')) places.add(component.slice(0, -1) + fresh);
  }
  known.set(rows, services);
  return services;
}

/** A place as the rows of access would name it. */
const shown = ({ service, component }: Place): Pick<Excess, 'service' | 'component'> => ({
  service: service === unnamed ? null : service,
  component: component.includes(fresh) ? `${component.slice(0, component.indexOf(fresh))}*` : component,
});
