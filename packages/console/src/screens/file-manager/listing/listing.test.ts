import { describe, expect, it } from 'vitest';
import type { FileItem } from '../../../files/index.ts';
import { gridAction } from './grid-keys.ts';
import { matchItems, readOrder, sortItems, writeOrder } from './order.ts';
import { click, goTo, keepShown, noSelection, selectAll, toggle } from './selection.ts';

const item = (name: string, set: Partial<FileItem> = {}): FileItem => ({
  ...{ path: name, name, isFolder: false, size: 1, modified: 0, contentType: 'text/plain' },
  ...set,
});
const names = (items: readonly FileItem[]) => items.map(({ name }) => name);

describe('order', () => {
  it('has folders first, and numbers as numbers', () => {
    const items = [item('f10'), item('F2'), item('z', { isFolder: true }), item('a', { isFolder: true })];
    expect(names(sortItems(items, readOrder(null)))).toEqual(['a', 'z', 'F2', 'f10']);
    expect(names(sortItems(items, readOrder('name desc')))).toEqual(['z', 'a', 'f10', 'F2']);
  });

  it('by size and date, then by name; unknown words are the first order', () => {
    const items = [item('b', { size: 5 }), item('a', { size: 5 }), item('c', { size: null })];
    expect(names(sortItems(items, readOrder('size desc')))).toEqual(['a', 'b', 'c']);
    expect(readOrder('constructor')).toEqual({ by: 'name', isDescending: false });
    expect([writeOrder(readOrder('size desc')), writeOrder(readOrder(null))]).toEqual(['size desc', '']);
  });

  it('finds every word anywhere in the name', () => {
    const items = [item('Annual report 2025.pdf'), item('report.txt')];
    expect(names(matchItems(items, '2025 REPORT'))).toEqual(['Annual report 2025.pdf']);
    expect(matchItems(items, '  ')).toBe(items);
  });
});

describe('selection', () => {
  const shown = ['a', 'b', 'c', 'd', 'e'];
  const plain = { range: false, add: false };
  const range = { range: true, add: false };
  const add = { range: false, add: true };
  const of = ({ selected }: { selected: ReadonlySet<string> }) => [...selected].sort().join('');

  it('is one row by a click, a range by Shift, single ones by Ctrl', () => {
    const b = click(noSelection, 'b', shown, plain);
    expect(of(click(b, 'd', shown, range))).toBe('bcd');
    expect(of(click(click(b, 'd', shown, range), 'a', shown, range))).toBe('ab');
    expect(of(click(b, 'e', shown, add))).toBe('be');
    expect(of(click(click(b, 'e', shown, add), 'b', shown, add))).toBe('e');
    expect(of(click(click(b, 'd', shown, add), 'e', shown, { range: true, add: true }))).toBe('bde');
  });

  it('follows the keyboard, unless Ctrl is held', () => {
    const b = goTo(noSelection, 'b', shown, plain);
    expect(of(goTo(b, 'c', shown, plain))).toBe('c');
    const moved = goTo(b, 'd', shown, add);
    expect([of(moved), moved.current]).toEqual(['b', 'd']);
    expect(of(toggle(moved, 'd'))).toBe('bd');
    expect(of(goTo(b, 'd', shown, range))).toBe('bcd');
    expect(of(selectAll(b, shown))).toBe('abcde');
  });

  it('loses what is not shown any more, and only that', () => {
    const bd = click(click(noSelection, 'b', shown, plain), 'd', shown, add);
    expect(keepShown(bd, shown)).toBe(bd);
    const kept = keepShown(bd, ['a', 'b']);
    expect([of(kept), kept.current]).toEqual(['b', null]);
  });
});

describe('keys', () => {
  const press = (key: string, set = {}, current = 1, count = 5) =>
    gridAction({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...set }, current, count, 3);
  it.each([
    ['ArrowDown', {}, { kind: 'move', to: 2 }],
    ['ArrowUp', {}, { kind: 'move', to: 0 }],
    ['PageDown', {}, { kind: 'move', to: 4 }],
    ['End', {}, { kind: 'move', to: 4 }],
    ['ArrowUp', { altKey: true }, { kind: 'up' }],
    ['Backspace', {}, { kind: 'up' }],
    ['a', { metaKey: true }, { kind: 'all' }],
    ['X', { ctrlKey: true }, { kind: 'cut' }],
    ['F2', {}, { kind: 'rename' }],
    ['F10', { shiftKey: true }, { kind: 'menu' }],
    ['constructor', { ctrlKey: true }, null],
  ])('%s with %j', (key, held, action) => expect(press(key, held)).toEqual(action));

  it('in an empty folder lead up and paste, and nowhere else', () => {
    expect(press('ArrowDown', {}, -1, 0)).toBeNull();
    expect(press('Backspace', {}, -1, 0)).toEqual({ kind: 'up' });
    expect(press('v', { ctrlKey: true }, -1, 0)).toEqual({ kind: 'paste' });
  });
});
