// The log file: its bounds, what stands in its way, and a folder that two servers share.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '@sluice/testkit/platform';
import { mountSmallDisk } from '@sluice/testkit/small-disk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startProcess, type TestProcess } from '../process.fixture.ts';
import { openLogFile } from './log-file.ts';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const filesOf = (folder: string) => readdirSync(folder).sort();
const linesOf = (folder: string): Record<string, unknown>[] =>
  filesOf(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line));
const line = (n: number, length = 100) => `${JSON.stringify({ n, text: 'x'.repeat(length) })}\n`;

describe('a log file', () => {
  const open = (folder: string, set: Partial<Parameters<typeof openLogFile>[0]> = {}) => {
    const onFailure = vi.fn();
    return { ...openLogFile({ folder, maxBytes: 1_000, maxFiles: 3, onFailure, ...set }), onFailure };
  };
  /** All that is written is on the disk when it is closed; the next one goes on where it ended. */
  const write = async (folder: string, lines: string[], set = {}) => {
    for (const text of lines) {
      const file = open(folder, set);
      file.write(text);
      await file.close();
      expect(file.onFailure).not.toHaveBeenCalled();
    }
  };

  it('goes on with the next one when it is full, and deletes the oldest of too many', async () => {
    const folder = newFolder();
    const lines = Array.from({ length: 50 }, (_, n) => line(n));
    await write(folder, lines);
    const names = filesOf(folder);
    expect(names).toHaveLength(3);
    expect(names.at(-1)).toBe('sluice.log');
    for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000);
    const numbers = linesOf(folder).map(({ n }) => Number(n));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 50 - numbers.length + at));
    expect(statSync(join(folder, 'sluice.log')).mode & 0o777).toBe(0o600);
    await write(folder, [line(50)], { maxFiles: 1 });
    expect(filesOf(folder)).toEqual(['sluice.log']);
  });

  it('leaves other files alone, and takes a line that is longer than a file', async () => {
    const folder = newFolder();
    for (const name of ['sluice-notes.log', 'other.log.txt', 'a.txt']) writeFileSync(join(folder, name), '{}');
    await write(folder, [line(0), line(1, 5_000), line(2)], { maxFiles: 2 });
    expect(filesOf(folder)).toEqual([
      'a.txt',
      'other.log.txt',
      expect.stringMatching(/^sluice-2/),
      'sluice-notes.log',
      'sluice.log',
    ]);
    expect(readFileSync(join(folder, 'sluice.log'), 'utf8')).toBe(line(2));
  });

  it('is made again when it is deleted while it is open', async () => {
    const folder = newFolder();
    const file = open(folder);
    file.write(line(0));
    await vi.waitFor(() => expect(linesOf(folder)).toHaveLength(1));
    rmSync(folder, { recursive: true });
    file.write(line(1));
    await file.close();
    expect(linesOf(folder)).toMatchObject([{ n: 1 }]);
  });

  it('never waits: what the disk is too slow for is left out, from whole line to whole line', async () => {
    const folder = newFolder();
    const file = open(folder, { maxBytes: 1e9 });
    for (let n = 0; n < 200; n++) file.write(line(n, 100_000));
    await file.close();
    const numbers = linesOf(folder).map(({ n }) => n);
    expect(numbers.length).toBeGreaterThan(30);
    expect(numbers.length).toBeLessThan(50);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  it('abuse: is not written through a link', async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    writeFileSync(join(elsewhere, 'precious'), 'kept');
    symlinkSync(join(elsewhere, 'precious'), join(folder, 'sluice.log'));
    const file = open(folder);
    file.write(line(0));
    await file.close();
    expect(file.onFailure).toHaveBeenCalledOnce();
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('kept');
  });

  it('says once that the disk is full, and goes on when there is room', async () => {
    const disk = mountSmallDisk(128 * 1024);
    try {
      const file = open(disk.folder, { maxBytes: 1e6, pause: 0 });
      file.write(line(0));
      await vi.waitFor(() => expect(linesOf(disk.folder)).toHaveLength(1));
      await disk.fill();
      for (let n = 1; n < 100; n++) {
        file.write(line(n));
        await new Promise(setImmediate);
      }
      await vi.waitFor(() => expect(file.onFailure).toHaveBeenCalledOnce());
      await disk.makeRoom();
      file.write(line(100));
      await file.close();
      expect(file.onFailure).toHaveBeenCalledOnce();
      const lines = readFileSync(join(disk.folder, 'sluice.log'), 'utf8').split('\n');
      expect([lines[0], lines.at(-2)]).toEqual([line(0).trimEnd(), line(100).trimEnd()]);
    } finally {
      await disk.remove();
    }
  });
});

