// A table that is scrolled through as a whole is read in windows: which of them are in sight. Pure.

/** Records of a window. */
export const windowSize = 100;

/** Rows read beyond what is in sight, on either side. */
const overscanRows = 60;

/** Rows a browser can stand in one scroll: higher elements than some ten million pixels are cut. */
export const maxGridRows = 300_000;

/** The windows that hold the rows in sight and those about to be. */
export function windowsFor(first: number, last: number, count: number): number[] {
  if (count === 0) return [];
  const from = Math.floor(Math.max(0, first - overscanRows) / windowSize);
  const to = Math.floor(Math.min(count - 1, last + overscanRows) / windowSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export const windowOf = (row: number): number => Math.floor(row / windowSize);
