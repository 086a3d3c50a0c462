import { describe, expect, it } from 'vitest';
import { skipTime } from './clock.fixture.ts';
import { failureOf } from './failure.fixture.ts';
import { insert } from './insert.fixture.ts';
import type { Suite } from './suite.fixture.ts';

/** What others do to the tables meanwhile. */
export function changesSuite(suite: Suite): void {
  const { name, dialect, table } = suite;
  describe(`${name}: changes from outside`, () => {
    it('notices new tables, and those that are gone', async () => {
      expect((await failureOf(table('newcomer'))).status).toBe(404);
      await suite.handle.run('create table newcomer (id integer primary key)');
      const found = await suite.database.table('newcomer', { refresh: true });
      expect(found.key).toHaveLength(1);
      expect((await suite.database.tables()).map((entry) => entry.name)).toContain('newcomer');
      await suite.handle.run('drop table newcomer');
      const failure = await failureOf(suite.database.select({ table: found, columns: found.columns }));
      expect([failure.status, failure.key]).toEqual([503, 'database.changed']);
      expect((await failureOf(table('newcomer'))).status).toBe(404);
      expect((await suite.database.tables()).map((entry) => entry.name)).not.toContain('newcomer');
    });

    it('finds a table made a moment ago without being told', async () => {
      await suite.database.tables({ refresh: true });
      skipTime(1100);
      await suite.handle.run('create table unheard (id integer primary key)');
      expect((await table('Unheard')).name).toBe('unheard');
      await suite.handle.run('drop table unheard');
    });

    it('uses a table that was altered while in use', async () => {
      await suite.handle.run(`create table altered (id integer primary key, a integer, b ${dialect.words.text})`);
      const before = await suite.database.table('altered', { refresh: true });
      // Often enough for a plan that the database keeps.
      for (let i = 0; i < 4; i += 1) await suite.database.select({ table: before, columns: before.columns });
      await suite.handle.run(`alter table altered add column c ${dialect.words.text}`);
      expect((await suite.database.select({ table: before, columns: before.columns })).list()).toEqual([]);
      expect((await suite.database.table('altered', { refresh: true })).columns).toHaveLength(4);
      await suite.handle.run('alter table altered drop column b');
      const failure = await failureOf(suite.database.select({ table: before, columns: before.columns }));
      expect(failure.key).toBe('database.changed');
      const after = await table('altered');
      expect(after.columns.map((column) => column.name)).toEqual(['id', 'a', 'c']);
      const [outcome] = await suite.database.write([insert(after, { id: 1, a: 2 }, after.columns)], 'stop');
      expect(outcome?.rows).toEqual([{ id: 1, a: 2, c: null }]);
      await suite.handle.run('drop table altered');
    });

    it('reads a table once for many who ask at the same time', async () => {
      await suite.database.tables({ refresh: true });
      const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => table('item')));
      for (const other of others) expect(other).toBe(first);
    });

    it('abuse: re-reads a table once for many requests at the same time', async () => {
      const before = await table('item');
      const reread = () => suite.database.table('item', { refresh: true });
      const [first, ...others] = await Promise.all(Array.from({ length: 20 }, reread));
      expect(first).not.toBe(before);
      for (const other of others) expect(other).toBe(first);
      expect(await reread()).not.toBe(first);
    });
  });
}
