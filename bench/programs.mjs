// The programs that are measured: started here, stopped together, and set up with what a call of a client needs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/prepare.mjs';

const admin = { email: 'bench@example.com', password: 'bench password' };
const running = new Set();

/** Starts the bare program of an engine on a database. */
export const startBare = (engine, place) => launch([join(root, `bench/bare-${engine}.mjs`), JSON.stringify(place)]);

/**
 * Starts Sluice with a data folder of its own, as it is built in `checkout`; answers its address, its process and an
 * administrator's `ask`.
 */
export async function startSluice(folder, env = {}, checkout = root) {
  const program = await launch(
    [join(checkout, 'packages/server/dist/main.js'), '--port', '0', '--data', folder, '--log', 'warn'],
    { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password, ...env },
  );
  const { session_token } = await ask(program.url, 'POST', 'system/admin/session', admin);
  const asAdmin = { 'X-DreamFactory-Session-Token': session_token };
  return { ...program, ask: (method, path, body) => ask(program.url, method, path, body, asAdmin), asAdmin };
}

/** A service on a database that both programs serve. */
export async function addService(sluice, { name = 'bench', type, config }) {
  const record = { name, label: name, type, is_active: true, config };
  return (await sluice.ask('POST', 'system/service?fields=*', { resource: [record] })).resource[0];
}

/** A user with a role for the two tables, in an app of its own: the headers clients send with every call. */
export async function limitedUser(sluice, service, name = 'limited') {
  const make = async (path, record) =>
    (await sluice.ask('POST', `system/${path}?fields=*`, { resource: [record] })).resource[0];
  const access = ['_table/contact/*', '_table/contact_info/*'].map((component) => ({
    service_id: service.id,
    component,
    verb_mask: 31,
    requestor_mask: 1,
  }));
  const role = await make('role', { name, is_active: true, role_service_access_by_role_id: access });
  const app = await make('app', { name, type: 0, is_active: true });
  const user = { email: `${name}@example.com`, password: 'limited password', name };
  await make('user', { ...user, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
  const key = { 'X-DreamFactory-API-Key': app.api_key };
  const session = await ask(sluice.url, 'POST', 'user/session', user, key);
  return { ...key, 'X-DreamFactory-Session-Token': session.session_token };
}

export async function stop(program) {
  running.delete(program.child);
  program.child.kill('SIGTERM');
  await new Promise((resolve) => program.child.once('exit', resolve));
}

export function stopAll() {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a program that prints `ready at <address>`, with the room for young objects that `npm start` gives. */
function launch(args, env = {}) {
  const child = spawn(process.execPath, ['--min-semi-space-size=16', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const url = /ready at (http\S+)/.exec(said)?.[1];
      if (url) resolve({ url, pid: child.pid, child });
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)));
  });
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
