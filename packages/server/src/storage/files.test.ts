// The calls of file services, through HTTP, over a folder of this machine.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());

let number = 0;
let service = '';
let root = '';
beforeEach(async () => {
  number += 1;
  service = `box${number}`;
  root = join(platform.folder, 'files', service);
  await platform.create('service', {
    ...{ name: service, label: service, type: 'local_file', is_active: true, config: { container: service } },
  });
});

const ask = (verb: string, path: string, options?: AskOptions) => platform.ask(verb, `${service}/${path}`, options);
const put = (path: string, content: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
};
const errorOf = async (verb: string, path: string, options?: AskOptions) => {
  const { status, body } = await ask(verb, path, options);
  return [status, body.error?.message];
};

describe('reading', () => {
  it('lists folders with their four keys and files with six, in order of names', async () => {
    put('docs/b.txt', 'two');
    put('docs/sub/c.txt', 'three');
    put('docs/a.bin', '1');
    const { status, body } = await ask('GET', 'docs/');
    expect(status).toBe(200);
    const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    expect(body).toEqual({
      resource: [
        {
          ...{ path: 'docs/a.bin', content_type: 'application/octet-stream', last_modified: date },
          ...{ content_length: 1, name: 'a.bin', type: 'file' },
        },
        {
          ...{ path: 'docs/b.txt', content_type: 'text/plain', last_modified: date },
          ...{ content_length: 3, name: 'b.txt', type: 'file' },
        },
        { path: 'docs/sub/', last_modified: date, name: 'sub', type: 'folder' },
      ],
    });
    const names = async (query: string) =>
      (await ask('GET', `docs/?${query}`)).body.resource.map((item: { name: string }) => item.name ?? item);
    expect(await names('include_files=false')).toEqual(['sub']);
    expect(await names('include_folders=false')).toEqual(['a.bin', 'b.txt']);
    expect(await names('full_tree=true')).toEqual(['a.bin', 'b.txt', 'sub', 'sub/c.txt']);
    expect(await names('search=B')).toEqual(['a.bin', 'b.txt', 'sub']);
    expect(await names('as_list=true')).toEqual(['docs/a.bin', 'docs/b.txt', 'docs/sub/']);
    expect((await ask('GET', 'docs/?fields=name')).body.resource[0]).toEqual({ name: 'a.bin' });
    expect((await ask('GET', '?as_access_list=true')).body.resource).toEqual([
      ...['', '*', 'docs/', 'docs/*', 'docs/sub/', 'docs/sub/*'],
    ]);
    expect((await ask('GET', 'docs/?include_properties=true')).body).toEqual({
      ...{ name: 'docs', path: 'docs/', last_modified: date },
    });
    expect(await errorOf('GET', 'none/')).toEqual([404, "Folder 'none/' does not exist in storage."]);
  });

  it('sends a long listing whole, as records and as paths', async () => {
    put('many/x', '');
    for (let index = 0; index < 1_200; index++) writeFileSync(join(root, 'many', `f${index}`), '');
    expect((await ask('GET', 'many/')).body.resource).toHaveLength(1_201);
    expect((await ask('GET', 'many/?as_list=true')).body.resource).toHaveLength(1_201);
  });

  it('sends a file with its length, validators and ranges, and never as a page of this address', async () => {
    put('docs/a.txt', '0123456789');
    const { status, text, headers } = await ask('GET', 'docs/a.txt');
    expect([status, text]).toEqual([200, '0123456789']);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/plain', 'content-length': '10', 'content-disposition': 'inline' },
      ...{ 'cache-control': 'private', expires: '0', pragma: 'public', 'accept-ranges': 'bytes' },
      ...{ 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' },
    });
    const range = (value: string, extra = {}) => ask('GET', 'docs/a.txt', { headers: { range: value, ...extra } });
    expect(await range('bytes=0-')).toMatchObject({ status: 206, text: '0123456789' });
    expect(await range('bytes=-3')).toMatchObject({ status: 206, text: '789' });
    expect(await range('bytes=0-0')).toMatchObject({ status: 206, text: '0' });
    expect(await range('bytes=5-999')).toMatchObject({ status: 206, text: '56789' });
    expect(await range('bytes=20-')).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
    expect(await range('bytes=0-1', { 'if-range': headers.etag })).toMatchObject({ status: 206, text: '01' });
    expect(await range('bytes=0-1', { 'if-range': '"x"' })).toMatchObject({ status: 200 });
    expect((await ask('GET', 'docs/a.txt', { headers: { 'if-none-match': headers.etag as string } })).status).toBe(304);
    expect(await ask('HEAD', 'docs/a.txt')).toMatchObject({ text: '', headers: { 'content-length': '10' } });
    const download = await ask('GET', 'docs/a.txt?download=true');
    expect(download.headers['content-disposition']).toBe('attachment; filename="a.txt";');
    put('page.html', '<p>');
    expect((await ask('GET', 'page.html')).headers['content-disposition']).toBeUndefined();
    put('app.dfpkg', 'x');
    expect((await ask('GET', 'app.dfpkg')).headers['content-type']).toBe('application/zip');
    expect(await errorOf('GET', 'docs')).toEqual([404, "The specified file 'docs' was not found in storage."]);
    const properties = await ask('GET', 'docs/a.txt?include_properties=true&content=true');
    expect(properties.body).toMatchObject({ path: 'docs/a.txt', name: 'a.txt', content_length: 10 });
    expect(properties.body.content).toBe('MDEyMzQ1Njc4OQ==');
    const plain = await ask('GET', 'docs/a.txt?include_properties=true&content=true&is_base64=false');
    expect(plain.body.content).toBe('0123456789');
  });
});

