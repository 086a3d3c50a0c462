// extract= and clean=: zips that become files, through HTTP, over a folder of this machine.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type ZipFixtureEntry, zipOf } from './zip.fixture.ts';

const platform = await startPlatform({ uploadLimit: 20_000_000, fetchPrivate: '127.0.0.1' });
afterAll(() => platform.stop());

let number = 0;
let service = '';
let root = '';
beforeEach(async () => {
  number += 1;
  service = `box${number}`;
  root = join(platform.folder, 'files', service);
  const config = { container: service };
  await platform.create('service', { name: service, label: service, type: 'local_file', is_active: true, config });
  await ask('POST', 'docs/');
});
// Whatever became of a zip, nothing is left of it.
afterAll(() => expect(readdirSync(join(platform.folder, 'temporary'))).toEqual([]));

const ask = (verb: string, path: string, options?: AskOptions) => platform.ask(verb, `${service}/${path}`, options);
const put = (path: string, content: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
};
const tree = async (path = 'docs/', options?: AskOptions): Promise<string[]> =>
  (await ask('GET', `${path}?full_tree=true&as_list=true`, options)).body.resource;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Uploads a zip into docs/; answers status and message. */
const extract = async (zip: Buffer, query = '', options: AskOptions = {}) => {
  const headers = { 'x-file-name': 'any.zip', ...options.headers };
  const { status, body } = await ask('POST', `docs/?extract=true${query}`, { ...options, body: zip, headers });
  return [status, body.error?.message ?? body];
};
const good = zipOf(
  { name: 'a.txt', content: 'A' },
  { name: 'sub/deep/b.txt', content: 'B'.repeat(100_000) },
  { name: 'empty/', mode: 0o040755, method: 0 },
);
const result = { name: 'docs', path: 'docs/', type: 'file' };
const whole = ['docs/a.txt', 'docs/empty/', 'docs/sub/', 'docs/sub/deep/', 'docs/sub/deep/b.txt'];

