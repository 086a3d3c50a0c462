import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../suite/failure.fixture.ts';
import { insert } from '../../suite/insert.fixture.ts';
import { openSqlite } from './driver/index.ts';
import { sqliteFiles } from './files.fixture.ts';

const { aFile, aDatabase, inFolder } = sqliteFiles();

describe('files that do not work', () => {
  it.each<[string, () => string, number, string]>([
    ['missing', () => inFolder('none.db'), 503, "The database file 'none.db' does not exist."],
    ['no folder', () => inFolder('no', 'x.db'), 503, "The folder of the database file 'x.db' does not exist."],
    ['a folder', () => inFolder(), 503, "The database file '"],
    [
      'no database',
      () => {
        const path = inFolder('text.db');
        writeFileSync(path, 'This is only a text, but a rather long one. '.repeat(100));
        return path;
      },
      503,
      "The file 'text.db' is not a SQLite database, or it is encrypted.",
    ],
    [
      'damaged',
      () => {
        const path = aFile();
        const bytes = readFileSync(path);
        bytes.fill(0xab, 100, 4000);
        writeFileSync(path, bytes);
        return path;
      },
      503,
      "The database file 'file-",
    ],
  ])('%s', async (_, path, status, message) => {
    const database = aDatabase({ path: path() });
    for (const action of [() => database.test(), () => database.tables(), () => database.table('x')]) {
      const failure = await failureOf(action());
      expect(failure.status).toBe(status);
      expect(failure.message.startsWith(message)).toBe(true);
      expect(failure.message).not.toContain(inFolder());
    }
  });

  it('says when the disk is full or the file cannot be written', async () => {
    const path = aFile();
    const writeTo = async (statement: string) => {
      const database = aDatabase({ path, statements: [statement] });
      const table = await database.table('keyless');
      const long = { t: 'x'.repeat(100_000) };
      const refusal = await failureOf(database.write([insert(table, long)], 'stop'));
      const many = await database
        .write([insert(table, {}), insert(table, long)], 'rollback')
        .catch((failure: Failure) => [{ failure }]);
      expect(await database.count({ table })).toBe(3);
      return [refusal.status, refusal.message, many.at(-1)?.failure?.key];
    };
    const file = basename(path);
    expect(await writeTo('pragma max_page_count = 1')).toEqual([
      507,
      `The database file '${file}' can not grow: its disk is full, or its page limit is reached. Nothing was written.`,
      'database.full',
    ]);
    expect(await writeTo('pragma query_only = 1')).toEqual([
      503,
      `The database file '${file}' can be read but not written.`,
      'database.readOnly',
    ]);
  });

  it('makes a file and its folder when told to, and only then', async () => {
    const path = inFolder('made', 'here.db');
    const database = aDatabase({ path, create: true });
    await database.test();
    expect(await database.tables()).toEqual([]);
    const file = openSqlite(path);
    expect(file.run('pragma journal_mode').rows).toEqual([['wal']]);
    file.close();
  });

  it('waits in the child for another process that is about to write the same new file', async () => {
    const path = inFolder('new.db');
    const other = openSqlite(path, { create: true });
    other.exec('begin immediate');
    setTimeout(() => other.exec('rollback'), 200);
    await aDatabase({ path, create: true }).test();
    expect(other.run('pragma journal_mode').rows).toEqual([['wal']]);
    other.close();
  });

  it('waits in the child for a lock, then says so', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    const table = await database.table('tag');
    const other = openSqlite(path);
    other.exec('begin exclusive');
    const waiting = database.write([insert(table, { name: 'waited' })], 'stop');
    setTimeout(() => other.exec('commit'), 300);
    expect((await waiting)[0]?.rows).toHaveLength(1);
    other.exec('begin exclusive');
    const failure = await failureOf(aDatabase({ path, busyTimeout: 50 }).tables());
    expect(failure.key).toBe('database.locked');
    other.exec('rollback');
    other.close();
    expect(await database.count({ table })).toBe(3);
  });
});
