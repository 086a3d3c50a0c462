// What holds for every type of file services, tried through HTTP over a storage that is really there: a test of a type is one
// call of `describeFileService`. What only a folder of this machine can show is in files.test.ts.
import { request as httpRequest } from 'node:http';
import { type Answer, type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Where the files of a service lie while it is tested. */
export interface StorageServer {
  /** The configuration of the service; its container is empty or not there yet. */
  config: Record<string, unknown>;
  /** What changes the login to a wrong one; absent: another secret. */
  refusedCredentials?: Record<string, unknown>;
  /** Makes empty files in a folder that is there, past the service, where that is quicker. */
  fill?(paths: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** What a type differs in. */
export interface FileServiceTraits {
  /** Files of the longest listing; absent: 2,500, more than object storages list at once. */
  manyFiles?: number;
  /** It answers validators; true where absent. */
  hasEtags?: boolean;
  /** It reads parts of files; true where absent. */
  hasRanges?: boolean;
  /** Of two writers of a file one wins whole, and one of two of a new file is refused; true where absent. */
  isAtomic?: boolean;
  /** There is no server that could be stopped. */
  isLocal?: boolean;
}

interface Item {
  path: string;
  name: string;
  type: 'file' | 'folder';
  error?: { message: string };
}

/** Names that storages are known to bend; each must come back as it was given. */
const oddNames = [
  ...['50% off.txt', '%41%2F.txt', 'a+b.txt', 'a b.txt', 'a&b=c.txt', '#1.txt', 'x;y,z.txt', 'what?.txt', "it's.txt"],
  ...['[1] {2} (3).txt', 'ä ö ß é.txt', '日本.txt', '😀 🎉.txt', '.hidden', 'no ending', '~!@$^*|=.txt', '<b> "q".txt'],
];
const composed = 'caf\u00e9.txt';
const decomposed = 'cafe\u0301.txt';

/** Tests of a type: `start` starts its storage, and the service is made with the configuration that it answers. */
export function describeFileService(
  type: string,
  start: () => Promise<StorageServer>,
  { manyFiles = 2_500, hasEtags = true, hasRanges = true, isAtomic = true, isLocal }: FileServiceTraits = {},
): void {
  describe(`${type}: a file service`, { timeout: 60_000 }, () => {
    let platform: TestPlatform;
    let server: StorageServer;
    let serviceId = 0;

    beforeAll(async () => {
      [platform, server] = await Promise.all([startPlatform(), start()]);
      const config = { ...server.config, public_path: ['/open/'] };
      const service = await platform.create('service', { name: 'box', label: 'box', type, is_active: true, config });
      serviceId = service.id;
    });
    afterAll(async () => {
      await platform?.stop();
      await server?.stop();
    });

    const address = (path: string) => path.split('/').map(encodeURIComponent).join('/');
    /** Calls the service; the path is encoded, the query is not. */
    const ask = (verb: string, path: string, { query = '', ...options }: AskOptions & { query?: string } = {}) =>
      platform.ask(verb, `box/${address(path)}${query && `?${query}`}`, options);
    const put = async (path: string, body: string | Uint8Array = '') => {
      const { status, text } = await ask('POST', path, { body, headers: { 'content-type': 'text/plain' } });
      expect([path, status], text).toEqual([path, 201]);
    };
    const makeFolder = async (path: string) => expect((await ask('POST', `${path}/`)).status).toBe(201);
    const textOf = async (path: string) => (await ask('GET', path)).text;
    const errorOf = async (verb: string, path: string, options?: AskOptions & { query?: string }) => {
      const { status, body } = await ask(verb, path, options);
      return [status, body?.error?.message];
    };
    const pathsOf = async (folder: string, query = 'full_tree=true&as_list=true'): Promise<string[]> =>
      (await ask('GET', folder && `${folder}/`, { query })).body.resource;
    const namesOf = async (folder: string, query: string): Promise<string[]> =>
      (await ask('GET', `${folder}/`, { query })).body.resource.map(({ name }: Item) => name);
    const post = async (folder: string, resource: object[], options?: AskOptions): Promise<Item[]> => {
      const { status, body, text } = await ask('POST', folder && `${folder}/`, { body: { resource }, ...options });
      expect(status, text).toBe(201);
      return body.resource;
    };

    it('connects when its configuration is tried', async () => {
      const tried = await platform.ask('POST', 'system/service/_test', { body: { type, config: server.config } });
      expect(tried).toMatchObject({ status: 200, body: { success: true } });
    });

    /** A case that a folder of this machine, which is no server, does not have. */
    const itOnServer = (name: string, test: () => Promise<void>) => {
      if (!isLocal) it(name, test);
    };
    const fieldsOf = () => Object.entries(platform.types.find(({ name }) => name === type)?.config ?? {});

    itOnServer('abuse: refuses a wrong login in words of the server, without what was sent', async () => {
      const wrong = Buffer.from('some other secret of this length').toString('base64');
      const secrets = fieldsOf().flatMap(([name, { secret }]) => (secret ? [[name, wrong]] : []));
      const config = { ...server.config, ...(server.refusedCredentials ?? Object.fromEntries(secrets)) };
      const { status, text, body } = await platform.ask('POST', 'system/service/_test', { body: { type, config } });
      expect([status, body.error.message]).toEqual([
        ...[503, expect.stringMatching(/^The storage does not accept the login of the service: .+\.$/)],
      ]);
      expect(text).not.toContain(wrong);
    });

    itOnServer('abuse: sends a stored secret nowhere else', async () => {
      const places = fieldsOf().flatMap(([name, { destination, type: kind }]) =>
        destination === true &&
        /^(endpoint|host|url|base_uri|username|account_name|key)$/.test(name) &&
        kind !== 'integer'
          ? [name]
          : [],
      );
      expect(places.length).toBeGreaterThan(1);
      for (const place of places) {
        const config = { [place]: 'http://127.0.0.1:9' };
        const changed = await platform.ask('PATCH', `system/service/${serviceId}`, { body: { config } });
        expect([place, changed.status]).toEqual([place, 400]);
        expect(changed.body.error.message).toMatch(/ field is required when .+ changes\.$/);
      }
    });

    it('lists folders and files with their keys, and in every variant', async () => {
      await makeFolder('list/sub/empty');
      await put('list/b.txt', 'two');
      await put('list/a.bin', '1');
      await put('list/sub/c.txt', 'three');
      const { status, body } = await ask('GET', 'list/');
      expect(status).toBe(200);
      const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
      const items = (body.resource as Item[]).sort((a, b) => (a.name < b.name ? -1 : 1));
      const dated = { last_modified: date };
      expect(items).toEqual([
        {
          path: 'list/a.bin',
          content_type: expect.any(String),
          ...dated,
          content_length: 1,
          name: 'a.bin',
          type: 'file',
        },
        { path: 'list/b.txt', content_type: 'text/plain', ...dated, content_length: 3, name: 'b.txt', type: 'file' },
        { path: 'list/sub/', last_modified: expect.toSatisfy(isDateOrNull), name: 'sub', type: 'folder' },
      ]);
      expect((await namesOf('list', 'include_files=false')).sort()).toEqual(['sub']);
      expect((await namesOf('list', 'include_folders=false')).sort()).toEqual(['a.bin', 'b.txt']);
      expect((await namesOf('list', 'search=B')).sort()).toEqual(['a.bin', 'b.txt', 'sub']);
      expect((await namesOf('list', 'full_tree=true')).sort()).toEqual([
        ...['a.bin', 'b.txt', 'sub', 'sub/c.txt', 'sub/empty'],
      ]);
      const tree = await pathsOf('list');
      expect([...tree].sort()).toEqual(['list/a.bin', 'list/b.txt', 'list/sub/', 'list/sub/c.txt', 'list/sub/empty/']);
      expect(tree.indexOf('list/sub/')).toBeLessThan(tree.indexOf('list/sub/c.txt'));
      expect(tree.indexOf('list/sub/')).toBeLessThan(tree.indexOf('list/sub/empty/'));
      expect((await ask('GET', 'list/', { query: 'fields=name' })).body.resource).toContainEqual({ name: 'a.bin' });
      const access = (await ask('GET', '', { query: 'as_access_list=true' })).body.resource;
      expect(access).toEqual(expect.arrayContaining(['', '*', 'list/', 'list/*', 'list/sub/empty/*']));
      expect((await ask('GET', 'list/', { query: 'include_properties=true' })).body).toEqual({
        ...{ name: 'list', path: 'list/', last_modified: expect.toSatisfy(isDateOrNull) },
      });
      expect(await errorOf('GET', 'none/')).toEqual([404, "Folder 'none/' does not exist in storage."]);
      expect(await pathsOf('list/sub/empty')).toEqual([]);
      // A name that another begins with is no part of its folder.
      await makeFolder('list2');
      expect(await pathsOf('list', 'as_list=true')).not.toContain('list2/');
    });

    it('sends files with their length, validators, ranges and properties', async () => {
      await makeFolder('read');
      await put('read/a.txt', '0123456789');
      const { status, text, headers } = await ask('GET', 'read/a.txt');
      expect([status, text]).toEqual([200, '0123456789']);
      expect(headers).toMatchObject({
        ...{ 'content-type': 'text/plain', 'content-length': '10', 'content-disposition': 'inline' },
        ...{ 'last-modified': expect.stringMatching(/GMT$/), 'content-security-policy': 'sandbox' },
      });
      expect(await ask('HEAD', 'read/a.txt')).toMatchObject({ text: '', headers: { 'content-length': '10' } });
      if (hasRanges) {
        const range = (value: string, extra = {}) => ask('GET', 'read/a.txt', { headers: { range: value, ...extra } });
        expect(await range('bytes=0-')).toMatchObject({ status: 206, text: '0123456789' });
        expect(await range('bytes=-3')).toMatchObject({ status: 206, text: '789' });
        expect(await range('bytes=0-0')).toMatchObject({ status: 206, text: '0' });
        expect(await range('bytes=5-999')).toMatchObject({ status: 206, text: '56789' });
        expect(await range('bytes=20-')).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
        if (hasEtags) {
          expect(await range('bytes=0-1', { 'if-range': headers.etag })).toMatchObject({ status: 206, text: '01' });
          expect(await range('bytes=0-1', { 'if-range': '"x"' })).toMatchObject({ status: 200, text: '0123456789' });
        }
      }
      if (hasEtags) {
        const known = { headers: { 'if-none-match': headers.etag as string } };
        expect((await ask('GET', 'read/a.txt', known)).status).toBe(304);
        await put('read/a.txt', 'abcdefghij');
        expect(await ask('GET', 'read/a.txt', known)).toMatchObject({ status: 200, text: 'abcdefghij' });
        await put('read/a.txt', '0123456789');
      }
      const properties = { query: 'include_properties=true&content=true' };
      expect((await ask('GET', 'read/a.txt', properties)).body).toMatchObject({
        ...{ path: 'read/a.txt', name: 'a.txt', content_type: 'text/plain', content_length: 10 },
        content: 'MDEyMzQ1Njc4OQ==',
      });
      await put('read/empty', '');
      expect(await ask('GET', 'read/empty')).toMatchObject({
        status: 200,
        text: '',
        headers: { 'content-length': '0' },
      });
      expect((await ask('GET', 'read/empty', properties)).body).toMatchObject({ content_length: 0, content: '' });
      expect(await errorOf('GET', 'read')).toEqual([404, "The specified file 'read' was not found in storage."]);
      expect(await errorOf('GET', 'read/none')).toEqual([
        ...[404, "The specified file 'read/none' was not found in storage."],
      ]);
      expect((await ask('GET', 'read/a.txt/')).status).toBe(404);
    });

    it('writes by header, by address, as parts and as items', async () => {
      const folder = await ask('POST', '', { headers: { 'x-folder-name': 'write' } });
      expect(folder).toMatchObject({ status: 201, body: { name: 'write', path: 'write' } });
      const byHeader = await ask('PUT', 'write/', { body: 'one', headers: { 'x-file-name': 'a+b %41.txt' } });
      expect(byHeader.body).toEqual({ name: 'a+b %41.txt', path: 'write/a+b %41.txt', type: 'file' });
      expect(await textOf('write/a+b %41.txt')).toBe('one');
      const both = form([
        ['files[]', 'x.txt', 'X'],
        ['files[]', 'y.txt', 'Y'],
      ]);
      expect((await ask('POST', 'write/', both)).body.resource).toEqual([
        { name: 'x.txt', path: 'write/x.txt', type: 'file' },
        { name: 'y.txt', path: 'write/y.txt', type: 'file' },
      ]);
      expect((await ask('POST', 'write/y.txt', form([['files', 'any', 'new']]))).status).toBe(201);
      expect((await ask('POST', 'write/y.txt', both)).status).toBe(400);
      expect(await textOf('write/y.txt')).toBe('new');
      const items = await post('write', [
        { type: 'folder', name: 'sub' },
        { type: 'file', name: 'c.txt', content: 'SGk=', is_base64: true },
        { type: 'file', name: 'none/c.txt', content: 'x' },
        { type: 'file', path: 'none/c.txt', content: 'x' },
      ]);
      expect(items).toMatchObject([
        { path: 'write/sub/', type: 'folder' },
        { path: 'write/c.txt' },
        { error: {} },
        { error: { message: "Folder 'none' does not exist." } },
      ]);
      expect(await textOf('write/c.txt')).toBe('Hi');
      expect((await ask('POST', 'write/deep/er/est/')).body).toEqual({ name: 'est', path: 'write/deep/er/est/' });
      expect(await errorOf('POST', 'write/deep/er/')).toEqual([400, "Folder 'write/deep/er/' already exists."]);
      expect(await errorOf('POST', 'none/x', { body: 'x' })).toEqual([404, "Folder 'none' does not exist."]);
      expect(await errorOf('POST', 'write/sub', { body: 'x' })).toEqual([400, "Folder 'write/sub/' already exists."]);
      expect(await errorOf('POST', 'write/c.txt/')).toEqual([400, "File 'write/c.txt' already exists."]);
      const again = { body: 'y', query: 'check_exist=true' };
      expect(await errorOf('POST', 'write/c.txt', again)).toEqual([400, "File 'write/c.txt' already exists."]);
      expect(await textOf('write/c.txt')).toBe('Hi');
      await put('write/c.txt', 'replaced');
      expect(await textOf('write/c.txt')).toBe('replaced');
      expect((await ask('PATCH', 'write/c.txt', { body: {} })).status).toBe(501);
      expect((await ask('PATCH', 'write/', { body: {} })).status).toBe(501);
    });

    it('stores and gives back a file of many megabytes as it was', async () => {
      const bytes = Buffer.alloc(18 * 1024 * 1024 + 11, 'a line of no special length\n');
      await makeFolder('large');
      await put('large/file.bin', bytes);
      const read = await ask('GET', 'large/file.bin');
      expect([read.headers['content-length'], read.bytes.equals(bytes)]).toEqual([String(bytes.length), true]);
      expect(await pathsOf('large')).toEqual(['large/file.bin']);
    });

    it('copies and moves files, and never onto another', async () => {
      await makeFolder('copy/to');
      await put('copy/a.txt', 'A');
      await put('copy/b.txt', 'B');
      const results = await post('copy', [
        { type: 'file', name: 'a2.txt', source_path: 'copy/a.txt' },
        { type: 'file', path: 'copy/to/a.txt', source_path: 'copy/a.txt', delete_source: true },
        { type: 'file', name: 'b.txt', source_path: 'copy/a2.txt' },
        { type: 'file', name: 'b.txt', source_path: 'copy/b.txt', delete_source: true },
        { type: 'file', name: 'x.txt', source_path: 'copy/none' },
        { type: 'file', path: 'none/x.txt', source_path: 'copy/b.txt' },
      ]);
      expect(results.map(({ error }) => error?.message)).toEqual([
        ...[undefined, undefined, "File 'copy/b.txt' already exists.", "File 'copy/b.txt' already exists."],
        ...["File 'copy/none' does not exist.", "Folder 'none' does not exist."],
      ]);
      expect((await pathsOf('copy')).sort()).toEqual(['copy/a2.txt', 'copy/b.txt', 'copy/to/', 'copy/to/a.txt']);
      expect(await Promise.all(['copy/a2.txt', 'copy/b.txt', 'copy/to/a.txt'].map(textOf))).toEqual(['A', 'B', 'A']);
      // A name that the storage may take for that of the source.
      await post('copy', [{ type: 'file', name: 'B.TXT', source_path: 'copy/b.txt', delete_source: true }]);
      expect(await Promise.all(['copy/b.txt', 'copy/B.TXT'].map(textOf))).toContain('B');
    });

    it('copies and moves folders with all they hold', async () => {
      await makeFolder('tree/in/empty');
      await put('tree/a.txt', 'A');
      await put('tree/in/b.txt', 'B');
      const all = (folder: string) => ['a.txt', 'in/', 'in/b.txt', 'in/empty/'].map((name) => `${folder}/${name}`);
      await post('', [{ type: 'folder', name: 'tree2', source_path: 'tree/' }]);
      expect((await pathsOf('tree2')).sort()).toEqual(all('tree2'));
      await post('', [{ type: 'folder', name: 'tree3', source_path: 'tree2/', delete_source: true }]);
      expect((await pathsOf('tree3')).sort()).toEqual(all('tree3'));
      expect(await textOf('tree3/in/b.txt')).toBe('B');
      expect((await ask('GET', 'tree2/')).status).toBe(404);
      expect((await pathsOf('tree')).sort()).toEqual(all('tree'));
      const [into, onto] = await post('', [
        { type: 'folder', path: 'tree/in/x', source_path: 'tree/' },
        { type: 'folder', name: 'tree3', source_path: 'tree/' },
      ]);
      expect(into?.error?.message).toBe("Folder 'tree/' can not be copied or moved into itself.");
      expect(onto?.error?.message).toBe("Folder 'tree3/' already exists.");
    });

    it('sends a folder as a zip, empty folders included', async () => {
      await makeFolder('zip/empty');
      await put('zip/ä b.txt', 'text');
      const { bytes, headers } = await ask('GET', 'zip/', { query: 'zip=true' });
      expect(headers['content-disposition']).toBe('attachment; filename="zip.zip";');
      const entries = await entriesOf(bytes);
      expect(entries.map(({ filename }) => filename).sort()).toEqual(['empty/', 'ä b.txt']);
      const file = entries.find(({ directory }) => !directory) as unknown as { getData(to: unknown): Promise<string> };
      expect(await file.getData(new TextWriter())).toBe('text');
    });

    it('sends files and folders that a call names as one zip, each once', async () => {
      await makeFolder('pick/in/deep');
      await makeFolder('pick/empty');
      for (const name of ['a.txt', 'b.txt', 'in/c.txt', 'in/deep/d.txt']) await put(`pick/${name}`, name);
      const pick = (resource: unknown[], folder = 'pick/') =>
        ask('POST', folder, { query: 'zip=true', body: { resource }, headers: { 'x-http-method': 'GET' } });
      const names = async (answer: Answer) => (await entriesOf(answer.bytes)).map(({ filename }) => filename).sort();
      const zip = await pick([
        { name: 'a.txt' },
        { path: 'pick/a.txt', type: 'file' },
        { name: 'in', type: 'folder' },
        { path: 'pick/in/deep/d.txt' },
        'pick/empty/',
      ]);
      expect([zip.status, zip.headers['content-disposition']]).toEqual([200, 'attachment; filename="pick.zip";']);
      expect(await names(zip)).toEqual(['a.txt', 'empty/', 'in/', 'in/c.txt', 'in/deep/', 'in/deep/d.txt']);
      expect(await names(await pick(['pick/in/c.txt', 'pick/b.txt'], ''))).toEqual(['pick/b.txt', 'pick/in/c.txt']);
      const refused = async (item: unknown) => {
        const { status, body } = await pick([{ name: 'a.txt' }, item]);
        return [status, body.error.message];
      };
      expect(await refused({ name: 'none' })).toEqual([
        ...[404, "The specified file 'pick/none' was not found in storage."],
      ]);
      expect(await refused('pick/a.txt/')).toEqual([404, "Folder 'pick/a.txt/' does not exist in storage."]);
      expect(await refused('zip/empty/')).toEqual([400, "The path 'zip/empty' is not in the folder 'pick/'."]);
      expect(await refused({ name: '..' })).toEqual([400, expect.stringContaining("it has the part '..'")]);
    });

    it('keeps names as they are in writing, listing, reading, copying, moving and deleting', async () => {
      await makeFolder('odd');
      for (const name of oddNames) {
        const headers = { 'x-file-name': Buffer.from(name).toString('latin1') };
        const { status, body } = await ask('POST', 'odd/', { body: Buffer.from(name), headers });
        expect([status, body.path]).toEqual([201, `odd/${name}`]);
      }
      const sorted = (folder: string) => oddNames.map((name) => `${folder}/${name}`).sort();
      expect((await pathsOf('odd')).sort()).toEqual(sorted('odd'));
      expect(await Promise.all(oddNames.map((name) => textOf(`odd/${name}`)))).toEqual(oddNames);
      await post('', [{ type: 'folder', name: 'odd2', source_path: 'odd/' }]);
      const moved = 'odd 3 %/+&#;[é]';
      await makeFolder(moved);
      const moves = oddNames.map((name) => ({ type: 'file', name, source_path: `odd/${name}`, delete_source: true }));
      expect((await post(moved, moves)).filter(({ error }) => error)).toEqual([]);
      expect(await pathsOf('odd')).toEqual([]);
      for (const folder of ['odd2', moved]) {
        expect((await pathsOf(folder)).sort()).toEqual(sorted(folder));
        expect(await Promise.all(oddNames.map((name) => textOf(`${folder}/${name}`)))).toEqual(oddNames);
      }
      const zipped = await entriesOf((await ask('GET', 'odd2/', { query: 'zip=true' })).bytes);
      expect(zipped.map(({ filename }) => filename).sort()).toEqual([...oddNames].sort());
      for (const name of oddNames.slice(0, 9)) expect((await ask('DELETE', `odd2/${name}`)).status, name).toBe(200);
      expect(await pathsOf('odd2')).toHaveLength(oddNames.length - 9);
      for (const folder of ['odd2', 'odd 3 %'])
        expect((await ask('DELETE', `${folder}/`, { query: 'force=true' })).status).toBe(200);
    });

    it('never takes one Unicode form of a name for the other and replaces it', async () => {
      await makeFolder('forms');
      await put(`forms/${composed}`, 'composed');
      const { status } = await ask('POST', `forms/${decomposed}`, { body: 'decomposed' });
      expect([201, 400]).toContain(status);
      expect(await textOf(`forms/${composed}`)).toBe('composed');
      expect(await pathsOf('forms')).toHaveLength(status === 201 ? 2 : 1);
    });

    it('deletes files, folders and lists of them', async () => {
      await makeFolder('del/sub');
      await put('del/a.txt', 'a');
      await put('del/sub/b.txt', 'b');
      await put('del/c.txt', 'c');
      expect((await ask('DELETE', 'del/')).status).toBe(400);
      expect((await ask('DELETE', 'del/', { query: 'content_only=true' })).status).toBe(400);
      expect((await ask('DELETE', 'del/a.txt')).body).toEqual({ name: 'a.txt', path: 'del/a.txt' });
      expect(await errorOf('DELETE', 'del/a.txt')).toEqual([404, "File 'del/a.txt' was not found."]);
      expect((await ask('DELETE', 'del/a.txt', { query: 'no_check=true' })).status).toBe(200);
      const resource = [{ name: 'c.txt' }, { name: 'none.txt' }, { type: 'folder', path: 'del/sub' }];
      const listed = await ask('DELETE', 'del/', { query: 'force=true', body: { resource } });
      expect(listed.body.resource).toMatchObject([
        { path: 'del/c.txt' },
        { error: { message: "File 'del/none.txt' was not found." } },
        { path: 'del/sub/', type: 'folder' },
      ]);
      expect(await pathsOf('del')).toEqual([]);
      expect((await ask('DELETE', 'del/')).body).toEqual({ name: 'del', path: 'del/' });
      expect((await ask('GET', 'del/')).status).toBe(404);
      expect((await ask('DELETE', 'del/')).status).toBe(200);
      await makeFolder('keep/in');
      await put('keep/in/a');
      expect((await ask('DELETE', 'keep/', { query: 'force=true&content_only=true' })).status).toBe(200);
      expect(await pathsOf('keep')).toEqual([]);
      expect((await ask('GET', 'keep/')).status).toBe(200);
      // A folder stays when the last file in it goes.
      await makeFolder('keep/last');
      await put('keep/last/a');
      await ask('DELETE', 'keep/last/a');
      expect(await pathsOf('keep')).toEqual(['keep/last/']);
      expect((await ask('DELETE', 'keep/', { query: 'force=true' })).status).toBe(200);
    });

    it.each(['length', 'chunked', 'multipart'])('keeps the old file when an upload breaks off (%s)', async (kind) => {
      const folder = `broken-${kind}`;
      await makeFolder(folder);
      await put(`${folder}/doc.db`, 'the old one');
      for (const name of ['doc.db', 'new.db']) await breakOff(platform, `/api/v2/box/${folder}/${name}`, kind);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await textOf(`${folder}/doc.db`)).toBe('the old one');
      expect(await pathsOf(folder)).toEqual([`${folder}/doc.db`]);
      expect((await ask('GET', `${folder}/new.db`)).status).toBe(404);
    });

    if (isAtomic)
      it('of two writers one wins whole', async () => {
        await makeFolder('race');
        const texts = ['a'.repeat(300_000), 'b'.repeat(300_000)];
        await Promise.all(texts.map((body) => ask('POST', 'race/same', { body })));
        expect(texts).toContain(await textOf('race/same'));
        const query = 'check_exist=true';
        const created = await Promise.all(texts.map((body) => ask('POST', 'race/new', { body, query })));
        const statuses = created.map(({ status }) => status).sort();
        expect(statuses).toEqual([201, 400]);
        expect(texts).toContain(await textOf('race/new'));
      });

    it(`lists, zips and deletes ${manyFiles} files`, async () => {
      await makeFolder('many/in');
      const paths = Array.from({ length: manyFiles }, (_, index) => `many/in/f${index}.txt`);
      if (server.fill) await server.fill(paths);
      else
        for (let at = 0; at < paths.length; at += 8)
          await Promise.all(paths.slice(at, at + 8).map((path) => put(path)));
      expect((await ask('GET', 'many/in/')).body.resource).toHaveLength(manyFiles);
      expect((await pathsOf('many')).sort()).toEqual(['many/in/', ...paths].sort());
      const zipped = await entriesOf((await ask('GET', 'many/in/', { query: 'zip=true' })).bytes);
      expect(zipped).toHaveLength(manyFiles);
      expect((await ask('DELETE', 'many/', { query: 'force=true' })).status).toBe(200);
      expect((await ask('GET', 'many/')).status).toBe(404);
    });

    it('gives everybody the files of a public path, and no others', async () => {
      await makeFolder('open/in');
      await makeFolder('closed');
      await put('open/in/ä 1.txt', 'public');
      await put('closed/a.txt', 'private');
      const get = (path: string) => platform.ask('GET', `/box/${address(path)}`, { token: null });
      expect(await get('open/in/ä 1.txt')).toMatchObject({ status: 200, text: 'public' });
      expect((await get('closed/a.txt')).status).toBe(403);
      expect((await get('open/none.txt')).status).toBe(404);
    });

    it('abuse: a role with one folder has no other, also in lists, copies and forced deletes', async () => {
      await makeFolder('mine/in');
      await makeFolder('other');
      await put('mine/a.txt', 'a');
      await put('other/b.txt', 'b');
      const access = { service_id: serviceId, component: 'mine/*', verb_mask: 31, requestor_mask: 1 };
      const role = await platform.create('role', {
        ...{ name: 'mine', is_active: true, role_service_access_by_role_id: [access] },
      });
      const app = await platform.create('app', { name: 'mine', is_active: true, type: 0, role_id: role.id });
      const user = await platform.create('user', {
        ...{ name: 'u', email: 'u@example.com', is_active: true, password: 'correct horse' },
      });
      const as = {
        token: await platform.tokenOf(user.id),
        key: String((app as { api_key?: unknown }).api_key),
      };
      expect((await ask('GET', 'mine/a.txt', as)).text).toBe('a');
      expect((await ask('POST', 'mine/in/new.txt', { ...as, body: 'new' })).status).toBe(201);
      for (const path of ['other/b.txt', 'other/', 'mine2/', ''])
        expect((await ask('GET', path, as)).status, path).toBe(403);
      const denied = [
        { type: 'file', name: 'x', source_path: 'other/b.txt' },
        { type: 'file', path: 'other/x', content: 'x' },
        { type: 'folder', name: 'x', source_path: 'other/' },
      ];
      for (const { error } of await post('mine', denied, as)) expect(error?.message).toMatch(/is not allowed by/);
      const body = { resource: [{ path: 'other/b.txt' }] };
      expect((await ask('DELETE', 'mine/', { ...as, body })).body.resource[0]).toHaveProperty('error');
      expect((await ask('DELETE', 'other/', { ...as, query: 'force=true' })).status).toBe(403);
      expect(await textOf('other/b.txt')).toBe('b');
      expect((await ask('DELETE', 'mine/', { ...as, query: 'force=true&content_only=true' })).status).toBe(200);
    });

    it.each(['../out', 'a//b', './a', 'a\\b', '.sluice-tmp/x', '\0'])('abuse: the path %j is refused', async (path) => {
      const encoded = path.split('/').map(encodeURIComponent).join('%2f');
      for (const verb of ['GET', 'POST', 'DELETE'])
        for (const end of ['', '/']) expect((await platform.ask(verb, `box/${encoded}${end}`)).status).toBe(400);
      const [copy, write] = await post('', [
        { type: 'file', name: 'x', source_path: path },
        { type: 'file', path, content: 'x' },
      ]);
      expect([copy, write]).toMatchObject([{ error: {} }, { error: {} }]);
    });

    // Last: nothing answers afterwards.
    itOnServer('says that the storage is not available when its server is gone; other services go on', async () => {
      await platform.create('service', {
        ...{ name: 'disk', label: 'disk', type: 'local_file', is_active: true, config: { container: 'disk' } },
      });
      await ask('GET', '');
      await server.stop();
      const calls = [ask('GET', ''), ask('GET', 'read/a.txt'), ask('POST', 'x.txt', { body: 'x' }), ask('DELETE', 'x')];
      for (const { status, body } of await Promise.all(calls)) {
        expect(status).toBe(503);
        expect(body.error.message).toMatch(/^The storage (is not available: .+|did not answer within \d+ seconds)\.$/);
      }
      expect((await platform.ask('GET', 'disk/')).status).toBe(200);
    });
  });
}

const isDateOrNull = (value: unknown) => value === null || /GMT$/.test(String(value));

const form = (parts: [field: string, name: string, content: string][]): AskOptions => ({
  headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  body: `${parts
    .map(
      ([field, name, content]) =>
        `--xyz\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n`,
    )
    .join('')}--xyz--\r\n`,
});

const entriesOf = (bytes: Buffer) => new ZipReader(new Uint8ArrayReader(bytes)).getEntries();

/** Sends the beginning of a file and then drops the connection. */
async function breakOff(platform: TestPlatform, path: string, kind: string): Promise<void> {
  const { hostname, port } = new URL(platform.url);
  const headers = {
    'x-dreamfactory-session-token': platform.adminToken,
    ...(kind === 'length' ? { 'content-length': '12381775' } : { 'transfer-encoding': 'chunked' }),
    ...(kind === 'multipart' ? { 'content-type': 'multipart/form-data; boundary=xyz' } : {}),
  };
  await new Promise<void>((resolve) => {
    const request = httpRequest({ hostname, port, method: 'POST', path, headers });
    request.on('error', () => resolve());
    request.on('close', () => resolve());
    if (kind === 'multipart')
      request.write('--xyz\r\nContent-Disposition: form-data; name="files"; filename="x"\r\n\r\n');
    // More than one part of those that object storages take.
    request.write(Buffer.alloc(9_000_000), () => setTimeout(() => request.destroy(), 50));
  });
}
