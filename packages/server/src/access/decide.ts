// How the rows of one role decide what a call may do: contract/role-access.md §2 and §5. Pure; the one place of it.
import { allVerbs, type Requestor, requestorMask, type Verb, verbMask } from '@sluice/contract';

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

/** What is asked: a verb on a component of a service, by a kind of requestor. */
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
  filterRow?: AccessRow;
}

/** The decision for administrators: everything, no filters. */
export const fullAccess: Decision = { allowed: true, mask: allVerbs, class: 'all', rows: [] };
export const noAccess: Decision = { allowed: false, mask: 0, class: 'none', rows: [] };

/** The rows of one service by what they can match. */
interface OwnRows {
  exact: Map<string, AccessRow[]>;
  /** By what stands before the `*`. */
  wildcards: Map<string, AccessRow[]>;
  /** The lengths of these prefixes, the shortest first. */
  lengths: number[];
  /** Where in the stored order a row stands. */
  order: Map<AccessRow, number>;
}

/** The rows of a role sorted that way, made once for each cached role. */
interface Compiled {
  services: Map<string, OwnRows>;
  all: { component: string; row: AccessRow }[];
}

const compiled = new WeakMap<readonly AccessRow[], Compiled>();

/**
 * `/_table/Contact/` → `_table/contact`; the arguments in `_proc/p(1)` are cut out. Only there: elsewhere parentheses
 * are part of a name, and `_table/contact(old)` is another table than `_table/contact`.
 */
export function componentOf(path: string): string {
  const component = withoutSlashes(path).toLowerCase();
  return /^_(proc|func)\//.test(component) ? withoutSlashes(withoutArguments(component)) : component;
}

/** A row's component as it is compared. */
export const componentKey = (component: string): string => withoutSlashes(component).toLowerCase();

/** Without the slashes at both ends. No regular expression: `/+$` takes quadratic time on slashes in the middle. */
function withoutSlashes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}

function withoutArguments(text: string): string {
  let kept = '';
  let at = 0;
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', at)) {
    const close = text.indexOf(')', open);
    if (close < 0) break;
    kept += text.slice(at, open);
    at = close + 1;
  }
  return kept + text.slice(at);
}

/** Decides one call by the rows of a role. */
export function decide(rows: readonly AccessRow[], question: Question): Decision {
  const { service, component, requestor } = question;
  const index = compile(rows);
  const [name, matching] = firstClass(index, service, component, requestorMask[requestor]);
  const mask = matching.reduce((granted, row) => granted | row.verbMask, 0);
  const allowed = (mask & verbMask[question.verb]) !== 0;
  const filterRow = allowed ? filterRowOf(index, question) : undefined;
  return { allowed, mask, class: name, rows: matching, ...(filterRow ? { filterRow } : {}) };
}

/** The verbs any row of the role gives on the service, whatever the component (contract/role-access.md §4). */
export function serviceMask(rows: readonly AccessRow[], service: string, requestor: Requestor): number {
  const asks = requestorMask[requestor];
  const heard = rows.filter((row) => (row.requestorMask & asks) !== 0);
  const granted = (of: string | null) =>
    heard.reduce((mask, row) => (row.service === of ? mask | row.verbMask : mask), 0);
  return granted(service) || granted(null);
}

