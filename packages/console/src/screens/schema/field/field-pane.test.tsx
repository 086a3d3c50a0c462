import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeSession } from '../../../api/session-state.ts';
import { aSession, type FakeResponse, refusal } from '../../../api/testing.ts';
import { openPage, signIn } from '../../../list/testing.tsx';
import { type FieldDraft, newField } from '../draft/field.ts';
import { newTable } from '../draft/table.ts';
import { aField, anId, aRelation, aTable, fakeSchema, openSchema } from '../testing.tsx';
import { FieldPane } from './field-pane.tsx';

beforeEach(signIn);

const pane = () => screen.findByRole('dialog');
/** The table stands beside it, with a form of its own; a question that is open comes after it. */
const inPane = () => within(screen.getAllByRole('dialog')[0]!);
const input = (name: string | RegExp) => inPane().getByRole<HTMLInputElement>('textbox', { name });
const box = (name: string | RegExp) => inPane().getByRole<HTMLInputElement>('checkbox', { name });
const button = (name: string | RegExp) => inPane().getByRole<HTMLButtonElement>('button', { name });
const select = (name: string | RegExp) => inPane().getByRole<HTMLInputElement>('combobox', { name });
type User = ReturnType<typeof openSchema>['user'];
const choose = async (user: User, name: string | RegExp, option: string | RegExp) => {
  await user.click(select(name));
  await user.click(await screen.findByRole('option', { name: option }));
};

const tables = [
  aTable('thing', [
    anId(),
    aField('name', { label: 'Name', length: 40, db_type: 'varchar(40)' }),
    aField('size', { type: 'integer', db_type: 'integer', length: null }),
  ]),
  aTable('team', [anId(), aField('name')]),
];
const newFieldAddress = '/schema/shop/thing/field';
const nameAddress = '/schema/shop/thing/field/name';
const sentField = (call: { body: unknown }) => (call.body as { resource: FieldDraft[] }).resource[0]!;

