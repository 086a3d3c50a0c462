// Paths and contents that mean harm, and what is easily lost: through HTTP, over a folder of this machine.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from './zip.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

let number = 0;
let service = '';
let root = '';
beforeEach(async () => {
  number += 1;
  service = `box${number}`;
  root = join(platform.folder, 'files', service);
  const config = { container: service, public_path: ['public/'] };
  await platform.create('service', { name: service, label: service, type: 'local_file', is_active: true, config });
  mkdirSync(join(root, 'docs'), { recursive: true });
});

const ask = (verb: string, path: string, options?: AskOptions) => platform.ask(verb, `${service}/${path}`, options);
const paths = async (path = ''): Promise<string[]> =>
  (await ask('GET', `${path}?full_tree=true&as_list=true`)).body.resource;
const item = async (verb: string, path: string, value: object) =>
  (await ask(verb, path, { body: { resource: [value] } })).body.resource[0];
const form = (name: string, content: string | Buffer): AskOptions => ({
  headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  body: Buffer.concat([
    Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n--xyz--\r\n'),
  ]),
});

describe('abuse:', () => {
  it('abuse: names that no path leads to are neither listed nor in zips, although another program made them', async () => {
    for (const name of ['a.txt', '..\\..\\evil.bat', 'line\nbreak', '.sluice-tmpfile'])
      writeFileSync(join(root, 'docs', name), 'x');
    mkdirSync(join(root, 'docs/back\\slash'));
    writeFileSync(join(root, 'docs/back\\slash/b.txt'), 'x');
    expect(await paths()).toEqual(['docs/', 'docs/a.txt']);
    const zip = await ask('GET', 'docs/?zip=true');
    expect([zip.text.includes('a.txt'), /evil|break|b\.txt/.test(zip.text)]).toEqual([true, false]);
    expect((await ask('DELETE', 'docs/?force=true')).status).toBe(400);
  });

  const outside = () => readdirSync(join(platform.folder, 'files')).filter((name) => !/^(box\d+|app)$/.test(name));

  it.each(['..', '../out', '/out', 'a/../../out', '..\\out', '.', '.sluice-tmp', '.SLUICE-TMPx'])(
    'abuse: the name %j is refused in headers, forms, items and sources',
    async (name) => {
      for (const header of ['x-file-name', 'x-folder-name'])
        expect((await ask('POST', 'docs/', { body: 'x', headers: { [header]: name } })).status, header).toBe(400);
      expect((await ask('POST', 'docs/', form(name.replace('\\', '\\\\'), 'x'))).status).toBe(400);
      await ask('POST', 'docs/file', { body: 'x' });
      for (const value of [{ name }, { path: `docs/${name}` }])
        for (const type of ['file', 'folder']) {
          expect(await item('POST', 'docs/', { ...value, type, content: 'x' })).toHaveProperty('error');
          expect(await item('POST', 'docs/', { ...value, type, source_path: 'docs/file' })).toHaveProperty('error');
          expect(await item('DELETE', 'docs/?force=true', { ...value, type })).toHaveProperty('error');
        }
      expect(await item('POST', 'docs/', { name: 'y', type: 'file', source_path: name })).toHaveProperty('error');
      expect(outside()).toEqual([]);
      expect(await paths()).toEqual(['docs/', 'docs/file']);
    },
  );

  it.each([
    ...[
      '%252e%252e%252fout',
      '%25%32%65%252e',
      '\u2024\u2024',
      '\uff0e\uff0e',
      '..\uff0fout',
      '..\u2215out',
      '..%c0%af',
    ],
    ...['...', '..;', '~', '%00.txt', 'con', 'a:b', '*', '$(x)', '`x`', "';--"],
  ])('abuse: the name %j is a name in its folder and nothing else', async (name) => {
    // Node writes a header with a body of text as UTF-8, and one with bytes as it is.
    const options = { body: Buffer.from('mine'), headers: { 'x-file-name': Buffer.from(name).toString('latin1') } };
    expect((await ask('POST', 'docs/', options)).body).toEqual({ name, path: `docs/${name}`, type: 'file' });
    expect((await ask('GET', `docs/${encodeURIComponent(name)}`)).text).toBe('mine');
    expect(readdirSync(join(root, 'docs'))).toEqual([name]);
    expect(outside()).toEqual([]);
  });

  it('abuse: a path has 4,000 characters and a part of it 255 bytes, in every call', async () => {
    const long = 'x/'.repeat(2_000);
    const wide = 'ä'.repeat(128);
    for (const path of [`${long}x`, wide, `docs/${'y'.repeat(256)}`]) {
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      for (const verb of ['GET', 'POST', 'PUT', 'DELETE'])
        for (const end of ['', '/'])
          expect((await ask(verb, encoded + end)).status, `${verb} ${path.length}${end}`).toBe(400);
      expect(await item('POST', '', { path, type: 'file', content: '' })).toHaveProperty('error');
      expect(await item('POST', '', { name: 'x', type: 'file', source_path: path })).toHaveProperty('error');
      expect(await item('DELETE', '', { path })).toHaveProperty('error');
    }
    expect(await paths()).toEqual(['docs/']);
    expect((await ask('POST', encodeURIComponent('ä'.repeat(127)), { body: 'x' })).status).toBe(201);
  });

  it('abuse: nothing is extracted, copied or moved through a link out of the container', async () => {
    const target = join(platform.folder, `outside${number}`);
    mkdirSync(target);
    writeFileSync(join(target, 'secret'), 'secret');
    symlinkSync(target, join(root, 'docs/out'));
    const zip = zipOf({ name: 'out/new', content: 'x' });
    // A folder that cannot be seen is not written through, nor taken for a free name.
    expect((await ask('POST', 'docs/x.zip?extract=true', { body: zip })).status).toBeGreaterThanOrEqual(400);
    expect((await ask('POST', 'docs/out/x.zip?extract=true', { body: zip })).status).toBe(404);
    expect(await item('POST', '', { name: 's', type: 'file', source_path: 'docs/out/secret' })).toHaveProperty('error');
    expect(await item('POST', '', { name: 's', type: 'folder', source_path: 'docs/out/' })).toHaveProperty('error');
    await ask('POST', '?check_exist=true', {
      body: { resource: [{ type: 'folder', name: 't', source_path: 'docs/' }] },
    });
    expect(await paths()).toEqual(['docs/', 't/']);
    await ask('POST', 'docs/y.zip?extract=true&clean=true', { body: zipOf({ name: 'a', content: 'a' }) });
    expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(target)).toEqual(['secret']);
  });

  it.each([
    ['page.html', '<script>parent.x = 1</script>', 'text/html'],
    ['image.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'image/svg+xml'],
    ['plain', '<html><script>1</script>', 'application/octet-stream'],
    ['data.xml', '<x xmlns="http://www.w3.org/1999/xhtml"><script>1</script></x>', /xml$/],
    ['code.js', 'alert(1)', 'text/javascript'],
  ])('abuse: %s that is stored runs nothing, neither by the API nor as a public file', async (name, content, type) => {
    await ask('POST', 'public/');
    await ask('POST', `public/${name}`, { body: content, headers: { 'content-type': 'text/html' } });
    for (const address of [`/api/v2/${service}/public/${name}`, `/${service}/public/${name}`]) {
      const { status, headers, text } = await platform.ask('GET', address);
      expect([status, text], address).toEqual([200, content]);
      expect(headers['content-type']).toMatch(type);
      expect(headers['x-content-type-options']).toBe('nosniff');
      // Without allow-scripts and allow-same-origin a document has neither scripts nor this origin.
      expect(headers['content-security-policy']).toBe('sandbox');
    }
  });
});

