// Hosted apps at the second address: their pages run there, the console does not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@sluice/testkit/databases/own-server';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from '../process.fixture.ts';

const consoleFolder = mkdtempSync(join(tmpdir(), 'sluice-apps-console-'));
writeFileSync(join(consoleFolder, 'index.html'), '<html>the console</html>');
mkdirSync(join(consoleFolder, 'assets'));
writeFileSync(join(consoleFolder, 'assets/a.js'), 'console.log(1)');
const appsPort = await freePort();
const apps = `apps.localhost:${appsPort}`;
const platform = await startPlatform({ appsPort: String(appsPort), consoleFolder, maxConnections: 40 });
afterAll(async () => {
  await platform.stop();
  rmSync(consoleFolder, { recursive: true });
});

const publish = async (on: TestPlatform) => {
  await on.ask('GET', 'files/');
  mkdirSync(join(on.folder, 'files/app/open'), { recursive: true });
  writeFileSync(join(on.folder, 'files/app/open/index.html'), '<script>1</script>');
  writeFileSync(join(on.folder, 'files/app/closed.html'), 'closed');
  const config = { container: 'app', public_path: ['open'] };
  expect((await on.ask('PATCH', 'system/service/3', { body: { config } })).status).toBe(200);
};
beforeAll(() => publish(platform));

const page = '/files/open/index.html';
const navigate = { 'sec-fetch-mode': 'navigate' };
const get = (path: string, headers: Record<string, string> = {}, on = platform) =>
  on.ask('GET', path, { token: null, headers });

/** A request to the port for apps. */
const getAt = (path: string, host: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; text: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const options = { host: '127.0.0.1', port: appsPort, path, headers: { host, ...headers }, agent: false };
      httpRequest(options, async (answer) => {
        const chunks = await answer.toArray();
        resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString(), headers: answer.headers });
      })
        .on('error', reject)
        .end();
    },
  );

describe('the second address', () => {
  it('has public pages, which run their scripts', async () => {
    const { status, text, headers } = await getAt(page, apps);
    expect([status, text]).toEqual([200, '<script>1</script>']);
    expect(headers).not.toHaveProperty('content-security-policy');
    expect(headers).toMatchObject({ 'content-type': 'text/html', 'x-content-type-options': 'nosniff' });
    expect((await getAt('/files/closed.html', apps)).status).toBe(403);
  });

  it('has the API, for which it is the same origin', async () => {
    const origin = { origin: `http://${apps}` };
    expect((await getAt('/api/v2/system/environment', apps, origin)).status).toBe(200);
    expect((await getAt('/api/v2/system/environment', apps, { origin: platform.url })).status).toBe(403);
    // What is stored stays without scripts at addresses of the API.
    const file = await platform.ask('GET', 'files/open/index.html', { headers: { host: apps } });
    expect(file.headers['content-security-policy']).toBe('sandbox');
  });

  it.each([
    '/',
    '/index.html',
    '/home',
    '/assets/a.js',
    '/console.json',
    '/status',
    '/healthz',
    '/metrics',
    '/nothing/x',
  ])('has no page of the console: %s is a 404', async (path) => {
    const html = { accept: 'text/html' };
    for (const { status, text } of [await getAt(path, apps, html), await get(path, { ...html, host: apps })]) {
      expect(status).toBe(404);
      expect(text).not.toContain('console');
    }
  });

  it('abuse: nothing runs at its port by the name of the console, whose cookies are there too', async () => {
    for (const host of [
      `127.0.0.1:${appsPort}`,
      `localhost:${appsPort}`,
      `apps.localhost.evil.example:${appsPort}`,
      'x',
    ])
      for (const path of [page, '/', '/api/v2/system/environment'])
        expect(await getAt(path, host), `${host} ${path}`).toMatchObject({
          status: 404,
          text: `Hosted apps are at http://${apps}.`,
        });
  });

  it('ends input that is not HTTP like the first, and counts its connections with those', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(appsPort, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
    });
    expect(answer).toContain('The request is not valid HTTP.');
    const mainPort = Number(new URL(platform.url).port);
    const open = (port: number) =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', () => {});
      });
    const sockets: ReturnType<typeof connect>[] = [];
    for (let index = 0; index < 60; index++) sockets.push(await open(index % 2 ? mainPort : appsPort));
    await expect
      .poll(() => sockets.filter(({ closed }) => closed).length, { timeout: 5_000 })
      .toBeGreaterThanOrEqual(20);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await getAt(page, apps).catch(() => ({ status: 0 }))).status).toBe(200);
  });
});

