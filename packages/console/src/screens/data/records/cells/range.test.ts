import { describe, expect, it } from 'vitest';
import { clampRange, movePosition, nextCell, rectOf, singleCell, sizeOf } from './range.ts';

const position = (row: number, column: number) => ({ row, column });

describe('a range of cells', () => {
  it('is the rectangle between two corners, whichever came first', () => {
    const rect = { top: 1, left: 2, bottom: 4, right: 3 };
    expect(rectOf({ active: position(1, 3), head: position(4, 2) })).toEqual(rect);
    expect(rectOf({ active: position(4, 2), head: position(1, 3) })).toEqual(rect);
    expect(sizeOf(rect)).toEqual({ rows: 4, columns: 2 });
    expect(sizeOf(rectOf(singleCell(position(7, 7))))).toEqual({ rows: 1, columns: 1 });
  });

  it('shrinks with the grid, and stays the same object while it fits', () => {
    const range = { active: position(2, 1), head: position(9, 4) };
    expect(clampRange(range, 20, 5)).toBe(range);
    expect(clampRange(range, 5, 3)).toEqual({ active: position(2, 1), head: position(4, 2) });
    expect(clampRange(range, 0, 0)).toEqual(singleCell(position(0, 0)));
  });

  it('moves by steps, and to the edges', () => {
    expect(movePosition(position(1, 1), { row: 1, column: 0 }, 3, 3)).toEqual(position(2, 1));
    expect(movePosition(position(2, 1), { row: 1, column: 0 }, 3, 3)).toEqual(position(2, 1));
    expect(movePosition(position(1, 1), { row: Infinity, column: -Infinity }, 3, 3)).toEqual(position(2, 0));
  });
});

describe('the next cell', () => {
  const notFirst = ({ column }: { column: number }) => column !== 0;
  it('is the next editable one, in the next row if need be', () => {
    expect(nextCell(position(0, 1), false, 2, 3, notFirst)).toEqual(position(0, 2));
    expect(nextCell(position(0, 2), false, 2, 3, notFirst)).toEqual(position(1, 1));
    expect(nextCell(position(1, 1), true, 2, 3, notFirst)).toEqual(position(0, 2));
  });
  it('is none at the end, or where no cell is editable', () => {
    expect(nextCell(position(1, 2), false, 2, 3, notFirst)).toBeNull();
    expect(nextCell(position(0, 0), true, 2, 3, notFirst)).toBeNull();
    expect(nextCell(position(0, 0), false, 100_000, 3, () => false)).toBeNull();
  });
});
