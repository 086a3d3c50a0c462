// What limits cost: one record with ten limits that concern it, beside the same call without any; in memory, where the process is
// alone, and by Redis where TEST_REDIS_URL names one. Cost as in calls.mjs.
import { join } from 'node:path';
import { cost } from './calls.mjs';
import { engines } from './databases.mjs';
import { median } from './measure.mjs';
import { addService, limitedUser, startSluice, stop } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 4000);
const path = '/api/v2/bench/_table/contact/77';

/** Prints both costs and their ratio for each place limits are counted in. */
export async function measureLimits(folder) {
  console.log(`\nOne record without limits and with ten that concern it: ${rounds} rounds of ${calls} calls`);
  const redis = process.env.TEST_REDIS_URL;
  await measure(folder, 'in memory', {});
  if (redis) await measure(folder, 'in Redis', { SLUICE_REDIS_URL: redis });
}

async function measure(folder, place, env) {
  const contacts = await engines.sqlite.make(folder, `limits ${place}`, 10_000);
  const sluice = await startSluice(join(folder, `data limits ${place}`), env);
  try {
    const service = await addService(sluice, { type: 'sqlite', config: contacts.config });
    const headers = await limitedUser(sluice, service);
    const costs = { without: [], with: [] };
    for (let round = 0; round <= rounds; round++) {
      // Both kinds in each round, so that a slow moment of the machine meets both; the first round warms up.
      const without = await cost(sluice, { path }, headers, calls);
      const ids = await addTen(sluice, service.id);
      const limited = await cost(sluice, { path }, headers, calls);
      await sluice.ask('DELETE', `system/limit?ids=${ids.join(',')}`);
      if (round === 0) continue;
      costs.without.push(without);
      costs.with.push(limited);
    }
    const [before, after] = [median(costs.without), median(costs.with)];
    console.log(
      `${place.padEnd(12)}${before.toFixed(0).padStart(8)}${after.toFixed(0).padStart(8)}${(after / before).toFixed(2).padStart(8)}`,
    );
  } finally {
    await stop(sluice);
    await contacts.drop();
  }
}

async function addTen(sluice, service_id) {
  const endpoint = '_table/contact/77';
  const kinds = [
    { type: 'instance' },
    { type: 'instance', verb: 'GET' },
    { type: 'instance.each_user' },
    { type: 'instance.each_user', verb: 'GET' },
    { type: 'instance.service', service_id },
    { type: 'instance.service', service_id, period: 'day' },
    { type: 'instance.each_user.service', service_id },
    { type: 'instance.service.endpoint', service_id, endpoint },
    { type: 'instance.service.endpoint', service_id, endpoint: '_table/*' },
    { type: 'instance.each_user.service.endpoint', service_id, endpoint: '_table/contact/*' },
  ];
  const resource = kinds.map((kind) => ({ name: 'bench', rate: 1e9, period: 'hour', ...kind }));
  return (await sluice.ask('POST', 'system/limit', { resource })).resource.map(({ id }) => id);
}
