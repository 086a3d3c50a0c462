// url=: files that the server fetches for a caller, through HTTP, over a folder of this machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let source: Server;
let origin = '';
let requests: string[] = [];
beforeAll(async () => {
  source = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (url.startsWith('/early')) {
      response.writeHead(200, url === '/early/length' ? { 'content-length': 2_381_775 } : {});
      response.write('x'.repeat(100_000), () => response.destroy());
    } else if (url === '/large') response.end('x'.repeat(3_000_001));
    else if (url === '/inside')
      response.writeHead(302, { location: `http://127.0.0.1:${(source.address() as AddressInfo).port}/file` }).end();
    else if (url === '/slow') response.write('x');
    else if (url.startsWith('/file')) response.end(`content of ${url}`);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  // By this name it is allowed, by its address it is not.
  origin = `http://localhost:${(source.address() as AddressInfo).port}`;
});

const platforms: TestPlatform[] = [];
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  for (const platform of platforms) await platform.stop();
});

/** A platform with a file service `box`, and what asks it. */
async function start(fetchPrivate: string) {
  const platform = await startPlatform({ fetchPrivate, uploadLimit: 3_000_000 });
  platforms.push(platform);
  const config = { container: 'box' };
  const record = { name: 'box', label: 'Box', type: 'local_file', is_active: true, config };
  await platform.create('service', record);
  const root = join(platform.folder, 'files', 'box');
  await platform.ask('POST', 'box/docs/');
  requests = [];
  const fetchInto = async (folder: string, url: string, query = '', options: AskOptions = {}) => {
    const { status, body } = await platform.ask(
      'POST',
      `box/${folder}?url=${encodeURIComponent(url)}${query}`,
      options,
    );
    return [status, body.error?.message ?? body];
  };
  return { platform, root, fetchInto };
}

describe('files of an address', async () => {
  const { platform, root, fetchInto } = await start('localhost');

  it('are written under the name of the address or a given one, by POST and PUT', async () => {
    expect(await fetchInto('docs/', `${origin}/file/a%20b%2Bc.txt?x=/y`)).toEqual([
      ...[201, { name: 'a b+c.txt', path: 'docs/a b+c.txt', type: 'file' }],
    ]);
    expect(readFileSync(join(root, 'docs/a b+c.txt'), 'utf8')).toBe('content of /file/a%20b%2Bc.txt?x=/y');
    expect(await fetchInto('', `${origin}/file/x`, `&filename=${encodeURIComponent('ä.txt')}`)).toEqual([
      ...[201, { name: 'ä.txt', path: 'ä.txt', type: 'file' }],
    ]);
    expect((await platform.ask('PUT', `box/?url=${origin}/file/put`)).status).toBe(201);
    expect(readdirSync(root).sort()).toEqual(['.sluice-tmp', 'docs', 'put', 'ä.txt']);
  });

  it('replace a file, but with check_exist', async () => {
    await platform.ask('POST', 'box/same', { body: 'old' });
    expect(await fetchInto('', `${origin}/file/same`, '&check_exist=true')).toEqual([
      ...[400, "File 'same' already exists."],
    ]);
    expect(readFileSync(join(root, 'same'), 'utf8')).toBe('old');
    expect((await fetchInto('', `${origin}/file/same`))[0]).toBe(201);
    expect(readFileSync(join(root, 'same'), 'utf8')).toBe('content of /file/same');
  });

  it('are refused before anything is fetched where they cannot be written', async () => {
    requests = [];
    expect(await fetchInto('none/', `${origin}/file`)).toEqual([404, "Folder 'none' does not exist."]);
    expect(await fetchInto('', `${origin}/file`, '&filename=docs')).toEqual([400, "Folder 'docs/' already exists."]);
    expect(await fetchInto('', `${origin}/file/`)).toEqual([400, 'Invalid empty path.']);
    expect((await fetchInto('', 'ftp://example.com/file'))[0]).toBe(400);
    expect(requests).toEqual([]);
  });

  it('say why they cannot be read', async () => {
    expect(await fetchInto('', `${origin}/none`)).toEqual([404, 'Invalid URL entered. File not found.']);
    expect(await fetchInto('', `${origin}/large`)).toEqual([
      ...[413, 'The file of the URL has more than 3000000 bytes, the most that is accepted.'],
    ]);
  });

  it.each(['length', 'chunked'])('leave the old file where the source ends early (%s)', async (kind) => {
    await platform.ask('POST', `box/docs/${kind}`, { body: 'the old one' });
    expect(await fetchInto('docs/', `${origin}/early/${kind}`)).toEqual([
      ...[500, 'Could not read the file: the answer ended early.'],
    ]);
    expect(await fetchInto('docs/', `${origin}/early/new`, '&filename=new')).toHaveProperty('0', 500);
    expect(readFileSync(join(root, 'docs', kind), 'utf8')).toBe('the old one');
    expect((await platform.ask('GET', 'box/docs/new')).status).toBe(404);
    expect(readdirSync(join(root, '.sluice-tmp'))).toEqual([]);
  });

  it('are fetched no longer than their caller waits', async () => {
    const caller = new AbortController();
    const address = `${platform.url}/api/v2/box/?url=${origin}/slow`;
    const headers = { 'x-dreamfactory-session-token': platform.adminToken };
    const answer = fetch(address, { method: 'POST', headers, signal: caller.signal }).catch(() => 'gone');
    await expect.poll(() => requests).toContain('/slow');
    caller.abort();
    expect(await answer).toBe('gone');
    await expect.poll(() => new Promise((resolve) => source.getConnections((_error, count) => resolve(count)))).toBe(0);
    expect(existsSync(join(root, 'slow'))).toBe(false);
  });

  it.each([...['..', '../out', 'a/b', 'a\\b', '.sluice-tmp', 'x\0', ' /../../x', 'x'.repeat(300), '\n']])(
    'abuse: the file name %j leads nowhere',
    async (name) => {
      expect((await fetchInto('docs/', `${origin}/file`, `&filename=${encodeURIComponent(name)}`))[0]).toBe(400);
      expect(existsSync(join(platform.folder, 'files', 'out'))).toBe(false);
    },
  );

  it('abuse: the end of an address is a name like any other', async () => {
    for (const end of ['..%2f..%2fout', '%2e%2e%2fout', '%00', 'a%5cb'])
      expect((await fetchInto('docs/', `${origin}/file/${end}`))[0], end).toBe(400);
    expect(existsSync(join(platform.folder, 'files', 'out'))).toBe(false);
    expect(await fetchInto('docs/', `${origin}/file/%252e%252e%252f`)).toHaveProperty('1.path', 'docs/%2e%2e%2f');
  });

  it('abuse: a redirect into a network that is not allowed is refused', async () => {
    expect(await fetchInto('', `${origin}/inside`)).toEqual([
      ...[400, 'The URL leads to an address that this server does not fetch from.'],
    ]);
  });
});

