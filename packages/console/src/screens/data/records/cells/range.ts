// Which cells of the grid are chosen: one that has the keyboard, and a corner the choice reaches to. Pure.

/** Counts from 0; rows as they stand in the grid, columns as they are shown. */
export interface At {
  row: number;
  column: number;
}

export interface CellRange {
  /** The cell that has the keyboard: where typing goes, and where the choice began. */
  active: At;
  /** The corner opposite; the same cell while only one is chosen. */
  head: At;
}

/** First and last included. */
export interface Rect {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const oneCell = (at: At): CellRange => ({ active: at, head: at });

export const rectOf = ({ active, head }: CellRange): Rect => ({
  top: Math.min(active.row, head.row),
  left: Math.min(active.column, head.column),
  bottom: Math.max(active.row, head.row),
  right: Math.max(active.column, head.column),
});

export const sizeOf = ({ top, left, bottom, right }: Rect): { rows: number; columns: number } => ({
  rows: bottom - top + 1,
  columns: right - left + 1,
});

/** The same range within a grid of so many rows and columns, which may have become smaller. */
export function within(range: CellRange, rows: number, columns: number): CellRange {
  const active = clampAt(range.active, rows, columns);
  const head = clampAt(range.head, rows, columns);
  return active === range.active && head === range.head ? range : { active, head };
}

function clampAt(at: At, rows: number, columns: number): At {
  const row = clamp(at.row, rows);
  const column = clamp(at.column, columns);
  return row === at.row && column === at.column ? at : { row, column };
}

const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index));

/** What a key moves: by so many cells, or to the edge. */
export interface Step {
  row: number;
  column: number;
}

/** Where a step from a cell leads; infinite ones lead to the edge. */
export const stepped = (from: At, step: Step, rows: number, columns: number): At => ({
  row: clamp(from.row + step.row, rows),
  column: clamp(from.column + step.column, columns),
});

/** The cell Tab leads to: the next one that `takes` input, along the row and on in the next; null when there is none. */
export function nextCell(
  from: At,
  isBack: boolean,
  rows: number,
  columns: number,
  takes: (at: At) => boolean,
): At | null {
  const step = isBack ? -1 : 1;
  const start = from.row * columns + from.column;
  // A grid of locked cells is not walked to its end.
  const most = columns * 2;
  for (let moved = 1; moved <= most; moved++) {
    const place = start + step * moved;
    if (place < 0 || place >= rows * columns) return null;
    const at = { row: Math.floor(place / columns), column: place % columns };
    if (takes(at)) return at;
  }
  return null;
}
