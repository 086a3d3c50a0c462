import { describe, expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../../filter/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { insert } from '../../../suite/insert.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { openSqlite } from '../driver/index.ts';
import { sqliteFiles } from '../files.fixture.ts';
import { writeProgram } from './child-program.fixture.ts';

const { aFile, aDatabase, inFolder } = sqliteFiles();

describe('the child process', () => {
  const endless = `create table t (id integer primary key); insert into t values (1);
    create view endless as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n;`;

  it('stops what takes too long, and the next call works', async () => {
    const database = aDatabase({ path: aFile(endless) });
    const table = await database.table('endless');
    const start = performance.now();
    const slow = failureOf(database.count({ table }, { timeout: 1000 }));
    // The other child answers meanwhile, and so does this thread.
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
    expect(await rowsOf(database, 't', 'id = 1')).toEqual([{ id: 1 }]);
    const failure = await slow;
    expect([failure.status, failure.message]).toEqual([503, 'The database took longer than 1 second and was stopped.']);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
  });

  it('stops when the caller goes away', async () => {
    const database = aDatabase({ path: aFile(endless) });
    const table = await database.table('endless');
    const caller = new AbortController();
    const query = failureOf(database.count({ table }, { signal: caller.signal }));
    setTimeout(() => caller.abort(), 300);
    expect((await query).key).toBe('database.cancelled');
    expect((await failureOf(database.count({ table }, { signal: caller.signal }))).key).toBe('database.cancelled');
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
  });

  it('abuse: keeps nobody waiting behind a slow read', async () => {
    const database = aDatabase({ path: aFile(endless) });
    const table = await database.table('endless');
    const quick = await database.table('t');
    const [slowCaller, goneCaller] = [new AbortController(), new AbortController()];
    const slow = failureOf(database.count({ table }, { caller: 'a', signal: slowCaller.signal }));
    const countQuick = (caller: string) => database.count({ table: quick }, { caller });
    const counts = Array.from({ length: 60 }, (_, i) => countQuick(i % 4 === 3 ? 'b' : 'a'));
    const gone = failureOf(database.count({ table: quick }, { caller: 'a', signal: goneCaller.signal }));
    goneCaller.abort();
    expect(await Promise.all(counts)).toEqual(counts.map(() => 1));
    expect((await gone).key).toBe('database.cancelled');
    slowCaller.abort();
    expect((await slow).key).toBe('database.cancelled');
    expect(await countQuick('a')).toBe(1);
  });

  // Answers each task with its own parameter.
  const echo = 'answer({ result: { json: JSON.stringify([{ n: Number(task.statement.parameters[0]) }]), count: 1 } })';

  it('gives each caller their own answer', async () => {
    const program = writeProgram(
      inFolder('echo.mjs'),
      `onRequest(({ task }) => { if (task) setTimeout(() => ${echo}, 10); });`,
    );
    const database = aDatabase({ program, size: 1 });
    const table = await database.table('tag');
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    const counts = numbers.map((n) => {
      const where = bindFilter(parseFilter(`id = ${n}`), table);
      return database.count({ table, where }, { caller: n % 3 === 0 ? 'b' : 'a' });
    });
    expect(await Promise.all(counts)).toEqual(numbers);
    await expect.poll(() => database.load(), { timeout: 5000 }).toMatchObject({ busy: 0, waiting: 0 });
  });

  it('fails the task it crashed with alone: those that wait are done by the next', async () => {
    const crashed = JSON.stringify(inFolder('crashed'));
    const program = writeProgram(
      inFolder('crash-once.mjs'),
      `import { existsSync, writeFileSync } from 'node:fs';
       onRequest(({ task }) => {
         if (!task) return;
         if (existsSync(${crashed})) ${echo};
         else {
           writeFileSync(${crashed}, '');
           process.exit(3);
         }
       });`,
    );
    const database = aDatabase({ program, size: 1 });
    const table = await database.table('tag');
    const count = (n: number) =>
      database.count({ table, where: bindFilter(parseFilter(`id = ${n}`), table) }, { caller: 'a' });
    const first = failureOf(count(1));
    const others = [2, 3, 4, 5].map(count);
    expect((await first).key).toBe('database.crashed');
    expect(await Promise.all(others)).toEqual([2, 3, 4, 5]);
  });

  it('of a stream that ends between two batches is missed at once', async () => {
    const program = writeProgram(
      inFolder('leaving.mjs'),
      `onRequest((message) => {
         if (!message.task) return;
         answer({ batch: { json: '[{"n":1}]', count: 1 } });
         setTimeout(() => process.exit(3), 100);
       });`,
    );
    const database = aDatabase({ program });
    const table = await database.table((await database.tables())[0]!.name);
    const rows = database.stream({ table, columns: table.columns })[Symbol.asyncIterator]();
    expect((await rows.next()).value?.count).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await failureOf(rows.next())).key).toBe('database.crashed');
  }, 10_000);

  it('fails alone when it crashes', async () => {
    const program = writeProgram(inFolder('crash.mjs'), 'onRequest((it) => { if (it.task) process.exit(3); });');
    const database = aDatabase({ program });
    const table = await database.table('tag');
    expect((await failureOf(database.count({ table }))).key).toBe('database.crashed');
    expect(await rowsOf(database, 'tag', 'id = 1')).toHaveLength(1);
    expect((await failureOf(database.count({ table }))).key).toBe('database.crashed');
  });

  it('answers nothing once it is closed', async () => {
    const database = aDatabase();
    const table = await database.table('tag');
    const running = database.count({ table });
    await database.close();
    expect(await running).toBe(2);
    for (const action of [() => database.tables(), () => database.count({ table })]) {
      expect((await failureOf(action())).message).toBe('The database is not available: it was closed.');
    }
  });

  it('ends when it has had no work for a while, and comes back', async () => {
    const database = aDatabase({ idle: 50 });
    expect(await rowsOf(database, 'tag')).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await rowsOf(database, 'tag')).toHaveLength(2);
  });

  it('refuses an answer that is too long, and lets go of the file', async () => {
    const path = aFile();
    const database = aDatabase({ path, answerLimit: 100 });
    const failure = await failureOf(rowsOf(database, 'Order Items'));
    expect([failure.status, failure.message]).toEqual([400, 'The answer is longer than 100 characters.']);
    const other = openSqlite(path);
    other.exec('begin exclusive; rollback');
    other.close();
  });

  it('takes integers past 2^53 in long lists', async () => {
    const database = aDatabase();
    const ids = ['9223372036854775807', '-9223372036854775808', ...Array.from({ length: 600 }, (_, i) => 1000 + i)];
    expect(await rowsOf(database, 'extreme', `id in (${ids})`)).toHaveLength(2);
  });

  it('runs the statements of the configuration in both lanes', async () => {
    const database = aDatabase({ statements: ['pragma case_sensitive_like = 1'] });
    expect(await rowsOf(database, 'tag', "name like 'RED'")).toEqual([]);
    expect(await rowsOf(database, 'tag', "id = 1 and name like 'RED'")).toEqual([]);
    expect(await rowsOf(database, 'tag', "id = 1 and name like 'r%'")).toHaveLength(1);
  });

  it('takes ten thousand writes', async () => {
    const database = aDatabase();
    const table = await database.table('keyless');
    const writes = Array.from({ length: 10_000 }, (_, n) => insert(table, { n }));
    expect(await database.write(writes, 'stop')).toHaveLength(10_000);
    expect(await database.count({ table })).toBe(10_003);
  });

  it('reads a big schema', async () => {
    const tables = Array.from(
      { length: 400 },
      (_, i) => `create table t${i} (id integer primary key, up references t${i >> 1});`,
    );
    const database = aDatabase({ path: aFile(tables.join('')) });
    expect((await database.tables()).slice(0, 3).map((entry) => entry.name)).toEqual(['t0', 't1', 't2']);
    expect((await database.table('T200')).description.related.map((relation) => relation.name)).toEqual(['t100_by_up']);
    expect(await rowsOf(database, 't399')).toEqual([]);
  });

  it('carries many rows and long lists', async () => {
    const database = aDatabase({
      path: aFile(`create table many (id integer primary key, s text);
        with recursive n(i) as (select 1 union all select i + 1 from n limit 50000) insert into many select i, 's' || i from n;`),
    });
    const rows = await rowsOf(database, 'many');
    expect(rows).toHaveLength(50_000);
    const ids = Array.from({ length: 40_000 }, (_, i) => i * 2);
    expect(await rowsOf(database, 'many', `id in (${ids})`)).toHaveLength(25_000);
    expect(await rowsOf(database, 'many', `s in (${ids.map((id) => `s${id}`)})`)).toHaveLength(25_000);
    expect(
      await rowsOf(database, 'many', Array.from({ length: 4999 }, (_, i) => `id = ${i}`).join(' or ')),
    ).toHaveLength(4998);
  });
});

