// One record, fifty records, one insert: CPU a call of a limited user costs, beside a bare Fastify and driver program
// giving the same answer. ratio = bare ÷ Sluice, over the whole process tree, interleaved, median of five.
import { join } from 'node:path';
import autocannon from 'autocannon';
import { engines } from './databases.mjs';
import { cpuOf, median } from './measure.mjs';
import { addService, limitedUser, startBare, startSluice, stop } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 4000);
const contacts = 10_000;

const record = { first_name: 'New', last_name: 'Person', email: 'new@example.com', city: 'City 5', age: 33 };
const post = { method: 'POST', body: JSON.stringify({ resource: [record] }) };
const list = `filter=${encodeURIComponent('city = "City 7"')}&order=last_name&limit=50`;
const workloads = [
  ['one record', { path: '/one/77' }, { path: '/77' }],
  ['fifty records', { path: `/fifty?city=${encodeURIComponent('City 7')}` }, { path: `?${list}` }],
  ['one insert', { path: '/contact', ...post }, { path: '', ...post }],
];

/** Prints both costs and their ratio for each engine that is there. */
export async function measureCalls(folder) {
  console.log(`\nCalls of a limited user: ${rounds} rounds of ${calls}, microseconds of CPU a call`);
  for (const [name, engine] of Object.entries(engines)) {
    const why = await engine.unavailable();
    if (why) console.log(`\n${engine.label}: skipped, ${why}`);
    else await measureEngine(name, engine, folder);
  }
}

async function measureEngine(name, engine, folder) {
  const [forBare, forOurs] = [await engine.make(folder, 'bare', contacts), await engine.make(folder, 'ours', contacts)];
  const bare = await startBare(name, forBare.place);
  const ours = await startSluice(join(folder, `data-${name}`));
  try {
    const service = await addService(ours, { type: name, config: forOurs.config });
    const headers = await limitedUser(ours, service);
    console.log(`\n${engine.label.padEnd(14)}  bare    Sluice   ratio`);
    for (const [label, bareCall, oursCall] of workloads) {
      const call = { ...oursCall, path: `/api/v2/bench/_table/contact${oursCall.path}` };
      const costs = { bare: [], ours: [] };
      // Both get the request a client sends, headers and all; the bare program makes nothing of them.
      await cost(bare, bareCall, headers, 500);
      await cost(ours, call, headers, 500);
      for (let round = 0; round < rounds; round++) {
        costs.bare.push(await cost(bare, bareCall, headers, calls));
        costs.ours.push(await cost(ours, call, headers, calls));
      }
      const [b, o] = [median(costs.bare), median(costs.ours)];
      console.log(
        `${label.padEnd(14)}${b.toFixed(0).padStart(6)}${o.toFixed(0).padStart(10)}${(b / o).toFixed(2).padStart(8)}`,
      );
    }
  } finally {
    await stop(bare);
    await stop(ours);
    await Promise.all([forBare.drop(), forOurs.drop()]);
  }
}

/**
 * Microseconds of CPU a call costs the program and its children. `callers` are headers, or lists of them whose calls take
 * turns.
 */
export async function cost({ url, pid }, { path, method = 'GET', body }, callers, amount) {
  const type = body ? { 'Content-Type': 'application/json' } : {};
  const requests = [callers].flat().map((headers) => ({ method, path, body, headers: { ...headers, ...type } }));
  const before = cpuOf(pid);
  const result = await autocannon({ url, requests, amount, connections: 8 });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} broken`);
  return ((cpuOf(pid) - before) / amount) * 1e6;
}
