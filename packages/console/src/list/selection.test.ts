import { describe, expect, it } from 'vitest';
import { emptySelection, keepVisible, type Selection, toggle, toggleAll } from './selection.ts';

const shown = [1, 2, 3, 4, 5];
const ids = (selection: Selection) => [...selection.ids];

describe('ticking rows', () => {
  it('takes a range with Shift, in either direction', () => {
    const one = toggle(emptySelection, 2, shown, false);
    expect(ids(toggle(one, 4, shown, true))).toEqual([2, 3, 4]);
    const four = toggle(emptySelection, 4, shown, false);
    expect(ids(toggle(four, 2, shown, true)).sort()).toEqual([2, 3, 4]);
  });

  it('unticks a range too', () => {
    const all = toggle(toggleAll(emptySelection, shown), 2, shown, false);
    expect(ids(toggle(all, 4, shown, true))).toEqual([1, 5]);
  });

  it('is a single row when the range has no beginning any more', () => {
    const elsewhere = toggle(emptySelection, 9, [9], false);
    expect(ids(toggle(keepVisible(elsewhere, shown), 3, shown, true))).toEqual([3]);
  });

  it('takes all, then none', () => {
    const all = toggleAll(emptySelection, shown);
    expect(ids(all)).toEqual(shown);
    expect(ids(toggleAll(all, shown))).toEqual([]);
    expect(ids(toggleAll(toggle(emptySelection, 1, shown, false), shown))).toEqual(shown);
  });

  it('forgets rows that are gone', () => {
    const some = toggle(toggle(emptySelection, 1, shown, false), 5, shown, false);
    expect(ids(keepVisible(some, [1, 2]))).toEqual([1]);
    expect(keepVisible(some, shown)).toBe(some);
  });
});
