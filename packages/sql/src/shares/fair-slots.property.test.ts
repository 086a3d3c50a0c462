import { fail } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FairSlots, type SlotCaller } from './fair-slots.ts';

interface Job {
  caller: SlotCaller;
}

const aCaller = fc.constantFrom<SlotCaller>('greedy', 'greedy', 'greedy', 'some', 'rare', undefined);
const anEvent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('come' as const), caller: aCaller }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), index: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), index: fc.nat(10) }) },
);
const someLimits = fc
  .record({
    total: fc.integer({ min: 1, max: 6 }),
    isKept: fc.boolean(),
    share: fc.double({ min: 0.2, max: 1, noNaN: true }),
  })
  .map(({ total, isKept, share }) => ({
    total,
    kept: isKept && total > 1 ? 1 : 0,
    ofOne: Math.ceil(total * share),
    maxWaiting: 12,
    maxWaitingOfOne: 7,
  }));

it('abuse: no more run than there are slots, nobody has more than a share, and nobody is passed over', () => {
  fc.assert(
    fc.property(someLimits, fc.array(anEvent, { maxLength: 150 }), (limits, events) => {
      const failures = {
        full: () => fail('database.overloaded'),
        ownFull: (limit: number) => fail('database.ownWaiting', { limit }),
        gone: () => fail('database.cancelled'),
        late: () => fail('database.timeout', { seconds: 0 }),
      };
      const slots = new FairSlots<Job>({ ...limits, failures });
      const running: Job[] = [];
      const waiting: Job[] = [];
      const countOf = (jobs: Job[], caller: SlotCaller) => jobs.filter((job) => job.caller === caller).length;
      /** For each caller who holds no slot and waits: how often each other one got a slot meanwhile. */
      const passed = new Map<SlotCaller, Map<SlotCaller, number>>();

      const begin = (job: Job, hasWaited: boolean) => {
        const { caller } = job;
        // Where a place is kept, the last one is for callers who hold none; the platform itself has no share.
        if (caller !== undefined && countOf(running, caller) > 0)
          expect(running.length).toBeLessThan(limits.total - limits.kept);
        if (hasWaited) {
          expect(waiting.find((other) => other.caller === caller)).toBe(job);
          waiting.splice(waiting.indexOf(job), 1);
        }
        running.push(job);
        passed.delete(caller);
        for (const turns of passed.values()) {
          turns.set(caller, (turns.get(caller) ?? 0) + 1);
          expect(turns.get(caller)).toBe(1);
        }
      };
      const serve = () => {
        for (let job = slots.next(); job; job = slots.next()) begin(job, true);
        for (const { caller } of waiting) {
          // Nobody waits for a slot that is free.
          expect(slots.isFreeFor(caller)).toBe(false);
          if (countOf(running, caller) > 0) passed.delete(caller);
          else if (!passed.has(caller)) passed.set(caller, new Map());
        }
        for (const caller of passed.keys()) if (countOf(waiting, caller) === 0) passed.delete(caller);
      };
      const check = () => {
        expect(running.length).toBeLessThanOrEqual(limits.total);
        expect(slots.waiting).toBe(waiting.length);
        expect(waiting.length).toBeLessThanOrEqual(limits.maxWaiting);
        for (const caller of ['greedy', 'some', 'rare']) {
          expect(slots.held(caller)).toBe(countOf(running, caller));
          expect(slots.held(caller)).toBeLessThanOrEqual(limits.ofOne);
          expect(countOf(waiting, caller)).toBeLessThanOrEqual(limits.maxWaitingOfOne);
        }
      };
      const come = (caller: SlotCaller) => {
        const job: Job = { caller };
        if (slots.take(caller)) {
          begin(job, false);
          return;
        }
        const isFull = waiting.length >= limits.maxWaiting;
        const isOwnFull = countOf(waiting, caller) >= limits.maxWaitingOfOne;
        const refusal = isFull || caller === undefined ? 'database.overloaded' : 'database.ownWaiting';
        if (isFull || isOwnFull) {
          expect(() => slots.enqueue(caller, job)).toThrow(expect.objectContaining({ key: refusal }));
          return;
        }
        slots.enqueue(caller, job);
        waiting.push(job);
      };
      const end = (index: number) => {
        const [job] = running.splice(index % Math.max(1, running.length), 1);
        if (job) slots.release(job.caller);
      };
      for (const event of events) {
        if (event.kind === 'come') come(event.caller);
        else if (event.kind === 'end') end(event.index);
        else {
          const [job] = waiting.splice(event.index, 1);
          if (job) expect(slots.leave(job.caller, job)).toBe(true);
        }
        serve();
        check();
      }
      // When nobody comes any more, all have their turn.
      for (let left = running.length + waiting.length; left > 0; left -= 1) {
        end(0);
        serve();
        check();
      }
      expect([running, waiting, slots.waiting, slots.next()]).toEqual([[], [], 0, undefined]);
    }),
    { numRuns: soakRounds(300, 5000) },
  );
});