describe('without the setting', async () => {
  const { platform, root, fetchInto } = await start('');

  it('abuse: nothing inside is fetched, this server neither', async () => {
    requests = [];
    const port = new URL(platform.url).port;
    const addresses = [
      ...[`${origin}/file`, `${platform.url}/api/v2/box/docs/`, `http://localhost:${port}/`, `http://0x7f.1:${port}/`],
      ...[`http://[::ffff:127.0.0.1]:${new URL(origin).port}/file`, `http://2130706433:${port}/`, `http://[::1]/x`],
      ...['http://169.254.169.254/latest/meta-data/', 'https://10.0.0.1/x', 'http://0/x', 'http://100.64.0.1/x'],
    ];
    for (const address of addresses)
      expect(await fetchInto('docs/', address, '&filename=x'), address).toEqual([
        ...[400, 'The URL leads to an address that this server does not fetch from.'],
      ]);
    for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/x', 'nonsense', '/etc/passwd'])
      expect(await fetchInto('docs/', address, '&filename=x'), address).toHaveProperty('0', 400);
    expect(requests).toEqual([]);
    expect(readdirSync(join(root, 'docs'))).toEqual([]);
  });
});

it('abuse: a role that lacks a path cannot fetch into it', async () => {
  const { platform, fetchInto } = await start('localhost');
  const id = (await platform.ask('GET', 'system/service?filter=name=box')).body.resource[0].id;
  const access = { service_id: id, component: 'docs/*', verb_mask: 31, requestor_mask: 1 };
  const denied = { service_id: id, component: 'docs/secret', verb_mask: 0, requestor_mask: 1 };
  const role = await platform.create(
    'role',
    { name: 'fetcher', is_active: true, role_service_access_by_role_id: [access, denied] },
    'role_service_access_by_role_id',
  );
  const app = await platform.create('app', { name: 'fetcher', is_active: true, type: 0, role_id: role.id });
  const user = await platform.create('user', {
    ...{ name: 'u', email: 'u@example.com', is_active: true, password: 'correct horse' },
  });
  const as = { token: await platform.tokenOf(user.id), key: String((app as { api_key?: unknown }).api_key) };
  expect((await fetchInto('docs/', `${origin}/file/open`, '', as))[0]).toBe(201);
  requests = [];
  expect((await fetchInto('docs/', `${origin}/file/secret`, '', as))[0]).toBe(403);
  expect((await fetchInto('', `${origin}/file/open`, '', as))[0]).toBe(403);
  expect(requests).toEqual([]);
});
