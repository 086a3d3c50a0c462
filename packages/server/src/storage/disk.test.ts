// A local disk that is full, and folders and files of it that the process may not read.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { mountSmallDisk } from '@sluice/testkit/small-disk';
import { afterAll, describe, expect, it } from 'vitest';
import { zipOf } from './zip.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

let count = 0;
async function serviceOn(container: string) {
  const name = `disk${++count}`;
  const record = { name, label: name, type: 'local_file', is_active: true, config: { container } };
  await platform.create('service', record);
  return (verb: string, path: string, options?: AskOptions) => platform.ask(verb, `${name}/${path}`, options);
}

describe('a full disk', () => {
  it('refuses each write in words, leaves nothing half written, and takes files again once there is room', async () => {
    const disk = mountSmallDisk(4 * 1024 * 1024);
    try {
      const root = join(disk.folder, 'container');
      const ask = await serviceOn(root);
      const big = 'x'.repeat(1_000_000);
      const content = { body: big, headers: { 'content-type': 'text/plain' } };
      expect((await ask('POST', 'old.txt', { body: 'the old one' })).status).toBe(201);
      expect((await ask('POST', 'big.txt', content)).status).toBe(201);
      await disk.fill(100_000);
      const part = (name: string, value: string) =>
        `--xyz\r\nContent-Disposition: form-data; name="files[]"; filename="${name}"\r\n\r\n${value}\r\n`;
      const form = (...parts: string[]) => ({
        headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
        body: `${parts.join('')}--xyz--\r\n`,
      });
      const item = (value: object) => ({ body: { resource: [value] } });
      for (const [path, options] of [
        ['old.txt', content],
        ['new.txt?check_exist=true', content],
        ['', { body: big, headers: { 'x-file-name': 'h.txt', 'content-type': 'text/plain' } }],
        ['', item({ type: 'file', name: 'i.txt', content: big })],
        ['', item({ type: 'file', name: 'c.txt', source_path: 'big.txt' })],
        ['part.txt', form(part('p.txt', big))],
        ['', form(part('m.txt', big))],
        ['x.zip?extract=true', { body: zipOf({ name: 'in.txt', content: big }) }],
      ] as const) {
        const { status, body } = await ask('POST', path, options);
        expect([path, status, body.error?.message]).toEqual([
          ...[path, 507, 'The storage has no room for the file. Nothing was written.'],
        ]);
      }
      // What comes behind a part that found no room is read all the same.
      const several = await ask('POST', '', form(part('m.txt', big), part('small.txt', 'small')));
      expect([several.status, several.body.error.context]).toEqual([
        ...[500, { 'm.txt': [expect.stringContaining('has no room')] }],
      ]);
      expect((await ask('GET', '?as_list=true')).body.resource).toEqual(['big.txt', 'old.txt', 'small.txt']);
      expect(readdirSync(join(root, '.sluice-tmp'))).toEqual([]);
      expect((await ask('GET', 'old.txt')).text).toBe('the old one');
      await disk.makeRoom();
      expect((await ask('POST', 'old.txt', content)).status).toBe(201);
      expect(statSync(join(root, 'old.txt')).size).toBe(big.length);
    } finally {
      await disk.remove();
    }
  });
});

describe('what the process may not read', () => {
  /** Rights count for others than root alone. */
  const asUser = async <T>(run: () => Promise<T>): Promise<T> => {
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      return await run();
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  };

  it('is refused in words, and spoils nothing beside it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sluice-rights-'));
    try {
      const own = (path: string, mode: number) => {
        if (process.geteuid!() === 0) chownSync(join(root, path), 65_534, 65_534);
        chmodSync(join(root, path), mode);
      };
      for (const folder of ['docs/closed', 'docs/names', 'docs/open'])
        mkdirSync(join(root, folder), { recursive: true });
      for (const file of ['docs/a.txt', 'docs/closed.txt', 'docs/closed/b.txt', 'docs/names/c.txt', 'docs/open/d.txt'])
        writeFileSync(join(root, file), file);
      for (const path of ['', 'docs', 'docs/open']) own(path, 0o700);
      for (const path of ['docs/a.txt', 'docs/open/d.txt', 'docs/names/c.txt']) own(path, 0o600);
      own('docs/closed', 0o000);
      own('docs/closed.txt', 0o000);
      own('docs/names', 0o400);
      const ask = await serviceOn(root);
      await ask('GET', '');
      const paths = async (path: string) => (await asUser(() => ask('GET', path))).body.resource;
      expect(await paths('docs/?as_list=true')).toEqual([
        ...['docs/a.txt', 'docs/closed/', 'docs/closed.txt', 'docs/names/', 'docs/open/'],
      ]);
      expect(await paths('docs/?full_tree=true&fields=path,content_length')).toEqual([
        { path: 'docs/a.txt', content_length: 10 },
        { path: 'docs/closed/' },
        { path: 'docs/closed.txt', content_length: 15 },
        { path: 'docs/names/' },
        { path: 'docs/names/c.txt', content_length: null },
        { path: 'docs/open/' },
        { path: 'docs/open/d.txt', content_length: 15 },
      ]);
      expect(await paths('?as_access_list=true')).toContain('docs/open/*');
      const refused = (path: string) => [403, `The storage does not let the service do this to '${path}'.`];
      const errorOf = async (verb: string, path: string, options?: AskOptions) => {
        const { status, body } = await asUser(() => ask(verb, path, options));
        return [status, body.error?.message];
      };
      expect(await errorOf('GET', 'docs/closed/')).toEqual(refused('docs/closed'));
      expect(await errorOf('GET', 'docs/closed.txt')).toEqual(refused('docs/closed.txt'));
      expect(await errorOf('GET', 'docs/closed/b.txt')).toEqual(refused('docs/closed/b.txt'));
      expect(await errorOf('POST', 'docs/closed/new.txt', { body: 'x' })).toEqual(refused('docs/closed/new.txt'));
      expect(await errorOf('DELETE', 'docs/?force=true')).toEqual(refused('docs/closed'));
      const copied = await asUser(() =>
        ask('POST', '', { body: { resource: [{ type: 'folder', name: 'copy', source_path: 'docs/' }] } }),
      );
      expect(copied.body.resource[0].error.message).toBe(refused('docs/closed')[1]);
      expect((await ask('GET', '?full_tree=true&as_list=true')).body.resource).toContain('docs/open/d.txt');
      // A zip that lacks something does not look whole.
      await expect(asUser(() => ask('GET', 'docs/?zip=true'))).rejects.toThrow();
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
