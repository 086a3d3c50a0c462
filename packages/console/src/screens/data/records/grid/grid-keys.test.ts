import { expect, it } from 'vitest';
import { actionOf } from './grid-keys.ts';

const press = (key: string, held = '') =>
  actionOf({
    key,
    shiftKey: held.includes('s'),
    ctrlKey: held.includes('c'),
    metaKey: held.includes('m'),
    altKey: held.includes('a'),
  });
const moves = (row: number, column: number, isExtending = false) => ({
  do: 'move',
  step: { row, column },
  extends: isExtending,
});

it.each([
  ['ArrowDown', '', moves(1, 0)],
  ['ArrowLeft', 's', moves(0, -1, true)],
  ['ArrowUp', 'c', moves(-Infinity, 0)],
  ['ArrowRight', 'ms', moves(0, Infinity, true)],
  ['ArrowRight', 'a', null],
  ['Home', '', moves(0, -Infinity)],
  ['End', 'c', moves(Infinity, Infinity)],
  ['Enter', '', { do: 'edit', typed: null }],
  ['F2', '', { do: 'edit', typed: null }],
  ['Enter', 'c', { do: 'open' }],
  ['x', '', { do: 'edit', typed: 'x' }],
  ['X', 's', { do: 'edit', typed: 'X' }],
  ['ß', '', { do: 'edit', typed: 'ß' }],
  // AltGr, as some keyboards type it.
  ['@', 'ca', { do: 'edit', typed: '@' }],
  [' ', '', { do: 'tick' }],
  [' ', 's', { do: 'tickRange' }],
  ['Backspace', '', { do: 'clear' }],
  ['Backspace', 'm', { do: 'toNull' }],
  ['Delete', '', { do: 'delete' }],
  ['z', 'c', { do: 'undo' }],
  ['Z', 'ms', { do: 'redo' }],
  ['y', 'c', { do: 'redo' }],
  ['a', 'c', { do: 'all' }],
  // The clipboard has events of its own; the page has keys of its own.
  ['c', 'c', null],
  ['v', 'm', null],
  ['/', '', null],
  ['?', 's', null],
  ['Tab', '', null],
  ['F5', '', null],
  ['Shift', 's', null],
])('%s with %j', (key, held, action) => expect(press(key, held)).toEqual(action));
