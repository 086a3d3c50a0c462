import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());
const get = (path: string, verb = 'GET') => platform.ask(verb, path, { token: null });

beforeAll(async () => {
  await platform.ask('GET', 'files/');
  const root = join(platform.folder, 'files', 'app');
  mkdirSync(join(root, 'open/deep'), { recursive: true });
  writeFileSync(join(root, 'open/deep/a.html'), '<p>');
  writeFileSync(join(root, 'one.txt'), 'one');
  writeFileSync(join(root, 'two.txt'), 'two');
  const config = { container: 'app', public_path: ['open/', 'one.txt'] };
  expect((await platform.ask('PATCH', 'system/service/3', { body: { config } })).status).toBe(200);
});

describe('public paths', () => {
  it('are read by strangers below the name of the service, as sandboxed pages', async () => {
    const { status, text, headers } = await get('/files/open/deep/a.html');
    expect([status, text]).toEqual([200, '<p>']);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html', 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' },
      ...{ 'cache-control': 'private', 'accept-ranges': 'bytes' },
    });
    expect((await get('/files/one.txt')).text).toBe('one');
    expect(await get('/files/one.txt', 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('are the exact paths and what is below them, files only; errors are plain text', async () => {
    const denied = 'Access denied, please contact your system administrator.';
    for (const path of ['/files/two.txt', '/files/open/', '/files/one.txt2', '/files/logs'])
      expect(await get(path), path).toMatchObject({ status: 403, text: denied });
    const missing = await get('/files/open/none%3Cb%3E.txt');
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(missing.text).not.toContain('<');
    // Strangers do not learn of other services.
    expect((await get('/db/x')).status).toBe(404);
    expect((await get('/files/one.txt', 'POST')).status).toBe(404);
    expect((await get('/nothing/one.txt')).status).toBe(404);
  });

  it('abuse: no other way to write a path leads out of the public ones', async () => {
    for (const path of [
      'open/../two.txt',
      'open/%2e%2e/two.txt',
      'open%2f..%2ftwo.txt',
      'open//../two.txt',
      'OPEN/deep/a.html',
    ])
      expect([400, 403]).toContain((await get(`/files/${path}`)).status);
  });

  it('are refused where the address is one of the console', async () => {
    const config = { container: 'home', public_path: ['x'] };
    const body = { resource: [{ name: 'home', label: 'home', type: 'local_file', config }] };
    const { status, text } = await platform.ask('POST', 'system/service', { body });
    expect(status).toBe(400);
    expect(text).toContain("A service named 'home' can have no public path: /home is an address of the console.");
    const plain = { resource: [{ ...body.resource[0], config: { container: 'home' } }] };
    expect((await platform.ask('POST', 'system/service', { body: plain })).status).toBe(201);
  });
});

it('a file service without a container is refused', async () => {
  const body = { resource: [{ name: 'bare', label: 'bare', type: 'local_file', config: {} }] };
  const { status, text } = await platform.ask('POST', 'system/service', { body });
  expect(status).toBe(400);
  expect(text).toContain('The container field is required.');
});
