// How the rows of one role decide what a call may do: contract/role-access.md §2 and §5. Pure; the one place of it.
import { allVerbs, appendTo, type Requestor, requestorMask, type Verb, verbMask } from '@sluice/contract';

/** A row of role_service_access as deciding needs it. */
export interface AccessRow {
  id: number;
  /** Lower-cased service name; null means all services. */
  service: string | null;
  component: string;
  verbMask: number;
  requestorMask: number;
  filters: unknown[] | null;
  filterOp: string;
}

/** What is to be decided: a verb on a component of a service, by a kind of requestor. */
export interface Question {
  /** Lower-cased service name. */
  service: string;
  /** Path below the service; `componentOf` makes it from an address. */
  component: string;
  verb: Verb;
  requestor: Requestor;
}

/** The class of rows that decided (contract/role-access.md §2). */
export type DecidingClass = 'exact' | 'wildcard' | 'service' | 'all' | 'none';

/** The verdict and its reasons. */
export interface Decision {
  allowed: boolean;
  /** Verbs granted on the component. */
  mask: number;
  class: DecidingClass;
  /** The rows whose masks were OR-ed. */
  rows: AccessRow[];
  /** The row whose record filters apply to the verb; only for components of tables. */
  filterRow?: AccessRow | undefined;
}

/** The decision for administrators: everything, no filters. */
export const fullAccess: Decision = { allowed: true, mask: allVerbs, class: 'all', rows: [] };
export const noAccess: Decision = { allowed: false, mask: 0, class: 'none', rows: [] };

/** The rows of one service by the components they match. */
interface ServiceRows {
  exact: Map<string, AccessRow[]>;
  /** By the text before the `*`. */
  wildcards: Map<string, AccessRow[]>;
  /** The lengths of these prefixes, the shortest first. */
  lengths: number[];
  /** The position of a row in the stored order. */
  order: Map<AccessRow, number>;
  /** `exact` by the number of parts of the path; made for the first component that is a template. */
  byPartCount?: Map<number, SplitComponent[]>;
  /** What the last template matched; templates with other names in braces match the same. */
  recentTemplate?: { pattern: string; rows: AccessRow[] };
}

interface SplitComponent {
  parts: string[];
  rows: AccessRow[];
}

/** The rows of a role by service, made once for each cached role. */
interface RowIndex {
  services: Map<string, ServiceRows>;
  /** Rows for all services; other components than the root and `*` match nothing there. */
  all: { component: string; row: AccessRow }[];
  /** The verbs that rows give on any component, by requestor and service; null means all services. */
  verbs: Record<Requestor, Map<string | null, number>>;
}

const indexes = new WeakMap<readonly AccessRow[], RowIndex>();

/**
 * `/_table/Contact/` → `_table/contact`; the arguments in `_proc/p(1)` are cut out. Only there: elsewhere parentheses
 * are part of a name, and `_table/contact(old)` is another table than `_table/contact`.
 */
export function componentOf(path: string): string {
  const component = withoutSlashes(path).toLowerCase();
  const isCall = component.startsWith('_proc/') || component.startsWith('_func/');
  return isCall ? withoutSlashes(withoutArguments(component)) : component;
}

/** A row's component as it is compared. */
export const componentKey = (component: string): string => withoutSlashes(component).toLowerCase();

/** Without the slashes at both ends. No regular expression: `/+$` takes quadratic time on slashes in the middle. */
export function withoutSlashes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}

function withoutArguments(text: string): string {
  let result = '';
  let start = 0;
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', start)) {
    const close = text.indexOf(')', open);
    if (close < 0) break;
    result += text.slice(start, open);
    start = close + 1;
  }
  return result + text.slice(start);
}

/** Decides one call by the rows of a role. */
export const decide = (rows: readonly AccessRow[], question: Question): Decision =>
  decideVerbs(rows, question)(question.verb);

/** Decides several verbs on a component; what they share is looked up once. */
export function decideVerbs(rows: readonly AccessRow[], place: Omit<Question, 'verb'>): (verb: Verb) => Decision {
  const index = indexRows(rows);
  const [name, matching] = findClass(index, place.service, place.component, requestorMask[place.requestor]);
  let mask = 0;
  for (const row of matching) mask |= row.verbMask;
  const filterRowOf = filterRowFinder(index, place);
  return (verb) => {
    const allowed = (mask & verbMask[verb]) !== 0;
    return { allowed, mask, class: name, rows: matching, filterRow: allowed ? filterRowOf(verb) : undefined };
  };
}

/** The verbs any row of the role gives on the service, whatever the component (contract/role-access.md §4). */
export function serviceMask(rows: readonly AccessRow[], service: string, requestor: Requestor): number {
  const given = indexRows(rows).verbs[requestor];
  return given.get(service) || (given.get(null) ?? 0);
}

function indexRows(rows: readonly AccessRow[]): RowIndex {
  const cachedIndex = indexes.get(rows);
  if (cachedIndex) return cachedIndex;
  const index: RowIndex = { services: new Map(), all: [], verbs: { API: new Map(), SCRIPT: new Map() } };
  for (const row of rows) {
    for (const requestor of Object.keys(index.verbs) as Requestor[]) {
      if ((row.requestorMask & requestorMask[requestor]) === 0) continue;
      const given = index.verbs[requestor];
      given.set(row.service, (given.get(row.service) ?? 0) | row.verbMask);
    }
    const component = componentKey(row.component);
    if (row.service === null) {
      if (component === '*' || component === '') index.all.push({ component, row });
      continue;
    }
    const serviceRows = index.services.get(row.service) ?? newServiceRows();
    index.services.set(row.service, serviceRows);
    serviceRows.order.set(row, serviceRows.order.size);
    appendTo(serviceRows.exact, component, row);
    if (component.indexOf('*') === component.length - 1 && component !== '')
      appendTo(serviceRows.wildcards, component.slice(0, -1), row);
  }
  for (const serviceRows of index.services.values())
    serviceRows.lengths = [...new Set([...serviceRows.wildcards.keys()].map((prefix) => prefix.length))].sort(
      (a, b) => a - b,
    );
  indexes.set(rows, index);
  return index;
}

