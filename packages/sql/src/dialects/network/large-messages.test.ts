import { EventEmitter } from 'node:events';
import { countRounds } from '@sluice/testkit/rounds';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Framing, type MessageStream, separateLargeMessages } from './large-messages.ts';

/** As PostgreSQL has it. */
const framing: Framing = { headerLength: 5, lengthAt: (bytes, start) => bytes.readUInt32BE(start + 1) + 1 };

/** A socket whose data the test makes up, and what its driver was handed. */
class MadeUpStream extends EventEmitter implements MessageStream {
  readonly handed: Buffer[] = [];
  destroyed = false;
  private paused = false;
  constructor(handle?: (bytes: Buffer, stream: MadeUpStream) => void) {
    super();
    this.on('data', (bytes: Buffer) => {
      this.handed.push(bytes);
      handle?.(bytes, this);
    });
    separateLargeMessages(this, framing);
  }
  receive = (bytes: Buffer) => this.emit('data', bytes);
  pause = () => (this.paused = true);
  resume = () => (this.paused = false);
  isPaused = () => this.paused;
  destroy(): void {
    this.destroyed = true;
  }
}

const message = (length: number, fill = 'x'): Buffer => {
  const bytes = Buffer.alloc(length + 1, fill);
  bytes.writeUInt32BE(length, 1);
  return bytes;
};
const [large, small] = [message(300_000), message(20)];

/** Cuts bytes where the fractions of their length say. */
function cut(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  const places = [...fractions.map((fraction) => Math.floor(fraction * bytes.length)), bytes.length];
  let start = 0;
  return places
    .sort((a, b) => a - b)
    .map((end) => {
      const piece = bytes.subarray(start, end);
      start = end;
      return piece;
    });
}

it('hands on all bytes in order, and large messages whole, however they arrive', async () => {
  const lengths = fc.array(fc.constantFrom(4, 5, 30, 5_000, 262_142, 262_143, 262_144, 300_000), { maxLength: 8 });
  const property = fc.asyncProperty(
    lengths,
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
    async (wanted, fractions) => {
      const messages = wanted.map((length, index) => message(length, String(index)));
      const stream = new MadeUpStream();
      for (const chunk of cut(Buffer.concat(messages), fractions)) stream.receive(chunk);
      const isWhole = () => Buffer.concat(stream.handed).equals(Buffer.concat(messages));
      await expect.poll(isWhole, { interval: 5, timeout: 10_000 }).toBe(true);
      for (const one of messages.filter(({ length }) => length >= 262_144))
        expect(stream.handed.some((bytes) => bytes.equals(one))).toBe(true);
      // It is read on in the turn after the last message.
      await expect.poll(() => stream.isPaused(), { interval: 5, timeout: 10_000 }).toBe(false);
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

it('abuse: large messages of many connections are handed on in turns, with everything else in between', async () => {
  const rounds = countRounds();
  const turns: number[] = [];
  const streams = Array.from({ length: 10 }, () => new MadeUpStream(() => turns.push(rounds.current)));
  for (const stream of streams) stream.receive(large);
  for (const stream of streams) expect([stream.handed.length, stream.isPaused()]).toEqual([0, true]);
  await expect.poll(() => turns.length).toBe(10);
  rounds.stop();
  expect(new Set(turns).size).toBe(10);
});

it('abuse: what follows a large message waits for another turn, and so does the rest of the socket', async () => {
  const rounds = countRounds();
  const handed: { turn: number; length: number }[] = [];
  const paused: boolean[] = [];
  const stream = new MadeUpStream(({ length }, { isPaused }) => {
    handed.push({ turn: rounds.current, length });
    process.nextTick(() => paused.push(isPaused()));
  });
  stream.receive(Buffer.concat([large, small]));
  await expect.poll(() => handed.length).toBe(2);
  rounds.stop();
  expect(handed.map(({ length }) => length)).toEqual([large.length, small.length]);
  expect(handed[1]?.turn).toBeGreaterThan(handed[0]!.turn);
  expect(paused).toEqual([true, false]);
});

it('a reader that wants no more for now is left alone', async () => {
  const stream = new MadeUpStream((bytes, { pause }) => bytes.length > 1000 && pause());
  stream.receive(Buffer.concat([large, small]));
  await expect.poll(() => stream.handed.length).toBe(2);
  expect(stream.isPaused()).toBe(true);
});

it('abuse: a message that no text can hold breaks the connection off before there is memory for it', () => {
  const stream = new MadeUpStream();
  const head = Buffer.from('D....');
  head.writeUInt32BE(0xffffffff, 1);
  stream.receive(Buffer.concat([small, head]));
  expect([stream.handed, stream.destroyed]).toEqual([[small], true]);
});

it('abuse: of small messages a chunk or two are handed on in a round, in their order', async () => {
  const rounds = countRounds();
  const turns: number[] = [];
  const chunk = Buffer.concat(Array.from({ length: 13 }, () => message(5_000)));
  const streams = Array.from({ length: 4 }, () => new MadeUpStream(() => turns.push(rounds.current)));
  // As Node reads a socket that always has more.
  for (const stream of streams) for (let count = 0; count < 5; count++) stream.receive(chunk);
  await expect.poll(() => turns.length).toBe(20);
  rounds.stop();
  const perRound = turns.map((turn) => turns.filter((other) => other === turn).length);
  expect(Math.max(...perRound)).toBeLessThanOrEqual(2);
  expect(streams.map((stream) => stream.isPaused())).toEqual([false, false, false, false]);
});

it('small messages in short chunks are handed on at once, however many', () => {
  const stream = new MadeUpStream();
  for (let count = 0; count < 50; count++) stream.receive(small);
  expect(stream.handed).toHaveLength(50);
});

it('what fails in the driver breaks its connection off, and no other', async () => {
  const failing = new MadeUpStream(() => {
    throw new Error('malformed');
  });
  const [before, after] = [new MadeUpStream(), new MadeUpStream()];
  for (const stream of [before, failing, after]) stream.receive(large);
  await expect.poll(() => after.handed.length).toBe(1);
  expect([before, failing, after].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
});
