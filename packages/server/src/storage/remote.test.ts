// Bounds of storages on other machines.
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPathLocks, isListedName, listFolders, serverText, watchTransfer, withinTime } from './remote.ts';
import type { StorageEntry } from './storage.ts';

describe('a transfer', () => {
  /** Sends a few bytes now and then, without an end. */
  const trickle = async function* () {
    for (;;) {
      yield Buffer.from('x');
      await wait(100);
    }
  };

  it('is stopped when its server sends next to nothing', async () => {
    const read = async () => {
      for await (const _chunk of watchTransfer(Readable.from(trickle()), 'source', 1));
    };
    await expect(read()).rejects.toMatchObject({ key: 'file.timeout' });
  });

  it('is stopped when its server takes next to nothing', async () => {
    const upload = watchTransfer(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]), 'target', 1);
    const failed = new Promise((resolve) => upload.once('error', resolve));
    upload.read(10);
    expect(await failed).toMatchObject({ key: 'file.timeout' });
  });

  it('goes on while its caller is slow', async () => {
    const download = watchTransfer(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]), 'source', 1);
    await wait(2500);
    let size = 0;
    for await (const chunk of download) size += chunk.length;
    expect(size).toBe(400_000);
    const source = new PassThrough();
    const upload = watchTransfer(source, 'target', 1);
    const text = (async () => Buffer.concat(await upload.toArray()).toString())();
    source.write('a');
    await wait(1500);
    source.end('b');
    expect(await text).toBe('ab');
  });

  it('passes the error of its source', async () => {
    const source = new PassThrough();
    const download = watchTransfer(source, 'source', 1, () => new Error('translated'));
    source.destroy(new Error('raw'));
    await expect(download.toArray()).rejects.toThrow('translated');
  });
});

it('an answer that does not come is a failure after its time', async () => {
  let isAbandoned = false;
  const never = withinTime(0.05, new Promise(() => {}), () => {
    isAbandoned = true;
  });
  await expect(never).rejects.toMatchObject({ key: 'file.timeout' });
  expect(isAbandoned).toBe(true);
  expect(await withinTime(1, Promise.resolve('answer'))).toBe('answer');
});

