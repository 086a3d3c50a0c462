import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shareThatGrowsOld } from '../../suite/old-objects.fixture.ts';
import { Pool } from './pool.ts';

const payloadLength = 500;

/** Calls of one caller, one after the other; each holds an array of `payloadLength` numbers while it runs. */
async function callOften(pool: Pool<Connection>, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const payload = new Array<number>(payloadLength).fill(i);
    await pool.use({ caller: 'one' }, async () => {
      await setImmediate();
      return payload.length;
    });
  }
}

class Connection {
  isUsable = true;
  onLost?: () => void;
  cancel(): void {}
  destroy(): void {}
  async end(): Promise<void> {}
}

it.each([
  ['that get a connection at once', 5],
  ['that wait for a connection', 30],
])('abuse: calls %s leave nothing among the old objects', async (_, atOnce) => {
  const pool = new Pool<Connection>({ connect: async () => new Connection(), max: 10, timeout: 30_000 });
  const ofEach = 10;
  const round = () => Promise.all(Array.from({ length: atOnce }, () => callOften(pool, ofEach)));
  await round();
  const share = await shareThatGrowsOld(round, { rounds: 100, bytesOfRound: atOnce * ofEach * payloadLength * 8 });
  await pool.close();
  expect(share).toBeLessThan(0.03);
});
