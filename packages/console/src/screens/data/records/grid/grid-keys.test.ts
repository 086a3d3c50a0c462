import { expect, it } from 'vitest';
import { keyAction } from './grid-keys.ts';

const pressKey = (key: string, modifiers = '') =>
  keyAction({
    key,
    shiftKey: modifiers.includes('s'),
    ctrlKey: modifiers.includes('c'),
    metaKey: modifiers.includes('m'),
    altKey: modifiers.includes('a'),
  });
const moves = (row: number, column: number, isExtending = false) => ({
  type: 'move',
  step: { row, column },
  isExtending,
});

it.each([
  ['ArrowDown', '', moves(1, 0)],
  ['ArrowLeft', 's', moves(0, -1, true)],
  ['ArrowUp', 'c', moves(-Infinity, 0)],
  ['ArrowRight', 'ms', moves(0, Infinity, true)],
  ['ArrowRight', 'a', null],
  ['Home', '', moves(0, -Infinity)],
  ['End', 'c', moves(Infinity, Infinity)],
  ['Enter', '', { type: 'edit', initialText: null }],
  ['F2', '', { type: 'edit', initialText: null }],
  ['Enter', 'c', { type: 'openRecord' }],
  ['x', '', { type: 'edit', initialText: 'x' }],
  ['X', 's', { type: 'edit', initialText: 'X' }],
  ['ß', '', { type: 'edit', initialText: 'ß' }],
  // AltGr, as some keyboards type it.
  ['@', 'ca', { type: 'edit', initialText: '@' }],
  [' ', '', { type: 'toggleRow' }],
  [' ', 's', { type: 'toggleRange' }],
  ['Backspace', '', { type: 'clear' }],
  ['Backspace', 'm', { type: 'setNull' }],
  ['Delete', '', { type: 'delete' }],
  ['z', 'c', { type: 'undo' }],
  ['Z', 'ms', { type: 'redo' }],
  ['y', 'c', { type: 'redo' }],
  ['a', 'c', { type: 'selectAll' }],
  // The clipboard has events of its own; the page has keys of its own.
  ['c', 'c', null],
  ['v', 'm', null],
  ['/', '', null],
  ['?', 's', null],
  ['Tab', '', null],
  ['F5', '', null],
  ['Shift', 's', null],
])('%s with %j', (key, held, action) => expect(pressKey(key, held)).toEqual(action));