it('lets others write while a slow reader takes its time, in files of either kind', async () => {
  for (const mode of ['wal', 'delete']) {
    const path = aFile(`pragma journal_mode = ${mode}; create table long (id integer primary key, "rowid" text, t text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into long select i, 'r' || -i, hex(randomblob(50)) from n; insert into long values (9007199254740993, 'x', 'y')`);
    const database = aDatabase({ path });
    const table = await database.table('long');
    const order = [{ column: table.column('id')!, direction: 'desc' as const }];
    const columns = [table.column('t')!, table.column('id')!, table.column('rowid')!];
    let count = 0;
    let last: unknown;
    for await (const rows of database.stream({ table, columns, order })) {
      const list = rows.list();
      if (count === 0) {
        expect(list[0]).toEqual({ t: 'y', id: '9007199254740993', rowid: 'x' });
        const other = openSqlite(path);
        other.exec(`insert into long values (0, 'new', 'new')`);
        other.close();
      }
      count += list.length;
      last = list.at(-1);
    }
    expect([mode, count]).toEqual([mode, 5001]);
    expect(last).toMatchObject({ id: 1, rowid: 'r-1' });
    for await (const _ of database.stream({ table, columns, order })) break;
    expect(await database.count({ table })).toBe(5002);
  }
});
