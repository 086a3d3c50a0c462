// Saved views: filters, order and columns of a table under a name; stored in this browser for each person and table.
import { type GridState, readGridState, writeGridState } from '../../address/grid-state.ts';
import { type ColumnLayout, parseLayout } from '../../table/columns.ts';
import { useTableSetting } from '../../table/use-table-setting.ts';

export interface View {
  name: string;
  /** Filters and order, as the address writes them. Views are stored with this name. */
  place: string;
  columns: ColumnLayout;
}

export const maxNameLength = 60;
export const maxViews = 50;

/** Reads stored views; anything unreadable counts as none. */
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

/** The part of a grid's state that a view saves: not the page. */
export const gridStateText = ({ filters, order }: Pick<GridState, 'filters' | 'order'>): string =>
  writeGridState(new URLSearchParams(), { filters, order }).toString();

export const gridStateOf = (view: View): Pick<GridState, 'filters' | 'order'> => {
  const { filters, order } = readGridState(new URLSearchParams(view.place));
  return { filters, order };
};

/** Replaces the view of the same name, or adds the view as the last one. */
export const withView = (views: readonly View[], view: View): View[] =>
  views.some(({ name }) => name === view.name)
    ? views.map((existing) => (existing.name === view.name ? view : existing))
    : [...views, view];

export const withoutView = (views: readonly View[], name: string): View[] => views.filter((view) => view.name !== name);

/** Renames a view; another one that has the name is removed. */
export const renameView = (views: readonly View[], from: string, to: string): View[] =>
  (from === to ? [...views] : withoutView(views, to)).map((view) =>
    view.name === from ? { ...view, name: to } : view,
  );

/** The view whose filters, order and columns are the current ones. */
export const findCurrentView = (views: readonly View[], stateText: string, layout: ColumnLayout): View | undefined =>
  views.find((view) => view.place === stateText && isSameLayout(view.columns, layout));

const isSameLayout = (a: ColumnLayout, b: ColumnLayout): boolean =>
  JSON.stringify([a.shown, Object.entries(a.widths).sort()]) ===
  JSON.stringify([b.shown, Object.entries(b.widths).sort()]);

const viewsSetting = { parse: readViews, isEmpty: (views: readonly View[]): boolean => views.length === 0 };

/** The views of the person signed in. */
export function useViews(service: string, table: string) {
  const [views, store] = useTableSetting('views', service, table, viewsSetting);
  return {
    views,
    save: (view: View) => store(withView(views, view)),
    rename: (from: string, to: string) => store(renameView(views, from, to)),
    remove: (name: string) => store(withoutView(views, name)),
  };
}
