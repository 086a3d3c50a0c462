// Whether rows of access give more than other rows do: only administrators may give more than they hold
// (contract/role-access.md §2, §5). Pure; many rows take long, so it yields to other calls.
import { allVerbs, namesInBraces, type Requestor, requestorMask, type Verb, verbMask, verbs } from '@sluice/contract';
import { oncePer, pause } from '@sluice/sql';
import { type AccessRow, componentKey, type Decision, decideVerbs } from './decide.ts';
import { nameInModifier } from './modifiers.ts';

/** A right that rows give although their giver does not hold it. */
export interface Escalation {
  /** Lower-cased name; null means services no row names. */
  service: string | null;
  /** As a row would be written for it: `_table/contact`, `_table/*`, empty for the root. */
  component: string;
  verbs: Verb[];
  requestor: Requestor;
  /** The verbs are held, but only with a record filter that the given rows do not keep. */
  isUnfiltered: boolean;
}

const noRows: readonly AccessRow[] = [];

/**
 * The first point where `granted` gives a verb that `held` does not give, or gives it without the record filter of `held`.
 * What `previous` gave is not counted: a role that gives more than its editor holds may be made to give less.
 *
 * What `decide` answers changes only at the components that rows name, below them, and where their wildcards begin and
 * end; so one point between each two of these stands for all. A literal name in braces, which
 * `decide` takes for a template of names, is held by everyone who holds the names.
 */
export async function findEscalation(
  granted: readonly AccessRow[],
  held: readonly AccessRow[],
  previous: readonly AccessRow[] = noRows,
  hasSameMeaning: SameMeaning = sameForOtherRoles(),
): Promise<Escalation | undefined> {
  if (granted.every((row) => row.verbMask === 0)) return undefined;
  const rows = [granted, held, previous].map(decidingRows) as [granted: Rows, held: Rows, previous: Rows];
  for (const point of pointsToCompare(...rows)) {
    await pause();
    const escalation = escalationAt(point, ...rows, hasSameMeaning);
    if (escalation) return escalation;
  }
  return undefined;
}

type Rows = readonly AccessRow[];
type ProbePoint = Pick<Parameters<typeof decideVerbs>[1], 'service' | 'component'>;

function escalationAt(
  point: ProbePoint,
  granted: readonly AccessRow[],
  held: readonly AccessRow[],
  previous: readonly AccessRow[],
  hasSameMeaning: SameMeaning,
): Escalation | undefined {
  for (const requestor of Object.keys(requestorMask) as Requestor[]) {
    const place = { ...point, requestor };
    const decideGranted = decideVerbs(granted, place);
    const grantedMask = decideGranted('GET').mask;
    if (grantedMask === 0) continue;
    const decideHeld = decideVerbs(held, place);
    const decidePrevious = decideVerbs(previous, place);
    const missing: Verb[] = [];
    const unfiltered: Verb[] = [];
    for (const verb of verbs) {
      if ((grantedMask & verbMask[verb]) === 0) continue;
      const heldDecision = decideHeld(verb);
      if (heldDecision.allowed && !heldDecision.filterRow) continue;
      const decision = decideGranted(verb);
      if (isWithin(decision, decidePrevious(verb))) continue;
      if (!heldDecision.allowed) missing.push(verb);
      else if (!isWithin(decision, heldDecision, hasSameMeaning)) unfiltered.push(verb);
    }
    const isUnfiltered = missing.length === 0;
    const escalated = isUnfiltered ? unfiltered : missing;
    if (escalated.length > 0) return { ...rowForm(point), verbs: escalated, requestor, isUnfiltered };
  }
  return undefined;
}

/** Whether the second decision lets through everything that the first one does. */
function isWithin({ filterRow }: Decision, limit: Decision, hasSameMeaning: SameMeaning = always): boolean {
  if (!limit.allowed) return false;
  return !limit.filterRow || (filterRow !== undefined && implies(filterRow, limit.filterRow, hasSameMeaning));
}

const always = () => true;

/**
 * Whether the conditions of one row hold back everything that those of the other do. A change is tested by the fields it
 * has, so where one of several conditions is enough, fewer of them are not the narrower filter.
 */
function implies(row: AccessRow, other: AccessRow, hasSameMeaning: SameMeaning): boolean {
  const [keys, otherKeys] = [conditionKeysOf(row), conditionKeysOf(other)];
  if (isAnyOf(row) && !(isAnyOf(other) && keys.size === otherKeys.size)) return false;
  for (const key of otherKeys) if (!keys.has(key)) return false;
  return hasSameMeaning(other);
}

/** One condition of several is enough. */
const isAnyOf = (row: AccessRow) => conditionKeysOf(row).size > 1 && /^\s*or\s*$/i.test(row.filterOp);

/** The conditions of a row as texts; equal conditions have equal texts. */
const conditionKeysOf = oncePer(({ filters }: AccessRow): Set<string> => new Set((filters ?? []).map(conditionKey)));

function conditionKey(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return JSON.stringify(condition) ?? '';
  // Without a value it is compared with an empty text, which null is not.
  const { name, operator, value = '' } = condition as Record<string, unknown>;
  const normalize = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : text);
  return JSON.stringify([normalize(name), normalize(operator), value]);
}

