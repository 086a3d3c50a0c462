// What `max_records` cuts beyond plain lists (read.test.ts has those): how much is answered, never how much is done
// (contract/database-tables.md §3.2, §8).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let small: Service;
  beforeAll(async () => {
    db = await fixture(engine);
    small = await db.open({ max_records: 2 });
  });
  afterAll(() => db?.stop());
  beforeEach(() => db.reset());

  const answered = async (line: string, query: Record<string, string>, body?: unknown) =>
    (await ask(small, line, { query, body })).body.resource;

  it('records named by their ids are all answered', async () => {
    const query = { ids: '1,2,3', fields: 'id' };
    expect(await answered('GET _table/contact', query)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await answered('GET _table/contact', { fields: 'id' }, { ids: [3, 1, 2] })).toHaveLength(3);
  });

  it('a batch of writes answers each of its records', async () => {
    const records = [1, 2, 3].map((id) => ({ id, note: 'n' }));
    expect(await answered('PATCH _table/contact', { fields: 'note' }, { resource: records })).toHaveLength(3);
    expect(await answered('DELETE _table/contact', { ids: '1,2,3' })).toHaveLength(3);
  });

  it('a change by filter is done to all, and answers as many as a list', async () => {
    const filter = 'id > 0';
    for (const fields of ['id', '*'])
      expect(await answered('PATCH _table/contact', { filter, fields }, { resource: [{ note: 'n' }] })).toHaveLength(2);
    expect(await db.sql("SELECT count(*) FROM contact WHERE note = 'n'")).toEqual(['5']);
    expect(await answered('DELETE _table/loose', { filter: 'a > 0', fields: 'a' })).toHaveLength(2);
    expect(await db.sql('SELECT count(*) FROM loose')).toEqual(['0']);
  });
});
