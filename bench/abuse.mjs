// What nasty calls do to everybody else: the corpus of abuse/corpus.mjs against the built server, with its store and a
// service on each engine. First one after the other, so that what stood still has a name; then all at once.
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { databaseCalls, platformCalls } from './abuse/corpus.mjs';
import { engines, fill, labelOf, startEngine } from './abuse/databases.mjs';
import { startWorld } from './abuse/world.mjs';
import { rssOf } from './measure.mjs';
import { stop } from './programs.mjs';

const chosen = (variable) => process.env[variable]?.split(',') ?? engines;
const stores = chosen('BENCH_STORES');
const only = process.env.BENCH_CALLS_NAMED ?? '';
const secondsAtOnce = Number(process.env.BENCH_AT_ONCE ?? 30);
const sendersAtOnce = 12;
/** Milliseconds of CPU of the main thread without a yield that a call may take (docs/adr/0020-bounds-are-limits.md). */
const cpuLimit = ({ by, raw }) => (by === 'stranger' || raw ? 50 : 250);

/** Prints stalls, the honest caller's reads and memory for each store and engine, and which calls stalled too long. */
export async function measureAbuse(folder) {
  console.log(`\nNasty calls: ${databaseCalls.length} on each engine, ${platformCalls.length} on each store\n`);
  const servers = {};
  try {
    const databases = {};
    for (const engine of new Set([...stores, ...chosen('BENCH_ENGINES')])) {
      const server = await startEngine(engine, folder);
      if (server) servers[engine] = server;
    }
    for (const engine of chosen('BENCH_ENGINES').filter((name) => servers[name])) {
      databases[engine] = await servers[engine].create('shop');
      await fill(engine, databases[engine]);
    }
    console.log(
      'store       calls to      calls   longest stall ms (CPU)   most CPU   reads p50    p99    max ms   peak MB',
    );
    for (const store of stores.filter((name) => servers[name])) await measureStore(folder, store, servers, databases);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

async function measureStore(folder, store, servers, databases) {
  const place = join(folder, `abuse-${store}`);
  mkdirSync(place);
  const env = { SLUICE_QUERY_TIMEOUT: '3000', SLUICE_LOG: 'error' };
  if (store !== 'sqlite') env.SLUICE_DATABASE_URL = (await servers[store].create('store')).url();
  const world = await startWorld(place, databases, env);
  const [someEngine] = Object.keys(databases);
  const sender = startSender(world);
  const honest = startHonest(`${world.url}/api/v2/${someEngine}/_table/contact/7`, world.people.honest);
  const named = (calls) => calls.filter(({ name }) => name.includes(only));
  const parts = [
    ...Object.keys(databases).map((engine) => [labelOf(engine), named(databaseCalls), engine]),
    ['itself', named(platformCalls)],
  ];
  try {
    await sleep(2000);
    const memory = watchMemory(world.pid);
    const findings = [];
    for (const [label, calls, engine] of parts) {
      await honest.reads();
      memory.restart();
      const times = [];
      for (const call of calls) times.push(await timed(sender, call, engine));
      const stalls = stallsOf(world, times);
      print(labelOf(store), label, calls.length, stalls, await honest.reads(), memory.peak());
      findings.push(...stalls.filter(({ cpu, limit }) => cpu >= limit).map((stall) => ({ ...stall, label })));
      findings.push(...times.filter(({ statuses }) => statuses.includes(500)).map((time) => ({ ...time, label })));
    }
    memory.restart();
    const start = Date.now();
    const sent = await sendAtOnce(sender, parts);
    const stalls = stallsOf(world, [{ name: 'all at once', start, end: Date.now() }]);
    print(labelOf(store), 'all at once', sent, stalls, await honest.reads(), memory.peak());
    memory.stop();
    for (const { label, name, length, cpu } of findings)
      console.log(`  ${label}: ${name}: ${length ? `stalled ${length} ms (${cpu} of CPU)` : 'answered 500'}`);
  } finally {
    honest.end();
    sender.end();
    await stop(world);
  }
}

async function timed(sender, call, engine) {
  const start = Date.now();
  const statuses = await sender.send(call, engine);
  await sleep(30);
  const time = { name: call.name, limit: cpuLimit(call), start, end: Date.now(), statuses };
  if (process.env.BENCH_VERBOSE)
    console.log(`    ${engine ?? ''} ${call.name}: ${[...new Set(statuses)]} ${time.end - start} ms`);
  return time;
}

/** Callers that each send calls of the corpus by chance; resolves to how many were sent. */
async function sendAtOnce(sender, parts) {
  const until = Date.now() + secondsAtOnce * 1000;
  const pairs = parts.flatMap(([, calls, engine]) => calls.map((call) => [call, engine]));
  let sent = 0;
  const one = async () => {
    while (Date.now() < until) {
      const [call, engine] = pairs[Math.floor(Math.random() * pairs.length)];
      await sender.send(call, engine);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, one));
  return sent;
}

/** The stalls within these times, each with the name of the call it fell into. */
function stallsOf({ stallsFile }, times) {
  return readFileSync(stallsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .flatMap(([at, length, cpu]) => {
      const during = times.find(({ start, end }) => at + length >= start && at <= end);
      return during ? [{ name: during.name, limit: during.limit, length, cpu }] : [];
    });
}

/** The longest stall is printed with its CPU, which another may have more of; `reads` are the honest caller's. */
function print(store, label, calls, stalls, reads, peak) {
  const longest = stalls.reduce((most, stall) => (stall.length > most.length ? stall : most), { length: 0, cpu: 0 });
  const times = reads.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
  const failed = reads.filter(({ status }) => status !== 200);
  console.log(
    [
      store.padEnd(11),
      label.padEnd(13),
      String(calls).padStart(5),
      `${longest.length} (${longest.cpu})`.padStart(24),
      String(Math.max(0, ...stalls.map(({ cpu }) => cpu))).padStart(10),
      at(0.5).padStart(11),
      at(0.99).padStart(6),
      at(1).padStart(9),
      peak.toFixed(0).padStart(9),
    ].join(' '),
    longest.name ?? '',
    failed.length ? `; ${failed.length} reads failed: ${[...new Set(failed.map(({ status }) => status))]}` : '',
  );
}

/** Starts a program of bench/abuse/ in a process of its own. */
const startProgram = (name, ...values) => fork(fileURLToPath(new URL(`./abuse/${name}`, import.meta.url)), values);

function startHonest(url, headers) {
  const child = startProgram('honest.mjs', url, JSON.stringify(headers));
  return {
    /** What it read since it was last asked. */
    reads: () =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send('how long');
      }),
    end: () => child.kill(),
  };
}

/** Sends calls of the corpus; each resolves to the statuses of its answers. */
function startSender({ url, people }) {
  const child = startProgram('sender.mjs', JSON.stringify({ url, people }));
  const waiting = new Map();
  let count = 0;
  child.on('message', ({ id, statuses }) => {
    waiting.get(id)(statuses);
    waiting.delete(id);
  });
  return {
    send: ({ name }, service) =>
      new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        child.send({ id: count, name, service });
      }),
    end: () => child.kill(),
  };
}

/** Resident memory of the server's own process at its highest. */
function watchMemory(pid) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, rssOf(pid));
  }, 50);
  return {
    peak: () => peak,
    restart() {
      peak = rssOf(pid);
    },
    stop: () => clearInterval(timer),
  };
}