describe('an uploaded zip', () => {
  it('becomes its files and folders, and is not kept', async () => {
    expect(await extract(good)).toEqual([201, result]);
    expect(await tree()).toEqual(whole);
    expect(read('docs/sub/deep/b.txt')).toBe('B'.repeat(100_000));
    expect(await ask('POST', '?extract=true', { body: good, headers: { 'x-file-name': 'x.ZIP' } })).toMatchObject({
      ...{ status: 201, body: { name: '', path: '', type: 'file' } },
    });
    expect(read('a.txt')).toBe('A');
  });

  it('is one by its type or its name, and a file without either or without extract', async () => {
    const send = (path: string, type: string) =>
      ask('POST', `${path}?extract=true`, { body: good, headers: { 'content-type': type } });
    for (const type of ['application/zip', 'application/x-zip-compressed', 'application/zip; x=y']) {
      expect((await send('docs/archive', type)).body).toEqual(result);
      expect(await tree()).toEqual(whole);
      await ask('DELETE', 'docs/?force=true&content_only=true');
    }
    expect((await send('docs/plain', 'application/octet-stream')).body.name).toBe('plain');
    expect((await ask('POST', 'docs/kept.zip', { body: good })).body.name).toBe('kept.zip');
    expect(await tree()).toEqual(['docs/kept.zip', 'docs/plain']);
    expect(readFileSync(join(root, 'docs/kept.zip'))).toEqual(good);
  });

  const part = (field: string, name: string, content: Buffer, type = 'application/octet-stream') =>
    Buffer.concat([
      Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`),
      Buffer.from(`Content-Type: ${type}\r\n\r\n`),
      ...[content, Buffer.from('\r\n')],
    ]);
  const form = (...parts: Buffer[]): AskOptions => ({
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    body: Buffer.concat([...parts, Buffer.from('--xyz--\r\n')]),
  });

  it('may be a part of a form, on the address of a folder and of a file', async () => {
    const several = form(part('files[]', 'x.zip', good), part('files[]', 'n.txt', Buffer.from('n')));
    expect((await ask('POST', 'docs/?extract=true', several)).body.resource).toEqual([
      ...[result, { name: 'n.txt', path: 'docs/n.txt', type: 'file' }],
    ]);
    expect(await tree()).toEqual(['docs/a.txt', 'docs/empty/', 'docs/n.txt', ...whole.slice(2)]);
    await ask('POST', 'other/');
    const one = form(part('files', 'anything', good, 'application/zip'));
    expect((await ask('POST', 'other/one?extract=true', one)).body).toMatchObject({ path: 'other/' });
    expect(await tree('other/')).toHaveLength(whole.length);
    const two = form(part('files', 'x', good), part('files', 'y', good));
    await ask('POST', 'third/');
    expect((await ask('POST', 'third/one.zip?extract=true', two)).status).toBe(400);
    expect(await tree('third/')).toEqual([]);
  });

  it('may be fetched from an address', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/zip').end(good),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
    expect((await ask('POST', `docs/?extract=true&url=${url}`)).body).toEqual(result);
    expect(await tree()).toEqual(whole);
    server.close();
  });

  it('replaces files of the same name, but with check_exist, which is decided before anything is written', async () => {
    put('docs/sub/deep/b.txt', 'old');
    expect(await extract(good, '&check_exist=true')).toEqual([400, "File 'docs/sub/deep/b.txt' already exists."]);
    expect(await tree()).toEqual(['docs/sub/', 'docs/sub/deep/', 'docs/sub/deep/b.txt']);
    expect((await extract(good))[0]).toBe(201);
    expect(read('docs/sub/deep/b.txt')).toHaveLength(100_000);
  });

  it('writes nothing where a folder is in the place of a file, or a file in that of a folder, or no folder at all', async () => {
    put('docs/sub/deep/b.txt/in', 'x');
    expect(await extract(good)).toEqual([400, "Folder 'docs/sub/deep/b.txt/' already exists."]);
    await ask('DELETE', 'docs/?force=true&content_only=true');
    put('docs/sub', 'x');
    expect(await extract(good)).toEqual([400, "File 'docs/sub' already exists."]);
    expect(await tree()).toEqual(['docs/sub']);
    const none = await ask('POST', 'none/?extract=true', { body: good, headers: { 'x-file-name': 'x.zip' } });
    expect([none.status, none.body.error.message]).toEqual([404, "Folder 'none' does not exist."]);
  });

  it('empties the folder first with clean, once the zip is found good', async () => {
    put('docs/old/file', 'old');
    expect((await extract(zipOf({ name: 'a', crc: 1, content: 'A' }), '&clean=true'))[0]).toBe(400);
    expect((await extract(Buffer.from('no zip'), '&clean=true'))[0]).toBe(500);
    expect(await tree()).toEqual(['docs/old/', 'docs/old/file']);
    expect((await extract(good, '&clean=true&check_exist=true'))[0]).toBe(201);
    expect(await tree()).toEqual(whole);
    expect((await extract(zipOf({ name: 'a.txt/in', content: '1' }), '&clean=true'))[0]).toBe(201);
    expect(await tree()).toEqual(['docs/a.txt/', 'docs/a.txt/in']);
  });

  it('keeps names: UTF-8 with and without its flag, an old code page, backslashes of DOS', async () => {
    const zip = zipOf(
      { name: 'flagged ä.txt', content: '1' },
      { name: 'bare ö.txt', content: '2', flags: 0 },
      { name: Buffer.from([0x6f, 0x6c, 0x64, 0x20, 0x81, 0x2e, 0x74, 0x78, 0x74]), content: '3', flags: 0, system: 0 },
      { name: 'win\\in\\c.txt', content: '4', system: 0 },
      { name: 'a+b %41&#;[1].txt', content: '5' },
      { name: './dot.txt', content: '6' },
      { name: '😀', content: '7' },
    );
    expect((await extract(zip))[0]).toBe(201);
    expect((await tree()).sort()).toEqual(
      [
        ...['a+b %41&#;[1].txt', 'bare ö.txt', 'dot.txt', 'flagged ä.txt', 'old ü.txt', 'win/', 'win/in/'],
        ...['win/in/c.txt', '😀'],
      ]
        .map((name) => `docs/${name}`)
        .sort(),
    );
  });

  it('may hold what a download as zip holds', async () => {
    put('source/a b+%.txt', 'x');
    put('source/deep/ö', 'y');
    mkdirSync(join(root, 'source/none'));
    const zip = (await ask('GET', 'source/?zip=true')).bytes;
    expect((await extract(zip))[0]).toBe(201);
    const names = (paths: string[]) => paths.map((path) => path.replace(/^\w+\//, ''));
    expect(names(await tree())).toEqual(names(await tree('source/')));
    expect(read('docs/a b+%.txt')).toBe('x');
  });

  it('names the files of a form that failed, when the others are written', async () => {
    put('docs/b.txt', 'old');
    const parts = ['a.txt', 'b.txt', 'c.zip', '..'].map((name) => part('files[]', name, Buffer.from('new')));
    const answer = await ask('POST', 'docs/?check_exist=true&extract=true', form(...parts));
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatchObject({
      message: 'Failed to upload the following files to folder docs/: b.txt, c.zip, ..',
      context: {
        'b.txt': ["File 'docs/b.txt' already exists."],
        'c.zip': ['Error opening temporary zip file. code = 19'],
        '..': [expect.stringMatching(/^The path 'docs\/\.\.' can not be used/)],
      },
    });
    expect(await tree()).toEqual(['docs/a.txt', 'docs/b.txt']);
    expect([read('docs/a.txt'), read('docs/b.txt')]).toEqual(['new', 'old']);
    const alone = await ask('POST', 'docs/?check_exist=true', form(parts[1]!));
    expect([alone.status, alone.body.error.message]).toEqual([400, "File 'docs/b.txt' already exists."]);
    expect((await ask('POST', 'none/', form(...parts))).status).toBe(404);
  });
});

describe('abuse:', () => {
  const first: ZipFixtureEntry = { name: 'first.txt', content: 'first' };
  const bad: [string, Buffer, number, RegExp][] = [
    ['a path that leads up', zipOf(first, { name: '../out', content: 'x' }), 400, /has the part '\.\.'/],
    ['a path that leads up from within', zipOf(first, { name: 'a/../../out' }), 400, /has the part '\.\.'/],
    ['a path from the root', zipOf(first, { name: '/etc/out' }), 400, /has an empty part/],
    ['a path with a drive', zipOf(first, { name: 'C:\\out', system: 0 }), 400, /a path with a drive/],
    ['backslashes that lead up', zipOf(first, { name: '..\\out', system: 0 }), 400, /has the part '\.\.'/],
    ['backslashes in a name of Unix', zipOf(first, { name: 'a\\..\\out' }), 400, /holds a backslash/],
    ['NUL', zipOf(first, { name: 'x\0.txt' }), 400, /control character/],
    ['the name of incomplete files', zipOf(first, { name: '.sluice-tmp/x' }), 400, /are taken/],
    ['a name that is too long', zipOf(first, { name: 'x'.repeat(256) }), 400, /more than 255 bytes/],
    ['a path that is too long', zipOf(first, { name: 'x/'.repeat(2_000) }), 400, /more than 4000 characters/],
    ['a name of nothing', zipOf(first, { name: '/' }), 400, /has an empty part|begins with a slash/],
    ['a link', zipOf(first, { name: 'l', content: '/etc/passwd', mode: 0o120777 }), 400, /holds a link/],
    ['a device', zipOf(first, { name: 'd', mode: 0o020666 }), 400, /holds a link or another special file/],
    ['a file that is encrypted', zipOf(first, { name: 'e', content: 'x', flags: 1 }), 400, /is encrypted/],
    ['an unknown compression', zipOf(first, { name: 'e', content: 'x', method: 99 }), 400, /in an unknown way|damaged/],
    ['a name twice', zipOf(first, { name: 'a' }, { name: 'a' }), 400, /'docs\/a' twice/],
    ['a name in two letter cases', zipOf(first, { name: 'a/B' }, { name: 'A/b' }), 400, /in another spelling/],
    ['a name in two forms', zipOf(first, { name: '\u00e4' }, { name: 'a\u0308' }), 400, /in another spelling/],
    ['a file that is a folder, too', zipOf(first, { name: 'a' }, { name: 'a/b' }), 400, /'docs\/a' twice/],
    ['a wrong checksum', zipOf(first, { name: 'e', content: 'x', crc: 1 }), 400, /'e' is damaged/],
    ['a size that is too small', zipOf(first, { name: 'e', content: 'x'.repeat(5_000_000), size: 1 }), 400, /'e' is/],
    ['a size that is too large', zipOf(first, { name: 'e', content: 'x', size: 2 }), 400, /'e' is damaged/],
    ['more bytes than an upload', zipOf(first, { name: 'e', size: 20_000_001 }), 400, /more than 20000000 bytes/],
    ['entries in one place', zipOf(first, { name: 'firsu.txt', content: 'first', offset: 0 }), 400, /damaged/],
    ['the rest of a zip', good.subarray(0, good.length - 40), 500, /^Error opening temporary zip file\. code = 19$/],
    ['a zip without its beginning', good.subarray(20), 400, /damaged/],
    ['something else', Buffer.from('x'.repeat(1_000)), 500, /^Error opening temporary zip file\. code = 19$/],
    ['nothing', Buffer.alloc(0), 500, /^Error opening temporary zip file\. code = 19$/],
  ];

  it.each(bad)(
    'abuse: %s in a zip is refused, and nothing is written or cleaned',
    async (_what, zip, status, message) => {
      put('docs/kept', 'kept');
      const [answered, text] = await extract(zip, '&clean=true');
      expect(text).toMatch(message);
      expect(answered).toBe(status);
      expect(await tree('')).toEqual(['docs/', 'docs/kept']);
      expect(existsSync(join(platform.folder, 'files', 'out'))).toBe(false);
    },
  );

  it('abuse: a zip has ten thousand files and folders at most, and is no bomb', async () => {
    const many = zipOf(...Array.from({ length: 5_001 }, (_value, index) => ({ name: `d${index}/f`, method: 0 })));
    expect(await extract(many)).toEqual([
      ...[400, 'The zip can not be extracted: it holds more than 10000 files and folders.'],
    ]);
    const deep = zipOf(...Array.from({ length: 100 }, (_value, index) => ({ name: `${index}${'/x'.repeat(1_900)}` })));
    expect((await extract(deep))[0]).toBe(400);
    expect(await tree()).toEqual([]);
  });

  it('abuse: what unpacks to a hundred megabytes from nearly nothing is refused', async () => {
    const large = await startPlatform();
    const config = { container: 'box' };
    await large.create('service', { name: 'box', label: 'Box', type: 'local_file', is_active: true, config });
    const zip = zipOf({ name: 'zeros', content: Buffer.from('x'), size: 101 * 1024 * 1024 });
    const answer = await large.ask('POST', 'box/x.zip?extract=true', { body: zip });
    expect(answer.body.error.message).toBe('The zip can not be extracted: it unpacks to more than 200 times its size.');
    await large.stop();
  });

  it('abuse: a zip writes only where its caller may, and cleans only what they may delete', async () => {
    put('docs/secret/s.txt', 's');
    const id = (await platform.ask('GET', `system/service?filter=name=${service}`)).body.resource[0].id;
    const access = (component: string, verb_mask: number) => ({
      service_id: id,
      component,
      verb_mask,
      requestor_mask: 1,
    });
    const rows = [access('docs/*', 31), access('docs/secret/s.txt', 1), access('docs/sub/deep/b.txt', 0)];
    const role = await platform.create(
      'role',
      { name: `r${number}`, is_active: true, role_service_access_by_role_id: rows },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name: `app${number}`, is_active: true, type: 0, role_id: role.id });
    const user = await platform.create('user', {
      ...{ name: 'u', email: `u${number}@example.com`, is_active: true, password: 'correct horse' },
    });
    const as = { token: await platform.tokenOf(user.id), key: String((app as { api_key?: unknown }).api_key) };
    expect((await extract(good, '', as))[0]).toBe(403);
    expect((await extract(zipOf(first, { name: 'secret/s.txt', content: 'x' }), '', as))[0]).toBe(403);
    expect((await extract(zipOf(first), '&clean=true', as))[0]).toBe(403);
    expect(await tree()).toEqual(['docs/secret/', 'docs/secret/s.txt']);
    expect((await extract(zipOf(first), '', as))[0]).toBe(201);
    expect(await tree()).toEqual(['docs/first.txt', 'docs/secret/', 'docs/secret/s.txt']);
    expect(read('docs/secret/s.txt')).toBe('s');
  });

  it('abuse: an upload that breaks off extracts nothing', async () => {
    const { hostname, port } = new URL(platform.url);
    const { request } = await import('node:http');
    const closed = new Promise<void>((resolve) => {
      const upload = request({
        ...{ hostname, port, method: 'POST', path: `/api/v2/${service}/docs/x.zip?extract=true&clean=true` },
        headers: { 'x-dreamfactory-session-token': platform.adminToken, 'content-length': good.length + 1 },
      });
      upload.on('error', () => {}).on('close', resolve);
      upload.write(good, () => setTimeout(() => upload.destroy(), 50));
    });
    put('docs/kept', '');
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await tree()).toEqual(['docs/kept']);
  });
});