describe('a new field of a table', () => {
  it('is sent whole, told of, and the pane closes', async () => {
    const { writes, calls } = fakeSchema(tables);
    const { user, currentAddress } = openSchema(newFieldAddress);
    await pane();
    expect(document.activeElement).toBe(input('Name'));
    await user.keyboard('color');
    await user.click(select('Type'));
    await user.keyboard('stri{Enter}');
    const before = calls.length;
    await user.type(input('Name'), '{Enter}');
    expect(await screen.findByText('Field saved successfully.')).toBeTruthy();
    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['POST shop/_schema/thing/_field']);
    expect(writes()[0]!.body).toEqual({ resource: [{ ...newField('color'), type: 'string' }] });
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/thing'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(
        calls.slice(before).some(({ method, path }) => method === 'GET' && path === 'shop/_schema/thing?refresh=true'),
      ).toBe(true),
    );
  });

  it('needs a name and a type, and a name of its own', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    expect(screen.queryByText('Name and type are required fields')).toBeNull();
    await user.click(button('Save'));
    expect(screen.getAllByText('Name and type are required fields')).toHaveLength(2);
    expect(screen.getByText('2 inputs need your attention.')).toBeTruthy();
    expect(document.activeElement).toBe(input('Name'));
    await user.type(input('Name'), 'NAME');
    expect(screen.getByText('The field name already exists')).toBeTruthy();
    await user.type(input('Name'), '2');
    await choose(user, 'Type', 'string');
    expect(screen.queryByText(/required fields|already exists|attention/)).toBeNull();
    expect(writes()).toEqual([]);
  });

  it('starts as the reference that the address asks for, of the type of what it refers to', async () => {
    const code = aField('code', { length: 8, db_type: 'varchar(8)', is_unique: true });
    fakeSchema([tables[0]!, aTable('team', [anId(), code])]);
    openSchema(`${newFieldAddress}?ref_table=team&ref_field=code`);
    await waitFor(() => expect(select('Type').value).toBe('string'));
    expect([input('Length').value, box('Foreign Key').checked]).toEqual(['8', true]);
    expect([select('Reference Table').value, select('Reference Field').value]).toEqual(['team', 'code · string']);
  });

  it('is followed by another one, by keyboard alone', async () => {
    const { writes, tables: held } = fakeSchema(tables);
    const { user, currentAddress } = openSchema(newFieldAddress);
    await pane();
    for (const name of ['one', 'two']) {
      await user.keyboard(name);
      await user.tab();
      await user.keyboard('bool{Enter}');
      await user.keyboard('{Control>}{Enter}{/Control}');
      expect(await screen.findByText(`${name} is there. Now the next one.`)).toBeTruthy();
      expect(input('Name').value).toBe('');
      await waitFor(() => expect(document.activeElement).toBe(input('Name')));
    }
    await user.keyboard('one');
    expect(screen.getByText('The field name already exists')).toBeTruthy();
    expect(writes()).toHaveLength(2);
    expect(held()[0]!.field.map(({ name }) => name)).toEqual(['id', 'name', 'size', 'one', 'two']);
    expect(currentAddress()).toBe(newFieldAddress);
  });

  it('offers the types of the documents, and one typed by hand', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    await user.click(select('Type'));
    const options = (await screen.findAllByRole('option')).map((option) => option.textContent);
    expect(options).toEqual(
      'id,string,integer,text,boolean,binary,float,double,decimal,datetime,date,time,reference,user_id,user_id_on_create,user_id_on_update,timestamp,timestamp_on_create,timestamp_on_update,I will manually enter a type'.split(
        ',',
      ),
    );
    await user.click(screen.getByRole('option', { name: 'I will manually enter a type' }));
    await user.type(input('Name'), 'spot');
    await user.type(input('Database Type'), 'point{Enter}');
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toEqual({ ...newField('spot'), type: null, db_type: 'point' });
  });

  it.each([
    ['string', ['Length', 'Default Value', 'Picklist']],
    ['integer', ['Length', 'Default Value', 'Picklist']],
    ['text', ['Length', 'Default Value']],
    ['binary', ['Length', 'Default Value']],
    ['decimal', ['Precision', 'Scale', 'Default Value']],
    ['double', ['Precision', 'Scale', 'Default Value']],
    ['date', ['Default Value']],
    ['timestamp_on_create', []],
    ['id', []],
  ])('of type %s has the inputs %j', async (type, expected) => {
    fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    await choose(user, 'Type', type);
    const ofType = ['Length', 'Precision', 'Scale', 'Default Value', 'Picklist'];
    expect(ofType.filter((name) => screen.queryByRole('textbox', { name }))).toEqual(expected);
    expect(Boolean(screen.queryByRole('checkbox', { name: 'Fixed Length' }))).toBe(type === 'string');
    expect(box('Primary Key').disabled).toBe(true);
    expect([box('Primary Key').checked, box('Auto Increment').checked]).toEqual([type === 'id', type === 'id']);
  });

  it('refers to a field of a table of the service, with rules', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    await user.type(input('Name'), 'team_id');
    await choose(user, 'Type', 'reference');
    expect([box('Foreign Key').checked, box('Foreign Key').disabled]).toEqual([true, true]);
    await user.click(button('Save'));
    expect(screen.getByText('Choose the table it refers to.')).toBeTruthy();
    await choose(user, 'Reference Table', 'team');
    await waitFor(() => expect(select('Reference Field').value).toBe('id · id'));
    await choose(user, 'Reference Field', 'name · string');
    expect(screen.getByText(/name is of type string/)).toBeTruthy();
    await choose(user, 'Reference Field', 'id · id');
    await choose(user, 'On Delete', 'CASCADE');
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toEqual({
      ...newField('team_id'),
      type: 'reference',
      is_foreign_key: true,
      ref_table: 'team',
      ref_field: 'id',
      ref_on_delete: 'CASCADE',
    });
  });

  it('may be virtual, with a function', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    expect(box('Is Aggregate?').disabled).toBe(true);
    await user.type(input('Name'), 'total');
    await user.click(box('Is Virtual?'));
    expect(screen.queryByRole('region', { name: 'Value' })).toBeNull();
    await user.click(select('Type'));
    expect((await screen.findAllByRole('option')).map((option) => option.textContent).slice(0, 7)).toEqual([
      'string',
      'integer',
      'boolean',
      'binary',
      'float',
      'double',
      'decimal',
    ]);
    await user.click(screen.getByRole('option', { name: 'double' }));
    await user.click(box('Is Aggregate?'));
    await user.click(button('Save'));
    expect(screen.getByText(/needs a function with the use SELECT/)).toBeTruthy();
    await user.type(input('Function'), 'SUM(size)');
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toMatchObject({
      type: 'double',
      is_virtual: true,
      is_aggregate: true,
      db_function: [{ use: ['SELECT'], function: 'SUM(size)' }],
    });
  });

  it('has rules, as boxes and as JSON', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(newFieldAddress);
    await pane();
    await user.type(input('Name'), 'code');
    await choose(user, 'Type', 'string');
    await user.click(box('Not empty'));
    await user.type(input('Message: Not empty'), 'Say it.');
    await user.click(box('Matches a pattern'));
    await user.type(input('Pattern'), '/^a+$/');
    await user.click(box('One of the picklist'));
    const json = JSON.parse(input('Validation').value);
    expect(json).toEqual({ not_empty: { on_fail: 'Say it.' }, match: { regexp: btoa('/^a+$/') }, picklist: {} });
    await user.click(button('Save'));
    expect(screen.getByText(/from the picklist, which is empty/)).toBeTruthy();
    await user.type(input('Picklist'), 'a{Enter} aa{Enter}');
    await user.clear(input('Validation'));
    await user.type(input('Validation'), '{{"int"');
    expect(screen.getByText('This is no JSON: line 1, column 7.')).toBeTruthy();
    await user.type(input('Validation'), ': {{}}');
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toMatchObject({ picklist: ['a', 'aa'], validation: { int: {} } });
  });

  it('stays as it was typed where it could not be saved', async () => {
    let isRefused = true;
    const { writes } = fakeSchema(tables, {
      answerFirst: ({ method }) => (isRefused && method === 'POST' ? refusal(400, 'No such type.') : undefined),
    });
    const { user } = openSchema(newFieldAddress);
    const dialog = await pane();
    await user.type(input('Name'), 'color');
    await choose(user, 'Type', 'string');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Failed to save field')).toBeTruthy();
    expect(within(dialog).getByRole('alert').textContent).toBe('No such type.');
    expect(input('Name').value).toBe('color');
    isRefused = false;
    await user.type(input('Name'), 's');
    expect(within(dialog).queryByRole('alert')).toBeNull();
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(writes()).toHaveLength(2);
  });
});

