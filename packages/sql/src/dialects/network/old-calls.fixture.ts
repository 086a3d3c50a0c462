// A program, started with --expose-gc: runs many calls on a pool, as many at once as its argument says, and prints which
// share of the bytes they made lives on among V8's old objects. Young objects are collected after each round.
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { Pool } from './pool.ts';

const atOnce = Number(process.argv[2]);
const rounds = 200;
const callsOfEach = 10;
const payloadLength = 500;

class Connection {
  isUsable = true;
  onLost?: () => void;
  cancel(): void {}
  destroy(): void {}
  async end(): Promise<void> {}
}

const pool = new Pool<Connection>({ connect: async () => new Connection(), max: 10, timeout: 30_000 });

/** Calls of one caller, one after the other; each holds an array of `payloadLength` numbers while it runs. */
async function callOften(): Promise<void> {
  for (let call = 0; call < callsOfEach; call += 1) {
    const payload = new Array<number>(payloadLength).fill(call);
    await pool.use({ caller: 'one' }, async () => {
      await setImmediate();
      return payload.length;
    });
  }
}

const round = () => Promise.all(Array.from({ length: atOnce }, callOften));
const collect = gc as (options?: { type: 'minor' }) => void;
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === 'old_space')
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);

for (let i = 0; i < 20; i += 1) await round();
for (let i = 0; i < 3; i += 1) collect();
const before = oldBytes();
for (let i = 0; i < rounds; i += 1) {
  await round();
  collect({ type: 'minor' });
}
const share = (oldBytes() - before) / (rounds * atOnce * callsOfEach * payloadLength * 8);
await pool.close();
process.stdout.write(share.toFixed(4));
