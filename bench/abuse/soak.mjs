// The soak: nasty calls, slow readers, junk, children killed and the store away, all at once and for long, with a thousand
// honest callers beside them. Sound when nothing acknowledged is lost, no honest call fails but with 503 or 429, descriptors
// at the end are those of the fifth minute, and memory in the last five minutes is that of the first five.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, rssOf, treeOf } from '../measure.mjs';
import { stop, stopAll } from '../programs.mjs';
import { openSqlite } from '../sqlite.mjs';
import { databaseCalls, platformCalls } from './corpus.mjs';
import { engines, fill, openCable, startEngine } from './databases.mjs';
import { send } from './send.mjs';
import { startWorld } from './world.mjs';

const minutes = Number(process.env.SOAK_MINUTES ?? 60);
const store = process.env.SOAK_STORE ?? 'pgsql';
const honestCallers = Number(process.env.SOAK_CALLERS ?? 1000);
/** Who sends calls by chance, and who only such that are read slowly, on six connections or more each. */
const senders = 6;
const slowReaders = 3;
/** The minute up to whose end as many of the last are compared with the first. */
const settledMinute = Math.min(5, Math.max(1, Math.floor(minutes / 2)));
/** What memory may have grown: a share, and as many MB; and how many more descriptors there may be. */
const tolerance = { share: 1.2, megabytes: 50, descriptors: 20 };

/** Runs it, prints a line a minute; resolves to whether all was well. */
export async function soak() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-'));
  const servers = {};
  try {
    for (const engine of engines) {
      servers[engine] = await startEngine(engine, folder);
      if (!servers[engine] && engine === store) return false;
    }
    return await soakWith(folder, servers);
  } finally {
    stopAll();
    for (const server of Object.values(servers)) await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soakWith(folder, servers) {
  const databases = {};
  for (const engine of engines.filter((name) => servers[name])) {
    databases[engine] = await servers[engine].create('shop');
    await fill(engine, databases[engine]);
  }
  const place = join(folder, 'instance');
  mkdirSync(place);
  const { env, ...absence } = await storeThatGoesAway(place, servers[store]);
  const world = await startWorld(place, databases, {
    ...env,
    SLUICE_QUERY_TIMEOUT: '5000',
    SLUICE_LOG: 'error',
    SLUICE_TOKEN_MINUTES: String(minutes + 60),
  });
  let exit;
  world.child.once('exit', (code, signal) => (exit = `${code ?? signal}`));
  const services = Object.keys(databases);
  const crowd = startCrowd({ url: world.url, services, callers: honestCallers, ...world.people });
  const trouble = makeTrouble(world, services, absence);

  console.log(`The store on ${store}, services on ${services.join(', ')}; ${honestCallers} honest callers\n`);
  console.log(
    'minute   honest calls   503, 429   failed   wrong    p50     p99 ms   nasty   kills   away   memory MB   files',
  );
  const failures = {};
  const heldByMinute = [];
  for (let minute = 1; minute <= minutes && exit === undefined; minute++) {
    const isCompared = minute === settledMinute || minute === minutes;
    trouble.begin();
    await sleep(isCompared ? 40_000 : 60_000);
    if (isCompared) await trouble.pause();
    const held = await leastHeld(world.pid, isCompared ? 20 : 1);
    heldByMinute.push(held);
    const tally = await crowd.ask('report');
    printMinute(minute, tally, trouble.count(), held);
    for (const [reason, times] of Object.entries(tally.failed)) failures[reason] = (failures[reason] ?? 0) + times;
    if (tally.wrong.length > 0) failures.wrong = (failures.wrong ?? 0) + tally.wrong.length;
  }
  await trouble.pause();
  const ended = exit;
  const acknowledged = await crowd.ask('end');
  crowd.end();
  const lost = ended === undefined ? await findLost(acknowledged, databases, world) : [];
  if (ended === undefined) await stop(world);
  await absence.close();

  const [settled, last] = [heldByMinute[settledMinute - 1], heldByMinute.at(-1)];
  // Of several minutes: one alone tells how long ago garbage was collected.
  const memoryOf = (helds) => median(helds.map(({ rss }) => rss));
  const [settledMemory, lastMemory] = [
    memoryOf(heldByMinute.slice(0, settledMinute)),
    memoryOf(heldByMinute.slice(-settledMinute)),
  ];
  const verdicts = [
    [ended === undefined, ended === undefined ? 'the process lived to the end' : `the process ended: ${ended}`],
    [
      lost.length === 0,
      `${acknowledged.length} writes acknowledged, ${lost.length} lost ${JSON.stringify(lost.slice(0, 5))}`,
    ],
    [Object.keys(failures).length === 0, `calls that failed otherwise than by 503 or 429: ${JSON.stringify(failures)}`],
    [
      lastMemory <= settledMemory * tolerance.share + tolerance.megabytes,
      `memory ${settledMemory.toFixed(0)} MB in the first ${settledMinute} minutes, ${lastMemory.toFixed(0)} in the last (medians)`,
    ],
    [
      last?.files <= settled?.files + tolerance.descriptors,
      `descriptors ${settled?.files} after minute ${settledMinute}, ${last?.files} at the end`,
    ],
  ];
  console.log('');
  for (const [isWell, words] of verdicts) console.log(`${isWell ? 'ok    ' : 'BROKEN'} ${words}`);
  return verdicts.every(([isWell]) => isWell);
}

/** The store of the instance, behind a cable that can be cut; a file is locked instead. */
async function storeThatGoesAway(place, server) {
  if (store === 'sqlite') {
    let database;
    return {
      env: {},
      async leave() {
        database ??= await openSqlite(join(place, 'data', 'sluice.sqlite'));
        database.exec('pragma busy_timeout = 10000; begin immediate');
      },
      comeBack: async () => database.exec('rollback'),
      close: async () => database?.close(),
    };
  }
  const cable = await openCable('127.0.0.1', server.port);
  const database = await server.create('store');
  return {
    env: { SLUICE_DATABASE_URL: database.url(cable.port) },
    leave: () => cable.cut(),
    comeBack: () => cable.mend(),
    close: () => cable.cut(),
  };
}

/** Everything that is done to the instance; `pause` resolves when it has stopped and what was away is back. */
function makeTrouble(world, services, absence) {
  const calls = [
    ...services.flatMap((engine) => databaseCalls.map((call) => [call, engine])),
    ...platformCalls.map((call) => [call]),
  ];
  const dripping = calls.filter(([{ manner }]) => manner === 'drips');
  let counts = { nasty: 0, kills: 0, away: 0 };
  let running;
  const choose = (list) => list[Math.floor(Math.random() * list.length)];
  const sendOn = (list, wish) =>
    (async () => {
      while (wish.goesOn) {
        const [call, engine] = choose(list);
        await send(world, call, engine);
        counts.nasty += 1;
      }
    })();
  const killChildren = async (wish) => {
    for (;;) {
      await waitWhile(wish, 10_000);
      if (!wish.goesOn) return;
      const child = choose(treeOf(world.pid).filter((pid) => pid !== world.pid));
      if (child === undefined) continue;
      process.kill(child, 'SIGKILL');
      counts.kills += 1;
    }
  };
  const takeStoreAway = async (wish) => {
    for (;;) {
      await waitWhile(wish, 25_000);
      if (!wish.goesOn) return;
      await absence.leave();
      await waitWhile(wish, 6000);
      await absence.comeBack();
      counts.away += 1;
    }
  };
  return {
    begin() {
      if (running) return;
      const wish = { goesOn: true };
      const all = [
        ...Array.from({ length: senders }, () => sendOn(calls, wish)),
        ...Array.from({ length: slowReaders }, () => sendOn(dripping, wish)),
        killChildren(wish),
        takeStoreAway(wish),
      ];
      running = { wish, end: Promise.all(all) };
    },
    async pause() {
      if (!running) return;
      running.wish.goesOn = false;
      await running.end;
      running = undefined;
    },
    /** What was done since it was last asked. */
    count() {
      const done = counts;
      counts = { nasty: 0, kills: 0, away: 0 };
      return done;
    },
  };
}

async function waitWhile(wish, milliseconds) {
  for (let waited = 0; waited < milliseconds && wish.goesOn; waited += 250) await sleep(250);
}

/** The least that a process held in the next seconds: resident memory in MB, and open files. */
async function leastHeld(pid, seconds) {
  const held = [];
  for (let second = 0; second < seconds; second++) {
    if (second > 0) await sleep(1000);
    held.push({ rss: rssOf(pid), files: filesOf(pid) });
  }
  return { rss: Math.min(...held.map(({ rss }) => rss)), files: Math.min(...held.map(({ files }) => files)) };
}

function filesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0; // It has ended.
  }
}

