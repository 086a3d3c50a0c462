import { describe, expect, it } from 'vitest';
import { findCurrentView, gridStateOf, gridStateText, readViews, renameView, withoutView, withView } from './views.ts';

const columns = { shown: ['b', 'a'], widths: { a: 90 } };
const gridState = { filters: ['age > 3', 'name like "%x%"'], order: { field: 'Item No', descending: true } };
const view = (name: string) => ({ name, place: gridStateText(gridState), columns });

describe('saved views', () => {
  it('keep filters and order, written as the address writes them', () => {
    expect(gridStateOf(view('a'))).toEqual(gridState);
    expect(gridStateText({ filters: [], order: null })).toBe('');
  });

  it('are read back, without anything that is not a view', () => {
    expect(readViews(JSON.stringify([view('a'), { name: ' ' }, 3, null, { name: 'b', place: 1 }]))).toEqual([
      view('a'),
    ]);
    for (const text of [null, 'nonsense', '{}', '3']) expect(readViews(text)).toEqual([]);
  });

  it('replace one with the same name', () => {
    const views = [view('a'), view('b')];
    expect(withView(views, { ...view('a'), place: '' }).map(({ place: at }) => at)).toEqual(['', view('b').place]);
    expect(withView(views, view('c')).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(renameView(views, 'a', 'b').map(({ name }) => name)).toEqual(['b']);
    expect(renameView(views, 'a', 'a')).toEqual(views);
    expect(withoutView(views, 'a')).toEqual([view('b')]);
  });

  it('are recognised by their content, whichever width was dragged first', () => {
    const kept = { shown: ['b', 'a'], widths: { a: 90, b: 80 } };
    const views = [{ ...view('a'), columns: { ...kept, widths: { b: 80, a: 90 } } }];
    expect(findCurrentView(views, gridStateText(gridState), kept)?.name).toBe('a');
    expect(findCurrentView(views, gridStateText(gridState), { ...kept, shown: ['a', 'b'] })).toBeUndefined();
    expect(findCurrentView(views, '', kept)).toBeUndefined();
  });
});
