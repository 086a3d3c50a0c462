// FTP, over a real server of ProFTPD.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { openCable } from '@sluice/testkit/cable';
import { type RemoteServer, remoteServerMissing, startFtpServer } from '@sluice/testkit/remote-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FtpServer } from './connections.ts';
import { parseFacts } from './facts.ts';
import { openFtpStorage } from './ftp-storage.ts';
import { ftpFile } from './index.ts';

const missing = remoteServerMissing('ftp');

describe.skipIf(missing)(missing ?? 'ftp_file', () => {
  describeFileService(
    'ftp_file',
    async () => {
      const { host, port, username, password, folder, stop } = await startFtpServer();
      const container = 'new/container';
      return {
        config: { host, port, username, password, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(folder, container, path)), { recursive: true });
            writeFileSync(join(folder, container, path), '');
          }
        },
        stop,
      };
    },
    // Of two writers one alone makes a file here because both are calls of one instance.
    { hasEtags: false, manyFiles: 60 },
  );
});

describe.skipIf(missing)('an FTP server', () => {
  let server: RemoteServer;
  const opened: Storage[] = [];
  beforeAll(async () => {
    server = await startFtpServer();
  });
  afterAll(async () => {
    for (const storage of opened) await storage.close?.();
    await server?.stop();
  });

  const open = (container: string, changes: Partial<FtpServer> = {}) => {
    const { host, port, username, password } = server;
    const storage = openFtpStorage(
      { host, port, username, password, isSecure: false, timeout: 20, ...changes },
      container,
    );
    opened.push(storage);
    return storage;
  };
  const textOf = async (storage: Storage, path: string, range?: { start: number; end: number }) =>
    Buffer.concat(await (await storage.read(path, range)).toArray()).toString();

  it('says when a file was written, to the second', async () => {
    const storage = open('times');
    await storage.write('a.txt', Readable.from([Buffer.from('a')]));
    const time = new Date('2020-07-01T12:34:56Z');
    utimesSync(join(server.folder, 'times/a.txt'), time, time);
    expect((await storage.stat('a.txt'))?.modified).toEqual(time);
    for await (const { modified } of storage.list('')) expect(modified).toEqual(time);
  });

  it('serves more calls at once than it has connections, also when callers leave early', async () => {
    const storage = open('many');
    await storage.write('a.bin', Readable.from([Buffer.alloc(3_000_000, 'a')]));
    const left = await Promise.all(Array.from({ length: 5 }, () => storage.read('a.bin')));
    for (const stream of left) stream.destroy();
    const texts = await Promise.all(
      Array.from({ length: 12 }, (_, at) => textOf(storage, 'a.bin', { start: at, end: at + 2 })),
    );
    expect(new Set(texts)).toEqual(new Set(['aaa']));
  });

  it('that does not accept the login, or offers no encryption, says so', async () => {
    await expect(open('x', { password: 'wrong' }).stat('')).rejects.toMatchObject({ key: 'file.loginRefused' });
    await expect(open('x', { isSecure: true }).stat('')).rejects.toMatchObject({
      ...{ key: 'file.unreachable', message: 'The storage is not available: it offers no TLS.' },
    });
  });

  it('that stops answering is left after the time limit, and the next call has a new connection', async () => {
    const cable = await openCable(server.host, server.port);
    const storage = open('frozen', { port: cable.port, timeout: 2 });
    await storage.makeFolder('in');
    cable.freeze();
    await expect(storage.stat('in')).rejects.toMatchObject({ key: 'file.timeout' });
    expect(await storage.stat('in')).toMatchObject({ type: 'folder' });
    await cable.cut();
    await expect(storage.stat('in')).rejects.toMatchObject({ key: 'file.unreachable' });
    await cable.mend();
    expect(await storage.stat('in')).toMatchObject({ type: 'folder' });
    await cable.cut();
  });

  it('leaves nothing of an upload that breaks off, and of those that a killed process left after a day', async () => {
    const storage = open('swept');
    await storage.makeFolder('made');
    const folder = join(server.folder, 'swept/.sluice-tmp');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
    for (const name of ['abandoned', 'recent', 'old-kept']) writeFileSync(join(folder, name), 'x');
    for (const name of ['abandoned', 'old-kept']) utimesSync(join(folder, name), longAgo, longAgo);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(300_000);
        throw new Error('broken off');
      })(),
    );
    const later = open('swept');
    await expect(later.write('a.txt', broken)).rejects.toThrow('broken off');
    await expect.poll(() => readdirSync(folder).sort()).toEqual(['old-kept', 'recent']);
    expect(await later.stat('a.txt')).toBeUndefined();
  });
});

