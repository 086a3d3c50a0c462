// Saved views: filters, order and columns of a table under a name; kept in this browser for each person and table.
import { useState } from 'react';
import { useSession } from '../../../../api/index.ts';
import { type GridState, readGridState, writeGridState } from '../../address/grid-state.ts';
import { type ColumnLayout, parseLayout } from '../../table/columns.ts';

export interface View {
  name: string;
  /** Filters and order, as the address writes them. */
  place: string;
  columns: ColumnLayout;
}

export const maxNameLength = 60;
export const maxViews = 50;

/** What was kept; anything unreadable counts as nothing. */
export function readViews(text: string | null): View[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.flatMap((item) => readView(item) ?? []).slice(0, maxViews) : [];
  } catch {
    return [];
  }
}

function readView(stored: unknown): View | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { name, place, columns } = stored as Record<keyof View, unknown>;
  if (typeof name !== 'string' || name.trim() === '' || typeof place !== 'string') return null;
  return { name, place, columns: parseLayout(columns) };
}

/** The part of a place a view keeps: not the page. */
export const gridStateText = ({ filters, order }: Pick<GridState, 'filters' | 'order'>): string =>
  writeGridState(new URLSearchParams(), { filters, order }).toString();

export const gridStateOf = (view: View): Pick<GridState, 'filters' | 'order'> => {
  const { filters, order } = readGridState(new URLSearchParams(view.place));
  return { filters, order };
};

/** Saves under a name: in the place of the view that had it, else as the last. */
export const withView = (views: readonly View[], view: View): View[] =>
  views.some(({ name }) => name === view.name)
    ? views.map((existing) => (existing.name === view.name ? view : existing))
    : [...views, view];

export const withoutView = (views: readonly View[], name: string): View[] => views.filter((view) => view.name !== name);

/** Another name for a view; one that has it already gives way. */
export const renameView = (views: readonly View[], from: string, to: string): View[] =>
  (from === to ? [...views] : withoutView(views, to)).map((view) =>
    view.name === from ? { ...view, name: to } : view,
  );

/** The view that shows just this. */
export const findCurrentView = (views: readonly View[], stateText: string, layout: ColumnLayout): View | undefined =>
  views.find((view) => view.place === stateText && isSameLayout(view.columns, layout));

const isSameLayout = (a: ColumnLayout, b: ColumnLayout): boolean =>
  JSON.stringify([a.shown, Object.entries(a.widths).sort()]) ===
  JSON.stringify([b.shown, Object.entries(b.widths).sort()]);

/** The views of the person signed in. */
export function useViews(service: string, table: string) {
  const key = `sluice.data.views.${useSession()?.id ?? 'anyone'}.${JSON.stringify([service, table])}`;
  const [state, setState] = useState(() => ({ key, views: readViews(localStorage.getItem(key)) }));
  const views = state.key === key ? state.views : readViews(localStorage.getItem(key));
  const store = (next: View[]) => {
    setState({ key, views: next });
    if (next.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next));
  };
  return {
    views,
    save: (view: View) => store(withView(views, view)),
    rename: (from: string, to: string) => store(renameView(views, from, to)),
    remove: (name: string) => store(withoutView(views, name)),
  };
}