describe('what is written under a name is found under it', () => {
  const names = [
    'a+b.txt',
    'a b.txt',
    '100%.txt',
    '%41',
    'a&b=c',
    '#1',
    'x;y',
    '[z] (1)',
    'Ünïcødé',
    '😀.png',
    '?',
    "it's",
  ];

  it.each(names)('%j: read, copied, moved, zipped, extracted, deleted', async (name) => {
    const encoded = encodeURIComponent(name);
    expect((await ask('POST', `docs/${encoded}`, { body: name })).body).toEqual({
      ...{ name, path: `docs/${name}`, type: 'file' },
    });
    expect((await ask('GET', `docs/${encoded}`)).text).toBe(name);
    await ask('POST', 'zips/');
    expect(await item('POST', '', { type: 'file', name: 'copy', source_path: `docs/${name}` })).not.toHaveProperty(
      'error',
    );
    const moved = { type: 'file', name, source_path: 'copy', delete_source: true };
    expect(await item('POST', '', moved)).toEqual({ name, path: name, type: 'file' });
    const zip = (await ask('GET', 'docs/?zip=true')).bytes;
    expect((await ask('POST', 'zips/any.zip?extract=true', { body: zip })).status).toBe(201);
    expect((await paths()).sort()).toEqual([name, 'docs/', `docs/${name}`, 'zips/', `zips/${name}`].sort());
    expect((await ask('GET', `zips/${encoded}`)).text).toBe(name);
    expect(await item('DELETE', '', { path: `docs/${name}` })).not.toHaveProperty('error');
    expect((await ask('DELETE', `zips/${encoded}`)).status).toBe(200);
    expect((await ask('DELETE', encoded)).status).toBe(200);
    expect(await paths()).toEqual(['docs/', 'zips/']);
  });

  it('two Unicode forms of one name never overwrite each other', async () => {
    const [composed, decomposed] = ['\u00e4.txt', 'a\u0308.txt'];
    expect((await ask('POST', encodeURIComponent(composed!), { body: 'one' })).status).toBe(201);
    const second = await ask('POST', encodeURIComponent(decomposed!), { body: 'two' });
    expect((await ask('GET', encodeURIComponent(composed!))).text).toBe('one');
    if (second.status === 201) expect((await ask('GET', encodeURIComponent(decomposed!))).text).toBe('two');
    else expect(second.body.error.message).toMatch(/already exists/);
  });
});

