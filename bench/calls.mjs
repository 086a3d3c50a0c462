// What calls of a limited user cost: CPU beside a bare Fastify and driver program giving the same answers. ratio = bare ÷
// Sluice, over the whole process tree, interleaved, median of several rounds.
import { join } from 'node:path';
import autocannon from 'autocannon';
import { person } from './bare.mjs';
import { engines } from './databases.mjs';
import { cpuOf, median } from './measure.mjs';
import { addService, limitedUser, startBare, startSluice, stop } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 4000);

const record = { first_name: 'New', last_name: 'Person', email: 'new@example.com', city: 'City 5', age: 33 };
const sent = (method, body) => ({ method, body: JSON.stringify(body) });
const post = sent('POST', { resource: [record] });
const thousand = sent('POST', {
  resource: Array.from({ length: 1000 }, (_, n) => ({ ...record, age: 18 + (n % 70) })),
});
const city = `city=${encodeURIComponent('City 7')}`;
const list = `filter=${encodeURIComponent('city = "City 7"')}&order=last_name&limit=50`;
const deep = 'limit=50&offset=90000';
const table = '/api/v2/bench/_table/contact';

/** Each with the call of the bare program, ours, and the part of `calls` that is made of it. */
export const small = [
  ['one record', { path: '/one/77' }, { path: `${table}/77` }, 1],
  ['fifty records', { path: `/fifty?${city}` }, { path: `${table}?${list}` }, 1],
  [
    'fifty with children',
    { path: `/children?${city}` },
    { path: `${table}?${list}&related=contact_info_by_contact_id` },
    1 / 2,
  ],
  ['one insert', { path: '/contact', ...post }, { path: table, ...post }, 1],
  [
    'one update',
    { path: '/contact/77', ...sent('PATCH', { age: 44 }) },
    { path: `${table}/77`, ...sent('PATCH', { age: 44 }) },
    1,
  ],
  ['1,000 in one call', { path: '/contact', ...thousand }, { path: table, ...thousand }, 1 / 200],
  // One after the other: those of one person at the same moment are checked once.
  [
    'sign-in',
    { path: '/session', ...sent('POST', person), connections: 1 },
    { path: '/api/v2/user/session', ...sent('POST', person), connections: 1 },
    1 / 40,
  ],
];
const large = [
  ['page at 90,000', { path: `/page?${deep}` }, { path: `${table}?${deep}&include_count=true` }, 1 / 20],
  // One after the other: a process that ends takes what it cost with it, and more children than one would.
  ['export of 100,000', { path: '/all', connections: 1 }, { path: `${table}?file=all.json`, connections: 1 }, 1 / 800],
];

/** Prints both costs and their ratio for each engine that is there. */
export async function measureCalls(folder) {
  console.log(
    `\nCalls of a limited user: ${rounds} rounds of ${calls} or a part of it, microseconds of CPU a call, 16 callers`,
  );
  for (const [name, engine] of Object.entries(engines)) {
    const why = await engine.unavailable();
    if (why) {
      console.log(`\n${engine.label}: skipped, ${why}`);
      continue;
    }
    console.log(`\n${engine.label.padEnd(20)}    bare    Sluice   ratio`);
    await measureEngine(name, engine, folder, engine.contacts, small);
    await measureEngine(name, engine, folder, 100_000, large);
  }
}

async function measureEngine(name, engine, folder, contacts, workloads) {
  const forBare = await engine.make(folder, `bare${contacts}`, contacts);
  const forOurs = await engine.make(folder, `ours${contacts}`, contacts);
  const bare = await startBare(name, forBare.place);
  const ours = await startSluice(join(folder, `data-${name}-${contacts}`));
  try {
    const service = await addService(ours, { type: name, config: forOurs.config });
    const headers = await limitedUser(ours, service);
    for (const [label, bareCall, oursCall, part] of workloads) {
      const amount = Math.max(1, Math.round(calls * part));
      const costs = { bare: [], ours: [] };
      // Both get the request a client sends, headers and all; the bare program makes nothing of them.
      // As many as in a round: with fewer, the larger program would be measured while its functions are still compiled.
      await cost(bare, bareCall, headers, amount);
      await cost(ours, oursCall, headers, amount);
      for (let round = 0; round < rounds; round++) {
        costs.bare.push(await cost(bare, bareCall, headers, amount));
        costs.ours.push(await cost(ours, oursCall, headers, amount));
      }
      const [b, o] = [median(costs.bare), median(costs.ours)];
      console.log(
        `${label.padEnd(20)}${b.toFixed(0).padStart(8)}${o.toFixed(0).padStart(10)}${(b / o).toFixed(2).padStart(8)}`,
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
export async function cost({ url, pid }, { path, method = 'GET', body, connections = 16 }, callers, amount) {
  const type = body ? { 'Content-Type': 'application/json' } : {};
  const requests = [callers].flat().map((headers) => ({ method, path, body, headers: { ...headers, ...type } }));
  const before = cpuOf(pid);
  const result = await autocannon({ url, requests, amount, connections: Math.min(connections, amount) });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} broken`);
  return ((cpuOf(pid) - before) / amount) * 1e6;
}