describe('a field of a table', () => {
  it('is sent whole with what changed', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(nameAddress);
    await pane();
    expect(input('Name').readOnly).toBe(true);
    const length = input('Length');
    await user.clear(length);
    await user.type(length, '60{Enter}');
    await screen.findByText('Field saved successfully.');
    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['PATCH shop/_schema/thing/_field']);
    expect(writes()[0]!.body).toEqual({ resource: [{ ...tables[0]!.field[1], length: 60 }] });
  });

  it('says nothing of its old type with another one, and gets it back', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema(nameAddress);
    await pane();
    await choose(user, 'Type', 'integer');
    await choose(user, 'Type', 'string');
    expect(input('Length').value).toBe('40');
    expect(screen.queryByText('Changed, not saved yet')).toBeNull();
    await choose(user, 'Type', 'date');
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toMatchObject({ type: 'date', db_type: null, length: null, scale: null });
  });

  it('keeps a type that the documents do not list', async () => {
    const uuid = aField('key', { type: 'uuid', db_type: 'uuid', length: null });
    const { writes } = fakeSchema([aTable('thing', [anId(), uuid])]);
    const { user } = openSchema('/schema/shop/thing/field/key');
    await pane();
    expect(select('Type').value).toBe('uuid');
    await user.type(input('Alias'), 'k');
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toEqual({ ...uuid, alias: 'k' });
  });

  it('tells that a default is not taken alone', async () => {
    const { writes } = fakeSchema(tables);
    const { user } = openSchema('/schema/shop/thing/field/size');
    await pane();
    await user.type(input('Default Value'), '7');
    expect(screen.getByText(/takes a default only together with another change/)).toBeTruthy();
    await user.click(box(/Allow Null/));
    expect(screen.queryByText(/takes a default only/)).toBeNull();
    await user.click(button('Save'));
    await screen.findByText('Field saved successfully.');
    expect(sentField(writes()[0]!)).toMatchObject({ default: 7, allow_null: false });
  });

  it('shows what its reference does, which stays', async () => {
    const teamId = aField('team_id', { type: 'reference', is_foreign_key: true, ref_table: 'team', ref_field: 'id' });
    const thing = aTable('thing', [anId(), teamId]);
    thing.related = [
      {
        ...aRelation('team_by_team_id'),
        type: 'belongs_to',
        field: 'team_id',
        ref_table: 'team',
        ref_on_delete: 'CASCADE',
      },
    ];
    fakeSchema([thing, tables[1]!]);
    openSchema('/schema/shop/thing/field/team_id');
    await pane();
    expect(select('On Delete').value).toBe('CASCADE');
    expect([select('Reference Table').disabled, select('On Delete').disabled]).toEqual([true, true]);
  });

  it('is deleted after a question', async () => {
    const { writes } = fakeSchema(tables);
    const { user, currentAddress } = openSchema(nameAddress);
    await pane();
    await user.click(button('Delete field'));
    const question = await screen.findByText('Are you sure you want to delete field name?');
    await user.click(
      within(question.closest<HTMLElement>('[role="dialog"], [role="alertdialog"]')!).getByRole('button', {
        name: 'Delete field',
      }),
    );
    expect(await screen.findByText('Field deleted successfully.')).toBeTruthy();
    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE shop/_schema/thing/_field/name']);
    expect(currentAddress()).toBe('/schema/shop/thing');
  });

  it('says that there is none of its name', async () => {
    fakeSchema(tables);
    openSchema('/schema/shop/thing/field/nope');
    expect(await screen.findByText('There is no field “nope”')).toBeTruthy();
  });

  it('asks before changes are left', async () => {
    fakeSchema(tables);
    const { user, currentAddress } = openSchema(nameAddress);
    await pane();
    await user.type(input('Label'), '!');
    await user.click(button('Cancel'));
    await user.click(await screen.findByRole('button', { name: 'Stay here' }));
    expect(input('Label').value).toBe('Name!');
    await user.click(button('Cancel'));
    await user.click(await screen.findByRole('button', { name: 'Continue without saving' }));
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/thing'));
  });

  it('can only be looked at without the right to change it', async () => {
    storeSession(aSession({ is_sys_admin: false }));
    fakeSchema([{ ...tables[0]!, access: 1 }]);
    openSchema(nameAddress);
    await pane();
    expect(screen.getByText(/your role lacks PUT/)).toBeTruthy();
    expect([button('Save').disabled, button('Delete field').disabled]).toEqual([true, true]);
    expect(input('Label').matches(':disabled')).toBe(true);
  });
});

