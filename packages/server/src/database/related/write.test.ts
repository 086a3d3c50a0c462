import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, user, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { fillBranches, makeBranches } from './branches.fixture.ts';
import { fillFamily, makeFamily } from './family.fixture.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    await makeFamily(engine, db);
  });
  beforeEach(() => fillFamily(engine, db));
  afterAll(() => db?.stop());

  const send = (line: string, body: unknown, query: Record<string, string> = {}, as?: ReturnType<typeof user>) =>
    ask(db.service, line, { body, query, ...(as ? { as } : {}) });
  const done = async (line: string, body: unknown, query: Record<string, string> = {}) => {
    const { status, body: answer, text } = await send(line, body, query);
    expect(status, text).toBe(200);
    return answer;
  };
  const refused = async (line: string, body: unknown, query: Record<string, string> = {}) => {
    const { status, body: answer } = await send(line, body, query);
    return [status, answer.error.context?.resource?.at(-1)?.message ?? answer.error.message];
  };
  const tasks = () => db.sql('select id, title, person_id from task order by id');
  const people = () => db.sql('select id, name, office_id from person order by id');
  const links = () => db.sql('select task_id, tag_id from task_tag order by 1, 2');

  describe('belongs_to', () => {
    it('one without a key is created, and the record points to it', async () => {
      const person = { name: 'Dan', office_by_office_id: { city: 'Rome' } };
      const related = { related: 'office_by_office_id', fields: 'name' };
      expect(await done('POST _table/person', { resource: [person] }, related)).toEqual({
        resource: [{ name: 'Dan', office_id: 10, office_by_office_id: { id: 10, city: 'Rome' } }],
      });
      await done('PATCH _table/person/3', { office_by_office_id: { city: 'Kiel' } });
      expect((await people()).slice(6)).toEqual(['3', 'Cyd', '11', '10', 'Dan', '10']);
    });

    it('one that exists is changed, and the record keeps pointing where it did', async () => {
      await done('PATCH _table/person/3', { office_by_office_id: { id: 2, city: 'Lima' } });
      expect(await db.sql('select city from office where id = 2')).toEqual(['Lima']);
      expect((await people()).slice(6)).toEqual(['3', 'Cyd', null]);
    });

    it('one whose key nobody has is created under it', async () => {
      await done('PATCH _table/person/3', { office_by_office_id: { id: 7, city: 'Nice' } });
      expect((await people()).slice(6)).toEqual(['3', 'Cyd', '7']);
    });

    it('null, and a key alone, change nothing', async () => {
      await done('PATCH _table/person/1', { office_by_office_id: null });
      await done('PATCH _table/person/1', { office_by_office_id: { id: 2 } });
      expect((await people()).slice(0, 3)).toEqual(['1', 'Ann', '1']);
    });
  });

  describe('has_many', () => {
    it('children without a key are created with the record', async () => {
      const person = { name: 'Dan', task_by_person_id: [{ title: 'dig' }, { title: 'dust', hours: 2 }] };
      expect(await done('POST _table/person', { resource: [person] })).toEqual({ resource: [{ id: 10 }] });
      expect((await tasks()).slice(12)).toEqual(['10', 'dig', '10', '11', 'dust', '10']);
    });

    it('a key alone adopts, a key with fields changes and adopts; what is not named stays', async () => {
      await done('PATCH _table/person/1', { task_by_person_id: [{ id: 4 }, { id: 3, title: 'read on' }] });
      expect(await tasks()).toEqual(['1', 'plan', '1', '2', 'write', '1', '3', 'read on', '1', '4', 'idle', '1']);
    });

    it('a key with null in the pointing field lets go, of own children only', async () => {
      await done('PATCH _table/person/1', {
        task_by_person_id: [
          { id: 1, person_id: null },
          { id: 3, person_id: null },
        ],
      });
      expect(await tasks()).toEqual(['1', 'plan', null, '2', 'write', '1', '3', 'read', '2', '4', 'idle', null]);
    });

    it('a child nobody has is a 404 of its own', async () => {
      expect(
        await refused('PATCH _table/person/1', { name: 'New', task_by_person_id: [{ id: 99, title: 'x' }] }),
      ).toEqual([400, "Failed to update many to one assignment.\nRecord with identifier '99' not found."]);
      expect((await people()).slice(0, 2)).toEqual(['1', 'Ann']);
    });

    it('children of children', async () => {
      const person = {
        name: 'Dan',
        task_by_person_id: [{ title: 'dig', tag_by_task_tag: [{ name: 'green' }, { id: 1 }] }],
        office_by_office_id: { city: 'Rome', person_by_office_id: [{ name: 'Eve' }] },
      };
      await done('POST _table/person', { resource: [person] });
      expect((await people()).slice(9)).toEqual(['10', 'Eve', '10', '11', 'Dan', '10']);
      expect(await links()).toEqual(['1', '1', '1', '2', '3', '2', '10', '1', '10', '10']);
      expect((await tasks()).slice(12)).toEqual(['10', 'dig', '11']);
    });
  });

  describe('has_one, or what SQLite takes for a has_many, of a table that shares the key', () => {
    it('is created and changed without its key', async () => {
      const motto = (text: string) => ({
        profile_by_person_id: engine === 'sqlite' ? [{ motto: text }] : { motto: text },
      });
      await done('PATCH _table/person/2', motto('new'));
      await done('PATCH _table/person/1', motto('other'));
      await done('POST _table/person', { resource: [{ name: 'Dan', ...motto('born') }] });
      expect(await db.sql('select person_id, motto from profile order by 1')).toEqual([
        '1',
        'other',
        '2',
        'new',
        '10',
        'born',
      ]);
    });

    it('null deletes it where that is allowed', async () => {
      const none = { profile_by_person_id: engine === 'sqlite' ? [{ person_id: null }] : null };
      expect(await refused('PATCH _table/person/1', none)).toEqual([
        400,
        "Failed to update many to one assignment.\nField 'person_id' can not be NULL.",
      ]);
      await done('PATCH _table/person/1', none, { allow_related_delete: 'true' });
      expect(await db.sql('select count(*) from profile')).toEqual(['0']);
    });

    it('a child with a key of two is named by the other half', async () => {
      await done('PATCH _table/task/2', { task_tag_by_task_id: [{ tag_id: 1 }] });
      expect(await links()).toEqual(['1', '1', '1', '2', '2', '1', '3', '2']);
      const gone = { task_tag_by_task_id: [{ task_id: null, tag_id: 1 }] };
      expect((await send('PATCH _table/task/1', gone)).status).toBe(400);
      await done('PATCH _table/task/1', gone, { allow_related_delete: 'true' });
      expect(await links()).toEqual(['1', '2', '2', '1', '3', '2']);
    });
  });

  describe('many_many', () => {
    it('a record without a key is created and assigned, one with its key assigned once', async () => {
      await done('PATCH _table/task/1', { tag_by_task_tag: [{ name: 'green' }, { id: 1 }] });
      await done('PATCH _table/task/2', { tag_by_task_tag: [{ id: 2, name: 'navy' }] });
      expect(await links()).toEqual(['1', '1', '1', '2', '1', '10', '2', '2', '3', '2']);
      expect(await db.sql('select name from tag order by id')).toEqual(['red', 'navy', 'green']);
    });

    it('is let go by the name of the key of this table', async () => {
      await done('PATCH _table/task/1', { tag_by_task_tag: [{ id: 2, 'task.id': null }] });
      expect(await links()).toEqual(['1', '1', '3', '2']);
      expect(await db.sql('select count(*) from tag')).toEqual(['2']);
    });

    it('an unknown tag cannot be assigned', async () => {
      const [status, message] = await refused('PATCH _table/task/1', { tag_by_task_tag: [{ id: 99 }] });
      expect(status).toBe(400);
      expect(message).toMatch(/^Failed to update many to one map assignment\.\n/);
    });
  });

  describe('all or nothing', () => {
    const invalid = { name: 'Bad', task_by_person_id: [{ title: 'first' }, { title: null }] };
    const valid = { name: 'Good', task_by_person_id: [{ title: 'kept' }] };

    it('a wrong child leaves nothing of its record', async () => {
      expect(await refused('POST _table/person', { resource: [invalid] })).toEqual([
        400,
        "Failed to update many to one assignment.\nField 'title' can not be NULL.",
      ]);
      expect(await people()).toHaveLength(9);
      expect(await tasks()).toHaveLength(12);
    });

    it.each([
      ['stop', {}, ['Good']],
      ['continue', { continue: 'true' }, ['Good', 'Good']],
      ['rollback', { rollback: 'true' }, []],
    ])('%s: a child the database refuses', async (_mode, query, names) => {
      // Found by the database only: the name of a tag is there once.
      const late = { name: 'Late', task_by_person_id: [{ title: 'x', tag_by_task_tag: [{ name: 'red' }] }] };
      const { status, body } = await send('POST _table/person', { resource: [valid, late, valid] }, query as never);
      expect([status, body.error.context.error]).toEqual([400, [1]]);
      expect(await db.sql('select name from person where id > 3 order by id')).toEqual(names);
      expect(await db.sql('select count(*) from task where id > 4')).toEqual([String(names.length)]);
    });

    it('records with and without related ones in one call', async () => {
      const body = { resource: [{ name: 'Plain' }, valid, { name: 'Other' }] };
      expect(await done('POST _table/person', body, { fields: 'name' })).toEqual({
        resource: [{ name: 'Plain' }, { name: 'Good' }, { name: 'Other' }],
      });
    });
  });

  describe('who may', () => {
    const verbs = (rows: Record<string, number>) => user({ '_table/person': 31, '_table/person/*': 31, ...rows });

    it.each<[what: string, rows: Record<string, number>, body: unknown, denied: string]>([
      [
        'create',
        { '_table/task': 1 },
        { task_by_person_id: [{ title: 'x' }] },
        "POST access to component '_table/task'",
      ],
      [
        'change',
        { '_table/task': 3 },
        { task_by_person_id: [{ id: 1, title: 'x' }] },
        "PATCH access to component '_table/task'",
      ],
      ['adopt', { '_table/task': 3 }, { task_by_person_id: [{ id: 4 }] }, "PATCH access to component '_table/task'"],
      [
        'see the parent',
        { '_table/office': 2 },
        { office_by_office_id: { id: 1, city: 'x' } },
        "GET access to component '_table/office'",
      ],
    ])('may not %s', async (_what, rows, body, denied) => {
      const before = [await tasks(), await people()];
      const { status, body: answer } = await send('PATCH _table/person/1', body, {}, verbs(rows));
      expect(status).toBe(403);
      expect(answer.error.message).toContain(denied);
      expect([await tasks(), await people()]).toEqual(before);
    });

    it('record filters hold inside', async () => {
      const filters = [{ name: 'hours', operator: '<', value: '4' }];
      const as = userWithAccess([
        {},
        { component: '_table/task', filters },
        { component: '_table/task/*', filters },
      ] as never);
      const patch = (body: unknown) => send('PATCH _table/person/2', body, {}, as);
      // The task 2 has five hours: it is not there for this one.
      expect((await patch({ task_by_person_id: [{ id: 2 }] })).body.error.message).toContain("'2' not found");
      expect((await patch({ task_by_person_id: [{ title: 'long', hours: 9 }] })).status).toBe(403);
      expect((await patch({ task_by_person_id: [{ id: 1, hours: 9 }] })).status).toBe(403);
      expect(await db.sql('select count(*) from task where hours > 4')).toEqual(['1']);
      expect((await patch({ task_by_person_id: [{ title: 'short', hours: 1 }] })).status).toBe(200);
    });
  });

  it.each([
    ['no record', 'PATCH _table/person/1', { task_by_person_id: ['x'] }, /is no record/],
    ['a text that is no JSON', 'PATCH _table/person/1', { task_by_person_id: 'x' }, /JSON/],
    ['JSON that is no record', 'PATCH _table/person/1', { task_by_person_id: '[1]' }, /is no record/],
    [
      'an unknown type',
      'PATCH _table/person/1',
      { task_by_person_id: [{ title: 'x', hours: 'many' }] },
      /hours' must be a valid integer/,
    ],
  ])('%s is a 400', async (_what, line, body, message) => {
    const [status, text] = await refused(line, body);
    expect(status).toBe(400);
    expect(text).toMatch(message);
  });

  it('texts of JSON are records, as a CSV file has them; an empty one says nothing', async () => {
    const body = { task_by_person_id: '[{"id":4}]', office_by_office_id: '' };
    await done('PATCH _table/person/3', body);
    expect((await tasks()).slice(9)).toEqual(['4', 'idle', '3']);
  });

  it('a record that has nothing to point to has no children', async () => {
    await db.sql(`create table place (id integer primary key, code varchar(10) unique);
      create table visit (id ${engine === 'pgsql' ? 'serial' : engine === 'mysql' ? 'integer auto_increment' : 'integer'} primary key,
        code varchar(10), foreign key (code) references place (code));`);
    await ask(db.service, 'GET _schema', { query: { refresh: 'true' } });
    const [status, message] = await refused('POST _table/place', { resource: [{ id: 1, visit_by_code: [{}, {}] }] });
    expect([status, message]).toEqual([400, expect.stringContaining('does not tell the key')]);
    expect(await db.sql('select id from place union all select id from visit')).toEqual([]);
  });

  describe('relations by several columns', () => {
    const stays = 'stay_by_country_branch_no';
    const guests = 'guest_by_country_stay_id';
    const skills = 'skill_by_branch_skill';
    const entries = 'entry_by_country_branch_no';
    beforeAll(async () => {
      await makeBranches(engine, db);
      await ask(db.service, 'GET _schema', { query: { refresh: 'true' } });
    });
    beforeEach(() => fillBranches(engine, db));
    /** A branch has no id of one part: it is named inside the record. */
    const branch = (country: string, no: number, more: object) => ({ resource: [{ country, no, ...more }] });
    const change = (body: unknown, query: Record<string, string> = {}) => done('PATCH _table/branch', body, query);
    const changeRefused = (body: unknown, query: Record<string, string> = {}) =>
      refused('PATCH _table/branch', body, query);
    const stayRows = () => db.sql('select id, country, branch_no, title from stay order by id');
    const guestRows = () => db.sql('select id, name, country, stay_id from guest order by id');
    const skillRows = () => db.sql('select country, branch_no, skill_id from branch_skill order by 1, 2, 3');
    const entryRows = () => db.sql('select country, line, branch_no, note from entry order by 1, 2');

    it('parents and children of a new record, by what the database made', async () => {
      const stay = {
        title: 'hike',
        branch_by_country_branch_no: { country: 'it', no: 7, city: 'Rome' },
        [guests]: [{ name: 'Fay' }, { id: 5 }],
      };
      const query = { fields: 'title', related: `branch_by_country_branch_no,${guests}` };
      expect(await done('POST _table/stay', { resource: [stay] }, query)).toEqual({
        resource: [
          {
            id: 10,
            title: 'hike',
            country: 'it',
            branch_no: 7,
            branch_by_country_branch_no: { country: 'it', no: 7, city: 'Rome', head_country: null, head_no: null },
            [guests]: [
              { id: 5, name: 'Eve', country: 'it', stay_id: 10 },
              { id: 10, name: 'Fay', country: 'it', stay_id: 10 },
            ],
          },
        ],
      });
    });

    it('levels of children of a record that is new or there', async () => {
      const inside = { [stays]: [{ title: 'hike', [guests]: [{ name: 'Fay' }] }] };
      await done('POST _table/branch', branch('it', 7, { city: 'Rome', ...inside }));
      await change(branch('no', 0, inside));
      expect((await stayRows()).slice(24)).toEqual(['10', 'it', '7', 'hike', '11', 'no', '0', 'hike']);
      expect((await guestRows()).slice(20)).toEqual(['10', 'Fay', 'it', '10', '11', 'Fay', 'no', '11']);
    });

    it('a parent that is there is changed, and the record keeps pointing where it did', async () => {
      await done('PATCH _table/stay/5', { branch_by_country_branch_no: { country: 'no', no: 1, city: 'Bergen' } });
      expect(await db.sql("select city from branch where country = 'no' and no = 1")).toEqual(['Bergen']);
      expect((await stayRows()).slice(16, 20)).toEqual(['5', 'no', null, 'idle']);
      await done('PATCH _table/stay/5', { branch_by_country_branch_no: null });
      const [status, message] = await refused('PATCH _table/stay/5', { branch_by_country_branch_no: { no: 9 } });
      expect([status, message]).toEqual([
        400,
        "Failed to update belongs-to assignment.\nRelated record has no primary key value for 'country'.",
      ]);
    });

    it('a self reference', async () => {
      const heads = 'branch_by_head_country_head_no';
      await change(
        branch('no', 0, {
          [heads]: [
            { country: 'no', no: 1 },
            { country: 'no', no: 2, city: 'Voss' },
          ],
        }),
      );
      expect(
        await db.sql("select city, no from branch where head_country = 'no' and head_no = 0 order by city"),
      ).toEqual(['Oslo', '1', 'Voss', '2']);
      await change(branch('no', 0, { [heads]: [{ country: 'no', no: 1, head_country: null, head_no: null }] }));
      expect(await db.sql("select head_country, head_no from branch where city = 'Oslo'")).toEqual([null, null]);
    });

    it('a child is adopted, changed and let go, of own ones only; what is not named stays', async () => {
      await change(branch('no', 1, { [stays]: [{ id: 3 }, { id: 5, title: 'busy' }] }));
      expect(await stayRows()).toEqual([
        ...['1', 'ch', '1', 'walk', '2', 'ch', '1', 'talk', '3', 'no', '1', 'tour', '4', 'no', '1', 'fish'],
        ...['5', 'no', '1', 'busy', '6', 'no', '0', 'swim'],
      ]);
      await change(
        branch('no', 1, {
          [stays]: [
            { id: 4, branch_no: null },
            { id: 6, branch_no: null },
            { id: 3, country: null, branch_no: null },
          ],
        }),
      );
      // The country of a stay cannot be null: the other half is enough.
      expect(await stayRows()).toEqual([
        ...['1', 'ch', '1', 'walk', '2', 'ch', '1', 'talk', '3', 'no', null, 'tour', '4', 'no', null, 'fish'],
        ...['5', 'no', '1', 'busy', '6', 'no', '0', 'swim'],
      ]);
    });

    it('just the halves that are sent as null become it', async () => {
      await done('PATCH _table/stay/1', {
        [guests]: [
          { id: 1, stay_id: null },
          { id: 2, country: null, stay_id: null },
        ],
      });
      expect((await guestRows()).slice(0, 8)).toEqual(['1', 'Ann', 'ch', null, '2', 'Bob', null, null]);
    });

    it('a child whose key shares a column is named by the rest of its key', async () => {
      await change(branch('ch', 1, { [entries]: [{ line: 3 }, { line: 1, note: 'dues' }, { line: 4, note: 'new' }] }));
      expect(await entryRows()).toEqual([
        ...['ch', '1', '1', 'dues', 'ch', '2', '2', 'ink', 'ch', '3', '1', 'free', 'ch', '4', '1', 'new'],
        ...['no', '1', '1', 'net'],
      ]);
      await change(
        branch('ch', 1, {
          [entries]: [
            { line: 3, branch_no: null },
            { line: 2, branch_no: null },
          ],
        }),
      );
      expect((await entryRows()).slice(4, 12)).toEqual(['ch', '2', '2', 'ink', 'ch', '3', null, 'free']);
      expect(await changeRefused(branch('ch', 1, { [entries]: [{ line: 9 }] }))).toEqual([
        400,
        "Failed to update many to one assignment.\nRecord with identifier 'ch,9' not found.",
      ]);
      expect(await changeRefused(branch('ch', 1, { [entries]: [{ note: 'no line' }] }))).toEqual([
        400,
        "Failed to update many to one assignment.\nRelated record has no primary key value for 'line'.",
      ]);
    });

    it('has_one that shares the whole key: made, changed, deleted where that is allowed', async () => {
      const safe = (content: string | null) => {
        const one = content === null ? { country: null, no: null } : { content };
        return { safe_by_country_no: engine === 'sqlite' ? [one] : content === null ? null : one };
      };
      const safes = () => db.sql('select country, no, content from safe order by 1, 2');
      await change(branch('ch', 2, safe('silver')));
      await change(branch('ch', 1, safe('lead')));
      expect(await safes()).toEqual(['ch', '1', 'lead', 'ch', '2', 'silver', 'no', '1', 'fish']);
      const [status, message] = await changeRefused(branch('ch', 1, safe(null)));
      expect([status, message]).toEqual([400, expect.stringContaining("'country' can not be NULL")]);
      await change(branch('ch', 1, safe(null)), { allow_related_delete: 'true' });
      await change(branch('no', 0, safe(null)), { allow_related_delete: 'true' });
      expect(await safes()).toEqual(['ch', '2', 'silver', 'no', '1', 'fish']);
    });

    it('many_many: made, assigned once, let go; what is shared comes from this side', async () => {
      await change(
        branch('ch', 2, {
          [skills]: [{ id: 1 }, { id: 2 }, { id: 3, name: 'bells' }, { country: 'ch', id: 1, name: 'brie' }],
        }),
      );
      expect(await skillRows()).toEqual([
        ...['ch', '1', '1', 'ch', '1', '2', 'ch', '2', '1', 'ch', '2', '2', 'ch', '2', '3'],
        ...['no', '1', '1'],
      ]);
      expect(await db.sql('select country, id, name from skill order by 1, 2')).toEqual([
        ...['ch', '1', 'brie', 'ch', '2', 'clocks', 'ch', '3', 'bells', 'no', '1', 'skis'],
      ]);
      await change(branch('ch', 2, { [skills]: [{ id: 2, 'branch.no': null }] }));
      expect((await skillRows()).slice(6)).toEqual(['ch', '2', '1', 'ch', '2', '3', 'no', '1', '1']);
      // A new branch, with its country in the same record.
      await done('POST _table/branch', branch('no', 5, { [skills]: [{ id: 1 }, { id: 2, name: 'fjords' }] }));
      expect((await skillRows()).slice(15)).toEqual(['no', '5', '1', 'no', '5', '2']);
    });

    it('many_many: one of another country is not found, and not another one in its place', async () => {
      for (const skill of [
        { country: 'no', id: 1 },
        { country: 'no', id: 1, name: 'x' },
        { country: 'no', id: 9, name: 'x' },
      ])
        expect(await changeRefused(branch('ch', 2, { [skills]: [skill] }))).toEqual([
          400,
          `Failed to update many to one map assignment.\nRecord with identifier 'no,${skill.id}' not found.`,
        ]);
      expect(await skillRows()).toHaveLength(12);
      expect(await db.sql('select count(*) from skill')).toEqual(['3']);
    });

    it('a key with a null in it has no children', async () => {
      await db.sql(`create table half (id integer primary key, a integer, b integer, unique (a, b));
        create table part (id ${engine === 'pgsql' ? 'serial' : engine === 'mysql' ? 'integer auto_increment' : 'integer'} primary key,
          a integer, b integer, foreign key (a, b) references half (a, b));`);
      await ask(db.service, 'GET _schema', { query: { refresh: 'true' } });
      expect(await refused('POST _table/half', { resource: [{ id: 1, a: 1, b: null, part_by_a_b: [{}] }] })).toEqual([
        400,
        'The half referencing field id can not be empty.',
      ]);
      await done('POST _table/half', { resource: [{ id: 2, a: 1, b: 0, part_by_a_b: [{}] }] });
      expect(await db.sql('select a, b from part')).toEqual(['1', '0']);
    });

    it('record filters hold inside, and what propagates is read', async () => {
      const filters = [{ name: 'hours', operator: '<', value: '3' }];
      const as = userWithAccess([
        {},
        { component: '_table/stay', filters },
        { component: '_table/stay/*', filters },
      ] as never);
      const patch = (body: unknown) => send('PATCH _table/branch', branch('no', 1, { [stays]: [body] }), {}, as);
      const messageOf = ({ body }: Awaited<ReturnType<typeof patch>>) =>
        body.error.context?.resource?.at(-1)?.message ?? body.error.message;
      expect(messageOf(await patch({ id: 2 }))).toContain("'2' not found");
      for (const denied of [
        { title: 'long', hours: 9 },
        { id: 1, hours: 9 },
      ])
        expect(messageOf(await patch(denied))).toContain('Denied access');
      expect((await patch({ id: 6 })).status).toBe(200);
      // Country is no part of the key of a stay: a caller who may not read it may not pass it on unseen.
      const blind = user({ '_table/stay': 30, '_table/stay/*': 30, '_table/guest': 31, '_table/guest/*': 31 });
      const pass = await send('PATCH _table/stay/4', { [guests]: [{ name: 'Spy' }] }, {}, blind);
      expect([pass.status, pass.body.error.message]).toEqual([
        403,
        expect.stringContaining("GET access to component '_table/stay'"),
      ]);
      expect(await guestRows()).toHaveLength(20);
    });

    it('all or nothing', async () => {
      const body = branch('it', 7, { [stays]: [{ title: 'first' }, { title: null }] });
      expect(await refused('POST _table/branch', body)).toEqual([
        400,
        "Failed to update many to one assignment.\nField 'title' can not be NULL.",
      ]);
      expect(await db.sql("select count(*) from branch where country = 'it'")).toEqual(['0']);
    });
  });

  it('not with a filter', async () => {
    const body = { resource: [{ task_by_person_id: [{ title: 'x' }] }] };
    expect(await refused('PATCH _table/person', body, { filter: 'id = 1' })).toEqual([
      400,
      'Related records can not be written with a filter.',
    ]);
  });
});
