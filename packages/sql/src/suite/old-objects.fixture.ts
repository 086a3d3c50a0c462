import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Where V8 looks for what lives in pieces, it takes more for alive meanwhile, on a busy machine for long.
setFlagsFromString('--no-incremental-marking');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === 'old_space')
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);

/** How often it is measured: other collections, which V8 begins as it likes, make one measurement too high. */
const measurements = 5;

/**
 * Of the bytes that some rounds make and nobody needs afterwards, the share that lives on among the old objects, up to 1:
 * young objects are collected after each round, and what there was before is old.
 */
export async function shareThatGrowsOld(
  round: () => Promise<unknown>,
  { rounds, bytesOfRound }: { rounds: number; bytesOfRound: number },
): Promise<number> {
  let least = 1;
  for (let measurement = 0; measurement < measurements; measurement += 1) {
    for (let i = 0; i < 3; i += 1) collect();
    const before = oldBytes();
    for (let i = 0; i < rounds; i += 1) {
      await round();
      collect({ type: 'minor' });
    }
    least = Math.min(least, (oldBytes() - before) / (rounds * bytesOfRound));
  }
  return least;
}