function compile(rows: readonly AccessRow[]): Compiled {
  const known = compiled.get(rows);
  if (known) return known;
  const made: Compiled = { services: new Map(), all: [] };
  for (const row of rows) {
    const component = componentKey(row.component);
    if (row.service === null) {
      made.all.push({ component, row });
      continue;
    }
    const own = made.services.get(row.service) ?? noRows();
    made.services.set(row.service, own);
    own.order.set(row, own.order.size);
    add(own.exact, component, row);
    if (component.indexOf('*') === component.length - 1 && component !== '')
      add(own.wildcards, component.slice(0, -1), row);
  }
  for (const own of made.services.values())
    own.lengths = [...new Set([...own.wildcards.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b);
  compiled.set(rows, made);
  return made;
}

const noRows = (): OwnRows => ({ exact: new Map(), wildcards: new Map(), lengths: [], order: new Map() });

function add(to: Map<string, AccessRow[]>, key: string, row: AccessRow): void {
  const rows = to.get(key);
  if (rows) rows.push(row);
  else to.set(key, [row]);
}

/** The first class that has a matching row, in the order exact, wildcard, service, all. */
function firstClass(index: Compiled, service: string, component: string, asks: number): [DecidingClass, AccessRow[]] {
  const own = index.services.get(service);
  if (own) {
    const exact = heard(own.exact.get(component), asks);
    if (exact.length > 0) return ['exact', exact];
    if (component === '') {
      const root = heard(own.exact.get('*'), asks);
      if (root.length > 0) return ['service', root];
    } else {
      const wildcard = heard(wildcardRows(own, component), asks);
      if (wildcard.length > 0) return ['wildcard', wildcard];
    }
  }
  if (index.all.length === 0) return ['none', nothing];
  const matching = index.all.filter((it) => it.component === '*' || (component === '' && it.component === ''));
  const all = heard(
    matching.map((it) => it.row),
    asks,
  );
  return all.length > 0 ? ['all', all] : ['none', nothing];
}

const nothing: AccessRow[] = [];

/** The rows that hear a kind of requestor; the list itself when all do. */
function heard(rows: AccessRow[] = nothing, asks: number): AccessRow[] {
  for (const row of rows)
    if ((row.requestorMask & asks) === 0) return rows.filter((it) => (it.requestorMask & asks) !== 0);
  return rows;
}

/** A role may have a thousand wildcards: looked at are the beginnings of the component, not the rows one by one. */
function wildcardRows({ exact, wildcards, lengths, order }: OwnRows, component: string): AccessRow[] {
  const lists: AccessRow[][] = [];
  for (const length of lengths) {
    if (length > component.length + 1) break;
    // `_table/*` is also for `_table` itself.
    const prefix = length > component.length ? `${component}/` : component.slice(0, length);
    const rows = wildcards.get(prefix);
    if (rows) lists.push(rows);
  }
  const found = lists.length > 1 ? lists.flat().sort((a, b) => order.get(a)! - order.get(b)!) : (lists[0] ?? nothing);
  if (!component.includes('{')) return found;
  // A component that is itself a template (event names, API docs) is matched against the rows' components.
  const template = component.split('/');
  const named = [...exact].flatMap(([stored, rows]) => (fitsTemplate(stored.split('/'), template) ? rows : []));
  return [...found, ...named];
}

/** A `{placeholder}` stands for a whole part of a path; callers can send templates, so parts are compared one by one. */
const fitsTemplate = (stored: string[], template: string[]): boolean =>
  stored.length === template.length &&
  template.every((part, index) =>
    /^\{[^{}]*\}$/.test(part) ? /^[a-z0-9_]+$/.test(stored[index]!) : part === stored[index],
  );

/**
 * The row whose filters apply to records: among the service's own rows that grant the verb, on the component of the
 * table without the record id, exact before wildcard; of several the last stored one alone (contract/role-access.md §5).
 */
function filterRowOf(index: Compiled, { service, component, verb, requestor }: Question): AccessRow | undefined {
  const table = /^_table\/[^/]+/.exec(component)?.[0];
  const own = table === undefined ? undefined : index.services.get(service);
  if (!own || table === undefined) return undefined;
  const grants = (row: AccessRow) =>
    (row.requestorMask & requestorMask[requestor]) !== 0 && (row.verbMask & verbMask[verb]) !== 0;
  const chosen = (own.exact.get(table) ?? []).findLast(grants) ?? wildcardRows(own, table).findLast(grants);
  return chosen?.filters && chosen.filters.length > 0 ? chosen : undefined;
}
