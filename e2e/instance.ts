// An instance as a newcomer starts it: the built server in its own process, on a free port, with an empty data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export interface Instance {
  /** Another one after every start. */
  readonly url: string;
  dataFolder: string;
  /** What the terminal said since the last start. */
  output(): string;
  /** A call of the API as the administrator (or with the headers given); answers status and parsed body. */
  api(
    verb: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: any }>;
  /** Ends the server and every process it started with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the data that is there. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const admin = { email: 'ada@example.com', password: 'correct horse' };

/** Starts an instance; without `env` it has no administrator yet. The data folder is removed with it. */
export async function startInstance(env: Record<string, string> = {}, dataFolder?: string): Promise<Instance> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'sluice-e2e-')));
  let server = await startServer(folder, env);
  let token: string | undefined;
  const api: Instance['api'] = async (verb, path, body, headers) => {
    token ??= headers || path.endsWith('/session') ? undefined : await signInByApi(server.url);
    const response = await fetch(`${server.url}/api/v2/${path}`, {
      method: verb,
      headers: {
        'Content-Type': 'application/json',
        ...(headers ?? (token ? { 'X-DreamFactory-Session-Token': token } : {})),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    get url() {
      return server.url;
    },
    dataFolder: folder,
    output: () => server.output(),
    api,
    kill: () => server.end('SIGKILL'),
    async start() {
      server = await startServer(folder, env);
    },
    async stop() {
      await server.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Server {
  url: string;
  output(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

async function startServer(dataFolder: string, env: Record<string, string>): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(root, 'packages/server/dist/main.js'), '--port', '0', '--data', dataFolder],
    {
      cwd: root,
      env: { ...process.env, SLUICE_LOG: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that its children can be killed with it.
      detached: true,
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), signal);
    } catch {
      // All of it has ended already.
    }
  };
  const killGroup = () => signalGroup('SIGKILL');
  process.once('exit', killGroup);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = await readyAt(child, () => output);
  return {
    url,
    output: () => output,
    async end(signal) {
      // An orderly stop is the server's own business; its children are part of that.
      if (signal === 'SIGKILL') signalGroup(signal);
      else child.kill(signal);
      await exited;
      killGroup();
      process.off('exit', killGroup);
    },
  };
}

async function signInByApi(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v2/system/admin/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { session_token: string }).session_token;
}

function readyAt(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output()}`)), 30_000);
    const look = () => {
      const url = /ready at (http\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output()}`)));
  });
}

/** A test with an instance of its file's own that has an administrator, and a page signed in as nobody. */
export const test = base.extend<object, { instance: Instance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startInstance({
        SLUICE_ADMIN_EMAIL: admin.email,
        SLUICE_ADMIN_PASSWORD: admin.password,
        SLUICE_DEMO: '1',
      });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Signs in through the login screen. */
export async function signIn(page: Page, instance: Instance, who = admin): Promise<void> {
  await page.goto(`${instance.url}/login`);
  await page.getByPlaceholder('Enter Email').fill(who.email);
  await page.getByPlaceholder('Enter Password').fill(who.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

export { expect };
