import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUseCounter } from './counter.ts';

const noon = Date.UTC(2026, 0, 1, 12, 30);
const hour = Math.floor(noon / 3_600_000);

beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const plain = ({ hours, apps }: ReturnType<ReturnType<typeof createUseCounter>['take']>) => ({
  hours: hours.map(({ hour, services }) => [hour, Object.fromEntries(services)]),
  apps: Object.fromEntries(apps),
});

test('calls are counted by service and hour, and by key', () => {
  const counter = createUseCounter();
  counter.count(5, 1, false);
  counter.count(5, undefined, true);
  vi.setSystemTime(noon + 3_600_000);
  counter.count(5, 1, true);
  counter.count(6, 2, false);
  const later = noon + 3_600_000;
  expect(plain(counter.take())).toEqual({
    hours: [
      [hour, { 5: { calls: 2, failures: 1, lastCall: noon } }],
      [hour + 1, { 5: { calls: 1, failures: 1, lastCall: later }, 6: { calls: 1, failures: 0, lastCall: later } }],
    ],
    apps: { 1: { calls: 2, failures: 1, lastCall: later }, 2: { calls: 1, failures: 0, lastCall: later } },
  });
  expect(plain(counter.take())).toEqual({ hours: [], apps: {} });
});

test('what could not be written is added to what was counted since, and counting goes on', () => {
  const counter = createUseCounter();
  counter.count(5, 1, false);
  const pending = counter.take();
  counter.count(5, 1, true);
  counter.count(6, undefined, false);
  counter.putBack(pending);
  counter.count(5, undefined, false);
  expect(plain(counter.take())).toEqual({
    hours: [[hour, { 5: { calls: 3, failures: 1, lastCall: noon }, 6: { calls: 1, failures: 0, lastCall: noon } }]],
    apps: { 1: { calls: 2, failures: 1, lastCall: noon } },
  });
});

test('of a long outage the last two days are kept', () => {
  const counter = createUseCounter();
  for (let count = 0; count < 100; count++) {
    counter.putBack(counter.take());
    vi.setSystemTime(noon + count * 3_600_000);
    counter.count(5, 1, false);
  }
  const { hours, apps } = counter.take();
  expect(hours.map((each) => each.hour)).toEqual(Array.from({ length: 48 }, (_, index) => hour + 52 + index));
  expect(apps.get(1)?.calls).toBe(100);
});
