// SFTP, over a real server of OpenSSH.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { openCable } from '@sluice/testkit/cable';
import { remoteServerMissing, type SshServer, startSshServer } from '@sluice/testkit/remote-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SftpServer } from './connection.ts';
import { sftpFile } from './index.ts';
import { readPrivateKey } from './private-key.ts';
import { openSftpStorage } from './sftp-storage.ts';

const missing = remoteServerMissing('sftp');

describe.skipIf(missing)(missing ?? 'sftp_file', () => {
  describeFileService(
    'sftp_file',
    async () => {
      const { host, port, username, privateKey, folder, stop } = await startSshServer();
      const container = join(folder, 'new/container');
      return {
        config: { host, port, username, private_key: privateKey, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(container, path)), { recursive: true });
            writeFileSync(join(container, path), '');
          }
        },
        stop,
      };
    },
    { hasEtags: false, manyFiles: 60 },
  );
});

describe.skipIf(missing)('an SFTP server', () => {
  let server: SshServer;
  const opened: Storage[] = [];
  beforeAll(async () => {
    server = await startSshServer({ without: 'posix-rename,fsync' });
  });
  afterAll(async () => {
    for (const storage of opened) await storage.close?.();
    await server?.stop();
  });

  const open = (container: string, changes: Partial<SftpServer> = {}) => {
    const { host, port, username, password, privateKey, folder } = server;
    const options = { host, port, username, password, privateKey, fingerprint: undefined, timeout: 20, ...changes };
    const storage = openSftpStorage(options, join(folder, container));
    opened.push(storage);
    return storage;
  };
  const put = (storage: Storage, path: string, text: string, isNew = false) =>
    storage.write(path, Readable.from([Buffer.from(text)]), { isNew });
  const textOf = async (storage: Storage, path: string) =>
    Buffer.concat(await (await storage.read(path)).toArray()).toString();
  const pathsOf = async (storage: Storage) => {
    const paths: string[] = [];
    for await (const { path } of storage.list('', { isRecursive: true })) paths.push(path);
    return paths;
  };

  it('without a rename that replaces keeps the old file until the new one is there', async () => {
    const storage = open('plain');
    await put(storage, 'a.txt', 'one');
    await put(storage, 'a.txt', 'two');
    expect(await textOf(storage, 'a.txt')).toBe('two');
    await expect(put(storage, 'a.txt', 'three', true)).rejects.toMatchObject({ key: 'file.exists' });
    expect(await textOf(storage, 'a.txt')).toBe('two');
    expect(readdirSync(join(server.folder, 'plain/.sluice-tmp'))).toEqual([]);
  });

  it('abuse: links out of the container are neither listed, read nor written through', async () => {
    const inside = join(server.folder, 'links');
    const outside = join(server.folder, 'outside');
    mkdirSync(join(inside, 'docs'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'secret');
    writeFileSync(join(inside, 'docs/a.txt'), 'a');
    symlinkSync(outside, join(inside, 'docs/out'));
    symlinkSync('../../outside', join(inside, 'docs/relative'));
    symlinkSync(join(outside, 'secret'), join(inside, 'docs/file'));
    symlinkSync('/nowhere', join(inside, 'docs/dangling'));
    symlinkSync('.', join(inside, 'docs/self'));
    const storage = open('links');
    expect(await pathsOf(storage)).toEqual(['docs', 'docs/a.txt', 'docs/self']);
    for (const path of ['docs/out', 'docs/out/secret', 'docs/relative/secret', 'docs/file']) {
      expect([path, await storage.stat(path)]).toEqual([path, undefined]);
      await expect(storage.read(path), path).rejects.toMatchObject({ key: 'file.notFound' });
    }
    await expect(put(storage, 'docs/out/new', 'x')).rejects.toMatchObject({ key: 'file.folderMissing' });
    await expect(storage.makeFolder('docs/out/new')).rejects.toMatchObject({ key: 'file.folderMissing' });
    await put(storage, 'docs/file', 'mine');
    expect(await storage.deleteFile('docs/out/secret')).toBe(false);
    await storage.deleteFolder('docs/out');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('abuse: a server with another host key than that of the fingerprint gets no login', async () => {
    for (const hash of ['sha256', 'md5'] as const)
      expect(await open('print', { fingerprint: server.fingerprint(hash) }).stat('')).toMatchObject({ type: 'folder' });
    const other = `SHA256:${'A'.repeat(43)}`;
    await expect(open('print', { fingerprint: other }).stat('')).rejects.toMatchObject({
      key: 'file.unreachable',
      message: expect.stringContaining(server.fingerprint('sha256')),
    });
  });

  it('abuse: a private key that is none is not shown, and a path that leads to none says nothing of it', async () => {
    const file = join(server.folder, 'not-a-key');
    writeFileSync(file, 'top secret content');
    const key = join(server.folder, 'key');
    writeFileSync(key, server.privateKey, { mode: 0o600 });
    expect(await open('keyed', { privateKey: await readPrivateKey(key) }).stat('')).toMatchObject({ type: 'folder' });
    const messages: string[] = [];
    for (const value of [file, join(server.folder, 'none'), server.folder, '/dev/zero', 'top secret content']) {
      const failed = open('keyed', { privateKey: await readPrivateKey(value) }).stat('');
      const { key, message } = (await failed.catch((error) => error)) as { key?: string; message: string };
      expect([value, key]).toEqual([value, 'file.loginRefused']);
      messages.push(message);
    }
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).not.toContain('secret');
  });

  it('that does not accept the login says so', async () => {
    await expect(open('login', { privateKey: undefined, password: 'wrong' }).stat('')).rejects.toMatchObject({
      key: 'file.loginRefused',
    });
  });

  it('that stops answering is left after the time limit, and the next call has a new connection', async () => {
    const cable = await openCable(server.host, server.port);
    const storage = open('frozen', { port: cable.port, timeout: 2 });
    await put(storage, 'a.txt', 'a');
    cable.freeze();
    await expect(storage.stat('a.txt')).rejects.toMatchObject({ key: 'file.timeout' });
    expect(await textOf(storage, 'a.txt')).toBe('a');
    await cable.cut();
    await expect(storage.stat('a.txt')).rejects.toMatchObject({ key: 'file.unreachable' });
    await cable.mend();
    expect(await textOf(storage, 'a.txt')).toBe('a');
    await cable.cut();
  });

  it('leaves nothing of an upload that breaks off, and of those that a killed process left after a day', async () => {
    const folder = join(server.folder, 'swept');
    mkdirSync(join(folder, '.sluice-tmp'), { recursive: true });
    const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
    for (const name of ['abandoned', 'recent', 'old-kept']) writeFileSync(join(folder, '.sluice-tmp', name), 'x');
    for (const name of ['abandoned', 'old-kept']) utimesSync(join(folder, '.sluice-tmp', name), longAgo, longAgo);
    const storage = open('swept');
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(300_000);
        throw new Error('broken off');
      })(),
    );
    await expect(storage.write('a.txt', broken)).rejects.toThrow('broken off');
    await expect.poll(() => readdirSync(join(folder, '.sluice-tmp')).sort()).toEqual(['old-kept', 'recent']);
    expect(await pathsOf(storage)).toEqual([]);
  });
});

describe('the configuration', () => {
  const type = sftpFile(1);
  const none = Object.fromEntries(Object.keys(type.config ?? {}).map((field) => [field, null]));
  const check = (config: object) => () => type.check?.({ ...none, host: 'h', container: '/', ...config } as never);

  it('is refused with words where it cannot work', () => {
    expect(check({})).not.toThrow();
    expect(check({ host: ' ' })).toThrow('The host field is required.');
    expect(check({ host: 'user@h' })).toThrow('The host must be a name');
    expect(check({ port: 70_000 })).toThrow('The port must be');
    expect(check({ container: '' })).toThrow('The container field is required.');
    expect(check({ container: 'a/../..' })).toThrow('The container must be a plain path');
    expect(check({ host_fingerprint: 'abc' })).toThrow('The host_fingerprint must be');
    for (const form of [`SHA256:${'a'.repeat(43)}`, `MD5:${'0f:'.repeat(15)}0f`, '0F'.repeat(20)])
      expect(check({ host_fingerprint: form })).not.toThrow();
  });

  it('keeps the key secret', () => {
    expect(type.config).toMatchObject({ private_key: { type: 'text', secret: true }, password: { secret: true } });
  });
});
