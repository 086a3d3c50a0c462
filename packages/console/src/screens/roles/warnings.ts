// Where the rules of access surprise (contract/role-access.md §2, §5): what to say under a row, given the others. Pure.
import { verbMask, verbs } from '@sluice/contract';
import type { AccessRow } from './access.ts';
import { bare, covers, type Match, matchOf, meet } from './matching.ts';

/** One surprise, with what its words need. `others` are components of the rows it is about. */
export interface Warning {
  name:
    | 'nobody'
    | 'afterStar'
    | 'allOnly'
    | 'closes'
    | 'zeroAdds'
    | 'zeroBlocks'
    | 'narrows'
    | 'listOnly'
    | 'adds'
    | 'filtersIgnored'
    | 'filtersNowhere'
    | 'filtersLost'
    | 'filtersCloser'
    | 'restIsAll';
  mask?: number;
  others?: string[];
}

/** The rows of a role by service, made once for each set of rows. */
export type RowIndex = ReadonlyMap<number | null, readonly Placed[]>;
interface Placed {
  row: AccessRow;
  match: Match;
}

export function indexRows(rows: readonly AccessRow[]): RowIndex {
  const index = new Map<number | null, Placed[]>();
  for (const row of rows) {
    const placed = { row, match: matchOf(row) };
    const known = index.get(row.service_id);
    if (known) known.push(placed);
    else index.set(row.service_id, [placed]);
  }
  return index;
}

/** What surprises in a row. `canFilter` says whether its service has record filters at all (ROL-018). */
export function warningsOf(row: AccessRow, index: RowIndex, canFilter: boolean): Warning[] {
  if ((row.requestor_mask & 3) === 0) return [{ name: 'nobody' }];
  const match = matchOf(row);
  if (match.kind === 'never') return [{ name: 'afterStar' }];
  if (row.service_id === null) return ofAll(row);
  const siblings = (index.get(row.service_id) ?? []).filter(
    (each) => each.row.key !== row.key && each.match.kind !== 'never' && meet(each.row, row),
  );
  const all = (index.get(null) ?? []).filter((each) => meet(each.row, row) && bare(each.row.component) === '*');
  const found =
    match.kind === 'exact' ? ofExact(row, match.component, siblings) : ofWildcard(row, match.prefix, siblings, all);
  const filters = ofFilters(row, match, siblings, index, canFilter);
  return [...found, ...filters, ...ofRest(row, index, siblings, all)];
}

const ofAll = (row: AccessRow): Warning[] => {
  const component = bare(row.component);
  if (component !== '' && component !== '*') return [{ name: 'allOnly' }];
  return row.filters.length > 0 ? [{ name: 'filtersIgnored' }] : [];
};

const maskOf = (placed: readonly Placed[]): number => placed.reduce((mask, { row }) => mask | row.verb_mask, 0);
const names = (placed: readonly Placed[]): string[] => [...new Set(placed.map(({ row }) => row.component))].slice(0, 3);

/** Exact rows decide alone, and only on their one component. */
function ofExact(row: AccessRow, component: string, siblings: readonly Placed[]): Warning[] {
  const wide = siblings.filter(({ match }) =>
    match.kind === 'wildcard' && component !== '' ? covers(match.prefix, component) : isRootRow(match, component),
  );
  const same = siblings.filter(({ match }) => match.kind === 'exact' && match.component === component);
  const found: Warning[] = [];
  const lost = maskOf(wide) & ~(row.verb_mask | maskOf(same));
  if (row.verb_mask === 0 && maskOf(same) === 0) found.push({ name: 'closes', others: names(wide) });
  else if (lost !== 0) found.push({ name: 'narrows', mask: lost, others: names(wide) });
  if (/^_table\/[^/]+$/.test(component) && row.verb_mask !== 0) {
    const below = siblings.filter(({ match }) => match.kind === 'wildcard' && `${component}/`.startsWith(match.prefix));
    if ((row.verb_mask & ~maskOf(below)) !== 0) found.push({ name: 'listOnly' });
  }
  return found;
}

