// What a row gives, in plain words. Pure but for the words.
import { requestorMask, verbsOf } from '@sluice/contract';
import { joinList, text } from '../../text/index.ts';
import { type AccessRow, isEverything, needsNoValue } from './access.ts';
import { matchOf } from './matching.ts';

/** "May read and create in contact of db, API only; only records where owner = {user.id}." `service` is null for all. */
export function meaningOf(row: AccessRow, service: string | null, canFilter: boolean): string {
  const place = placePhrase(row, service);
  if (place === null) return text('roles:means.never');
  const requestor = requestorPhrase(row.requestor_mask);
  if (row.verb_mask === 0) return text('roles:means.nothing', { place, by: requestor });
  const where = canFilter && row.filters.length > 0 ? text('roles:means.where', { filter: filterText(row) }) : '';
  return text('roles:means.may', { verbs: verbsPhrase(row.verb_mask), place, by: requestor, where });
}

/** "read, create and delete". */
export function verbsPhrase(mask: number): string {
  if (isEverything(mask)) return text('roles:means.everything');
  return joinList(verbsOf(mask).map((verb) => text(`roles:means.verbs.${verb}`)));
}

const { API, SCRIPT } = requestorMask;

function requestorPhrase(mask: number): string {
  if ((mask & (API | SCRIPT)) === (API | SCRIPT)) return text('roles:means.byBoth');
  if (mask & API) return text('roles:means.byApi');
  return mask & SCRIPT ? text('roles:means.byScript') : text('roles:means.byNobody');
}

/** "owner = {user.id} and region in eu,us". */
export const filterText = ({ filters, filter_op }: AccessRow): string =>
  filters
    .map(({ name, operator, value }) =>
      needsNoValue(operator) ? `${name} ${operator}` : `${name} ${operator} ${value}`,
    )
    .join(` ${text(filter_op === 'OR' ? 'roles:means.or' : 'roles:means.and')} `);

/** Where a row counts; null when it matches nothing. */
function placePhrase(row: AccessRow, service: string | null): string | null {
  const match = matchOf(row);
  const typed = row.component.trim().replace(/^\/+/, '').replace(/\/+$/, '');
  if (match.kind === 'never') return null;
  if (service === null) {
    if (typed === '*') return text('roles:means.place.everywhere');
    return typed === '' ? text('roles:means.place.everyRoot') : null;
  }
  if (match.kind === 'exact') {
    if (typed === '') return text('roles:means.place.root', { service });
    const table = /^_table\/([^/]+)$/i.exec(typed)?.[1];
    if (table) return text('roles:means.place.tableOnly', { table, service });
    return text('roles:means.place.exact', { path: typed, service });
  }
  const prefix = typed.slice(0, -1);
  if (prefix === '') return text('roles:means.place.all', { service });
  if (/^_table\/$/i.test(prefix)) return text('roles:means.place.tables', { service });
  const [, table, slash] = /^_table\/([^/]+)(\/?)$/i.exec(prefix) ?? [];
  if (table) return text(slash ? 'roles:means.place.table' : 'roles:means.place.tablesFrom', { table, service });
  if (prefix.endsWith('/')) return text('roles:means.place.below', { path: prefix.slice(0, -1), service });
  return text('roles:means.place.from', { path: prefix, service });
}
