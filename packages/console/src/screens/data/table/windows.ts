// A table one scrolls through as a whole is read in windows: which of them the visible rows need. Pure.

/** Records of a window. */
export const windowSize = 100;

/** Rows read beyond the visible ones, on either side. */
const overscanRows = 60;

/** The most rows a browser can scroll: elements higher than some ten million pixels are cut. */
export const maxGridRows = 300_000;

/** The windows that contain the visible rows and those next to them. */
export function windowsFor(first: number, last: number, count: number): number[] {
  if (count === 0) return [];
  const from = Math.floor(Math.max(0, first - overscanRows) / windowSize);
  const to = Math.floor(Math.min(count - 1, last + overscanRows) / windowSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export const windowOf = (row: number): number => Math.floor(row / windowSize);
