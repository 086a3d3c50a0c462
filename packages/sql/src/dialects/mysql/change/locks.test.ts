import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import mysql2 from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTable, type Editing, field, id, startEditing } from './editing.fixture.ts';

describe.skipIf(await engineMissing('mysql'))('a table in use', () => {
  let editing: Editing;
  /** A session of another program. */
  let other: mysql2.Connection;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'), { maxConnections: 4 });
    const { host, port, user, password, database } = editing.server;
    other = await mysql2.createConnection({ host, port, user, password, database });
  });
  afterAll(async () => {
    await other.end();
    await editing.close();
  });
  beforeEach(async () => {
    await other.query('rollback');
    await editing.run(
      'drop table if exists busy, fresh; create table busy (id int primary key, v int); insert into busy values (1, 1)',
    );
  });

  const hold = async () => {
    await other.query('begin');
    await other.query('select * from busy');
  };
  const addField = () => editing.alter('busy', () => [{ kind: 'addField', field: field('extra') }]);

  it('is waited for so long, and no longer; who reads it is not held up', async () => {
    const { editor, everything, table, database } = editing;
    const change = await addField();
    const before = await everything();
    await hold();
    const busy = editor.apply([change], { lockTimeout: 2500 }).then(
      () => undefined,
      (error) => error,
    );
    let isOver = false;
    void busy.then(() => {
      isOver = true;
    });
    const read = await table('busy');
    let reads = 0;
    while (!isOver) {
      expect(await database.count({ table: read }, { timeout: 2000 })).toBe(1);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await busy).toMatchObject({
      key: 'schema.busy',
      status: 503,
      message: expect.stringContaining("'busy' was in use for 2.5 s"),
    });
    expect(reads).toBeGreaterThan(10);
    await other.query('rollback');
    expect(await everything()).toBe(before);
  });

  it('is changed as soon as it is free', async () => {
    const change = await addField();
    await hold();
    let attempts = 0;
    const applying = editing.editor.apply([change], { lockTimeout: 30_000 });
    for (; attempts < 3; attempts += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    await other.query('rollback');
    await applying;
    expect((await editing.table('busy')).column('extra')).toBeDefined();
  });

  it('in the middle of a change, all of it is undone', async () => {
    const { editor, everything, alter, database } = editing;
    const change = await alter('busy', () => [{ kind: 'addField', field: field('extra') }]);
    await hold();
    const before = await everything();
    await expect(editor.apply([createTable('fresh', [id()]), change], { lockTimeout: 500 })).rejects.toMatchObject({
      key: 'schema.busy',
    });
    expect(await everything()).toBe(before);
    await other.query('rollback');
    expect((await database.tables({ refresh: true })).map(({ name }) => name)).toEqual(['busy']);
  });

  it('one session at a time changes a schema, and none of it is lost', async () => {
    const { editor, table, alter } = editing;
    const names = ['a', 'b', 'c'];
    const changes = await Promise.all(
      names.map((name) => alter('busy', () => [{ kind: 'addField', field: field(name) }])),
    );
    await Promise.all(changes.map((change) => editor.apply([change])));
    expect((await table('busy')).columns.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'id', 'v']);
  });

  it('leaves the session as others want it, whether it went well or not', async () => {
    const { run, server } = editing;
    await run(`create or replace function session_facts() returns text return concat_ws(' ', @@sql_mode,
      @@lock_wait_timeout, @@innodb_lock_wait_timeout, @@max_statement_time, connection_id());
      create or replace view facts as select session_facts() as facts`);
    const one = await startEditing(server, { maxConnections: 1, modes: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES' });
    try {
      const view = await one.table('facts');
      const read = async () => (await one.database.select({ table: view, columns: view.columns })).json();
      const before = await read();
      const change = await one.alter('busy', () => [
        { kind: 'addField', field: field('x "y" \\', { default: { value: 'a "b" \\ \'c\'' } }) },
      ]);
      await one.editor.plan([change]);
      expect(await read()).toBe(before);
      await one.editor.apply([change]);
      expect(await read()).toBe(before);
      await expect(one.editor.apply([change])).rejects.toThrow('Duplicate column');
      expect(await read()).toBe(before);
      expect((await one.table('busy')).column('x "y" \\')?.description.default).toBe('a "b" \\ \'c\'');
      const gone = { ...(await one.table('busy')), native: { schema: null, name: 'gone' } };
      await expect(one.editor.plan([{ kind: 'alterTable', table: gone, steps: [] }])).rejects.toThrow('busy');
      expect(await read()).toBe(before);
    } finally {
      await one.database.close();
      await run('drop view facts; drop function session_facts');
    }
  });

  it('a change that is stopped while it waits undoes its work', async () => {
    const { editor, everything, alter } = editing;
    const change = await alter('busy', () => [{ kind: 'addField', field: field('extra') }]);
    await hold();
    const before = await everything();
    for (const changes of [[change], [createTable('fresh', [id()]), change]]) {
      await expect(editor.apply(changes, { timeout: 300, lockTimeout: 600_000 })).rejects.toMatchObject({
        key: 'database.timeout',
      });
      expect(await everything()).toBe(before);
    }
    await other.query('rollback');
  });

  it('a long change that is killed has done nothing', async () => {
    const { editor, everything, run, server, alter } = editing;
    await run('insert into busy select seq, seq from seq_2_to_300000');
    const change = await alter('busy', (column) => [
      { kind: 'changeField', column: column('v'), change: { type: field('', { type: 'bigint' }).type } },
    ]);
    const before = await everything();
    const isAltering = `select id from information_schema.processlist where db = '${server.database}' and info like 'alter table%'`;
    const killWhenAltering = async (word: string) => {
      for (;;) {
        const [row] = await run(isAltering);
        if (!row) continue;
        await run(`kill ${word} ${row[0]}`).catch(() => {});
        return;
      }
    };
    for (const word of ['query', 'connection']) {
      const [failure] = await Promise.all([editor.apply([change]).catch((error) => error), killWhenAltering(word)]);
      expect(failure?.key, word).toMatch(/^database\.(unreachable|lost)$/);
      expect(await everything()).toBe(before);
    }
  });
});
