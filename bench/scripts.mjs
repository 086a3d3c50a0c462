// What a script around a call costs: a pre-process script that changes one value of a record's request, beside the same call
// without, for one caller and for fifty at once. Latency in milliseconds, by the middle call, and calls a second. A pause
// between the calls shows what a run costs that finds a process waiting.
import { join } from 'node:path';
import { engines } from './databases.mjs';
import { addService, limitedUser, startSluice, stop } from './programs.mjs';

const calls = Number(process.env.BENCH_CALLS ?? 400);
const path = '/api/v2/bench/_table/contact?limit=1';
const texts = {
  v8js: "event.request.parameters.fields = 'id';",
  nodejs: "event.request.parameters.fields = 'id';",
  python: "event.request.parameters['fields'] = 'id'",
  php: "$event['request']['parameters']['fields'] = 'id';",
};

export async function measureScripts(folder) {
  console.log(`\nA script that changes one value: ms (middle, 95 %) and calls/s, ${calls} calls`);
  const contacts = await engines.sqlite.make(folder, 'scripts', 10_000);
  const sluice = await startSluice(join(folder, 'data scripts'));
  try {
    const service = await addService(sluice, { type: 'sqlite', config: contacts.config });
    const headers = await limitedUser(sluice, service);
    await measureAll(sluice, headers, 'no script');
    for (const [type, content] of Object.entries(texts)) {
      const name = 'bench._table.contact.get.pre_process';
      const body = { name, type, content, is_active: true, allow_event_modification: true };
      await sluice.ask('POST', `system/event_script/${name}`, body);
      if ((await fetch(`${sluice.url}${path}`, { headers })).status === 200) await measureAll(sluice, headers, type);
      else console.log(`${type}: it does not run here`);
      await sluice.ask('DELETE', `system/event_script/${name}`);
    }
  } finally {
    await stop(sluice);
  }
}

async function measureAll(sluice, headers, name) {
  await measure(sluice, headers, { callers: 1, count: 20, pause: 0 });
  const kinds = [
    ['one caller', { callers: 1, count: calls, pause: 0 }],
    ['one caller, 100 ms apart', { callers: 1, count: 40, pause: 100 }],
    ['fifty callers', { callers: 50, count: calls, pause: 0 }],
  ];
  for (const [kind, options] of kinds) {
    const { times, rate } = await measure(sluice, headers, options);
    const at = (share) => times[Math.floor(times.length * share)].toFixed(2).padStart(9);
    console.log(`${name.padEnd(12)}${kind.padEnd(26)}${at(0.5)}${at(0.95)}${rate.toFixed(0).padStart(8)}`);
  }
}

async function measure({ url }, headers, { callers, count, pause }) {
  const times = [];
  let left = count;
  const began = performance.now();
  const call = async () => {
    while (left-- > 0) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const start = performance.now();
      const answer = await fetch(`${url}${path}`, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`The call was answered ${answer.status}.`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { times: times.sort((a, b) => a - b), rate: (count * 1_000) / (performance.now() - began) };
}