/** What was acknowledged and is not there, read past the platform; roles by the platform itself. */
async function findLost(acknowledged, databases, world) {
  const stored = { system: new Map() };
  for (const [engine, database] of Object.entries(databases)) {
    const rows = await database.run('select id, value from kept');
    stored[engine] = new Map(rows.map(([id, value]) => [Number(id), value]));
  }
  for (let offset = 0; ; offset += 1000) {
    const { resource } = await world.ask(
      'GET',
      `system/role?fields=id,description&limit=1000&offset=${offset}&order=id`,
    );
    for (const { id, description } of resource) stored.system.set(id, description);
    if (resource.length < 1000) break;
  }
  return acknowledged.filter(({ place, id, value }) => stored[place].get(Number(id)) !== value);
}

function printMinute(minute, { done, busy, failed, wrong, times }, { nasty, kills, away }, { rss, files }) {
  const sorted = times.sort((a, b) => a - b);
  const columns = [
    [minute, 6],
    [done, 15],
    [busy, 11],
    [Object.values(failed).reduce((sum, number) => sum + number, 0), 9],
    [wrong.length, 8],
    [(median(sorted) ?? 0).toFixed(0), 7],
    [(sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(0), 11],
    [nasty, 8],
    [kills, 8],
    [away, 7],
    [rss.toFixed(0), 12],
    [files, 8],
  ];
  console.log(columns.map(([value, width]) => String(value).padStart(width)).join(''));
}

function startCrowd(wishes) {
  const program = fileURLToPath(new URL('./crowd.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(wishes)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    ask: (what) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(what);
      }),
    end: () => child.disconnect(),
  };
}