describe('writing', () => {
  it('writes by header, by address, and as JSON items; a POST and a PUT are one', async () => {
    expect(await ask('POST', '', { headers: { 'x-folder-name': 'docs' } })).toMatchObject({
      ...{ status: 201, body: { name: 'docs', path: 'docs' } },
    });
    const byHeader = await ask('PUT', 'docs/', { body: 'one', headers: { 'x-file-name': 'a+b %41.txt' } });
    expect(byHeader).toMatchObject({
      ...{ status: 201, body: { name: 'a+b %41.txt', path: 'docs/a+b %41.txt', type: 'file' } },
    });
    expect(readFileSync(join(root, 'docs/a+b %41.txt'), 'utf8')).toBe('one');
    expect(await ask('POST', 'docs/b.json', { body: { x: 1 } })).toMatchObject({ status: 201 });
    expect((await ask('GET', 'docs/b.json')).text).toBe('{"x":1}');
    const items = await ask('POST', 'docs/', {
      body: {
        resource: [
          { type: 'folder', name: 'sub' },
          { type: 'file', name: 'c.txt', content: 'SGk=', is_base64: true },
          { type: 'file', name: 'copy.json', source_path: 'docs/b.json' },
          { type: 'file', name: 'moved.json', source_path: 'docs/b.json', delete_source: true },
          { type: 'file', name: 'moved.json', source_path: 'docs/c.txt' },
          { type: 'file', name: 'gone', source_path: 'docs/none' },
        ],
      },
    });
    expect(items.status).toBe(201);
    expect(items.body.resource).toEqual([
      { name: 'sub', path: 'docs/sub/', type: 'folder' },
      { name: 'c.txt', path: 'docs/c.txt', type: 'file' },
      { name: 'copy.json', path: 'docs/copy.json', type: 'file' },
      { name: 'moved.json', path: 'docs/moved.json', type: 'file' },
      expect.objectContaining({ error: { message: "File 'docs/moved.json' already exists." } }),
      expect.objectContaining({ error: { message: "File 'docs/none' does not exist." } }),
    ]);
    expect(readFileSync(join(root, 'docs/c.txt'), 'utf8')).toBe('Hi');
    expect(existsSync(join(root, 'docs/b.json'))).toBe(false);
    const tree = await ask('POST', '', { body: { resource: [{ type: 'folder', name: 'new', source_path: 'docs/' }] } });
    expect(tree.body.resource).toEqual([{ name: 'new', path: 'new/', type: 'folder' }]);
    expect(readFileSync(join(root, 'new/c.txt'), 'utf8')).toBe('Hi');
    const into = await ask('POST', 'docs/', {
      body: { resource: [{ type: 'folder', name: 'x', source_path: 'docs/' }] },
    });
    expect(into.body.resource[0].error.message).toBe("Folder 'docs/' can not be copied or moved into itself.");
  });

  const form = (parts: [field: string, name: string, content: string][]): AskOptions => ({
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    body: `${parts
      .map(
        ([field, name, content]) =>
          `--xyz\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n`,
      )
      .join('')}--xyz--\r\n`,
  });

  it('stores the files of a multipart body, one alone on the address of a file', async () => {
    const two = await ask(
      'POST',
      '',
      form([
        ['files[]', 'a.txt', 'A'],
        ['files[]', 'b.txt', 'B'],
        ['other', 'c', 'C'],
      ]),
    );
    expect(two.body.resource).toEqual([
      { name: 'a.txt', path: 'a.txt', type: 'file' },
      { name: 'b.txt', path: 'b.txt', type: 'file' },
    ]);
    expect((await ask('GET', 'b.txt')).text).toBe('B');
    expect((await ask('POST', 'one.txt', form([['files', 'any', 'ONE']]))).status).toBe(201);
    expect((await ask('GET', 'one.txt')).text).toBe('ONE');
    const several = form([
      ['files', 'a', '1'],
      ['files', 'b', '2'],
    ]);
    expect(await errorOf('POST', 'one.txt', several)).toEqual([
      ...[400, "Multiple files uploaded to a single REST resource 'one.txt'."],
    ]);
    expect((await ask('GET', 'one.txt')).text).toBe('ONE');
    expect(await errorOf('POST', 'z', form([]))).toEqual([400, "No file uploaded to REST resource 'z'."]);
  });

  it('says that properties cannot be changed', async () => {
    const message = (kind: string) => `Updating ${kind} properties is not implemented for current file system.`;
    expect(await errorOf('PATCH', '')).toEqual([501, message('container')]);
    expect(await errorOf('PATCH', 'a/')).toEqual([501, message('folder')]);
    expect(await errorOf('PATCH', 'a')).toEqual([501, message('file')]);
  });
});

