import { expect, it } from 'vitest';
import { emptyHistory, maxUndoSteps, pushStep, redo, undo } from './history.ts';

it('goes back and forth', () => {
  const steps = pushStep(pushStep(emptyHistory<string>(), 'a'), 'b');
  const once = undo(steps, 'c')!;
  expect(once.current).toBe('b');
  const twice = undo(once.history, once.current)!;
  expect(twice.current).toBe('a');
  expect(undo(twice.history, twice.current)).toBeNull();
  const again = redo(twice.history, twice.current)!;
  expect(again.current).toBe('b');
  expect(redo(again.history, again.current)!.current).toBe('c');
  expect(redo(steps, 'c')).toBeNull();
});

it('forgets what was undone once another way is taken', () => {
  const undone = undo(pushStep(emptyHistory<string>(), 'a'), 'b')!;
  const other = pushStep(undone.history, undone.current);
  expect(redo(other, 'x')).toBeNull();
  expect(undo(other, 'x')!.current).toBe('a');
});

it('takes what is done on and on for one step', () => {
  const steps = pushStep(pushStep(pushStep(emptyHistory<string>(), 'a', 'name'), 'b', 'name'), 'c', 'price');
  expect(steps.past).toEqual(['a', 'c']);
  // Steps without a name stand alone, and an undone one is not gone on with.
  expect(pushStep(pushStep(emptyHistory<string>(), 'a'), 'b').past).toEqual(['a', 'b']);
  const undone = undo(steps, 'd')!;
  expect(pushStep(undone.history, undone.current, 'price').past).toEqual(['a', 'c']);
});

it('remembers so many steps', () => {
  let steps = emptyHistory<number>();
  for (let step = 0; step < maxUndoSteps + 5; step++) steps = pushStep(steps, step);
  expect(steps.past).toHaveLength(maxUndoSteps);
  expect(steps.past[0]).toBe(5);
});
