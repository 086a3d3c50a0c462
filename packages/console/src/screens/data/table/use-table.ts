// One table on the screen: where one stands in it (use-place), its records (use-listing, use-lines, and use-windows where the whole
// of it is scrolled through), what is ticked (use-selection) and which columns are shown (columns). What was changed in the records
// is writing/'s. Draws nothing.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageAfterDelete } from '../../../list/index.ts';
import { type Place, tableAddress } from '../place/place.ts';
import { pageSite, type Site } from '../place/site.ts';
import { tableKey } from '../place/sources.ts';
import { mayDiscard } from '../writing/unsaved-guard.tsx';
import { useUnsaved } from '../writing/use-unsaved.ts';
import { useWrites } from '../writing/use-writes.ts';
import { useLines } from './use-lines.ts';
import { useListing } from './use-listing.ts';
import { usePlace } from './use-place.ts';
import { useSelection } from './use-selection.ts';

/** Everything a table shows and does, on a page of its own or where `site` says. */
export function useTable(service: string, table: string, site: Site = pageSite(service, table)) {
  const client = useQueryClient();
  const { move, leadsElsewhere, correctPage, ...here } = usePlace(site);
  const { place, open, close } = here;
  const { isPhone, isBeyond, shownCount, rowAt, ...listing } = useListing(service, table, place, site);
  const { schema, rows, count, pages, size, path } = listing;
  const { store, act, forgetSteps, hasUnsaved, discard, ...changes } = useUnsaved(site);
  const lines = useLines({ schema, count: shownCount, rowAt, added: changes.added });
  useEffect(() => {
    if (isBeyond) correctPage(pages);
  }, [isBeyond, pages, correctPage]);
  const { chosen, ...ticks } = useSelection(schema, rows, listing.isWhole);

  const reread = () => client.invalidateQueries({ queryKey: tableKey(service, table) });
  const { given } = site;
  const writes = useWrites({
    path,
    table,
    schema,
    store,
    act,
    forgetSteps,
    given,
    chosen,
    reread,
    afterDelete: async (gone) => {
      ticks.clearSelection();
      const page = pageAfterDelete(place.page, count - gone, size);
      await reread();
      if (page !== place.page) correctPage(page);
    },
    // In the grid a cell says itself what is wrong with it.
    open: (key) => {
      if (isPhone) open(key);
    },
    close,
  });

  return {
    service,
    table,
    home: tableAddress(service, table),
    /** What a new record starts with. */
    given,
    /** A table without a key can be read, not written: nothing would name the record. */
    hasKey: (schema?.primary_key.length ?? 0) > 0,
    ...here,
    ...listing,
    ...lines,
    ...ticks,
    ...changes,
    ...writes,
    go: (page: number) => move({ page: Math.min(pages, Math.max(1, page)) }),
    /** To the filters and the order of a saved view; false when one would rather keep what is unsaved. */
    goTo: async (next: Pick<Place, 'filters' | 'order'>): Promise<boolean> => {
      if (hasUnsaved() && leadsElsewhere(next)) {
        if (!(await mayDiscard())) return false;
        discard();
      }
      move(next);
      return true;
    },
    /** Reads again; what is unsaved would be compared with other values, so it is given up first (TBL-016). */
    refresh: async () => {
      if (hasUnsaved() && !(await mayDiscard())) return;
      discard();
      await reread();
    },
  };
}

export type TableState = ReturnType<typeof useTable>;
