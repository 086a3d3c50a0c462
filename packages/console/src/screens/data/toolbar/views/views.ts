// Saved views: filters, order and columns of a table under a name; kept in this browser for each person and table.
import { useState } from 'react';
import { useSession } from '../../../../api/index.ts';
import { type GridState, readGridState, writeGridState } from '../../place/place.ts';
import { type ColumnLayout, parseLayout } from '../../table/columns.ts';

export interface View {
  name: string;
  /** Filters and order, as the address writes them. */
  place: string;
  columns: ColumnLayout;
}

export const longestName = 60;
export const mostViews = 50;

/** What was kept; anything unreadable counts as nothing. */
export function readViews(text: string | null): View[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.flatMap((each) => readView(each) ?? []).slice(0, mostViews) : [];
  } catch {
    return [];
  }
}

function readView(kept: unknown): View | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { name, place, columns } = kept as Record<keyof View, unknown>;
  if (typeof name !== 'string' || name.trim() === '' || typeof place !== 'string') return null;
  return { name, place, columns: parseLayout(columns) };
}

/** The part of a place a view keeps: not the page. */
export const placeText = ({ filters, order }: Pick<GridState, 'filters' | 'order'>): string =>
  writeGridState(new URLSearchParams(), { filters, order }).toString();

export const placeOf = (view: View): Pick<GridState, 'filters' | 'order'> => {
  const { filters, order } = readGridState(new URLSearchParams(view.place));
  return { filters, order };
};

/** Saves under a name: in the place of the view that had it, else as the last. */
export const withView = (views: readonly View[], view: View): View[] =>
  views.some(({ name }) => name === view.name)
    ? views.map((each) => (each.name === view.name ? view : each))
    : [...views, view];

export const withoutView = (views: readonly View[], name: string): View[] => views.filter((each) => each.name !== name);

/** Another name for a view; one that has it already gives way. */
export const renamed = (views: readonly View[], from: string, to: string): View[] =>
  (from === to ? [...views] : withoutView(views, to)).map((each) =>
    each.name === from ? { ...each, name: to } : each,
  );

/** The view that shows just this. */
export const viewShown = (views: readonly View[], place: string, columns: ColumnLayout): View | undefined =>
  views.find((view) => view.place === place && sameColumns(view.columns, columns));

const sameColumns = (a: ColumnLayout, b: ColumnLayout): boolean =>
  JSON.stringify([a.shown, Object.entries(a.widths).sort()]) ===
  JSON.stringify([b.shown, Object.entries(b.widths).sort()]);

/** The views of the person signed in. */
export function useViews(service: string, table: string) {
  const key = `sluice.data.views.${useSession()?.id ?? 'anyone'}.${JSON.stringify([service, table])}`;
  const [state, setState] = useState(() => ({ key, views: readViews(localStorage.getItem(key)) }));
  const views = state.key === key ? state.views : readViews(localStorage.getItem(key));
  const set = (next: View[]) => {
    setState({ key, views: next });
    if (next.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next));
  };
  return {
    views,
    save: (view: View) => set(withView(views, view)),
    rename: (from: string, to: string) => set(renamed(views, from, to)),
    remove: (name: string) => set(withoutView(views, name)),
  };
}
