// Servers of storages that answer nothing, or a byte now and then: calls end, and say why.
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkFailure, serverWords } from './network.ts';
import { pacedStream, remoteLimits, upload } from './object-calls.ts';

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

describe('a server of S3 that says what cannot be', () => {
  const page = (key: string) =>
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>` +
    `<EncodingType>url</EncodingType><Contents><Key>${key}</Key><Size>4</Size></Contents></ListBucketResult>`;
  const server = createHttpServer((request, response) => {
    const isList = request.url?.includes('list-type=2');
    response.setHeader('content-type', isList ? 'application/xml' : 'text/plain');
    response.setHeader('content-length', isList ? page('100%').length : 4);
    response.end(isList ? page('100%') : request.method === 'HEAD' ? undefined : 'text');
  });
  let platform: TestPlatform;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    platform = await startPlatform();
    const endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const config = { key: 'k', secret: 's', region: 'us-east-1', container: 'box', endpoint };
    await platform.create('service', { name: 'box', label: 'box', type: 'aws_s3', is_active: true, config });
  });
  afterAll(async () => {
    await platform.stop();
    server.close();
  });

  it('abuse: a list that has no end is a failure', async () => {
    const { status, body } = await platform.ask('GET', 'box/?as_list=true');
    expect([status, body.error.message]).toEqual([502, 'The storage answered with an error: its list does not go on.']);
  });

  it('abuse: the whole of a file is not taken for a part of it', async () => {
    const { status, body } = await platform.ask('GET', 'box/a.txt', { headers: { range: 'bytes=1-2' } });
    expect([status, body?.error?.message]).toEqual([
      ...[502, 'The storage answered with an error: it did not send the part that was asked for.'],
    ]);
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
