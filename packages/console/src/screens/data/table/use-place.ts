// Where one stands in a table, as the address says, and the ways from there.
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { turnOrder } from '../../../list/index.ts';
import { isSamePlace, keyText, type Place, readPlace, withKey, writePlace } from '../place/place.ts';
import type { Site } from '../place/site.ts';

export function usePlace(site: Site) {
  const navigate = useNavigate();
  const location = useLocation();
  const { params, pane } = site.read(location) ?? { params: new URLSearchParams(), pane: null };
  const search = withKey(params, null);
  const placeText = writePlace(new URLSearchParams(), readPlace(search)).toString();
  const place = useMemo(() => readPlace(new URLSearchParams(placeText)), [placeText]);

  const latest = useRef({ site, location });
  latest.current = { site, location };
  const correctPage = useCallback(
    (page: number) => {
      const { site, location } = latest.current;
      const seen = site.read(location);
      if (seen) navigate(site.at(location, writePlace(seen.params, { page }), seen.pane), { replace: true });
    },
    [navigate],
  );

  const leadsElsewhere = (change: Partial<Place>) => !isSamePlace(search, writePlace(search, change));
  const move = (change: Partial<Place>) => {
    if (leadsElsewhere(change)) navigate(site.at(location, writePlace(search, change), null));
  };
  const at = (pane: string | null, key: readonly string[] | null = null) =>
    site.at(location, withKey(search, key), pane);
  return {
    place,
    /** The pane that is open beside the records. */
    pane,
    /** Text of the key of the record that is open. */
    openKey: pane === 'record' && params.has('key') ? keyText(params.getAll('key')) : null,
    /** Another page of what is shown, as if it had been the one asked for. */
    correctPage,
    /** Whether other records would be shown. */
    leadsElsewhere,
    move,
    setWhole: (whole: boolean) => move({ isWhole: whole }),
    sort: (field: string) =>
      move({ order: place.order ? turnOrder(place.order, field) : { field, descending: false } }),
    addFilter: (filter: string) => move({ filters: [...place.filters.filter((each) => each !== filter), filter] }),
    replaceFilter: (old: string, filter: string) =>
      move({
        filters: place.filters.map((each) => (each === old ? filter : each)).filter((each) => each.trim() !== ''),
      }),
    removeFilter: (filter: string) => move({ filters: place.filters.filter((each) => each !== filter) }),
    clearFilters: () => move({ filters: [] }),
    /** Remove of the filter panel: neither filtered nor ordered. */
    clearPlace: () => move({ filters: [], order: null }),
    addressOf: (key: readonly string[]) => at('record', key),
    addressOfNew: at('new'),
    open: (key: readonly string[]) => navigate(at('record', key)),
    close: () => navigate(at(null)),
  };
}
