// Whether calls cost what they did at another commit: its server twice and the working tree's, on databases of the same
// rows, in turn. What the old one shows against itself is what the machine makes of nothing.
import { join } from 'node:path';
import { buildServer, checkOut } from '../scripts/checkout.mjs';
import { root } from '../scripts/prepare.mjs';
import { cost, small } from './calls.mjs';
import { engines } from './databases.mjs';
import { median } from './measure.mjs';
import { addService, limitedUser, startSluice, stop } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const calls = Number(process.env.BENCH_CALLS ?? 2000);

/** Prints the medians of both and how much more the new one takes, beside what the old one takes more than itself. */
export async function measureAgainst(folder, commit) {
  const was = await checkOut(commit);
  await buildServer(was);
  console.log(`\nAgainst ${commit}: ${rounds} rounds of ${calls} calls or a part of them, microseconds of CPU a call`);
  for (const [name, engine] of Object.entries(engines)) {
    if (await engine.unavailable()) continue;
    console.log(`\n${engine.label.padEnd(20)}     old       new    more   old again`);
    await measureEngine(name, engine, folder, { old: was, again: was, new: root });
  }
}

async function measureEngine(name, engine, folder, checkouts) {
  const sides = [];
  const { contacts } = engine;
  try {
    for (const [side, checkout] of Object.entries(checkouts)) {
      const made = await engine.make(folder, `${side}${contacts}`, contacts);
      const program = await startSluice(join(folder, `data-${name}-${side}`), {}, checkout);
      const service = await addService(program, { type: name, config: made.config });
      sides.push({ side, made, program, headers: await limitedUser(program, service) });
    }
    for (const [label, , call, part] of small) {
      const amount = Math.max(1, Math.round(calls * part));
      const costs = { old: [], again: [], new: [] };
      for (const { program, headers } of sides) await cost(program, call, headers, Math.ceil(amount / 4));
      for (let round = 0; round < rounds; round++) {
        // Each begins as often as the others.
        const order = sides.map((_, index) => sides[(index + round) % sides.length]);
        for (const { side, program, headers } of order) costs[side].push(await cost(program, call, headers, amount));
      }
      const [old, again, now] = [median(costs.old), median(costs.again), median(costs.new)];
      console.log(
        `${label.padEnd(20)}${old.toFixed(0).padStart(8)}${now.toFixed(0).padStart(10)}${more(now, old)}${more(again, old).padStart(12)}`,
      );
    }
  } finally {
    for (const { program, made } of sides) {
      await stop(program);
      await made.drop();
    }
  }
}

const more = (value, base) => `${(100 * (value / base - 1)).toFixed(1)} %`.padStart(8);