it('a file that is moved or copied onto itself is still there', async () => {
  await ask('POST', 'a.txt', { body: 'content' });
  await ask('POST', 'docs/in', { body: 'in' });
  const onto = { type: 'file', name: 'a.txt', source_path: 'a.txt' };
  for (const delete_source of [true, false])
    expect((await item('POST', '', { ...onto, delete_source })).error.message).toBe("File 'a.txt' already exists.");
  const folder = { type: 'folder', name: 'docs', source_path: 'docs/', delete_source: true };
  expect(await item('POST', '', folder)).toHaveProperty('error');
  await item('POST', '', { type: 'file', name: 'A.txt', source_path: 'a.txt', delete_source: true });
  expect(await paths()).toEqual([expect.stringMatching(/^a\.txt$/i), 'docs/', 'docs/in']);
  expect(readFileSync(join(root, (await paths())[0]!), 'utf8')).toBe('content');
});

it('a thousand is not where a folder ends', async () => {
  const count = 1_001;
  for (let index = 0; index < count; index++) writeFileSync(join(root, 'docs', `f${index}`), `${index}`);
  expect(await paths('docs/')).toHaveLength(count);
  expect((await ask('GET', 'docs/?search=F1')).body.resource).toHaveLength(112);
  const copied = await item('POST', '', { type: 'folder', name: 'copy', source_path: 'docs/' });
  expect(copied).not.toHaveProperty('error');
  expect(await paths('copy/')).toHaveLength(count);
  expect(readFileSync(join(root, 'copy/f1000'), 'utf8')).toBe('1000');
  expect((await ask('DELETE', 'copy/?force=true')).status).toBe(200);
  expect(existsSync(join(root, 'copy'))).toBe(false);
});

it('ranges of a file are those that were asked for', async () => {
  const content = Buffer.alloc(99_698, 'x').fill('end', 99_695);
  await ask('POST', 'video.mp4', { body: content });
  const range = async (value: string) => {
    const { status, headers, bytes } = await ask('GET', 'video.mp4', { headers: { range: value } });
    return [status, headers['content-range'], bytes.length];
  };
  expect(await range('bytes=0-')).toEqual([206, 'bytes 0-99697/99698', 99_698]);
  expect(await range('bytes=-100')).toEqual([206, 'bytes 99598-99697/99698', 100]);
  expect(await range('bytes=0-0')).toEqual([206, 'bytes 0-0/99698', 1]);
  expect(await range('bytes=0-999999')).toEqual([206, 'bytes 0-99697/99698', 99_698]);
  expect((await range('bytes=200000-')).slice(0, 2)).toEqual([416, 'bytes */99698']);
});

it('a zip breaks off where a file in it cannot be read any more', async () => {
  // Random, so that the first file keeps the zip waiting for its reader.
  writeFileSync(join(root, 'docs/a'), randomBytes(30_000_000));
  writeFileSync(join(root, 'docs/b'), 'b');
  const { hostname, port } = new URL(platform.url);
  const headers = { 'x-dreamfactory-session-token': platform.adminToken };
  const outcome = await new Promise<string>((resolve) => {
    const call = request({ hostname, port, path: `/api/v2/${service}/docs/?zip=true`, headers }, (response) => {
      response.once('readable', () => {
        rmSync(join(root, 'docs/b'));
        response.resume();
      });
      response.on('error', () => resolve('broken off')).on('end', () => resolve('whole'));
    });
    call.on('error', () => resolve('broken off')).end();
  });
  expect(outcome).toBe('broken off');
});
