// Fetching for callers, against servers of this machine and names that a test gives addresses to.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { privateTargetsOf } from '../settings/index.ts';
import { isPublicAddress } from './address.ts';
import { createFetch, type Fetch, type FetchSettings, fileNameOf } from './index.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts a server; answers its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const read = async (fetch: Fetch, address: string, limit = 1_000_000): Promise<string> => {
  const { content } = await fetch(address, { limit });
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
/** The text of a file or the key of the failure. */
const outcome = (fetch: Fetch, address: string, limit?: number) =>
  read(fetch, address, limit).catch((error) => error.key ?? error);

/** Names with the addresses they have, one list for each time they are looked up. */
const named = (names: Record<string, string[]>, more: Partial<FetchSettings> = {}) => {
  const lookups: string[] = [];
  const fetch = createFetch({
    privateTargets: ['127.0.0.2', 'trusted.test'],
    resolve: async (name) => {
      lookups.push(name);
      const address = names[name]?.shift();
      if (address === undefined) throw new Error('unknown');
      return address.split(' ').map((part) => ({ address: part, family: part.includes(':') ? 6 : 4 }));
    },
    ...more,
  });
  return { fetch, lookups };
};
const local = createFetch({ privateTargets: ['127.0.0.1'] });

describe('what is fetched', () => {
  it('reads an address and follows redirects, relative ones too, five at most', async () => {
    const port = await serve(({ url = '' }, response) => {
      const [, left = '0'] = /(\d+)$/.exec(url) ?? [];
      if (left === '0') response.end(`at ${url}`);
      else response.writeHead(302, { location: `hop${Number(left) - 1}` }).end('elsewhere');
    });
    expect(await read(local, `http://127.0.0.1:${port}/a/hop5?x`)).toBe('at /a/hop5?x');
    expect(await read(local, `http://127.0.0.1:${port}/a/hop5`)).toBe('at /a/hop0');
    const tooMany = read(local, `http://127.0.0.1:${port}/a/hop6`);
    await expect(tooMany).rejects.toThrow('Could not read the file: the server redirects more than 5 times.');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('asks for plain bytes, and decompresses %s all the same, up to the limit', async (encoding, compress) => {
    const content = 'x'.repeat(100_000);
    const port = await serve(({ headers }, response) => {
      expect(headers['accept-encoding']).toBe('identity');
      response.setHeader('content-encoding', encoding);
      response.end(compress(content));
    });
    expect(await read(local, `http://127.0.0.1:${port}/`)).toBe(content);
    expect(await outcome(local, `http://127.0.0.1:${port}/`, 99_999)).toBe('fetch.tooLarge');
  });

  it('sends the name and password of an address as Basic, to its server alone, and nothing else', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve(({ headers }, response) => {
      seen.push(headers.authorization, headers.cookie);
      response.end('other');
    });
    const port = await serve(({ url, headers }, response) => {
      seen.push(headers.authorization);
      const location = url === '/out' ? `http://a:b@127.0.0.1:${other}/` : '/out';
      response.writeHead(307, { location }).end();
    });
    expect(await read(local, `http://ada:pa%3Ass@127.0.0.1:${port}/`)).toBe('other');
    const basic = `Basic ${Buffer.from('ada:pa:ss').toString('base64')}`;
    expect(seen).toEqual([basic, basic, undefined, undefined]);
  });

  it('takes the name of a file from the end of the path', () => {
    expect(fileNameOf('https://example.com/a/b%20c.txt?x=/y')).toBe('b c.txt');
    expect(fileNameOf('https://example.com/')).toBe('');
    expect(fileNameOf('https://example.com/..%2f..%2fx')).toBe('../../x');
    expect(() => fileNameOf('https://example.com/%ff')).toThrow('The URL is not valid');
  });
});

describe('what fails', () => {
  it('says what another server did', async () => {
    const port = await serve(({ url }, response) => {
      if (url === '/loop') response.writeHead(302).end();
      else response.writeHead(Number(url?.slice(1))).end('secret text');
    });
    const message = (path: string) => read(local, `http://127.0.0.1:${port}/${path}`).catch(({ message }) => message);
    expect(await message('404')).toBe('Invalid URL entered. File not found.');
    expect(await message('410')).toBe('Invalid URL entered. File not found.');
    expect(await message('503')).toBe('Could not read the file: the server answered with status 503.');
    expect(await message('206')).toBe('Could not read the file: the server answered with status 206.');
    expect(await message('loop')).toBe('Could not read the file: the server answered with status 302.');
    const closed = await serve(() => {});
    servers.pop()?.close();
    const refused = read(local, `http://127.0.0.1:${closed}/`);
    await expect(refused).rejects.toThrow('Could not read the file: the connection was refused.');
    const { fetch } = named({});
    await expect(read(fetch, 'http://nowhere.test/')).rejects.toThrow(
      'Could not read the file: its name is not known.',
    );
  });

  it.each(['length', 'chunked', 'gzip'])('fails where the source ends early (%s)', async (kind) => {
    const port = await serve((_request, response) => {
      if (kind === 'length') response.setHeader('content-length', 2_000);
      if (kind === 'gzip') {
        response.setHeader('content-encoding', 'gzip');
        return response.end(gzipSync('x'.repeat(10_000)).subarray(0, 30));
      }
      return response.write('x'.repeat(1_000), () => response.destroy());
    });
    await expect(read(local, `http://127.0.0.1:${port}/`)).rejects.toThrow(
      'Could not read the file: the answer ended early.',
    );
  });

  it('waits neither for a connection, nor for an answer, nor for the next bytes without end', async () => {
    const port = await serve(({ url }, response) => {
      if (url === '/begins') response.write('x');
      if (url === '/drips') setInterval(() => response.write('x'), 20).unref();
    });
    const quick = { privateTargets: true as const, idleTimeout: 100, totalTimeout: 400 };
    const fetch = createFetch(quick);
    for (const path of ['silent', 'begins', 'drips'])
      expect(await outcome(fetch, `http://127.0.0.1:${port}/${path}`)).toBe('fetch.failed');
    const { fetch: stuck } = named({}, { resolve: () => new Promise(() => {}), connectTimeout: 50 });
    await expect(read(stuck, 'http://slow.test/')).rejects.toThrow('no connection within 0.05 seconds');
  });

  it('ends with the call it is for', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await serve((_request, response) => {
      response.on('close', closed);
      response.write('x');
    });
    const caller = new AbortController();
    const { content } = await local(`http://127.0.0.1:${port}/`, { limit: 10, signal: caller.signal });
    const failure = content.toArray().catch(({ key }) => key);
    caller.abort();
    expect(await failure).toBe('fetch.failed');
    await isClosed;
  });

  it('refuses more bytes than the limit, announced or not', async () => {
    const port = await serve(({ url }, response) => {
      if (url === '/announced') response.setHeader('content-length', 101);
      response.end('x'.repeat(101));
    });
    expect(await outcome(local, `http://127.0.0.1:${port}/announced`, 100)).toBe('fetch.tooLarge');
    expect(await outcome(local, `http://127.0.0.1:${port}/`, 100)).toBe('fetch.tooLarge');
    expect(await outcome(local, `http://127.0.0.1:${port}/`, 101)).toHaveLength(101);
  });
});