describe('a server that means harm', () => {
  /** A server that answers each command from a table, and what it was sent. */
  const startFake = async (answers: Record<string, string>) => {
    const commands: string[] = [];
    const fake = createServer((socket) => {
      socket.on('error', () => {}).write('220 ready\r\n');
      socket.on('data', (data) => {
        for (const command of data.toString().split('\r\n').filter(Boolean)) {
          commands.push(command);
          socket.write(`${answers[command.split(' ')[0] as string] ?? '200 fine'}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
    return { port: (fake.address() as AddressInfo).port, commands, stop: () => fake.close() };
  };

  it('abuse: gets no password when it refuses the encryption that is configured', async () => {
    const { port, commands, stop } = await startFake({ AUTH: '502 no' });
    const options = { host: '127.0.0.1', port, username: 'u', password: 'secret', isSecure: true, timeout: 2 };
    const storage = openFtpStorage(options, '/');
    await expect(storage.stat('')).rejects.toMatchObject({ key: 'file.unreachable' });
    expect(commands).toEqual(['AUTH TLS']);
    await storage.close?.();
    stop();
  });

  it('abuse: gets no password when its certificate is not valid', async () => {
    const pem = execFileSync(
      'openssl',
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=127.0.0.1 -keyout -'.split(' '),
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const sent: string[] = [];
    const fake = createServer((socket) => {
      socket.on('error', () => {}).write('220 ready\r\n');
      socket.once('data', () => {
        socket.write('234 go on\r\n');
        const secureContext = createSecureContext({ key: pem, cert: pem });
        const secured = new TLSSocket(socket, { isServer: true, secureContext });
        secured.on('error', () => {}).on('data', (data) => sent.push(data.toString()));
      });
    });
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
    const { port } = fake.address() as AddressInfo;
    const options = { host: '127.0.0.1', port, username: 'u', password: 'secret', isSecure: true, timeout: 5 };
    const storage = openFtpStorage(options, '/');
    await expect(storage.stat('')).rejects.toMatchObject({
      ...{ key: 'file.unreachable', message: expect.stringContaining('certificate') },
    });
    expect(sent).toEqual([]);
    await storage.close?.();
    fake.close();
  });

  it('abuse: cannot send a transfer to another host', async () => {
    const { port, stop } = await startFake({
      ...{ USER: '331 password', PASS: '230 in', FEAT: '500 none', EPSV: '500 no', SIZE: '213 3', CWD: '550 no' },
      ...{ PASV: '227 Entering Passive Mode (192,0,2,1,10,10)', MDTM: '500 no' },
    });
    const options = { host: '127.0.0.1', port, username: 'u', password: 'p', isSecure: false, timeout: 2 };
    const storage = openFtpStorage(options, '/');
    await expect(storage.read('a')).rejects.toMatchObject({ key: 'file.unreachable' });
    await storage.close?.();
    stop();
  });
});

describe('facts of a server', () => {
  it('are read line by line; what makes no sense is null, or left out', () => {
    expect(parseFacts('Type=file;Size=10;Modify=20181120100000.123; a b; c.txt')).toEqual({
      ...{ name: 'a b; c.txt', type: 'file', size: 10, modified: new Date('2018-11-20T10:00:00Z') },
    });
    expect(parseFacts(' type=dir;modify=nonsense; folder')).toEqual({
      ...{ name: 'folder', type: 'folder', size: null, modified: null },
    });
    expect(parseFacts('type=OS.unix=symlink;size=-4; link')).toMatchObject({ type: 'link', size: null });
    for (const line of ['type=cdir; .', 'type=pdir; ..', '', 'total 5', '-rw-r--r-- 1 a b 5 Jan 1 00:00 x'])
      expect([line, parseFacts(line)]).toEqual([line, undefined]);
  });
});

it('the configuration is refused with words where it cannot work', () => {
  const type = ftpFile(1);
  const none = Object.fromEntries(Object.keys(type.config ?? {}).map((field) => [field, null]));
  const check = (config: object) => () => type.check?.({ ...none, host: 'h', container: '/', ...config } as never);
  expect(check({})).not.toThrow();
  expect(check({ passive: false })).toThrow('active connections are not available');
  expect(check({ username: 'a\r\nDELE x' })).toThrow('The username must be one line.');
});
