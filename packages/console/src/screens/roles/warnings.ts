// Where the rules of access surprise (contract/role-access.md §2, §5): what to say under a row, given the others. Pure.
import { verbMask, verbs } from '@sluice/contract';
import type { AccessRow } from './access.ts';
import { type Match, matchOf, normalizeComponent, shareRequestor, wildcardCovers } from './matching.ts';

/** One surprise, with what its text needs. `others` are components of the rows it is about. */
export interface Warning {
  name:
    | 'inactiveService'
    | 'noComponent'
    | 'administers'
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
export type RowIndex = ReadonlyMap<number | null, readonly MatchedRow[]>;
interface MatchedRow {
  row: AccessRow;
  match: Match;
}

export function indexRows(rows: readonly AccessRow[]): RowIndex {
  const index = new Map<number | null, MatchedRow[]>();
  for (const row of rows) {
    const matched = { row, match: matchOf(row) };
    const matchedRows = index.get(row.service_id);
    if (matchedRows) matchedRows.push(matched);
    else index.set(row.service_id, [matched]);
  }
  return index;
}

/** What surprises in a row. `canFilter` says whether its service has record filters at all (ROL-018). */
export function warningsOf(row: AccessRow, index: RowIndex, canFilter: boolean): Warning[] {
  if ((row.requestor_mask & 3) === 0) return [{ name: 'nobody' }];
  const match = matchOf(row);
  if (match.kind === 'never') return [{ name: 'afterStar' }];
  if (row.service_id === null) return warningsOfAllServices(row);
  const siblings = (index.get(row.service_id) ?? []).filter(
    (sibling) => sibling.row.key !== row.key && sibling.match.kind !== 'never' && shareRequestor(sibling.row, row),
  );
  const all = (index.get(null) ?? []).filter(
    (sibling) => shareRequestor(sibling.row, row) && normalizeComponent(sibling.row.component) === '*',
  );
  const byMatch =
    match.kind === 'exact'
      ? warningsOfExact(row, match.component, siblings)
      : warningsOfWildcard(row, match.prefix, siblings, all);
  const filters = warningsOfFilters(row, match, siblings, index, canFilter);
  return [...byMatch, ...filters, ...warningsOfRest(row, index, siblings, all)];
}

/** Resources of `system` whose writers act as administrators: what they write runs with the rights of others (SECURITY.md). */
const administering = ['service', 'event_script'];

/** Whether a row of `system`, or of all services, lets people write services or scripts. */
export function administers(row: AccessRow): boolean {
  const match = matchOf(row);
  if ((row.verb_mask & ~verbMask.GET) === 0 || (row.requestor_mask & 3) === 0 || match.kind === 'never') return false;
  return administering.some((resource) =>
    match.kind === 'exact'
      ? match.component.split('/')[0] === resource
      : wildcardCovers(match.prefix, resource) || match.prefix.startsWith(`${resource}/`),
  );
}

const warningsOfAllServices = (row: AccessRow): Warning[] => {
  const component = normalizeComponent(row.component);
  if (component !== '' && component !== '*') return [{ name: 'allOnly' }];
  return row.filters.length > 0 ? [{ name: 'filtersIgnored' }] : [];
};

const maskOf = (rows: readonly MatchedRow[]): number => rows.reduce((mask, { row }) => mask | row.verb_mask, 0);
const componentNames = (rows: readonly MatchedRow[]): string[] =>
  [...new Set(rows.map(({ row }) => row.component))].slice(0, 3);

/** Exact rows decide alone, and only on their one component. */
function warningsOfExact(row: AccessRow, component: string, siblings: readonly MatchedRow[]): Warning[] {
  const wide = siblings.filter(({ match }) =>
    match.kind === 'wildcard' && component !== ''
      ? wildcardCovers(match.prefix, component)
      : isRootRow(match, component),
  );
  const same = siblings.filter(({ match }) => match.kind === 'exact' && match.component === component);
  const warnings: Warning[] = [];
  const lost = maskOf(wide) & ~(row.verb_mask | maskOf(same));
  if (row.verb_mask === 0 && maskOf(same) === 0) warnings.push({ name: 'closes', others: componentNames(wide) });
  else if (lost !== 0) warnings.push({ name: 'narrows', mask: lost, others: componentNames(wide) });
  if (/^_table\/[^/]+$/.test(component) && row.verb_mask !== 0) {
    const below = siblings.filter(({ match }) => match.kind === 'wildcard' && `${component}/`.startsWith(match.prefix));
    if ((row.verb_mask & ~maskOf(below)) !== 0) warnings.push({ name: 'listOnly' });
  }
  return warnings;
}

const isRootRow = (match: Match, component: string): boolean =>
  component === '' && match.kind === 'wildcard' && match.prefix === '';

/** Wildcard rows are added up, whatever their length. */
function warningsOfWildcard(
  row: AccessRow,
  prefix: string,
  siblings: readonly MatchedRow[],
  all: readonly MatchedRow[],
): Warning[] {
  const wider = siblings.filter(({ match }) => match.kind === 'wildcard' && prefix.startsWith(match.prefix));
  const added = maskOf(wider) & ~row.verb_mask;
  if (row.verb_mask === 0) {
    if (added !== 0) return [{ name: 'zeroAdds', mask: added, others: componentNames(wider) }];
    return maskOf(all) !== 0 ? [{ name: 'zeroBlocks' }] : [];
  }
  const longer = wider.filter(({ match }) => match.kind === 'wildcard' && match.prefix.length < prefix.length);
  const fromShorter = maskOf(longer) & ~row.verb_mask;
  return fromShorter === 0 ? [] : [{ name: 'adds', mask: fromShorter, others: componentNames(longer) }];
}

/** Of several rows of a class the last one decides about filters, alone; a closer one before it. */
function warningsOfFilters(
  row: AccessRow,
  match: Match,
  siblings: readonly MatchedRow[],
  index: RowIndex,
  canFilter: boolean,
): Warning[] {
  if (row.filters.length === 0) return [];
  if (!canFilter) return [{ name: 'filtersIgnored' }];
  if (!reachesTables(match)) return [{ name: 'filtersNowhere' }];
  const sharing = siblings.filter((sibling) => (sibling.row.verb_mask & row.verb_mask) !== 0);
  const order = index.get(row.service_id) ?? [];
  const later = new Set(
    order.slice(order.findIndex((sibling) => sibling.row.key === row.key) + 1).map((sibling) => sibling.row.key),
  );
  const overriding = sharing.filter((sibling) => later.has(sibling.row.key) && coversReach(match, sibling.match));
  const warnings: Warning[] = [];
  if (overriding.length > 0)
    warnings.push({
      name: 'filtersLost',
      mask: row.verb_mask & maskOf(overriding),
      others: componentNames(overriding),
    });
  const closer = sharing.filter(
    (sibling) =>
      match.kind === 'wildcard' &&
      sibling.match.kind === 'exact' &&
      isTable(sibling.match.component) &&
      wildcardCovers(match.prefix, sibling.match.component),
  );
  if (closer.length > 0)
    warnings.push({ name: 'filtersCloser', mask: row.verb_mask & maskOf(closer), others: componentNames(closer) });
  return warnings;
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
function coversReach(match: Match, other: Match): boolean {
  if (match.kind === 'exact') return other.kind === 'exact' && other.component === match.component;
  return match.kind === 'wildcard' && other.kind === 'wildcard' && match.prefix.startsWith(other.prefix);
}

/** What no row of a service matches falls to the rows for all services; said once for each service. */
function warningsOfRest(
  row: AccessRow,
  index: RowIndex,
  siblings: readonly MatchedRow[],
  all: readonly MatchedRow[],
): Warning[] {
  const first = index.get(row.service_id)?.[0]?.row.key === row.key;
  const isWhole = [row, ...siblings.map((sibling) => sibling.row)].some(
    ({ component }) => normalizeComponent(component) === '*',
  );
  return first && !isWhole && maskOf(all) !== 0 ? [{ name: 'restIsAll', mask: maskOf(all) }] : [];
}

/** The verbs of a mask as the wire names them: `GET, POST`. */
export const verbNames = (mask: number): string => verbs.filter((verb) => (mask & verbMask[verb]) !== 0).join(', ');
