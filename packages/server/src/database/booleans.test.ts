// What is shown as true is found by true, whatever number or word a database keeps for it (docs/dialects.md); null is neither.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, userWithAccess } from './fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from './fixture/index.ts';
import { wrapRecords } from './fixture/write.fixture.ts';

/** What is stored by id, of the values an engine keeps in a boolean. */
const stored = {
  sqlite: ['0', '1', 'null', '5', '-2', '0.5', "'t'", "'TRUE'", "'on'", "'nope'", "''", "x'31'"],
  mysql: ['0', '1', 'null', '2', '-1', '0'],
  pgsql: ['false', 'true', 'null'],
};

await onEachEngine((engine) => {
  let db: Fixture;
  const values = stored[engine];
  const list = async (query: Record<string, string>, as?: ReturnType<typeof userWithAccess>) => {
    const { body, failure } = await ask(db.service, 'GET _table/switch', {
      query: { fields: 'id', order: 'id', ...query },
      ...(as ? { as } : {}),
    });
    return failure ? failure.message : body.resource.map(({ id }: { id: number }) => id);
  };
  let read: Record<string, number[]>;
  beforeAll(async () => {
    db = await fixture(engine);
    const rows = values.map((value, index) => `(${index + 1}, ${value})`).join(', ');
    await db.sql(`create table house (id integer primary key); insert into house values (1);
      create table switch (id integer primary key, flag ${engine === 'mysql' ? 'tinyint(1)' : 'boolean'}, house_id integer,
        foreign key (house_id) references house (id));
      create index by_flag on switch (flag); insert into switch (id, flag) values ${rows}; update switch set house_id = 1`);
    await ask(db.service, 'GET _table', { query: { refresh: 'true' } });
    const { body } = await ask(db.service, 'GET _table/switch', { query: { order: 'id' } });
    read = { true: [], false: [], null: [] };
    for (const { id, flag } of body.resource) read[String(flag)]!.push(id);
  });
  afterAll(() => db?.stop());
  const union = (...lists: (number[] | undefined)[]) => lists.flatMap((ids) => ids ?? []).sort((a, b) => a - b);

  it('by a filter', async () => {
    expect(read.true!.length).toBeGreaterThan(0);
    const expected: Record<string, number[]> = {
      'flag = true': read.true!,
      'flag = 1': read.true!,
      "flag = 'yes'": read.true!,
      'flag = false': read.false!,
      'flag != true': read.false!,
      'flag != 0': read.true!,
      'not (flag = true)': read.false!,
      'flag in (true)': read.true!,
      'flag in (true, false)': union(read.true, read.false),
      'flag not in (true)': read.false!,
      'flag not in (true, false)': [],
      '(flag = true) or (flag is null)': union(read.true, read.null),
      '(id > 1) and (flag = false)': read.false!.filter((id) => id > 1),
      'flag is null': read.null!,
      'flag = (flag)': union(read.true, read.false),
    };
    // A plan that is kept for one of the two must not answer for the other.
    for (const [filter, ids] of Object.entries(expected))
      for (const again of [1, 2]) expect([filter, again, await list({ filter })]).toEqual([filter, again, ids]);
    expect(await list({ filter: `flag in (${'true,'.repeat(600)}true)` })).toEqual(read.true);
    const params = await ask(db.service, 'GET _table/switch', {
      body: { params: { ':f': true }, filter: 'flag = :f', fields: 'id', order: 'id' },
    });
    expect(params.body.resource.map(({ id }: { id: number }) => id)).toEqual(read.true);
    const { body } = await ask(db.service, 'GET _table/switch', {
      query: { filter: 'flag = true', limit: '1', include_count: 'true' },
    });
    expect(body.meta.count).toBe(read.true!.length);
  });

  it('by an identifier', async () => {
    const { body } = await ask(db.service, 'GET _table/switch', {
      query: { ids: 'true', id_field: 'flag', id_type: 'boolean', fields: 'id,flag' },
    });
    expect(body.resource[0]).toMatchObject({ flag: true });
  });

  it('by the record filter of a role, and through what is related', async () => {
    for (const [operator, value, ids] of [
      ['=', 'true', read.true],
      ['=', false, read.false],
      ['!=', 'true', read.false],
      ['in', [true], read.true],
      ['not in', [true], read.false],
    ] as const) {
      const role = userWithAccess([{ filters: [{ name: 'flag', operator, value }], filterOp: 'AND' }]);
      expect([operator, value, await list({}, role)]).toEqual([operator, value, ids]);
    }
    const as = userWithAccess([
      { component: '_table/house/*' },
      { component: '_table/switch/*', filters: [{ name: 'flag', operator: '=', value: true }] },
    ]);
    const { body, failure } = await ask(db.service, 'GET _table/house/1', {
      as,
      query: { related: 'switch_by_house_id' },
    });
    expect(failure).toBeUndefined();
    expect(body.switch_by_house_id.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)).toEqual(
      read.true,
    );
  });

  it('by a write with a filter', async () => {
    const deleted = await ask(db.service, 'DELETE _table/switch', {
      query: { filter: '(flag = true) and (id > 900)' },
    });
    expect(deleted.status).toBe(200);
    await db.sql(`insert into switch (id, flag) values (901, ${values[3] ?? values[1]})`);
    const changed = await ask(db.service, 'PATCH _table/switch', {
      body: wrapRecords({ flag: false }),
      query: { filter: '(flag = true) and (id = 901)' },
    });
    expect(changed.body).toEqual(wrapRecords({ id: 901 }));
    expect((await ask(db.service, 'GET _table/switch/901')).body).toMatchObject({ id: 901, flag: false });
  });
});
