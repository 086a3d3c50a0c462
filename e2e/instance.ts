// An instance for a journey: a server with its data folder, calls of its API, and pages that are signed in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { copyPreparedData } from './run-folder.ts';
import { admin, demo, startServer } from './server.ts';

export interface Instance {
  /** Another one after every start. */
  readonly url: string;
  dataFolder: string;
  /** The terminal's output since the last start. */
  output(): string;
  /** A call of the API as the administrator (or with the given headers); returns status and parsed body. */
  api(
    verb: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: any }>;
  /** Ends the server and every process it started with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The parts of the API's answer to a sign-in that journeys use. */
export interface Session {
  session_token: string;
  session_id: string;
}

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

async function signInByApi(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v2/system/admin/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { session_token: string }).session_token;
}

/** A test with an instance that has an administrator and the sample data, and a page signed in as nobody. */
export const test = base.extend<object, { instance: Instance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startInstance(demo, await copyPreparedData());
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // A page that the server draws brings its answers along: where a journey answers calls itself, the page has to make them.
  page: async ({ page }, use) => {
    const route = page.route.bind(page);
    page.route = async (...args) => {
      // The console cannot overwrite it.
      await page
        .context()
        .addCookies([{ name: 'SluiceView', value: '', domain: '127.0.0.1', path: '/', httpOnly: true }]);
      return route(...args);
    };
    await use(page);
  },
});

/** Gives the page a session of somebody, as the login screen would leave it. The page stays where it is. */
export async function signIn(page: Page, instance: Instance, account = admin): Promise<void> {
  const { session_id: _dropped, ...session } = await createSession(instance, account);
  await writeSession(page, instance, session);
}

const sessionCookieName = 'CurrentUserObj';

/** The cookie that the console keeps its session in; undefined where nobody is signed in. */
export const sessionCookie = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === sessionCookieName);

/** The session of the page's cookie. */
export async function readSession(page: Page): Promise<Record<string, any> | null> {
  const cookie = await sessionCookie(page);
  return cookie ? JSON.parse(decodeURIComponent(cookie.value)) : null;
}

/** Puts a session into the page's cookie, as the console would. */
export async function writeSession(page: Page, instance: Instance, session: object): Promise<void> {
  const value = encodeURIComponent(JSON.stringify(session));
  await page.context().addCookies([{ name: sessionCookieName, value, url: instance.url, sameSite: 'Strict' }]);
}

/** Signs in through the login screen. */
export async function signInByForm(page: Page, instance: Instance, account = admin): Promise<void> {
  await page.goto(`${instance.url}/login`);
  await page.getByPlaceholder('Enter Email').fill(account.email);
  await page.getByPlaceholder('Enter Password').fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** A new session of a user or an administrator in the app of the console. */
export async function createSession(
  instance: Instance,
  account: { email: string; password: string },
): Promise<Session> {
  const settings = await fetch(`${instance.url}/console.json`);
  const headers = { 'X-DreamFactory-API-Key': ((await settings.json()) as { api_key: string }).api_key };
  const credentials = { email: account.email, password: account.password };
  const paths = ['user/session', 'system/admin/session'];
  for (const path of account.email === admin.email ? paths.reverse() : paths) {
    const { status, body } = await instance.api('POST', path, credentials, headers);
    if (status === 200) return body;
  }
  throw new Error(`${account.email} cannot sign in.`);
}

export { admin, expect };