describe('the log of a server', { timeout: 60_000 }, () => {
  const administrator = { email: 'ada@example.com', password: 'correct horse battery' };
  const start = (folder: string, set: Record<string, string> = {}) =>
    startProcess({
      SLUICE_DATA: folder,
      SLUICE_CONSOLE: '',
      SLUICE_LOG: 'info',
      SLUICE_ADMIN_EMAIL: administrator.email,
      SLUICE_ADMIN_PASSWORD: administrator.password,
      ...set,
    });
  const signIn = async (server: TestProcess): Promise<string> =>
    (await server.ask('POST', 'system/admin/session', { body: administrator })).body.session_token;

  it('is in the service logs, whole, although two processes write it, and holds no secrets', async () => {
    const folder = newFolder();
    const set = { SLUICE_LOG_FILE_SIZE: '10000', SLUICE_LOG_FILES: '1000' };
    const servers = [await start(folder, set), await start(folder, set)];
    const token = await signIn(servers[0]!);
    const calls = 150;
    await Promise.all(
      servers.flatMap((server, at) =>
        Array.from({ length: calls }, (_, n) => server.ask('GET', `files/none-${at}-${n}.txt`, { token })),
      ),
    );
    const { platform } = (await servers[0]!.ask('GET', 'system/environment', { token })).body;
    expect(platform).toMatchObject({ log_path: `${join(folder, 'files/logs')}/`, log_level: 'info' });
    const list = async () => (await servers[1]!.ask('GET', 'logs/?as_list=true', { token })).body.resource;
    // Lines are gathered for a moment before they are written.
    await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBeGreaterThan(4);
    const [oldest] = await list();
    expect((await servers[0]!.ask('GET', `logs/${oldest}?include_properties=true`, { token })).body).toMatchObject({
      content_type: 'text/plain',
    });
    const codes = await Promise.all(servers.map((server) => server.stop()));
    expect(codes).toEqual([0, 0]);

    const lines = linesOf(join(folder, 'files/logs'));
    const paths = lines.map(({ path }) => String(path)).filter((path) => path.startsWith('none-'));
    expect(paths.sort()).toEqual(
      servers.flatMap((_, at) => Array.from({ length: calls }, (_, n) => `none-${at}-${n}.txt`)).sort(),
    );
    // What standard output has of it is the same.
    expect(servers[0]!.output()).toContain('"path":"none-0-149.txt"');
    const text = JSON.stringify(lines);
    for (const secret of [administrator.password, token, token.split('.')[2]!]) expect(text).not.toContain(secret);
  });

  it('goes on at standard output alone, told once, where the file cannot be written', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files/logs'), 'in the way');
    const server = await start(folder);
    const token = await signIn(server);
    for (let n = 0; n < 20; n++)
      expect((await server.ask('GET', `system/role/${n + 100}`, { token })).status).toBe(404);
    expect(await server.stop()).toBe(0);
    expect(server.output().match(/The log file cannot be written/g)).toHaveLength(1);
    expect(server.output()).toContain('"path":"role/119"');
  });

  it('has no file where none is wanted', async () => {
    const platform = await startPlatform({ log: 'error', logFiles: 0 });
    try {
      const { body } = await platform.ask('GET', 'system/environment');
      expect(body.platform.log_mode).toBe('stdout');
      expect(body.platform).not.toHaveProperty('log_path');
      expect((await platform.ask('GET', 'logs/?as_list=true')).body.resource).toEqual([]);
    } finally {
      await platform.stop();
    }
  });
});
