// Which rows of a list are ticked. Pure; ids are those of the page's rows, in the order shown.

export type Id = number | string;

export interface Selection {
  ids: ReadonlySet<Id>;
  /** Where a range held with Shift begins: the row ticked last. */
  anchor: Id | null;
}

export const emptySelection: Selection = { ids: new Set(), anchor: null };

/** Ticks or unticks `id`; with `range`, every row from the anchor to it takes the same state. */
export function toggle(selection: Selection, id: Id, shown: readonly Id[], range: boolean): Selection {
  const ids = new Set(selection.ids);
  const isTicked = !ids.has(id);
  for (const rowId of range ? idsBetween(shown, selection.anchor, id) : [id]) {
    if (isTicked) ids.add(rowId);
    else ids.delete(rowId);
  }
  return { ids, anchor: id };
}

/** Ticks all rows, or none when all were ticked. */
export function toggleAll(selection: Selection, shown: readonly Id[]): Selection {
  return selection.ids.size === shown.length ? emptySelection : { ids: new Set(shown), anchor: null };
}

/** Drops what is no longer on the page; the same object when nothing changed. */
export function keepVisible(selection: Selection, shown: readonly Id[]): Selection {
  const ids = new Set(shown.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ids, anchor: null };
}

function idsBetween(shown: readonly Id[], from: Id | null, to: Id): readonly Id[] {
  const [a, b] = [from === null ? -1 : shown.indexOf(from), shown.indexOf(to)];
  return a < 0 || b < 0 ? [to] : shown.slice(Math.min(a, b), Math.max(a, b) + 1);
}
