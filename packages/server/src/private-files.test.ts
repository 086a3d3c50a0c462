// Rights of what an instance keeps on disk: real files, made as carelessly as a process may.
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { startPlatform } from '@sluice/testkit/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';

let base: string;
let data: string;
let umask: number;

beforeEach(() => {
  umask = process.umask(0);
  base = mkdtempSync(join(tmpdir(), 'sluice-private-'));
  data = join(base, 'data');
});
afterEach(() => {
  process.umask(umask);
  rmSync(base, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

/** An instance that works with a database it makes and, if it is there, one that it finds. */
async function work(demo = false): Promise<void> {
  const platform = await startPlatform({ data, demo });
  try {
    for (const name of ['fresh', 'old']) {
      const config = { database: `${name}.sqlite` };
      await platform.create('service', { name, label: name, type: 'sqlite', is_active: true, config });
      expect((await platform.ask('GET', `${name}/_table`)).status).toBe(200);
    }
    const databases = modesIn(join(data, 'db'));
    expect(Object.keys(databases)).toEqual(
      expect.arrayContaining(['fresh.sqlite', 'old.sqlite', ...(demo ? ['world.sqlite'] : [])]),
    );
    expect(new Set(Object.values(databases))).toEqual(new Set(['600']));
    expect(modeOf(join(data, 'db'))).toBe('700');
    const { db, 'notes.txt': notes, ...own } = modesIn(data);
    expect(Object.keys(own)).toContain('secret.key');
    expect(new Set(Object.values(own))).toEqual(new Set(['600']));
  } finally {
    await platform.stop();
  }
}

it('abuse: a data folder the server makes, and all in it, is for its owner alone', async () => {
  await work(true);
  expect(modeOf(data)).toBe('700');
});

it('abuse: a data folder that anybody may read has nothing of the server that anybody may read', async () => {
  mkdirSync(join(data, 'db'), { recursive: true, mode: 0o777 });
  const old = openSqlite(join(data, 'db', 'old.sqlite'), { create: true });
  old.exec('PRAGMA journal_mode = wal; CREATE TABLE t (id integer PRIMARY KEY); INSERT INTO t VALUES (1)');
  for (const suffix of ['', '-wal', '-shm']) chmodSync(join(data, 'db', `old.sqlite${suffix}`), 0o666);
  writeFileSync(join(data, 'secret.key'), 'k'.repeat(64));
  // Not the server's: a note of the administrator, and a file that lies elsewhere too.
  writeFileSync(join(data, 'notes.txt'), '');
  writeFileSync(join(base, 'theirs'), '');
  try {
    await work();
  } finally {
    old.close();
  }
  expect([modeOf(data), modeOf(join(data, 'notes.txt'))]).toEqual(['777', '666']);
  linkSync(join(base, 'theirs'), join(data, 'db', 'linked'));
  await (await startPlatform({ data })).stop();
  expect(modeOf(join(base, 'theirs'))).toBe('666');
});
