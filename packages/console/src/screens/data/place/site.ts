// Where a table is shown: on a page of its own here, inside the record of another table in children/. Pure.

import type { Drafts } from '../values/values.ts';
import { pageSize, tableAddress } from './place.ts';

/** An address, its search part with or without the question mark. */
export interface Spot {
  pathname: string;
  search: string;
}

/** What an address says to a table. */
export interface Seen {
  /** The table's own: page, order, filters, and the key of the record that is open. */
  params: URLSearchParams;
  pane: string | null;
}

export interface Site {
  /** Records of a page. */
  size: number;
  /** A filter that always holds here, beside those one can take away. */
  within: string | undefined;
  /** What a new record starts with. */
  given: Drafts;
  /** Null where the table is not shown. */
  read: (spot: Spot) => Seen | null;
  /** The address with other parameters or another pane, seen from where one stands. */
  at: (from: Spot, params: URLSearchParams, pane: string | null) => Spot;
}

export function pageSite(service: string, table: string): Site {
  const home = tableAddress(service, table);
  return {
    size: pageSize,
    within: undefined,
    given: {},
    read: ({ pathname, search }) => {
      const [area, ...names] = pathname.split('/').slice(1).map(decoded);
      const isHere = area === 'data' && names[0] === service && names[1] === table;
      return isHere ? { params: new URLSearchParams(search), pane: names[2] || null } : null;
    },
    at: (_from, params, pane) => ({ pathname: pane ? `${home}/${pane}` : home, search: params.toString() }),
  };
}

/** A part of a path; one that is no proper escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
