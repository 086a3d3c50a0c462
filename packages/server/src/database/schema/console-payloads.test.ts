// Fields as the console sends them: a new one whole (OPEN-172), one that is there as it was described, with what was changed in it.
// The console empties what would contradict a change (packages/console/src/screens/schema/field/form.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

type Sent = Record<string, unknown>;

/** A new field begins so. */
const blank = {
  alias: null,
  name: '',
  label: '',
  description: null,
  native: [],
  type: null,
  db_type: null,
  length: null,
  precision: null,
  scale: 0,
  default: null,
  required: false,
  allow_null: false,
  fixed_length: false,
  supports_multibyte: false,
  auto_increment: false,
  is_primary_key: false,
  is_unique: false,
  is_index: false,
  is_foreign_key: false,
  ref_table: '',
  ref_field: '',
  ref_on_update: null,
  ref_on_delete: null,
  picklist: null,
  validation: null,
  db_function: null,
  is_virtual: false,
  is_aggregate: false,
  value: [],
};

/** What the console empties with another type, but for the sizes that the new one has. */
const otherType = {
  db_type: null,
  length: null,
  precision: null,
  scale: null,
  fixed_length: false,
  supports_multibyte: false,
};

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const call = async (line: string, body?: unknown) => {
    const { status, body: answer } = await ask(db.service, line, { body });
    expect([line, status, answer]).toEqual([line, 200, answer]);
    return answer;
  };
  const field = (name: string) => call(`GET _schema/made/_field/${name}`);
  const add = async (changes: Sent) => {
    await call('POST _schema/made/_field', { resource: [{ ...blank, ...changes }] });
    return field(String(changes.name));
  };
  const change = async (name: string, changes: Sent) => {
    await call('PATCH _schema/made/_field', { resource: [{ ...(await field(name)), ...changes }] });
    return field(name);
  };
  const statements = async (verb: string, sent: Sent) => {
    const body = { verb, path: '_schema/made/_field', body: { resource: [sent] } };
    const { resource } = await call('POST _plan', body);
    return resource.flatMap((table: { statements: string[] }) => table.statements);
  };

  beforeEach(async () => {
    await ask(db.service, 'DELETE _schema/made');
    const id = { ...blank, name: 'id', type: 'id', auto_increment: true, is_primary_key: true };
    await call('POST _schema', { resource: [{ name: 'made', label: '', plural: '', native: [], field: [id] }] });
  });
  afterAll(async () => {
    await ask(db.service, 'DELETE _schema/made');
  });

  describe('a new field', () => {
    it.each<[string, Sent, Sent]>([
      ['string', {}, { type: 'string', length: 255, label: 'Added One', fixed_length: false }],
      ['string', { length: 40 }, { length: 40 }],
      ['string', { length: 8, fixed_length: true }, { length: 8, fixed_length: true }],
      ['integer', { is_index: true }, { type: 'integer', is_index: true }],
      ['integer', { is_unique: true }, { type: 'integer', is_unique: true }],
      ['boolean', { default: true }, { type: 'boolean', default: true }],
      ['decimal', { length: 10, precision: 10, scale: 2 }, { type: 'decimal', length: 10, precision: 10, scale: 2 }],
      ['date', { allow_null: true }, { type: 'date', allow_null: true }],
      ['time', { allow_null: true }, { type: 'time' }],
      ['binary', { allow_null: true }, { type: 'binary' }],
      ['user_id', { allow_null: true }, { type: 'user_id' }],
      ['user_id_on_create', { allow_null: true }, { type: 'user_id_on_create' }],
      ['timestamp_on_create', { allow_null: true }, { type: 'timestamp_on_create' }],
      ['timestamp_on_update', { allow_null: true }, { type: 'timestamp_on_update' }],
    ])('of type %s %j', async (type, changes, expected) => {
      expect(await add({ name: 'added_one', type, ...changes })).toMatchObject(expected);
    });

    it('has the type that was typed in', async () => {
      const added = await add({ name: 'typed', type: null, db_type: 'varchar(33)', allow_null: true });
      expect(added).toMatchObject({ type: 'string', length: 33 });
    });

    it('refers to another table, and to its own', async () => {
      const reference = { type: 'reference', is_foreign_key: true, allow_null: true };
      const team = { ...reference, name: 'team_id', ref_table: 'team', ref_field: 'id', ref_on_delete: 'CASCADE' };
      expect(await add(team)).toMatchObject({
        type: 'reference',
        is_foreign_key: true,
        ref_table: 'team',
        ref_field: 'id',
      });
      const parent = { ...reference, name: 'parent_id', ref_table: 'made', ref_field: '' };
      expect(await add(parent)).toMatchObject({ type: 'reference', ref_table: 'made', ref_field: 'id' });
      const { related } = await call('GET _schema/made');
      expect(related).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'team_by_team_id', ref_on_delete: 'CASCADE' })]),
      );
    });

    it('is computed', async () => {
      const functions = [{ use: ['SELECT'], function: 'id * 2' }];
      const twice = { name: 'twice', type: 'integer', is_virtual: true, db_function: functions };
      expect(await add(twice)).toMatchObject({
        type: 'integer',
        db_type: null,
        is_virtual: true,
        db_function: [{ use: ['SELECT'], function: 'id * 2', function_type: 'database' }],
      });
    });
  });

  describe('a changed field', () => {
    it('does not change where nothing of it did', async () => {
      await add({ name: 'code', type: 'string', length: 40, label: 'Code', allow_null: true });
      for (const name of ['id', 'code']) {
        const before = await field(name);
        expect(await statements('PATCH', before)).toEqual([]);
        expect(await change(name, {})).toEqual(before);
      }
    });

    it('has a label without one that is empty', async () => {
      await add({ name: 'short_name', type: 'string', label: 'Short' });
      expect(await change('short_name', { label: '' })).toMatchObject({ label: 'Short Name' });
    });

    it('gets another length, and others of digits', async () => {
      await add({ name: 'code', type: 'string', length: 40 });
      expect(await change('code', { length: 60, precision: null })).toMatchObject({ type: 'string', length: 60 });
      await add({ name: 'price', type: 'decimal', length: 8, precision: 8, scale: 2 });
      expect(await change('price', { length: 12, precision: 12, scale: 4 })).toMatchObject({ length: 12, scale: 4 });
    });

    // Each from a type with a size to one that has none, or another: what was described must not come along.
    it.each<[string, Sent, Sent, Sent]>([
      ['a string to an integer', { type: 'string', length: 40 }, { type: 'integer' }, { type: 'integer' }],
      ['an integer to a string', { type: 'integer' }, { type: 'string' }, { type: 'string', length: 255 }],
      [
        'an integer to a short string',
        { type: 'integer' },
        { type: 'string', length: 12 },
        { type: 'string', length: 12 },
      ],
      [
        'a decimal to a string',
        { type: 'decimal', length: 8, precision: 8, scale: 2 },
        { type: 'string' },
        { type: 'string', length: 255 },
      ],
      [
        'a string to a decimal',
        { type: 'string', length: 40 },
        { type: 'decimal', length: 9, precision: 9, scale: 3 },
        { type: 'decimal', length: 9, scale: 3 },
      ],
      [
        'a fixed text to a string',
        { type: 'string', length: 5, fixed_length: true },
        { type: 'string', fixed_length: false, length: 5 },
        { fixed_length: false },
      ],
      ['an integer to what a person is', { type: 'integer' }, { type: 'user_id' }, { type: 'user_id' }],
      ['a person to an integer', { type: 'user_id' }, { type: 'integer' }, { type: 'integer' }],
      ['a string to a date', { type: 'string', length: 40 }, { type: 'date' }, { type: 'date', length: null }],
    ])('%s', async (_, before, after, expected) => {
      await add({ name: 'moved', allow_null: true, ...before });
      const emptied = before.type === after.type ? {} : otherType;
      expect(await change('moved', { ...emptied, ...after })).toMatchObject(expected);
    });

    it('gets the type that was typed in, and not the size it had', async () => {
      await add({ name: 'code', type: 'string', length: 40 });
      const changed = await change('code', { ...otherType, type: null, db_type: 'varchar(21)' });
      expect(changed).toMatchObject({ type: 'string', length: 21 });
    });

    it('becomes a reference', async () => {
      await add({ name: 'team', type: 'integer', allow_null: true });
      const changed = await change('team', {
        ...otherType,
        type: 'reference',
        is_foreign_key: true,
        ref_table: 'team',
        ref_field: 'id',
        ref_on_delete: 'SET NULL',
      });
      expect(changed).toMatchObject({ type: 'reference', is_foreign_key: true, ref_table: 'team', ref_field: 'id' });
      const { related } = await call('GET _schema/made');
      expect(related).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'team_by_team', ref_on_delete: 'SET NULL' })]),
      );
      // Sent back as it is then described, it stays so.
      expect(await change('team', { label: 'Side' })).toMatchObject({ label: 'Side', ref_table: 'team' });
    });

    it('takes a default along with another change, and not alone', async () => {
      await add({ name: 'rank', type: 'integer', allow_null: true });
      expect(await change('rank', { default: 7 })).toMatchObject({ default: null });
      expect(await change('rank', { default: 7, allow_null: false })).toMatchObject({ default: 7, allow_null: false });
    });
  });
});