describe('abuse:', () => {
  const closed = createFetch({ privateTargets: [] });

  it.each([
    ...[
      'ftp://example.com/',
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
      '',
      'nonsense',
      '//x/y',
    ],
    ...[`http://example.com/${'x'.repeat(8_000)}`, 'http://', 'http://exa mple.com/', 'http://u:%ff@example.com/'],
  ])('abuse: %s is no address of a web server', async (address) => {
    expect(await outcome(closed, address)).toBe('fetch.badAddress');
  });

  it.each([
    ...[
      '127.0.0.1',
      '127.1',
      '0',
      '0.0.0.0',
      '2130706433',
      '0177.0.0.1',
      '0x7f.1',
      '0x7f000001',
      '127.0.0.1.',
      '①27.0.0.1',
    ],
    ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1'],
    ...['255.255.255.255', '240.0.0.1', '198.18.0.1', '192.0.2.1', '192.0.0.192', '[::1]', '[::]', '[fe80::1]'],
    ...['[fc00::1]', '[fd12::1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]'],
    ...['[2002:7f00:1::]', '[2001::1]', '[::127.0.0.1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
  ])('abuse: %s is not fetched from', async (host) => {
    expect(await outcome(closed, `http://${host}:1/`)).toBe('fetch.refused');
    expect(await outcome(closed, `https://user:pw@${host}/`)).toBe('fetch.refused');
  });

  it('abuse: a name, whatever it leads to, is judged by the addresses it has', async () => {
    const port = await serve((_request, response) => response.end('inside'));
    const { fetch } = named({
      'inside.test': ['127.0.0.1'],
      'several.test': ['127.0.0.1 ::1 169.254.169.254 ::ffff:10.0.0.1'],
      'trusted.test': ['127.0.0.1'],
      'x.trusted.test': ['127.0.0.1'],
    });
    for (const name of ['inside.test', 'several.test', 'x.trusted.test'])
      expect(await outcome(fetch, `http://${name}:${port}/`), name).toBe('fetch.refused');
    expect(await outcome(fetch, `http://trusted.test:${port}/`)).toBe('inside');
    const { fetch: some } = named({ 'mixed.test': ['10.0.0.1 ::1 127.0.0.1'] }, { privateTargets: ['127.0.0.1'] });
    expect(await outcome(some, `http://mixed.test:${port}/`)).toBe('inside');
    expect(await outcome(closed, `http://localhost:${port}/`)).toBe('fetch.refused');
  });

  it('abuse: a name that means another address a moment later is connected to where it was checked', async () => {
    const port = await serve((_request, response) => response.end('inside'));
    const turns = { 'turns.test': ['127.0.0.2', '127.0.0.1', '127.0.0.1'] };
    const { fetch, lookups } = named(turns, { connectTimeout: 500 });
    // On 127.0.0.2 nothing listens: the second address would have answered.
    expect(await outcome(fetch, `http://turns.test:${port}/`)).toBe('fetch.failed');
    expect(lookups).toEqual(['turns.test']);
    expect(await outcome(fetch, `http://turns.test:${port}/`)).toBe('fetch.refused');
  });

  it('abuse: a redirect leads nowhere that an address would not', async () => {
    const inside = await serve((_request, response) => response.end('inside'));
    let location = '';
    const port = await serve((_request, response) => response.writeHead(302, { location }).end());
    const { fetch } = named({ 'inside.test': ['127.0.0.1'], 'trusted.test': Array(6).fill('127.0.0.1') });
    for (location of [`http://127.0.0.1:${inside}/`, `//0x7f.1:${inside}/`, `http://inside.test:${inside}/`])
      expect(await outcome(fetch, `http://trusted.test:${port}/`), location).toBe('fetch.refused');
    for (location of ['file:///etc/passwd', 'ftp://trusted.test/', 'http://'])
      expect(await outcome(fetch, `http://trusted.test:${port}/`), location).toBe('fetch.badAddress');
  });

  it('abuse: no address of this machine is public', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
    expect(own.filter(isPublicAddress)).toEqual([]);
    expect(
      ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'].filter(isPublicAddress),
    ).toHaveLength(5);
  });
});

