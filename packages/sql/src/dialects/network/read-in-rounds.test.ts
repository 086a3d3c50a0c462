import { EventEmitter } from 'node:events';
import { countRounds } from '@sluice/testkit/rounds';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pause } from '../../shares/index.ts';
import { type Framing, type MessageStream, readInRounds } from './read-in-rounds.ts';

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
    readInRounds(this, framing);
  }
  private readonly buffered: Buffer[] = [];
  receive = (bytes: Buffer) => (this.paused ? this.buffered.push(bytes) : this.emit('data', bytes));
  pause = () => (this.paused = true);
  resume = () => {
    this.paused = false;
    process.nextTick(() => {
      while (!this.paused && this.buffered[0]) this.emit('data', this.buffered.shift());
    });
  };
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
/** Takes the thread for so many milliseconds. */
function work(ms: number): void {
  for (const begin = performance.now(); performance.now() - begin < ms; );
}
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

it('hands on all bytes in order, however they arrive', async () => {
  const lengths = fc.array(fc.constantFrom(4, 5, 30, 5_000, 300_000), { maxLength: 8 });
  const property = fc.asyncProperty(
    lengths,
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
    async (wanted, fractions) => {
      const messages = wanted.map((length, index) => message(length, String(index)));
      const stream = new MadeUpStream(() => work(3));
      for (const chunk of cut(Buffer.concat(messages), fractions)) stream.receive(chunk);
      const isWhole = () => Buffer.concat(stream.handed).equals(Buffer.concat(messages));
      await expect.poll(isWhole, { interval: 5, timeout: 10_000 }).toBe(true);
      expect([stream.isPaused(), stream.destroyed]).toEqual([false, false]);
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

it('abuse: of what many connections send at once a few chunks are read in a round, in their order', async () => {
  const rounds = countRounds();
  const turns: number[] = [];
  const streams = Array.from(
    { length: 4 },
    () =>
      new MadeUpStream(() => {
        turns.push(rounds.current);
        work(5);
      }),
  );
  // As Node reads a socket that always has more.
  for (const stream of streams) for (let count = 0; count < 5; count++) stream.receive(message(65_000, String(count)));
  await expect.poll(() => turns.length).toBe(20);
  rounds.stop();
  const perRound = turns.map((turn) => turns.filter((other) => other === turn).length);
  expect(Math.max(...perRound)).toBeLessThanOrEqual(4);
  for (const { handed } of streams)
    expect(handed.map((bytes) => String.fromCharCode(bytes[9]!)).join('')).toBe('01234');
  expect(streams.map((stream) => stream.isPaused())).toEqual([false, false, false, false]);
});

it('a reader that wants no more for now is left alone', async () => {
  const stream = new MadeUpStream((_, { pause }) => pause());
  pause();
  work(9);
  stream.receive(large);
  expect(stream.handed).toEqual([]);
  await expect.poll(() => stream.handed.length).toBe(1);
  expect(stream.isPaused()).toBe(true);
});

it('abuse: a message that no text can hold breaks the connection off before there is memory for it', () => {
  const stream = new MadeUpStream();
  const head = Buffer.from('D....');
  head.writeUInt32BE(0xffffffff, 1);
  stream.receive(Buffer.concat([small, head]));
  expect([stream.handed, stream.destroyed]).toEqual([[], true]);
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