const isRootRow = (match: Match, component: string): boolean =>
  component === '' && match.kind === 'wildcard' && match.prefix === '';

/** Wildcard rows are added up, whatever their length. */
function ofWildcard(row: AccessRow, prefix: string, siblings: readonly Placed[], all: readonly Placed[]): Warning[] {
  const wider = siblings.filter(({ match }) => match.kind === 'wildcard' && prefix.startsWith(match.prefix));
  const added = maskOf(wider) & ~row.verb_mask;
  if (row.verb_mask === 0) {
    if (added !== 0) return [{ name: 'zeroAdds', mask: added, others: names(wider) }];
    return maskOf(all) !== 0 ? [{ name: 'zeroBlocks' }] : [];
  }
  const longer = wider.filter(({ match }) => match.kind === 'wildcard' && match.prefix.length < prefix.length);
  const fromShorter = maskOf(longer) & ~row.verb_mask;
  return fromShorter === 0 ? [] : [{ name: 'adds', mask: fromShorter, others: names(longer) }];
}

/** Of several rows of a class the last one decides about filters, alone; a closer one before it. */
function ofFilters(
  row: AccessRow,
  match: Match,
  siblings: readonly Placed[],
  index: RowIndex,
  canFilter: boolean,
): Warning[] {
  if (row.filters.length === 0) return [];
  if (!canFilter) return [{ name: 'filtersIgnored' }];
  if (!reachesTables(match)) return [{ name: 'filtersNowhere' }];
  const sharing = siblings.filter((each) => (each.row.verb_mask & row.verb_mask) !== 0);
  const order = index.get(row.service_id) ?? [];
  const later = new Set(
    order.slice(order.findIndex((each) => each.row.key === row.key) + 1).map((each) => each.row.key),
  );
  const beaten = sharing.filter((each) => later.has(each.row.key) && sameReach(match, each.match));
  const found: Warning[] = [];
  if (beaten.length > 0)
    found.push({ name: 'filtersLost', mask: row.verb_mask & maskOf(beaten), others: names(beaten) });
  const closer = sharing.filter(
    (each) =>
      match.kind === 'wildcard' &&
      each.match.kind === 'exact' &&
      isTable(each.match.component) &&
      covers(match.prefix, each.match.component),
  );
  if (closer.length > 0)
    found.push({ name: 'filtersCloser', mask: row.verb_mask & maskOf(closer), others: names(closer) });
  return found;
}

const isTable = (component: string): boolean => /^_table\/[^/]+$/.test(component);

/** Filters are looked up by `_table/{name}`, without the id of a record. */
function reachesTables(match: Match): boolean {
  if (match.kind === 'exact') return isTable(match.component);
  if (match.kind === 'never') return false;
  const { prefix } = match;
  return '_table/'.startsWith(prefix) || /^_table\/[^/]+\/?$/.test(prefix);
}

/** Whether all that a row's filters are about is also the other's, in the same class. */
function sameReach(match: Match, other: Match): boolean {
  if (match.kind === 'exact') return other.kind === 'exact' && other.component === match.component;
  return match.kind === 'wildcard' && other.kind === 'wildcard' && match.prefix.startsWith(other.prefix);
}

/** What no row of a service matches falls to the rows for all services; said once for each service. */
function ofRest(row: AccessRow, index: RowIndex, siblings: readonly Placed[], all: readonly Placed[]): Warning[] {
  const first = index.get(row.service_id)?.[0]?.row.key === row.key;
  const isWhole = [row, ...siblings.map((each) => each.row)].some(({ component }) => bare(component) === '*');
  return first && !isWhole && maskOf(all) !== 0 ? [{ name: 'restIsAll', mask: maskOf(all) }] : [];
}

/** The verbs of a mask as the wire names them: `GET, POST`. */
export const verbNames = (mask: number): string => verbs.filter((verb) => (mask & verbMask[verb]) !== 0).join(', ');
