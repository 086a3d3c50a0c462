// Where a grid is shown: on a page of its own here, inside the record of another table in children/. Pure.
import type { Drafts } from '../values/values.ts';
import { pageSize, tableAddress, withRecordKey } from './grid-state.ts';

/** An address; `search` with or without the question mark. */
export interface LocationParts {
  pathname: string;
  search: string;
}

/** What an address says about one grid. */
export interface ParsedLocation {
  /** The parameters of the grid: page, order, filters, and the key of the open record. */
  params: URLSearchParams;
  pane: string | null;
}

export interface GridHost {
  /** Records of a page. */
  pageSize: number;
  /** A filter that always applies here, besides those that can be removed. */
  fixedFilter: string | undefined;
  /** What a new record starts with. */
  initialDrafts: Drafts;
  /** Null where the grid is not shown. */
  parse: (location: LocationParts) => ParsedLocation | null;
  /** The address with other parameters or another pane, from a present address. */
  locationFor: (from: LocationParts, params: URLSearchParams, pane: string | null) => LocationParts;
}

export function pageHost(service: string, table: string): GridHost {
  const home = tableAddress(service, table);
  return {
    pageSize,
    fixedFilter: undefined,
    initialDrafts: {},
    parse: ({ pathname, search }) => {
      const [area, ...names] = pathname.split('/').slice(1).map(decodeSegment);
      const isHere = area === 'data' && names[0] === service && names[1] === table;
      return isHere ? { params: new URLSearchParams(search), pane: names[2] || null } : null;
    },
    locationFor: (_from, params, pane) => ({ pathname: pane ? `${home}/${pane}` : home, search: params.toString() }),
  };
}

/** The address of a record on the page of its table. */
export const recordPageLocation = (service: string, table: string, key: readonly string[]): LocationParts =>
  pageHost(service, table).locationFor(
    { pathname: '', search: '' },
    withRecordKey(new URLSearchParams(), key),
    'record',
  );

/** Decodes a part of a path; one with an invalid escape stays as it is. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
