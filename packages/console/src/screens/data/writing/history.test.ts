import { expect, it } from 'vitest';
import { back, forth, mostSteps, noSteps, stepFrom } from './history.ts';

it('goes back and forth', () => {
  const steps = stepFrom(stepFrom(noSteps<string>(), 'a'), 'b');
  const once = back(steps, 'c')!;
  expect(once.now).toBe('b');
  const twice = back(once.steps, once.now)!;
  expect(twice.now).toBe('a');
  expect(back(twice.steps, twice.now)).toBeNull();
  const again = forth(twice.steps, twice.now)!;
  expect(again.now).toBe('b');
  expect(forth(again.steps, again.now)!.now).toBe('c');
  expect(forth(steps, 'c')).toBeNull();
});

it('forgets what was undone once another way is taken', () => {
  const undone = back(stepFrom(noSteps<string>(), 'a'), 'b')!;
  const other = stepFrom(undone.steps, undone.now);
  expect(forth(other, 'x')).toBeNull();
  expect(back(other, 'x')!.now).toBe('a');
});

it('takes what is done on and on for one step', () => {
  const steps = stepFrom(stepFrom(stepFrom(noSteps<string>(), 'a', 'name'), 'b', 'name'), 'c', 'price');
  expect(steps.past).toEqual(['a', 'c']);
  // Steps without a name stand alone, and an undone one is not gone on with.
  expect(stepFrom(stepFrom(noSteps<string>(), 'a'), 'b').past).toEqual(['a', 'b']);
  const undone = back(steps, 'd')!;
  expect(stepFrom(undone.steps, undone.now, 'price').past).toEqual(['a', 'c']);
});

it('remembers so many steps', () => {
  let steps = noSteps<number>();
  for (let step = 0; step < mostSteps + 5; step++) steps = stepFrom(steps, step);
  expect(steps.past).toHaveLength(mostSteps);
  expect(steps.past[0]).toBe(5);
});
