// What of a listing is selected and where the keyboard stands, as in the file managers of desktops. Pure; `shown` are the paths in
// the order shown.

export interface FileSelection {
  selected: ReadonlySet<string>;
  /** The row the keyboard is on; null until one was reached. */
  current: string | null;
  /** Where a range held with Shift begins. */
  anchor: string | null;
}

export const noSelection: FileSelection = { selected: new Set(), current: null, anchor: null };

/** Shift extends, Ctrl or ⌘ leaves the rest as it is. */
export interface Held {
  range: boolean;
  add: boolean;
}

/** A click on a row. */
export function click(
  before: FileSelection,
  path: string,
  shown: readonly string[],
  { range, add }: Held,
): FileSelection {
  if (range) return selectRange(before, path, shown, add);
  if (!add) return { selected: new Set([path]), current: path, anchor: path };
  return toggle(before, path);
}

/** The keyboard goes to a row: it alone is selected, with Shift all up to it, with Ctrl nothing changes. */
export function goTo(
  before: FileSelection,
  path: string,
  shown: readonly string[],
  { range, add }: Held,
): FileSelection {
  if (range) return selectRange(before, path, shown, false);
  if (add) return { ...before, current: path };
  return { selected: new Set([path]), current: path, anchor: path };
}

/** Selects a row, or not any more; the others stay. */
export function toggle(before: FileSelection, path: string): FileSelection {
  const selected = new Set(before.selected);
  if (!selected.delete(path)) selected.add(path);
  return { selected, current: path, anchor: path };
}

export const selectAll = (before: FileSelection, shown: readonly string[]): FileSelection => ({
  ...before,
  selected: new Set(shown),
});

/** Without what is not shown any more; the same object when nothing changed. */
export function keepShown(before: FileSelection, shown: readonly string[]): FileSelection {
  const paths = new Set(shown);
  const isShown = (path: string | null) => path === null || paths.has(path);
  if ([...before.selected].every(isShown) && isShown(before.current) && isShown(before.anchor)) return before;
  return {
    selected: new Set([...before.selected].filter((path) => paths.has(path))),
    current: isShown(before.current) ? before.current : null,
    anchor: isShown(before.anchor) ? before.anchor : null,
  };
}

function selectRange(
  before: FileSelection,
  path: string,
  shown: readonly string[],
  keepsOthers: boolean,
): FileSelection {
  const anchor = before.anchor ?? before.current ?? shown[0] ?? path;
  const [from, to] = [shown.indexOf(anchor), shown.indexOf(path)];
  const range = from < 0 || to < 0 ? [path] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { selected: new Set([...(keepsOthers ? before.selected : []), ...range]), current: path, anchor };
}
