// npm run bench: CPU a call of a limited user costs, beside a bare Fastify and driver program giving the same answer.
// ratio = bare ÷ Sluice, over the whole process tree, interleaved, median of five. Figures are printed, never asserted.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { build, staleParts } from '../scripts/build.mjs';
import { root } from '../scripts/prepare.mjs';
import { makeDatabase } from './fixture.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 4000);
const admin = { email: 'bench@example.com', password: 'bench password' };

await build(staleParts());
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const running = [];
try {
  const files = { bare: join(folder, 'bare.sqlite'), ours: join(folder, 'ours.sqlite') };
  for (const file of Object.values(files)) await makeDatabase(file);
  const bare = await launch([join(root, 'bench/bare.mjs'), files.bare]);
  const ours = await launch(
    [join(root, 'packages/server/dist/main.js'), '--port', '0', '--data', join(folder, 'data'), '--log', 'warn'],
    {
      SLUICE_ADMIN_EMAIL: admin.email,
      SLUICE_ADMIN_PASSWORD: admin.password,
    },
  );
  const headers = await limitedUser(ours.url, files.ours);
  const record = { first_name: 'New', last_name: 'Person', email: 'new@example.com', city: 'City 5', age: 33 };
  const body = JSON.stringify({ resource: [record] });
  const post = { method: 'POST', body };
  const city = encodeURIComponent('City 7');
  const filter = encodeURIComponent('city = "City 7"');
  const table = '/api/v2/bench/_table/contact';
  const workloads = [
    ['one record', { path: '/one/77' }, { path: `${table}/77` }],
    ['fifty records', { path: `/fifty?city=${city}` }, { path: `${table}?filter=${filter}&order=last_name&limit=50` }],
    ['one insert', { path: '/contact', ...post }, { path: table, ...post }],
  ];
  console.log(`Node ${process.version}, ${rounds} rounds of ${calls} calls, microseconds of CPU a call\n`);
  console.log('workload        bare    Sluice   ratio');
  for (const [name, bareCall, oursCall] of workloads) {
    const costs = { bare: [], ours: [] };
    await cost(bare, bareCall, {}, 500);
    await cost(ours, oursCall, headers, 500);
    for (let round = 0; round < rounds; round++) {
      costs.bare.push(await cost(bare, bareCall, {}, calls));
      costs.ours.push(await cost(ours, oursCall, headers, calls));
    }
    const [b, o] = [median(costs.bare), median(costs.ours)];
    console.log(
      `${name.padEnd(14)}${b.toFixed(0).padStart(6)}${o.toFixed(0).padStart(10)}${(b / o).toFixed(2).padStart(8)}`,
    );
  }
} finally {
  for (const child of running) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a program that prints `ready at <address>`. */
function launch(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const url = /ready at (http\S+)/.exec(said)?.[1];
      if (url) resolve({ url, pid: child.pid });
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)));
  });
}

/** A user with a role for this one table, in an app of its own: what clients send with every call. */
async function limitedUser(url, database) {
  const { session_token } = await ask(url, 'POST', 'system/admin/session', admin);
  const asAdmin = { 'X-DreamFactory-Session-Token': session_token };
  const make = async (path, record, query = '') =>
    (await ask(url, 'POST', `system/${path}?fields=*${query}`, { resource: [record] }, asAdmin)).resource[0];
  const service = await make('service', {
    name: 'bench',
    label: 'Bench',
    type: 'sqlite',
    is_active: true,
    config: { database },
  });
  const access = { service_id: service.id, component: '_table/contact/*', verb_mask: 31, requestor_mask: 1 };
  const role = await make('role', { name: 'bench', is_active: true, role_service_access_by_role_id: [access] });
  const app = await make('app', { name: 'bench', type: 0, is_active: true });
  const user = { email: 'limited@example.com', password: 'limited password', name: 'Limited' };
  await make('user', { ...user, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
  const key = { 'X-DreamFactory-API-Key': app.api_key };
  const session = await ask(url, 'POST', 'user/session', user, key);
  return { ...key, 'X-DreamFactory-Session-Token': session.session_token };
}

async function ask(url, method, path, body, headers = {}) {
  const response = await fetch(`${url}/api/v2/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Microseconds of CPU a call costs the program and its children. */
async function cost({ url, pid }, { path, method = 'GET', body }, headers, amount) {
  const before = cpu(pid);
  const result = await autocannon({
    url: url + path,
    method,
    body,
    amount,
    connections: 8,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} broken`);
  return ((cpu(pid) - before) / amount) * 1e6;
}

/** Seconds of CPU of a process and all below it, counted in nanoseconds by the scheduler (Linux). */
function cpu(pid) {
  const parents = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = read(`/proc/${entry}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    parents.set(Number(entry), Number(fields[1]));
  }
  const isBelow = (id) => id === pid || (parents.has(id) && isBelow(parents.get(id)));
  const threads = [...parents.keys()]
    .filter(isBelow)
    .flatMap((id) => readdirSync(`/proc/${id}/task`).map((task) => `/proc/${id}/task/${task}`));
  return threads.reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0] || 0), 0) / 1e9;
}

/** A file of /proc; empty when its process ended meanwhile. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