describe('deleting', () => {
  it('deletes files, folders and lists of them', async () => {
    put('docs/a.txt', 'a');
    put('docs/sub/b.txt', 'b');
    put('c.txt', 'c');
    expect(await errorOf('DELETE', 'docs/')).toEqual([
      ...[400, 'Directory not empty, can not delete without force option.'],
    ]);
    expect((await errorOf('DELETE', 'docs/?content_only=true'))[0]).toBe(400);
    expect((await ask('DELETE', 'docs/a.txt')).body).toEqual({ name: 'a.txt', path: 'docs/a.txt' });
    expect(await errorOf('DELETE', 'docs/a.txt')).toEqual([404, "File 'docs/a.txt' was not found."]);
    expect((await ask('DELETE', 'docs/a.txt?no_check=true')).status).toBe(200);
    const list = { resource: [{ path: 'c.txt' }, { name: 'none.txt' }, { type: 'folder', path: 'docs/sub' }, {}] };
    const { status, body } = await ask('DELETE', '?force=true', { body: list });
    expect(status).toBe(200);
    expect(body.resource).toEqual([
      { name: 'c.txt', path: 'c.txt', type: 'file' },
      expect.objectContaining({ name: 'none.txt', error: { message: "File 'none.txt' was not found." } }),
      { name: 'sub', path: 'docs/sub/', type: 'folder' },
      expect.objectContaining({ error: { message: 'No path or name provided for resource.' } }),
    ]);
    expect(existsSync(join(root, 'docs/sub'))).toBe(false);
    expect((await ask('DELETE', 'docs/')).body).toEqual({ name: 'docs', path: 'docs/' });
    expect(await ask('DELETE', 'nope/')).toMatchObject({ status: 200, body: { name: 'nope', path: 'nope/' } });
    expect(await errorOf('DELETE', '')).toEqual([400, 'No resources given for delete.']);
    put('keep/a', '');
    expect((await ask('DELETE', 'keep/?force=true&content_only=true')).status).toBe(200);
    expect(readdirSync(join(root, 'keep'))).toEqual([]);
  });
});