/** Whether the conditions of a row of the giver's mean the same for those who are given rows with them. */
type SameMeaning = (row: AccessRow) => boolean;

const sameWhereAll = (isSame: (condition: string) => boolean): SameMeaning =>
  oncePer((row) => [...conditionKeysOf(row)].every(isSame));

/**
 * Under another role or through another app, the lookups `role.…` and `app.…` have other values, and so do the lookup keys
 * that roles, apps or people have themselves, `owned`.
 */
export const sameForOtherRoles = (owned: ReadonlySet<string> = new Set()): SameMeaning =>
  sameWhereAll((condition) =>
    lookupNamesIn(JSON.parse(condition)).every((name) => !/^(role|app)\./i.test(name) && !owned.has(name)),
  );

/** For another person every lookup may have another value. */
export const sameForOtherPeople: SameMeaning = sameWhereAll((condition) => !condition.includes('{'));

/** The rows without their record filters. */
export const withoutFilters = (rows: readonly AccessRow[]): AccessRow[] =>
  rows.map((row) => ({ ...row, filters: null }));

/** Lookup names that stand in braces in the record filters of rows. */
export function namesInFilters(rows: readonly AccessRow[]): Set<string> {
  return new Set(rows.flatMap(({ filters }) => lookupNamesIn(filters)));
}

/** Names in braces, and those inside the modifiers among them. */
const lookupNamesIn = (value: unknown): string[] =>
  textsIn(value)
    .flatMap(namesInBraces)
    .flatMap((name) => [name, nameInModifier(name)]);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// ---- where to compare ----

/** A name that no row has: texts are stored without NUL. */
const unusedName = '\0';
const unnamedService = unusedName;

/** The root, a component and a table that no row names: only tables have filters. */
const commonComponents = [unusedName, '', `_table/${unusedName}`];

/** The points for all services that `granted` names. */
function* pointsToCompare(granted: Rows, ...others: Rows[]): Generator<ProbePoint> {
  const probePoints = [granted, ...others].map(probePointsOf);
  const services = new Set(granted.map((row) => row.service ?? unnamedService));
  // Rows for all services give something wherever other rows name a service, too.
  if (services.has(unnamedService))
    for (const points of probePoints) for (const service of points.keys()) services.add(service);
  // Rows are also checked one by one as they are saved, each against all that is held.
  const single = granted.length === 1 ? granted[0] : undefined;
  for (const service of services) {
    const named = probePoints.flatMap((points) => {
      const components = [...(points.get(service) ?? [])];
      return single ? components.filter((component) => mayMatch(single, component)) : components;
    });
    for (const component of new Set([...commonComponents, ...named])) yield { service, component };
  }
}

/** False where a row surely says nothing about a component. */
function mayMatch(row: AccessRow, component: string): boolean {
  const key = componentKey(row.component);
  if (component === key || component.includes('{')) return true;
  return key.endsWith('*') && `${component}/`.startsWith(key.slice(0, -1));
}

/**
 * For each service that rows name, the components to compare at: every other component is decided like one of them or of
 * `commonComponents`. They are each component that rows name, one below it, and one that only a wildcard matches.
 */
const probePointsOf = oncePer((rows: Rows): Map<string, Set<string>> => {
  const services = new Map<string, Set<string>>();
  for (const row of rows) {
    if (row.service === null) continue;
    const points = services.get(row.service) ?? new Set();
    services.set(row.service, points);
    const component = componentKey(row.component);
    // A wildcard's text is a name too.
    points.add(component).add(`${component}/${unusedName}`);
    if (component.endsWith('*')) points.add(component.slice(0, -1) + unusedName);
  }
  return services;
});

/**
 * Rows that decide the same, without those of thousands for one component that change nothing: the last one that gives a
 * verb to a requestor decides about the verb. The first one of a component gives it its place in the order.
 */
const decidingRows = oncePer((rows: Rows): Rows => {
  const needed = new Set<AccessRow>();
  const keys = rows.map(({ service, component }) => `${service ?? unnamedService}\n${componentKey(component)}`);
  const given = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (!given.has(keys[index]!)) needed.add(row);
    given.set(keys[index]!, 0);
  }
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index]!;
    const before = given.get(keys[index]!)!;
    const after = before | rightsOf(row);
    if (after !== before) needed.add(row);
    given.set(keys[index]!, after);
  }
  return rows.filter((row) => needed.has(row));
});

/** For each requestor a bit for being named at all, and one for each verb. */
const rightsOf = (row: AccessRow): number =>
  Object.values(requestorMask).reduce(
    (rights, bit, index) =>
      (row.requestorMask & bit) === 0 ? rights : rights | (((row.verbMask & allVerbs) * 2 + 1) << (index * 8)),
    0,
  );

/** A point as rows of access would name it. */
const rowForm = ({ service, component }: ProbePoint): Pick<Escalation, 'service' | 'component'> => ({
  service: service === unnamedService ? null : service,
  component: component.includes(unusedName) ? `${component.slice(0, component.indexOf(unusedName))}*` : component,
});