it('what is done to one path is done one after the other, also after a failure', async () => {
  const lock = createPathLocks();
  const steps: string[] = [];
  const run = (name: string) => async () => {
    steps.push(`${name} begins`);
    await wait(10);
    steps.push(`${name} ends`);
    if (name === 'a') throw new Error('a');
  };
  const results = await Promise.allSettled([lock('x', run('a')), lock('x', run('b')), lock('y', run('c'))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps.filter((step) => !step.startsWith('c'))).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

it('abuse: names that lead elsewhere, and our own, are not listed', () => {
  for (const name of ['', '.', '..', 'a/b', 'a\r\nDELE x', '\0', '.sluice-tmp', '.Sluice-tmp-x'])
    expect([name, isListedName(name)]).toEqual([name, false]);
  for (const name of ['a', '.hidden', ' ', '%2e%2e', 'ä']) expect([name, isListedName(name)]).toEqual([name, true]);
});

it('a recursive listing is in order and does not go into links', async () => {
  const entry = (path: string, type: 'file' | 'folder'): StorageEntry => ({
    ...{ path, type, size: null, modified: null, contentType: null, etag: null },
  });
  async function* readFolder(folder: string) {
    if (folder === '') yield* [entry('b', 'file'), { ...entry('link', 'folder'), isLink: true }, entry('a', 'folder')];
    else yield entry(`${folder}/c`, 'file');
  }
  const paths: string[] = [];
  for await (const { path } of listFolders(readFolder, '', { isRecursive: true })) paths.push(path);
  expect(paths).toEqual(['a', 'a/c', 'b', 'link']);
});

it('abuse: what a server says is shown short and in printable characters', () => {
  expect(serverText('550 no\r\nway\u0007. ')).toBe('550 no way');
  expect(serverText('x'.repeat(1000))).toHaveLength(200);
});

it('a transfer that breaks off while nobody reads it harms nothing else', async () => {
  const source = new PassThrough();
  const download = watchTransfer(source, 'source', 1);
  source.destroy(new Error('broken off'));
  await wait(20);
  expect(download.destroyed).toBe(true);
// Servers of storages that answer nothing, or a byte now and then: calls end, and say why.
import { createServer, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkFailure, pacedStream, remoteLimits, serverWords, upload } from './remote.ts';

describe('a server that holds calls', () => {
  const usual = { ...remoteLimits };
  let platform: TestPlatform;
  const sockets = new Set<Socket>();
  /** Accepts, and answers with one byte after the other of a head that never ends. */
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  let url = '';
  beforeAll(async () => {
    Object.assign(remoteLimits, { answer: 400 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    platform = await startPlatform();
  });
  afterAll(async () => {
    Object.assign(remoteLimits, usual);
    await platform.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it.each([
    ['aws_s3', { key: 'k', secret: 's', region: 'us-east-1', container: 'box' }],
    ['azure_blob', { account_name: 'a', account_key: 'a2V5', protocol: 'http', container: 'box' }],
    ['openstack_object_storage', { username: 'u', password: 'p', tenant_name: 't', container: 'box' }],
    ['rackspace_cloud_files', { username: 'u', api_key: 'p', tenant_name: 't', region: 'ORD', container: 'box' }],
  ])('abuse: %s says that it did not answer', async (type, config) => {
    const place = 'protocol' in config || 'key' in config ? { endpoint: url } : { url };
    await platform.create('service', {
      ...{ name: type, label: type, type, is_active: true, config: { ...config, ...place } },
    });
    const { status, body } = await platform.ask('GET', `${type}/`);
    expect([status, body.error.message]).toEqual([503, 'The storage did not answer within 1 seconds.']);
  });
});

describe('a stream of a server', () => {
  const limits = { ...remoteLimits, idle: 200, pace: 400, leastBytes: 1_000 };
  const read = (source: Readable) => Readable.from(pacedStream(source, limits)).toArray();

  it('comes whole', async () => {
    expect(Buffer.concat(await read(Readable.from([Buffer.from('ab'), Buffer.from('c')])))).toEqual(Buffer.from('abc'));
  });

  it('abuse: fails when it pauses or trickles, also when its reader went on', async () => {
    const silent = new PassThrough();
    silent.write('beginning');
    await expect(read(silent)).rejects.toMatchObject({ key: 'file.timeout' });
    expect(silent.destroyed).toBe(true);
    const trickle = new PassThrough();
    const timer = setInterval(() => trickle.write('x'), 30);
    await expect(read(trickle)).rejects.toMatchObject({ key: 'file.timeout' });
    clearInterval(timer);
  });

  it('waits for a reader that is slower than the limits', async () => {
    const stream = pacedStream(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]), limits);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(Buffer.concat(await stream.toArray())).toHaveLength(400_000);
  });
});

describe('an upload', () => {
  it('abuse: fails when the server takes no more of it', async () => {
    const source = Readable.from([Buffer.alloc(10), Buffer.alloc(10)]);
    const sent = upload(
      source,
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
      100,
    );
    await expect(sent).rejects.toMatchObject({
      key: 'file.timeout',
    });
  });

  it('fails with the error of its source', async () => {
    const broken = new Error('the caller went away');
    const source = new Readable({ read: () => source.destroy(broken) });
    await expect(upload(source, ({ body }) => body.toArray())).rejects.toBe(broken);
  });
});

it('names what the network did, without the address', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:9000'), { code: 'ECONNREFUSED' });
  const failure = networkFailure(new TypeError('fetch failed', { cause: refused }));
  expect(failure?.message).toBe('The storage is not available: its server refuses connections.');
  expect(networkFailure(new Error('other'))).toBeUndefined();
});

it('abuse: shows words of a server in one line, and none with a secret', () => {
  expect(serverWords('Not allowed.\nRequestId: 1', ['s3cret'])).toBe('Not allowed');
  expect(serverWords('the key s3cret is wrong', ['s3cret'])).toBe('no reason that could be shown');
});