describe('abuse:', () => {
  const bad = ['../out', 'a/../../out', '%2e%2e/out', '..%2fout', 'a//b', './a', 'a%5c..%5cb', '.sluice-tmp/x', '%00'];

  it.each(bad)('abuse: %s is refused in every call that takes a path', async (path) => {
    writeFileSync(join(platform.folder, 'files', 'out'), 'outside');
    const decoded = decodeURIComponent(path);
    for (const verb of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const end of ['', '/']) expect((await ask(verb, path + end)).status, `${verb} ${path}${end}`).toBe(400);
    const itemsOf = async (verb: string, item: object) =>
      (await ask(verb, '', { body: { resource: [item] } })).body.resource[0];
    expect(await itemsOf('DELETE', { path: decoded })).toHaveProperty('error');
    expect(await itemsOf('POST', { type: 'file', path: decoded, content: 'x' })).toHaveProperty('error');
    expect(await itemsOf('POST', { type: 'file', name: 'x', source_path: decoded })).toHaveProperty('error');
    if (!decoded.includes('\0'))
      expect((await ask('POST', '', { body: 'x', headers: { 'x-file-name': decoded } })).status).toBe(400);
    expect(readFileSync(join(platform.folder, 'files', 'out'), 'utf8')).toBe('outside');
  });

  it('abuse: links out of the container are neither read, listed, zipped, written through nor deleted through', async () => {
    const outside = join(platform.folder, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'secret'), 'secret');
    put('docs/a.txt', 'a');
    symlinkSync(outside, join(root, 'docs/out'));
    symlinkSync(join(outside, 'secret'), join(root, 'docs/file'));
    symlinkSync('/nowhere', join(root, 'docs/dangling'));
    symlinkSync('.', join(root, 'docs/self'));
    const listed = await ask('GET', 'docs/?full_tree=true&as_list=true');
    expect(listed.body.resource).toEqual(['docs/a.txt', 'docs/self/']);
    for (const path of ['docs/out/', 'docs/out/secret', 'docs/file'])
      expect((await ask('GET', path)).status, path).toBe(404);
    expect((await ask('POST', 'docs/out/new', { body: 'x' })).status).toBe(404);
    await ask('POST', 'docs/file', { body: 'mine' });
    await ask('DELETE', 'docs/out/secret');
    await ask('DELETE', 'docs/?force=true');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('abuse: a container is neither the data folder, nor in it, nor around it', async () => {
    for (const container of [platform.folder, '/', join(platform.folder, 'db'), join(platform.folder, 'files')]) {
      const name = `own${number}${container.length}`;
      await platform.create('service', {
        name,
        label: name,
        type: 'local_file',
        is_active: true,
        config: { container },
      });
      expect((await platform.ask('GET', `${name}/`)).status, container).toBe(400);
    }
    const config = { container: '../../etc' };
    const refused = await platform.ask('POST', 'system/service', {
      body: { resource: [{ name: 'up', label: 'up', type: 'local_file', config }] },
    });
    expect(refused.status).toBe(400);
  });

  it('abuse: a role that lacks a path lacks it in lists, copies, zips and forced deletes, too', async () => {
    put('docs/a.txt', 'a');
    put('docs/secret.txt', 's');
    put('docs/in/hidden.txt', 'h');
    put('other/b.txt', 'b');
    const rows = (await platform.ask('GET', `system/service?filter=name=${service}`)).body.resource;
    const access = (component: string, verb_mask: number) => ({
      service_id: rows[0].id,
      component,
      verb_mask,
      requestor_mask: 1,
    });
    const role = await platform.create(
      'role',
      {
        name: `r${number}`,
        is_active: true,
        role_service_access_by_role_id: [
          access('docs/*', 31),
          access('docs/secret.txt', 0),
          access('docs/in/hidden.txt', 0),
        ],
      },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name: `app${number}`, is_active: true, type: 0, role_id: role.id });
    const key = String((app as { api_key?: unknown }).api_key);
    const user = await platform.create('user', {
      ...{ name: 'u', email: `u${number}@example.com`, is_active: true, password: 'correct horse' },
    });
    const as = { token: await platform.tokenOf(user.id), key };
    expect((await ask('GET', 'docs/a.txt', as)).status).toBe(200);
    const { services } = (await platform.ask('GET', '?group=file&fields=name&include_access=true', as)).body;
    expect(services).toEqual([
      {
        name: service,
        access: [
          { component: 'docs/*', verbs: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
          { component: 'docs/secret.txt', verbs: [] },
          { component: 'docs/in/hidden.txt', verbs: [] },
        ],
      },
    ]);
    expect((await ask('GET', 'docs/secret.txt', as)).status).toBe(403);
    expect((await ask('GET', 'other/b.txt', as)).status).toBe(403);
    const item = async (verb: string, path: string, value: object) =>
      (await ask(verb, path, { ...as, body: { resource: [value] } })).body.resource[0].error?.message;
    const denied = /is not allowed by this user's role\.$/;
    expect(await item('POST', 'docs/', { type: 'file', name: 'x', source_path: 'other/b.txt' })).toMatch(denied);
    expect(await item('POST', 'docs/', { type: 'file', name: 'x', source_path: 'docs/secret.txt' })).toMatch(denied);
    expect(await item('POST', 'docs/', { type: 'file', path: 'other/new', content: 'x' })).toMatch(denied);
    expect(await item('POST', 'docs/', { type: 'folder', name: 'x', source_path: 'docs/in/' })).toMatch(denied);
    expect(await item('DELETE', 'docs/', { path: 'other/b.txt' })).toMatch(denied);
    expect((await ask('DELETE', 'docs/?force=true', as)).status).toBe(403);
    expect(existsSync(join(root, 'docs/a.txt'))).toBe(true);
    const zip = await ask('GET', 'docs/?zip=true', as);
    expect([zip.status, zip.text.includes('a.txt'), zip.text.includes('secret.txt')]).toEqual([200, true, false]);
    const pick = (...names: string[]) => ask('GET', 'docs/?zip=true', { ...as, body: { resource: names } });
    expect((await pick('docs/a.txt', 'docs/secret.txt')).status).toBe(403);
    const named = await pick('docs/a.txt', 'docs/in/');
    expect([named.status, named.text.includes('a.txt'), named.text.includes('hidden.txt')]).toEqual([200, true, false]);
    const many = await pick(...Array.from({ length: 1_001 }, (_, index) => `docs/${index}`));
    expect([many.status, many.body.error.message]).toEqual([400, 'One call can name 1000 files and folders at most.']);
  });
});

describe('a file that somebody else changed', () => {
  it('is not replaced by who read the one before (If-Match)', async () => {
    put('a.txt', 'first');
    const { headers } = await ask('HEAD', 'a.txt');
    const write = (etag: string, content: string) =>
      ask('PUT', 'a.txt', { body: content, headers: { 'content-type': 'text/plain', 'if-match': etag } });
    expect((await write(headers.etag as string, 'second')).status).toBe(201);
    const { status, body } = await write(headers.etag as string, 'mine');
    expect([status, body.error.message]).toEqual([
      412,
      "File 'a.txt' was changed or deleted by someone else in the meantime.",
    ]);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('second');
    expect((await write('*', 'third')).status).toBe(201);
    expect((await ask('PUT', 'new.txt', { body: 'x', headers: { 'if-match': '*' } })).status).toBe(412);
    expect(existsSync(join(root, 'new.txt'))).toBe(false);
  });
});

it('a file that is replaced while it is read is whole, old or new, or read again', async () => {
  const contents = ['a'.repeat(50_000), 'b'.repeat(90_000)];
  put('a.txt', contents[0] as string);
  let isOver = false;
  const writing = (async () => {
    for (let at = 0; !isOver; at++)
      await ask('PUT', 'a.txt', { body: contents[at % 2], headers: { 'content-type': 'text/plain' } });
  })();
  const answers = [];
  for (let at = 0; at < 60; at++) answers.push(await ask('GET', 'a.txt'));
  isOver = true;
  await writing;
  for (const { status, text } of answers) expect(status === 503 || contents.includes(text), `${status}`).toBe(true);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
});
