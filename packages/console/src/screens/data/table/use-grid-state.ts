// The state of a grid as the address holds it, and how it is changed.
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { toggleOrder } from '../../../list/index.ts';
import type { GridHost } from '../address/grid-host.ts';
import {
  type GridState,
  isSameGridState,
  keyText,
  readGridState,
  withRecordKey,
  writeGridState,
} from '../address/grid-state.ts';

export function useGridState(host: GridHost) {
  const navigate = useNavigate();
  const location = useLocation();
  const { params, pane } = host.parse(location) ?? { params: new URLSearchParams(), pane: null };
  const search = withRecordKey(params, null);
  const stateText = writeGridState(new URLSearchParams(), readGridState(search)).toString();
  const gridState = useMemo(() => readGridState(new URLSearchParams(stateText)), [stateText]);

  const latest = useRef({ host, location });
  latest.current = { host, location };
  const correctPage = useCallback(
    (page: number) => {
      const { host: currentHost, location } = latest.current;
      const parsed = currentHost.parse(location);
      if (parsed)
        navigate(currentHost.locationFor(location, writeGridState(parsed.params, { page }), parsed.pane), {
          replace: true,
        });
    },
    [navigate],
  );

  const showsOtherRecords = (change: Partial<GridState>) => !isSameGridState(search, writeGridState(search, change));
  const updateGridState = (change: Partial<GridState>) => {
    if (showsOtherRecords(change)) navigate(host.locationFor(location, writeGridState(search, change), null));
  };
  const locationFor = (pane: string | null, key: readonly string[] | null = null) =>
    host.locationFor(location, withRecordKey(search, key), pane);
  return {
    gridState,
    /** The pane that is open beside the records. */
    pane,
    /** Text of the key of the record that is open. */
    openKey: pane === 'record' && params.has('key') ? keyText(params.getAll('key')) : null,
    /** Replaces the page in the address, without an entry in the browser's history. */
    correctPage,
    /** Whether a change shows other records. */
    showsOtherRecords,
    updateGridState,
    setContinuous: (isContinuous: boolean) => updateGridState({ isContinuous }),
    sort: (field: string) =>
      updateGridState({ order: gridState.order ? toggleOrder(gridState.order, field) : { field, descending: false } }),
    addFilter: (filter: string) =>
      updateGridState({ filters: [...gridState.filters.filter((existing) => existing !== filter), filter] }),
    replaceFilter: (previous: string, filter: string) =>
      updateGridState({
        filters: gridState.filters
          .map((existing) => (existing === previous ? filter : existing))
          .filter((existing) => existing.trim() !== ''),
      }),
    removeFilter: (filter: string) =>
      updateGridState({ filters: gridState.filters.filter((existing) => existing !== filter) }),
    clearFilters: () => updateGridState({ filters: [] }),
    /** Remove of the filter panel: no filter and no order. */
    clearFiltersAndOrder: () => updateGridState({ filters: [], order: null }),
    recordLocation: (key: readonly string[]) => locationFor('record', key),
    newRecordLocation: locationFor('new'),
    openRecord: (key: readonly string[]) => navigate(locationFor('record', key)),
    closePane: () => navigate(locationFor(null)),
  };
}
