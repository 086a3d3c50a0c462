import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

interface Entry {
  key: [network: string, account: string];
  number: number;
}

const aKey = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z'));
/** Comes, goes before its turn (which of those who wait), has its turn, or is put out of a full queue. */
const anEvent = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), key: aKey }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), index: fc.nat(50) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('next' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('evict' as const), key: aKey }) },
);

const nameOf = (key: readonly string[], depth: number) => key.slice(0, depth).join(' ');

/** Each network or account that waits, and how many turns each other one beside it had since it began to or had its last. */
class TurnLog {
  private readonly passed = new Map<string, Map<string, number>>();

  begin(name: string): void {
    if (!this.passed.has(name)) this.passed.set(name, new Map());
  }

  end(name: string): void {
    this.passed.delete(name);
  }

  /** The most turns that one had while another beside it waited for its own. */
  note(name: string, isBeside: (other: string) => boolean): number {
    let most = 0;
    for (const [other, turns] of this.passed) {
      if (other === name || !isBeside(other)) continue;
      turns.set(name, (turns.get(name) ?? 0) + 1);
      most = Math.max(most, turns.get(name) ?? 0);
    }
    this.passed.set(name, new Map());
    return most;
  }
}

it('abuse: however often waiters come and go, no network and no account in it is passed over twice', () => {
  fc.assert(
    fc.property(fc.array(anEvent, { maxLength: 120 }), (events) => {
      const queue = new TurnQueue<Entry>();
      let waiting: Entry[] = [];
      const [networks, accounts] = [new TurnLog(), new TurnLog()];
      const drop = (entry: Entry) => {
        waiting = waiting.filter((other) => other !== entry);
        const [network] = entry.key;
        if (!waiting.some(({ key }) => key[0] === network)) networks.end(network);
        if (!waiting.some(({ key }) => nameOf(key, 2) === nameOf(entry.key, 2))) accounts.end(nameOf(entry.key, 2));
      };
      const countOf = (matches: (entry: Entry) => boolean) => waiting.filter(matches).length;
      const takeTurn = () => {
        const entry = queue.next();
        if (!entry) {
          expect(waiting).toEqual([]);
          return;
        }
        const [network, account] = entry.key;
        // First come, first served within an account.
        expect(waiting.find(({ key }) => nameOf(key, 2) === `${network} ${account}`)).toBe(entry);
        expect(networks.note(network, () => true)).toBeLessThan(2);
        expect(accounts.note(`${network} ${account}`, (other) => other.startsWith(network))).toBeLessThan(2);
        drop(entry);
      };
      events.forEach((event, number) => {
        if (event.kind === 'add') {
          const entry: Entry = { key: event.key, number };
          queue.add(entry.key, entry);
          waiting.push(entry);
          networks.begin(nameOf(entry.key, 1));
          accounts.begin(nameOf(entry.key, 2));
        } else if (event.kind === 'next') takeTurn();
        else if (event.kind === 'leave') {
          const entry = waiting[event.index];
          if (!entry) return;
          expect(queue.remove(entry.key, entry)).toBe(true);
          expect(queue.remove(entry.key, entry)).toBe(false);
          drop(entry);
        } else {
          const entry = queue.takeNewestOfFullest(event.key);
          expect(entry === undefined).toBe(waiting.length === 0);
          if (!entry) return;
          const own = countOf(({ key }) => key[0] === entry.key[0]);
          for (const { key } of waiting) expect(countOf((other) => other.key[0] === key[0])).toBeLessThanOrEqual(own);
          // Who came is put out itself only where nobody in the queue has more.
          if (own === countOf(({ key }) => key[0] === event.key[0])) expect(entry.key[0]).toBe(event.key[0]);
          expect(waiting.findLast(({ key }) => nameOf(key, 2) === nameOf(entry.key, 2))).toBe(entry);
          drop(entry);
        }
        expect(queue.size).toBe(waiting.length);
        for (const name of ['a', 'b', 'c']) expect(queue.sizeOf(name)).toBe(countOf(({ key }) => key[0] === name));
      });
      while (waiting.length > 0) takeTurn();
      expect([queue.size, queue.next(), queue.drain()]).toEqual([0, undefined, []]);
    }),
    { numRuns: soakRounds(300, 5000) },
  );
});

it('passes over a waiter that may not go, which keeps its turn', () => {
  const queue = new TurnQueue<string>();
  for (const name of ['a1', 'b1', 'a2', 'b2']) queue.add([name.slice(0, 1)], name);
  expect(queue.next((group) => group !== 'a')).toBe('b1');
  expect(queue.next(() => false)).toBeUndefined();
  expect([queue.next(), queue.next()]).toEqual(['a1', 'b2']);
  expect(queue.drain()).toEqual(['a2']);
  expect(queue.size).toBe(0);
});
