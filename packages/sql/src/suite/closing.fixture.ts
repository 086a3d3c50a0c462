import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.fixture.ts';
import { insert } from './insert.fixture.ts';
import type { Suite } from './suite.fixture.ts';

/** The end of a database. */
export function closingSuite(suite: Suite): void {
  const { name, dialect } = suite;
  describe(`${name}: its end`, () => {
    it('lets what runs end, and answers nothing afterwards', async () => {
      const ownHandle = await dialect.open([`create table t (id integer primary key)`]);
      const t = await ownHandle.database.table('t');
      const running = ownHandle.database.write([insert(t, { id: 1 })], 'stop');
      await ownHandle.database.close();
      expect(await running).toEqual([{ rows: [{ id: 1 }] }]);
      for (const action of [
        () => ownHandle.database.tables({ refresh: true }),
        () => ownHandle.database.count({ table: t }),
      ]) {
        expect((await failureOf(action())).message).toBe('The database is not available: it was closed.');
      }
      await ownHandle.close();
    });
  });
}