describe('the setting', () => {
  it('takes names, addresses and ranges', async () => {
    expect(privateTargetsOf({ fetchPrivate: '' })).toEqual([]);
    expect(privateTargetsOf({ fetchPrivate: 'TRUE' })).toBe(true);
    const list = ['files.internal', '10.0.0.0/8', 'fd00::/8', '127.0.0.1', 'localhost'];
    expect(privateTargetsOf({ fetchPrivate: `${list.join(', ')},` })).toEqual(list);
    for (const bad of ['10.0.0.0/33', 'http://x', 'a b', '10.0.0', '*.internal'])
      expect(() => privateTargetsOf({ fetchPrivate: bad }), bad).toThrow('SLUICE_FETCH_PRIVATE is true or a list of');
    const port = await serve((_request, response) => response.end('inside'));
    const of = (fetchPrivate: string) => createFetch({ privateTargets: privateTargetsOf({ fetchPrivate }) });
    for (const set of ['true', '127.0.0.0/8', '127.0.0.1'])
      expect(await outcome(of(set), `http://127.0.0.1:${port}/`), set).toBe('inside');
    expect(await outcome(of('localhost'), `http://localhost:${port}/`)).toBe('inside');
    for (const set of ['10.0.0.0/8', '127.0.0.2', 'localhost', '::/1'])
      expect(await outcome(of(set), `http://127.0.0.1:${port}/`), set).toBe('fetch.refused');
  });
});