describe('the first address', () => {
  it('sends a navigation to a public page on to the second, with path and query', async () => {
    const { status, headers } = await get(`${page}?a=1&b=%2F%2F`, navigate);
    expect([status, headers.location]).toEqual([302, `http://${apps}${page}?a=1&b=%2F%2F`]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('answers any other GET of it without scripts', async () => {
    for (const headers of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'no-cors' }]) {
      const answer = await get(page, headers as Record<string, string>);
      expect([answer.status, answer.headers['content-security-policy']]).toEqual([200, 'sandbox']);
      expect(answer.headers.vary).toBe('Sec-Fetch-Mode');
    }
    expect((await get('/files/closed.html', navigate)).status).toBe(403);
  });

  it('abuse: a navigation is sent to no other place', async () => {
    for (const path of [
      `//evil.example${page}`,
      `/\\evil.example${page}`,
      `http://evil.example${page}`,
      `/files/open/..%2f..%2f/evil.example`,
    ]) {
      const { status, headers } = await get(path, navigate);
      if (headers.location !== undefined) expect(new URL(headers.location).host).toBe(apps);
      else expect(status).not.toBe(200);
    }
    // From elsewhere, `apps.localhost` would be another machine.
    const remote = await get(page, { ...navigate, host: 'console.example.com' });
    expect([remote.status, remote.headers['content-security-policy']]).toEqual([200, 'sandbox']);
  });

  it('knows the second by SLUICE_APPS_URL, from any machine', async () => {
    const named = await startPlatform({ appsUrl: 'https://apps.example.net', publicUrl: 'https://api.example.com' });
    await publish(named);
    const { headers } = await get(page, { ...navigate, host: 'api.example.com' }, named);
    expect(headers.location).toBe(`https://apps.example.net${page}`);
    const there = await get(page, { ...navigate, host: 'apps.example.net' }, named);
    expect([there.status, there.headers['content-security-policy']]).toEqual([200, undefined]);
    const call = (origin: string) =>
      get('system/environment', { host: 'apps.example.net', origin }, named).then(({ status }) => status);
    expect([await call('https://apps.example.net'), await call('https://api.example.com')]).toEqual([200, 403]);
    await named.stop();
  });
});

describe('at start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-apps-'));
  const start = (settings: Record<string, string>) =>
    startProcess({ SLUICE_DATA: folder, SLUICE_CONSOLE: '', ...settings });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A process at the port before one that is taken, which `stop` frees. Another test may have the port meanwhile: tried again. */
  async function startBelowTaken(tries = 5) {
    const port = await freePort();
    const taken = createServer();
    try {
      await new Promise<void>((resolve, reject) => taken.once('error', reject).listen(port, '127.0.0.1', resolve));
      return { port, process: await start({ SLUICE_PORT: String(port - 1) }), stop: () => taken.close() };
    } catch (error) {
      taken.close();
      if (tries === 1 || !/taken|EADDRINUSE/.test(String(error))) throw error;
      return startBelowTaken(tries - 1);
    }
  }

  it('the address is said; it closes with the first', async () => {
    const process = await start({});
    const [, port] = /Hosted apps run at http:\/\/apps\.localhost:(\d+)/.exec(process.output()) ?? [];
    const idle = connect(Number(port), '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => idle.once('connect', resolve));
    expect(await process.stop()).toBe(0);
    idle.destroy();
  });

  it('the port after the first is done without where it is taken; a chosen one ends the start', async () => {
    const { port, process, stop } = await startBelowTaken();
    expect(process.output()).toContain(`Hosted apps have no address of their own: port ${port} is taken.`);
    await process.stop();
    await expect(start({ SLUICE_APPS_PORT: String(port) })).rejects.toThrow(
      `Port ${port} is taken. Choose another with SLUICE_APPS_PORT`,
    );
    const off = await start({ SLUICE_APPS_PORT: 'off' });
    expect(off.output()).not.toContain('Hosted apps');
    await off.stop();
    stop();
  });
});
