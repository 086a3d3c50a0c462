// Which cells of the grid are selected: from the active one, the anchor, to the opposite corner. Pure.

/** Counts from 0; rows of the grid, and visible columns. */
export interface CellPosition {
  row: number;
  column: number;
}

export interface CellRange {
  /** The cell that has the focus: typing goes there, and the selection began there. */
  active: CellPosition;
  /** The opposite corner; the same cell while only one is selected. */
  head: CellPosition;
}

/** First and last included. */
export interface CellRect {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const singleCell = (position: CellPosition): CellRange => ({ active: position, head: position });

export const rectOf = ({ active, head }: CellRange): CellRect => ({
  top: Math.min(active.row, head.row),
  left: Math.min(active.column, head.column),
  bottom: Math.max(active.row, head.row),
  right: Math.max(active.column, head.column),
});

export const sizeOf = ({ top, left, bottom, right }: CellRect): { rows: number; columns: number } => ({
  rows: bottom - top + 1,
  columns: right - left + 1,
});

/** The range within a grid of so many rows and columns, which may have become smaller. */
export function clampRange(range: CellRange, rows: number, columns: number): CellRange {
  const active = clampPosition(range.active, rows, columns);
  const head = clampPosition(range.head, rows, columns);
  return active === range.active && head === range.head ? range : { active, head };
}

function clampPosition(position: CellPosition, rows: number, columns: number): CellPosition {
  const row = clamp(position.row, rows);
  const column = clamp(position.column, columns);
  return row === position.row && column === position.column ? position : { row, column };
}

const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index));

/** How far a key moves the selection: by so many cells, or to the edge. */
export interface Step {
  row: number;
  column: number;
}

/** Where a step from a cell leads; infinite ones lead to the edge. */
export const movePosition = (from: CellPosition, step: Step, rows: number, columns: number): CellPosition => ({
  row: clamp(from.row + step.row, rows),
  column: clamp(from.column + step.column, columns),
});

/** The cell Tab leads to: the next editable one, along the row and on in the next; null when there is none. */
export function nextCell(
  from: CellPosition,
  isBack: boolean,
  rows: number,
  columns: number,
  isEditable: (position: CellPosition) => boolean,
): CellPosition | null {
  const step = isBack ? -1 : 1;
  const start = from.row * columns + from.column;
  // A grid of locked cells is not searched to its end.
  const limit = columns * 2;
  for (let distance = 1; distance <= limit; distance++) {
    const index = start + step * distance;
    if (index < 0 || index >= rows * columns) return null;
    const position = { row: Math.floor(index / columns), column: index % columns };
    if (isEditable(position)) return position;
  }
  return null;
}
