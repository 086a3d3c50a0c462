// Two texts line by line, side by side: what is the same, and what only one has. Pure.

export interface DiffRow {
  /** Number of the line, from 1, and its text; null where that side has none. */
  before: { number: number; text: string } | null;
  after: { number: number; text: string } | null;
  isChanged: boolean;
}

/** Beyond so many pairs of lines, what differs is not aligned: it is one change. */
const maxPairs = 1_000_000;

export function diffLines(before: string, after: string): DiffRow[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  const rows: DiffRow[] = [];
  const same = (from: number, to: number, offset: number) => {
    for (let index = from; index < to; index++) rows.push(rowOf(left, right, index, index + offset));
  };
  same(0, start, 0);
  rows.push(...middleRows(left, right, start, end));
  same(left.length - end, left.length, right.length - left.length);
  return rows;
}

const rowOf = (left: string[], right: string[], before: number | null, after: number | null): DiffRow => {
  const lineOf = (lines: string[], index: number | null) =>
    index === null ? null : { number: index + 1, text: lines[index] ?? '' };
  const isChanged = before === null || after === null || left[before] !== right[after];
  return { before: lineOf(left, before), after: lineOf(right, after), isChanged };
};

/** What lies between the parts that are alike, by the longest common subsequence of its lines. */
function middleRows(left: string[], right: string[], start: number, end: number): DiffRow[] {
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  if (a.length * b.length > maxPairs) return pair(left, right, range(start, a.length), range(start, b.length));
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const rows: DiffRow[] = [];
  let [removed, added]: [number[], number[]] = [[], []];
  const flush = () => {
    rows.push(...pair(left, right, removed, added));
    [removed, added] = [[], []];
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      flush();
      rows.push(rowOf(left, right, start + i, start + j));
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      removed.push(start + i);
      i += 1;
    } else {
      added.push(start + j);
      j += 1;
    }
  }
  flush();
  return rows;
}

/** Changed lines beside each other, as far as both sides have some. */
const pair = (left: string[], right: string[], removed: number[], added: number[]): DiffRow[] =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, index) =>
    rowOf(left, right, removed[index] ?? null, added[index] ?? null),
  );

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

/** Lines of context that stay around a change. */
const context = 3;

/** The rows in pieces: those that are shown, and runs of equal lines that are folded. */
export function foldRows(rows: readonly DiffRow[]): { rows: readonly DiffRow[]; isFolded: boolean }[] {
  const near = new Set<number>();
  rows.forEach((row, index) => {
    if (row.isChanged) for (let at = index - context; at <= index + context; at++) near.add(at);
  });
  const pieces: { rows: DiffRow[]; isFolded: boolean }[] = [];
  rows.forEach((row, index) => {
    const isFolded = !near.has(index);
    const last = pieces.at(-1);
    if (last && last.isFolded === isFolded) last.rows.push(row);
    else pieces.push({ rows: [row], isFolded });
  });
  // One or two lines are not worth a fold.
  return pieces.map((piece) => (piece.rows.length <= 2 ? { ...piece, isFolded: false } : piece));
}
