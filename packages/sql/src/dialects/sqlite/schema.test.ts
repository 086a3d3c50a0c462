import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../suite/failure.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { openSqlite } from './driver/index.ts';
import { sqliteFiles } from './files.fixture.ts';

const { aFile, aDatabase } = sqliteFiles();

/** Longer than the schema of a file is taken to be what it was. */
const aBlink = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('changes from outside', () => {
  it('notices new columns and tables', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    expect((await database.table('keyless')).columns).toHaveLength(2);
    const other = openSqlite(path);
    other.exec('alter table keyless add column later text; create table newcomer (id integer primary key)');
    // The schema is asked for again after a blink; a name that is not known, at once.
    expect((await database.table('newcomer')).key).toHaveLength(1);
    expect((await database.table('keyless')).columns).toHaveLength(3);
    other.exec('alter table keyless add column last text');
    await aBlink();
    expect((await database.table('keyless')).columns).toHaveLength(4);
    const stale = await database.table('newcomer');
    other.exec('drop table newcomer');
    other.close();
    const failure = await failureOf(database.select({ table: stale, columns: stale.columns }));
    expect([failure.status, failure.key]).toEqual([503, 'database.changed']);
    expect((await failureOf(database.table('newcomer'))).status).toBe(404);
  });

  it('notices that the file was replaced or taken away', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    await rowsOf(database, 'tag');
    renameSync(aFile('create table other (id integer primary key); insert into other values (1)'), path);
    expect(await rowsOf(database, 'other')).toEqual([{ id: 1 }]);
    rmSync(path);
    await aBlink();
    expect((await failureOf(database.tables())).key).toBe('database.missing');
  });

  it('reads a table once for many who ask at the same time', async () => {
    const database = aDatabase();
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => database.table('tag')));
    for (const other of others) expect(other).toBe(first);
  });
});