describe('what a field holds', () => {
  const samplesFrom = (answer: FakeResponse) =>
    fakeSchema([{ ...tables[0]!, alias: 'stuff' }], {
      answerFirst: ({ path }) => (path.startsWith('shop/_table/') ? answer : undefined),
    });

  it('is shown, by the alias of the table', async () => {
    const names = ['a', 'b', null, 'a', ''];
    const { calls } = samplesFrom({ body: { resource: names.map((name) => ({ name })) } });
    openSchema(nameAddress);
    const samples = await screen.findByRole('region', { name: 'What it holds' });
    expect(
      within(samples)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['a', 'b', 'empty text']);
    expect(within(samples).getByText('1 is null')).toBeTruthy();
    expect(calls.some(({ path }) => path === 'shop/_table/stuff?fields=name&limit=50')).toBe(true);
  });

  it('is said to be nothing in an empty table', async () => {
    samplesFrom({ body: { resource: [] } });
    openSchema(nameAddress);
    expect(await screen.findByText('The table has no records yet.')).toBeTruthy();
  });

  it('is nobody’s business who may not read records', async () => {
    const { calls } = samplesFrom(refusal(403, 'Not allowed.'));
    openSchema(nameAddress);
    await pane();
    await waitFor(() => expect(calls.some(({ path }) => path.startsWith('shop/_table/'))).toBe(true));
    expect(screen.queryByRole('region', { name: 'What it holds' })).toBeNull();
  });
});

describe('a field of a table that is not saved yet', () => {
  const openDraft = (name: string | null) => {
    const { writes } = fakeSchema(tables);
    const keep = vi.fn();
    const onClose = vi.fn();
    const table = newTable('fresh');
    const element = <FieldPane service="shop" table={table} name={name} keep={keep} onClose={onClose} />;
    return { ...openPage('/schema/shop', [{ path: '/schema/:service', element }]), keep, onClose, writes };
  };

  it('is kept there, and may refer to that table', async () => {
    const { user, keep, onClose, writes } = openDraft(null);
    await user.type(input('Name'), 'parent');
    await choose(user, 'Type', 'reference');
    await choose(user, 'Reference Table', 'fresh (this table)');
    await waitFor(() => expect(select('Reference Field').value).toBe('id · id'));
    await user.click(button('Add Field'));
    expect(keep.mock.calls).toEqual([
      [{ ...newField('parent'), type: 'reference', is_foreign_key: true, ref_table: 'fresh', ref_field: 'id' }],
    ]);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(writes()).toEqual([]);
  });

  it('is followed by another', async () => {
    const { user, keep, onClose } = openDraft(null);
    await user.type(input('Name'), 'one');
    await choose(user, 'Type', 'text');
    await user.click(button('Add and another'));
    expect(keep).toHaveBeenCalledTimes(1);
    expect(onClose).not.toHaveBeenCalled();
    expect(input('Name').value).toBe('');
  });

  it('is changed by name and all', async () => {
    const { user, keep } = openDraft('id');
    expect(screen.queryByRole('button', { name: 'Delete field' })).toBeNull();
    await user.type(input('Name'), '2');
    await user.click(button('Save'));
    expect(keep.mock.calls[0]![0]).toMatchObject({ name: 'id2', type: 'id', is_primary_key: true });
  });

  it('asks before what was typed is dropped', async () => {
    const { user, onClose } = openDraft(null);
    await user.type(input('Name'), 'one');
    await user.click(button('Cancel'));
    expect(onClose).not.toHaveBeenCalled();
    await user.click(await screen.findByRole('button', { name: 'Continue without saving' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  });
});
