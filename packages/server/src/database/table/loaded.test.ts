// Writes that name the records as they were loaded (contract/database-tables.md §3.7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, user, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { batchError, itemError, wrapRecords } from '../fixture/write.fixture.ts';

const stale = itemError('The record was changed by someone else in the meantime.', 412, 412);
const missing = (id: string) => itemError(`Record with identifier '${id}' not found.`, 404, 404);

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  type Fields = Record<string, unknown>;
  const read = async (id: number): Promise<Fields> => (await ask(db.service, `GET _table/contact/${id}`)).body;
  const notes = () => db.sql('SELECT note FROM contact ORDER BY id');
  const before = ['says "hi"', '', null, 'a{b}c', "x'y"];
  const patch = (records: Fields[], loaded: unknown, more: Fields = {}) =>
    ask(db.service, 'PATCH _table/contact', { body: { resource: records, loaded, ...more } });
  const remove = (ids: number[], loaded: unknown, more: Fields = {}) =>
    ask(db.service, 'DELETE _table/contact', { body: { resource: ids.map((id) => ({ id })), loaded, ...more } });

  describe('PATCH', () => {
    it.each([1, 2, 3, 4, 5])('writes record %i, whose every field is as it was loaded', async (id) => {
      const loaded = await read(id);
      const { status, body } = await patch([{ id, note: 'new' }], [loaded]);
      expect([status, body]).toEqual([200, wrapRecords({ id })]);
      expect((await read(id)).note).toBe('new');
      expect((await patch([{ id, note: 'newer' }], [loaded])).body).toEqual(batchError('updated', [0], [stale]));
      expect((await read(id)).note).toBe('new');
    });

    it.each<[what: string, field: string, stored: string, changed: string, isSame?: boolean]>([
      ['an integer', 'age', '30', '31'],
      ['an integer that is null now', 'age', '30', 'NULL'],
      ['a null that is an integer now', 'age', 'NULL', '0'],
      ['a bigint in its last digit', 'big', '9007199254740993', '9007199254740992'],
      ['a decimal in its last digit', 'price', '12.50', '12.51'],
      ['a double in its last digit', 'ratio', '0.1', '0.10000000000000002'],
      ['a double from very small to zero', 'ratio', '5e-324', '0'],
      ['a large double', 'ratio', '1e300', '1.0000000000000002e300'],
      ['a truth value', 'active', 'TRUE', 'FALSE'],
      ['a day', 'born', "'1990-01-31'", "'1990-01-30'"],
      ['letter case', 'note', "'Müller'", "'müller'"],
      ['an accent', 'note', "'Müller'", "'Muller'"],
      ['a blank at the end', 'note', "'x'", "'x '"],
      ['an empty text and null', 'note', "''", 'NULL'],
      ['null and an empty text', 'note', 'NULL', "''"],
      ['a line break', 'note', "'a'", "'a\n'"],
      ['a character beyond the first plane', 'note', "'😀'", "'😁'"],
      ['no change in a decimal written otherwise', 'price', '12.50', '12.5', true],
      ['no change in a text', 'note', `'Mü {b} '' "x" 😀 '`, `'Mü {b} '' "x" 😀 '`, true],
      ['no change in a large double', 'ratio', '1e19', '1e19', true],
      ['no change in a sum of doubles', 'ratio', '0.1e0 + 0.2e0', '0.1e0 + 0.2e0', true],
      ['no sign of a zero', 'ratio', '-0.0', '0.0', true],
    ])('tells %s', async (_what, field, stored, changed, isSame = false) => {
      const set = (value: string) => db.sql(`UPDATE contact SET ${field} = ${value} WHERE id = 1`);
      await set(stored);
      // As a client has it that parses JSON and writes it again.
      const loaded = JSON.parse(JSON.stringify(await read(1))) as Fields;
      await set(changed);
      const { status } = await patch([{ id: 1, status: 'seen' }], [loaded]);
      expect([status, (await read(1)).status]).toEqual(isSame ? [200, 'seen'] : [400, 'open']);
    });

    it('tells bytes', async () => {
      const loaded = await read(1);
      await ask(db.service, 'PATCH _table/contact/1', { body: { photo: 'AP8R' } });
      expect((await patch([{ id: 1, note: 'x' }], [loaded])).status).toBe(400);
      expect((await patch([{ id: 1, note: 'x' }], [{ photo: 'AP8R' }])).status).toBe(200);
    });

    it('compares just the fields that were sent as loaded, by any case of their names', async () => {
      await db.sql('UPDATE contact SET age = 31 WHERE id = 1');
      expect((await patch([{ id: 1, note: 'x' }], [{ id: 1, NAME: 'Ann' }])).status).toBe(200);
      expect((await patch([{ id: 1, note: 'y' }], [{ id: 1, name: 'Ann', age: 30 }])).status).toBe(400);
      expect((await patch([{ id: 1, note: 'z' }], [{ id: 1, age: '31' }])).status).toBe(200);
    });

    it('leaves records with null in their place uncompared, and those of a body without it', async () => {
      expect((await patch([{ id: 1, note: 'x' }], [null])).status).toBe(200);
      expect((await patch([{ id: 1, note: 'y' }], undefined)).status).toBe(200);
    });

    const three = async () => [await read(1), { ...(await read(2)), age: 99 }, await read(4)];
    const records = [1, 2, 4].map((id) => ({ id, note: 'n' }));
    it('ends with the first that was changed', async () => {
      const { status, body } = await patch(records, await three());
      expect([status, body]).toEqual([400, batchError('updated', [1], [{ id: 1 }, stale])]);
      expect(await notes()).toEqual(['n', ...before.slice(1)]);
    });
    it('goes on with continue', async () => {
      const { body } = await patch(records, await three(), { continue: true });
      expect(body).toEqual(batchError('updated', [1], [{ id: 1 }, stale, { id: 4 }]));
      expect(await notes()).toEqual(['n', '', null, 'n', "x'y"]);
    });
    it('undoes all with rollback', async () => {
      const { body } = await patch(records, await three(), { rollback: true });
      expect(body).toEqual(batchError('updated', [1], [{ id: 1 }, stale], ' All changes rolled back.'));
      expect(await notes()).toEqual(before);
    });

    it('answers 404 for a record that is gone, even where it would be inserted', async () => {
      const loaded = await read(2);
      await db.sql('DELETE FROM contact WHERE id = 2');
      expect((await patch([{ id: 2, note: 'n' }], [loaded])).body).toEqual(batchError('updated', [0], [missing('2')]));
      const upserting = await db.open({ allow_upsert: true });
      const { body } = await ask(upserting, 'PATCH _table/contact', {
        body: { resource: [{ id: 2, name: 'Bob' }], loaded: [loaded] },
      });
      expect(body).toEqual(batchError('updated', [0], [missing('2')]));
    });

    it('compares with the values of ids', async () => {
      const loaded = [await read(1), await read(2)];
      await db.sql('UPDATE contact SET age = 18 WHERE id = 2');
      const { body } = await patch([{ note: 'n' }], loaded, { ids: [1, 2] });
      expect(body).toEqual(batchError('updated', [1], [{ id: 1 }, stale]));
    });

    it('refuses a record with related ones whole', async () => {
      const member = (name: string) => [{ id: 1, name: 'red', member_by_team_id: [{ id: 90, nick: name }] }];
      await db.sql("INSERT INTO member VALUES (90, 2, 'was')");
      const send = (name: string, loaded: unknown) =>
        ask(db.service, 'PATCH _table/team', { body: { resource: member(name), loaded } });
      expect((await send('a', [{ name: 'green' }])).body).toEqual(batchError('updated', [0], [stale]));
      expect(await db.sql('SELECT team_id, nick FROM member')).toEqual(['2', 'was']);
      expect((await send('a', [{ name: 'red' }])).status).toBe(200);
      expect(await db.sql('SELECT team_id, nick FROM member')).toEqual(['1', 'a']);
    });

    it.each(['PUT', 'PATCH'])('%s of one record by its address', async (verb) => {
      const send = (loaded: unknown) =>
        ask(db.service, `${verb} _table/contact/1`, { body: { resource: { note: 'n' }, loaded } });
      expect(await send({ id: 1, age: 31 })).toMatchObject({ status: 412, body: { error: stale } });
      expect(await send({ id: 1, age: 30 })).toMatchObject({ status: 200, body: { id: 1 } });
    });
  });

  describe('DELETE', () => {
    it('deletes what is as it was loaded, and nothing else', async () => {
      const loaded = [await read(1), await read(2)];
      await db.sql("UPDATE contact SET note = 'kept' WHERE id = 2");
      expect((await remove([1, 2], loaded)).body).toEqual(batchError('deleted', [1], [{ id: 1 }, stale]));
      expect(await notes()).toEqual(['kept', ...before.slice(2)]);
      expect((await remove([2], [await read(2)])).body).toEqual(wrapRecords({ id: 2 }));
    });

    it('of one record by its address', async () => {
      const send = (loaded: unknown) => ask(db.service, 'DELETE _table/contact/1', { body: { loaded } });
      expect(await send({ age: 31 })).toMatchObject({ status: 412, body: { error: stale } });
      expect(await send({ age: 30 })).toMatchObject({ status: 200, body: { id: 1 } });
      expect(await send({ age: 30 })).toMatchObject({ status: 404 });
    });
  });

  describe('of two who write at the same time', () => {
    it.each([
      ['one wins', (note: string, loaded: Fields) => ({ body: { resource: [{ id: 1, note }], loaded: [loaded] } })],
      [
        'one wins with all its records',
        (note: string, loaded: Fields) => ({
          body: {
            resource: [
              { id: 1, note },
              { id: 2, note },
            ],
            loaded: [loaded, null],
            rollback: true,
          },
        }),
      ],
    ])('%s', async (_what, request) => {
      const other = await db.open({});
      for (let round = 0; round < 8; round += 1) {
        const loaded = await read(1);
        const services = [db.service, other, db.service, other];
        const answers = await Promise.all(
          services.map((service, index) =>
            ask(service, 'PATCH _table/contact', request(`round ${round}, ${index}`, loaded)),
          ),
        );
        const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
        expect(answers.map(({ text }) => text).join('\n'), `round ${round}`).not.toContain('"status_code":5');
        expect(winners, `round ${round}`).toHaveLength(1);
        expect((await read(1)).note).toBe(`round ${round}, ${winners[0]}`);
      }
    });

    it('a change that is not compared is not lost either', async () => {
      const other = await db.open({});
      const loaded = await read(1);
      const [compared, plain] = await Promise.all([
        patch([{ id: 1, note: 'compared' }], [loaded]),
        ask(other, 'PATCH _table/contact/1', { body: { note: 'plain' } }),
      ]);
      expect(plain.status).toBe(200);
      // The second write saw the first: compared after plain is refused, plain after compared overwrites.
      expect((await read(1)).note).toBe('plain');
      expect([200, 400]).toContain(compared.status);
    });

    it('a record is changed or deleted, not both', async () => {
      const other = await db.open({});
      const loaded = await read(2);
      const answers = await Promise.all([
        patch([{ id: 2, note: 'x' }], [loaded]),
        ask(other, 'DELETE _table/contact', { body: { resource: [{ id: 2 }], loaded: [loaded] } }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });

  describe('is refused', () => {
    const shape = "'loaded' has to hold, for each record in its place, the record as it was loaded, or null.";
    it.each<[string, unknown, string]>([
      ['a field nobody knows', [{ foo: 1 }], 'Invalid field requested: foo'],
      ['too few', [], shape],
      ['too many', [{}, {}], shape],
      ['a text', 'x', shape],
      ['a list in the place of a record', [[]], shape],
      ['an object as a value', [{ age: { $gt: 1 } }], 'The loaded.age must be a single value, not an object.'],
    ])('%s', async (_what, loaded, message) => {
      for (const send of [
        () => patch([{ id: 1, note: 'n' }], loaded),
        () => remove([1], loaded),
        () =>
          ask(db.service, 'PATCH _table/contact', { query: { ids: '1' }, body: { resource: [{ note: 'n' }], loaded } }),
      ]) {
        const answer = await send();
        expect([answer.status, answer.failure?.message]).toEqual([400, message]);
      }
      expect(await notes()).toEqual(before);
    });

    it.each(['PATCH', 'DELETE'])('%s by a filter', async (verb) => {
      const body = { resource: verb === 'PATCH' ? [{ note: 'n' }] : undefined, loaded: [{}], filter: 'id = 1' };
      const { status, failure } = await ask(db.service, `${verb} _table/contact`, { body });
      expect([status, failure?.key]).toEqual([400, 'table.loadedByFilter']);
      expect(await notes()).toEqual(before);
    });

    it.each([
      ['PATCH _table/contact', { resource: [{ id: 1, note: 'n' }], loaded: [{ id: 1, age: 30 }] }],
      ['PATCH _table/contact/1', { resource: { note: 'n' }, loaded: { age: 30 } }],
      ['DELETE _table/contact', { resource: [{ id: 1 }], loaded: [{ age: 30 }] }],
      ['DELETE _table/contact/1', { loaded: { age: 30 } }],
    ])('%s of a caller without GET', async (line, body) => {
      const as = user({ '_table/contact': 2 | 4 | 8 | 16 });
      const { status, failure } = await ask(db.service, line, { as, body });
      expect([status, failure?.key]).toEqual([403, 'access.keyOnly']);
      expect(await notes()).toEqual(before);
    });
  });

  describe('a record filter', () => {
    const adults = [{ name: 'age', operator: '>=', value: '18' }];
    it('of GET: what it hides is not found, whatever is guessed', async () => {
      const as = userWithAccess([{ verbMask: 1, filters: adults }, { verbMask: 8 | 16 }]);
      for (const age of [17, 16])
        for (const [verb, done] of [
          ['PATCH', 'updated'],
          ['DELETE', 'deleted'],
        ] as const) {
          const body = { resource: [{ id: 2, note: 'n' }], loaded: [{ age }] };
          const answer = await ask(db.service, `${verb} _table/contact`, { as, body });
          expect(answer.body).toEqual(batchError(done, [0], [missing('2')]));
        }
      const body = { resource: [{ id: 1, note: 'n' }], loaded: [{ age: 30 }] };
      expect((await ask(db.service, 'PATCH _table/contact', { as, body })).status).toBe(200);
    });

    it('of the write: what it hides is not found', async () => {
      for (const as of [
        userWithAccess([{ verbMask: 1 }, { verbMask: 8, filters: adults }]),
        userWithAccess([{ verbMask: 1 | 8, filters: adults }]),
      ])
        for (const age of [17, 16]) {
          const body = { resource: [{ id: 2, note: 'n' }], loaded: [{ age }] };
          const answer = await ask(db.service, 'PATCH _table/contact', { as, body });
          expect(answer.body).toEqual(batchError('updated', [0], [missing('2')]));
        }
      expect(await notes()).toEqual(before);
    });
  });
});
