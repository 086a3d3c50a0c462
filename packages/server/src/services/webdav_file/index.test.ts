// WebDAV, over a real server of rclone, and over servers in this process that answer as no real one should.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { remoteServerMissing, startWebdavServer } from '@sluice/testkit/remote-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';
import type { DavServer } from './dav-client.ts';
import { webdavFile } from './index.ts';
import { openWebdavStorage } from './webdav-storage.ts';

const missing = remoteServerMissing('webdav');

describe.skipIf(missing)(missing ?? 'webdav_file', () => {
  describeFileService(
    'webdav_file',
    async () => {
      const { host, port, username, password, folder, stop } = await startWebdavServer();
      const container = 'new/container %41';
      return {
        config: { base_uri: `http://${host}:${port}/`, username, password, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(folder, container, path)), { recursive: true });
            writeFileSync(join(folder, container, path), '');
          }
        },
        stop,
      };
    },
    { manyFiles: 60 },
  );
});

/** A server in this process that answers as a test says, and the requests it got. */
async function startFake(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const requests: IncomingMessage[] = [];
  const fake = createServer((request, response) => {
    requests.push(request);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    fake.closeAllConnections();
    fake.close();
  };
  return { url: `http://127.0.0.1:${(fake.address() as AddressInfo).port}`, requests, stop, fake };
}

const entryXml = (href: string, facts = '<d:resourcetype/><d:getcontentlength>10</d:getcontentlength>') =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${facts}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const folderFacts = '<d:resourcetype><d:collection/></d:resourcetype>';
const multistatus = (entries: string[]) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${entries.join('')}</d:multistatus>`;
const root = entryXml('/', folderFacts);

describe('a WebDAV server', () => {
  const stops: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const open = async (url: string, changes: Partial<DavServer> = {}) => {
    const options = {
      username: 'u',
      password: 'secret',
      auth: 'basic',
      encoding: undefined,
      proxy: undefined,
    } as const;
    const storage = await openWebdavStorage({ base: new URL(url), ...options, ...changes });
    stops.push(() => storage.close?.());
    return storage;
  };
  const start = async (answer: Parameters<typeof startFake>[0]) => {
    const started = await startFake(answer);
    stops.push(started.stop);
    return started;
  };
  const sendList = (response: ServerResponse, entries: string[]) => {
    const text = multistatus(entries);
    response.writeHead(207, { 'content-type': 'application/xml' });
    // In pieces that end within tags and characters.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37));
    response.end();
  };

  it('abuse: that sends the call elsewhere does not get the login sent there', async () => {
    const other = await start((_request, response) => response.end('stolen'));
    const { url } = await start((_request, response) => response.writeHead(302, { location: `${other.url}/x/` }).end());
    const storage = await open(url);
    await expect(storage.stat('a')).rejects.toMatchObject({ key: 'file.storageFailed' });
    await expect(storage.read('a')).rejects.toMatchObject({ key: 'file.storageFailed' });
    expect(other.requests).toEqual([]);
  });

  it('lists what makes sense beside entries that do not, and nothing from elsewhere', async () => {
    const odd = [
      entryXml('/%zz'),
      '<d:response><d:href></d:href>broken</wrong></d:response>',
      entryXml('/../../etc/passwd'),
    ];
    const others = [entryXml('/sub/deep'), entryXml('/.sluice-tmp/', folderFacts), entryXml('http://elsewhere/b.txt')];
    const times = '<d:resourcetype/><d:getlastmodified>nonsense</d:getlastmodified><d:getetag>W/"x"</d:getetag>';
    const { url } = await start((_request, response) =>
      sendList(response, [root, ...odd, ...others, entryXml('/%C3%A4%20%25.txt'), entryXml('/t', times)]),
    );
    const entries: unknown[] = [];
    for await (const entry of (await open(url)).list('')) entries.push(entry);
    const nothing = { modified: null, contentType: null, etag: null };
    expect(entries).toEqual(
      expect.arrayContaining([
        { path: 'ä %.txt', type: 'file', size: 10, ...nothing },
        { path: 't', type: 'file', size: null, ...nothing },
      ]),
    );
    expect(entries.map((entry) => (entry as { path: string }).path)).not.toEqual(
      expect.arrayContaining(['.sluice-tmp', 'etc/passwd', 'sub/deep']),
    );
  });

  it('abuse: that answers a listing without an end in one entry is left', async () => {
    const { url } = await start((request, response) => {
      if (request.headers.depth === '0') return sendList(response, [root]);
      response.writeHead(207).write('<d:multistatus xmlns:d="DAV:"><d:response>');
      const more = () => {
        while (response.write('x'.repeat(64 * 1024)));
        response.once('drain', more);
      };
      more();
    });
    const storage = await open(url);
    const read = async () => {
      for await (const _entry of storage.list(''));
    };
    await expect(read()).rejects.toMatchObject({ key: 'file.storageFailed' });
  });

  it('that sends a whole file where a part was wanted is not believed', async () => {
    const { url } = await start((request, response) =>
      request.method === 'GET' ? response.end('0123456789') : sendList(response, [root]),
    );
    const storage = await open(url);
    await expect(storage.read('a', { start: 2, end: 3 })).rejects.toMatchObject({ key: 'file.storageFailed' });
    expect((await (await storage.read('a')).toArray()).join('')).toBe('0123456789');
  });

  it('may compress what it sends, as configured', async () => {
    const { url, requests } = await start((request, response) => {
      if (request.method !== 'GET') return sendList(response, [root]);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain text'));
    });
    const storage = await open(url, { encoding: 'gzip' });
    expect((await (await storage.read('a')).toArray()).join('')).toBe('plain text');
    expect(requests.at(-1)?.headers['accept-encoding']).toBe('gzip');
  });

  it('gets the login by Digest where it asks for that, for uploads, too', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const isRight = ({ method, url, headers }: IncomingMessage) => {
      const parts = new Map(
        [...(headers.authorization ?? '').matchAll(/(\w+)="?([^",]+)/g)].map((part) => [part[1], part[2]]),
      );
      const secret = md5('u:box:secret');
      const rest = [parts.get('nonce'), parts.get('nc'), parts.get('cnonce'), 'auth', md5(`${method}:${url}`)];
      return parts.get('uri') === url && parts.get('response') === md5([secret, ...rest].join(':'));
    };
    const uploads: string[] = [];
    const { url, requests } = await start((request, response) => {
      if (!isRight(request))
        return response.writeHead(401, { 'www-authenticate': 'Digest realm="box", nonce="abc", qop="auth"' }).end();
      if (request.method === 'PROPFIND')
        return /^\/(\.sluice-tmp\/)?$/.test(request.url ?? '')
          ? sendList(response, [root])
          : response.writeHead(404).end();
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'PUT') uploads.push(Buffer.concat(chunks).toString());
        response.writeHead(201).end();
      });
    });
    const storage = await open(url, { auth: undefined });
    await storage.write('a b.txt', Readable.from([Buffer.from('whole')]));
    expect(uploads).toEqual(['whole']);
    expect(requests.some(({ headers }) => /^basic/i.test(headers.authorization ?? ''))).toBe(false);
    await expect((await open(url, { auth: 'basic' })).stat('a')).rejects.toMatchObject({ key: 'file.loginRefused' });
  });

  it('is reached through a proxy where one is configured', async () => {
    const proxy = await start((request, response) => {
      expect(request.url).toMatch(/^http:\/\/storage\.example\//);
      sendList(response, [root]);
    });
    const connects: string[] = [];
    proxy.fake.on('connect', (request: IncomingMessage, socket: Socket) => {
      connects.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const through = { proxy: new URL(proxy.url) };
    expect(await (await open('http://storage.example', through)).stat('')).toMatchObject({ type: 'folder' });
    await expect((await open('https://storage.example', through)).stat('')).rejects.toMatchObject({
      ...{ key: 'file.unreachable', message: 'The storage is not available: the proxy answers with 403.' },
    });
    expect(connects).toEqual(['storage.example:443']);
  });

  it('that breaks off within a file does not make it look whole', async () => {
    const { url } = await start((request, response) => {
      if (request.method !== 'GET') return sendList(response, [root]);
      response.writeHead(200, { 'content-length': '1000' }).write('begin');
      setTimeout(() => response.destroy(), 50);
    });
    const content = await (await open(url)).read('a');
    await expect(content.toArray()).rejects.toMatchObject({ key: 'file.unreachable' });
  });
});

it('the configuration is refused with words where it cannot work', () => {
  const type = webdavFile(1);
  const none = Object.fromEntries(Object.keys(type.config ?? {}).map((field) => [field, null]));
  const check = (config: object) => () =>
    type.check?.({ ...none, base_uri: 'https://h/dav', container: '/', ...config } as never);
  expect(check({})).not.toThrow();
  expect(check({ proxy: 'proxy:3128' })).not.toThrow();
  for (const base_uri of ['ftp://h', 'h', 'https://u:p@h/', 'https://h/?a=b'])
    expect(check({ base_uri }), base_uri).toThrow('The base_uri must be a plain http or https address');
  for (const proxy of ['https://h:1', 'u:p@h:1', 'h:1/x'])
    expect(check({ proxy }), proxy).toThrow('The proxy must be host:port');
  expect(check({ auth_type: 4 })).toThrow('NTLM is not available');
});