const newServiceRows = (): ServiceRows => ({ exact: new Map(), wildcards: new Map(), lengths: [], order: new Map() });

/** The first class that has a matching row, in the order exact, wildcard, service, all. */
function findClass(
  index: RowIndex,
  service: string,
  component: string,
  requestorBit: number,
): [DecidingClass, AccessRow[]] {
  const serviceRows = index.services.get(service);
  if (serviceRows) {
    const exact = forRequestor(serviceRows.exact.get(component), requestorBit);
    if (exact.length > 0) return ['exact', exact];
    if (component === '') {
      const root = forRequestor(serviceRows.exact.get('*'), requestorBit);
      if (root.length > 0) return ['service', root];
    } else {
      const wildcard = forRequestor(wildcardRows(serviceRows, component), requestorBit);
      if (wildcard.length > 0) return ['wildcard', wildcard];
    }
  }
  if (index.all.length === 0) return ['none', emptyRows];
  const matching = index.all.filter((entry) => entry.component === '*' || component === '');
  const all = forRequestor(
    matching.map((entry) => entry.row),
    requestorBit,
  );
  return all.length > 0 ? ['all', all] : ['none', emptyRows];
}

const emptyRows: AccessRow[] = [];

/** The rows for a kind of requestor; the list itself when all are. */
function forRequestor(rows: AccessRow[] = emptyRows, requestorBit: number): AccessRow[] {
  for (const row of rows)
    if ((row.requestorMask & requestorBit) === 0)
      return rows.filter((other) => (other.requestorMask & requestorBit) !== 0);
  return rows;
}

/** A role may have a thousand wildcards: they are looked up by the beginnings of the component, not row by row. */
function wildcardRows(serviceRows: ServiceRows, component: string): AccessRow[] {
  const { wildcards, lengths, order } = serviceRows;
  const lists: AccessRow[][] = [];
  for (const length of lengths) {
    if (length > component.length + 1) break;
    // `_table/*` is also for `_table` itself.
    const prefix = length > component.length ? `${component}/` : component.slice(0, length);
    const rows = wildcards.get(prefix);
    if (rows) lists.push(rows);
  }
  const matching =
    lists.length > 1 ? lists.flat().sort((a, b) => order.get(a)! - order.get(b)!) : (lists[0] ?? emptyRows);
  return component.includes('{') ? [...matching, ...templateRows(serviceRows, component)] : matching;
}

/** A component that is itself a template (event names, API docs) is matched against the rows' components. */
function templateRows(serviceRows: ServiceRows, component: string): AccessRow[] {
  const template = component.split('/').map((part) => (/^\{[^{}]*\}$/.test(part) ? '{}' : part));
  const pattern = template.join('/');
  if (serviceRows.recentTemplate?.pattern === pattern) return serviceRows.recentTemplate.rows;
  serviceRows.byPartCount ??= splitByPartCount(serviceRows.exact);
  const fitting = (serviceRows.byPartCount.get(template.length) ?? []).filter(({ parts }) =>
    fitsTemplate(parts, template),
  );
  const rows = fitting.flatMap((split) => split.rows);
  serviceRows.recentTemplate = { pattern, rows };
  return rows;
}

function splitByPartCount(exact: ServiceRows['exact']): Map<number, SplitComponent[]> {
  const byPartCount = new Map<number, SplitComponent[]>();
  for (const [component, rows] of exact) {
    const parts = component.split('/');
    appendTo(byPartCount, parts.length, { parts, rows });
  }
  return byPartCount;
}

/** A placeholder, `{}`, stands for a whole part of a path; callers can send templates, so parts are compared one by one. */
const fitsTemplate = (stored: string[], template: string[]): boolean =>
  template.every((part, index) => (part === '{}' ? /^[a-z0-9_]+$/.test(stored[index]!) : part === stored[index]));

/**
 * Finds the row whose filters apply to records where a verb is allowed: among the service's own rows that grant the verb, on
 * the component of the table without the record id, exact before wildcard; of several only the last stored one
 * (contract/role-access.md §5).
 */
function filterRowFinder(
  index: RowIndex,
  { service, component, requestor }: Omit<Question, 'verb'>,
): (verb: Verb) => AccessRow | undefined {
  const table = /^_table\/[^/]+/.exec(component)?.[0];
  const serviceRows = table === undefined ? undefined : index.services.get(service);
  if (!serviceRows || table === undefined) return noFilterRow;
  let wildcard: AccessRow[] | undefined;
  return (verb) => {
    const grants = (row: AccessRow) =>
      (row.requestorMask & requestorMask[requestor]) !== 0 && (row.verbMask & verbMask[verb]) !== 0;
    const exactRow = serviceRows.exact.get(table)?.findLast(grants);
    if (!exactRow) wildcard ??= wildcardRows(serviceRows, table);
    const filterRow = exactRow ?? wildcard?.findLast(grants);
    return filterRow?.filters && filterRow.filters.length > 0 ? filterRow : undefined;
  };
}

const noFilterRow = () => undefined;
