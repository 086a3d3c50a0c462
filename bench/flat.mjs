// Whether the cost of a call grows with what the instance holds: a small instance beside one that is filled step by
// step, the same call on both, interleaved.
import { join } from 'node:path';
import { cost } from './calls.mjs';
import { engines } from './databases.mjs';
import { median } from './measure.mjs';
import { addService, limitedUser, startSluice, stop } from './programs.mjs';
import { openSqlite } from './sqlite.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 4000);
/** Callers that alternate at the end, each with an app, a role and a service of its own. */
const callersAtEnd = 50;

/** Each step makes the large instance larger. */
const steps = [
  ['as it is', async () => {}],
  [
    '10,000 users',
    ({ sluice }) => fill(sluice, 'user', 10_000, (n) => ({ name: `u${n}`, email: `u${n}@example.com` })),
  ],
  [
    '1,000 roles',
    ({ sluice, service }) =>
      fill(sluice, 'role', 1000, (n) => ({
        name: `r${n}`,
        is_active: true,
        role_service_access_by_role_id: [
          { service_id: service.id, component: `_table/t${n}/*`, verb_mask: 31, requestor_mask: 1 },
        ],
      })),
  ],
  [
    '1,000 services',
    ({ sluice }) =>
      fill(sluice, 'service', 1000, (n) => ({
        name: `s${n}`,
        label: `s${n}`,
        type: 'sqlite',
        is_active: true,
        config: { database: `s${n}.sqlite` },
      })),
  ],
  ['1,000 tables', ({ file }) => addTables(file, 1000)],
];

/** Prints the cost on both and the ratio after each step. */
export async function measureFlatness(folder) {
  console.log(
    `\nOne record on a small instance and on a large one: ${rounds} rounds of ${calls}, microseconds a call\n`,
  );
  console.log('the large one has    small     large   ratio');
  const [small, large] = [await start(folder, 'small'), await start(folder, 'large')];
  try {
    for (const [label, grow] of steps) {
      await grow(large);
      await compare(label, small, large, [large.headers]);
    }
    const headers = [];
    for (let n = 0; n < callersAtEnd; n++) headers.push(await limitedUser(large.sluice, large.service, `turn${n}`));
    await compare(`${callersAtEnd} callers in turns`, small, large, headers);
  } finally {
    await stop(small.sluice);
    await stop(large.sluice);
  }
}

async function start(folder, name) {
  const { place, config } = await engines.sqlite.make(folder, `flat-${name}`, 10_000);
  const sluice = await startSluice(join(folder, `data-${name}`));
  const service = await addService(sluice, { type: 'sqlite', config });
  return { sluice, service, file: place, headers: await limitedUser(sluice, service) };
}

async function compare(label, small, large, callers) {
  const call = { path: '/api/v2/bench/_table/contact/77' };
  const costs = { small: [], large: [] };
  // As many turns on both, so that the way the calls are made differs in nothing.
  const [ofSmall, ofLarge] = [callers.map(() => small.headers), callers];
  await cost(small.sluice, call, ofSmall, calls);
  await cost(large.sluice, call, ofLarge, calls);
  for (let round = 0; round < rounds; round++) {
    costs.small.push(await cost(small.sluice, call, ofSmall, calls));
    costs.large.push(await cost(large.sluice, call, ofLarge, calls));
  }
  const [s, l] = [median(costs.small), median(costs.large)];
  console.log(
    `${label.padEnd(20)}${s.toFixed(0).padStart(6)}${l.toFixed(0).padStart(10)}${(l / s).toFixed(2).padStart(8)}`,
  );
}

async function fill(sluice, resource, amount, make) {
  for (let from = 0; from < amount; from += 500) {
    const records = Array.from({ length: 500 }, (_, index) => make(from + index + 1));
    await sluice.ask('POST', `system/${resource}`, { resource: records });
  }
}

async function addTables(file, amount) {
  const db = await openSqlite(file);
  db.exec('begin');
  for (let n = 1; n <= amount; n++) db.exec(`create table t${n} (id integer primary key, name text)`);
  db.exec('commit');
  db.close();
}
