import { expect, it } from 'vitest';
import { emptyHistory, maxUndoSteps, pushStep, redo, undo } from './history.ts';

it('undoes and redoes', () => {
  const history = pushStep(pushStep(emptyHistory<string>(), 'a'), 'b');
  const first = undo(history, 'c')!;
  expect(first.current).toBe('b');
  const second = undo(first.history, first.current)!;
  expect(second.current).toBe('a');
  expect(undo(second.history, second.current)).toBeNull();
  const redone = redo(second.history, second.current)!;
  expect(redone.current).toBe('b');
  expect(redo(redone.history, redone.current)!.current).toBe('c');
  expect(redo(history, 'c')).toBeNull();
});

it('cannot redo undone steps after another step', () => {
  const undone = undo(pushStep(emptyHistory<string>(), 'a'), 'b')!;
  const branched = pushStep(undone.history, undone.current);
  expect(redo(branched, 'x')).toBeNull();
  expect(undo(branched, 'x')!.current).toBe('a');
});

it('joins consecutive steps of one name', () => {
  const history = pushStep(pushStep(pushStep(emptyHistory<string>(), 'a', 'name'), 'b', 'name'), 'c', 'price');
  expect(history.past).toEqual(['a', 'c']);
  // Steps without a name stand alone, and an undone one is not gone on with.
  expect(pushStep(pushStep(emptyHistory<string>(), 'a'), 'b').past).toEqual(['a', 'b']);
  const undone = undo(history, 'd')!;
  expect(pushStep(undone.history, undone.current, 'price').past).toEqual(['a', 'c']);
});

it('has a limited number of steps', () => {
  let history = emptyHistory<number>();
  for (let step = 0; step < maxUndoSteps + 5; step++) history = pushStep(history, step);
  expect(history.past).toHaveLength(maxUndoSteps);
  expect(history.past[0]).toBe(5);
});
