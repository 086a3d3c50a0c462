// Where a table is shown: on a page of its own here, inside the record of another table in children/. Pure.

import type { Drafts } from '../values/values.ts';
import { pageSize, tableAddress } from './grid-state.ts';

/** An address, its search part with or without the question mark. */
export interface LocationParts {
  pathname: string;
  search: string;
}

/** What an address says to a table. */
export interface ParsedLocation {
  /** The table's own: page, order, filters, and the key of the record that is open. */
  params: URLSearchParams;
  pane: string | null;
}

export interface GridHost {
  /** Records of a page. */
  pageSize: number;
  /** A filter that always holds here, beside those one can take away. */
  fixedFilter: string | undefined;
  /** What a new record starts with. */
  initialDrafts: Drafts;
  /** Null where the table is not shown. */
  parse: (spot: LocationParts) => ParsedLocation | null;
  /** The address with other parameters or another pane, seen from where one stands. */
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

/** A part of a path; one that is no proper escape stands for itself. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
