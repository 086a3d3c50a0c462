import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { aRelation, fakeSchema, openRelation } from './relation.fixture.tsx';

// Found by texts and labels: roles are slow to find among so many inputs.
const paneOf = (title: HTMLElement) => title.closest<HTMLElement>('[role="dialog"]')!;
const title = [/Relationship/, { selector: 'h2' }] as const;
const pane = () => paneOf(screen.getByText(...title));
const openedPane = async () => paneOf(await screen.findByText(...title));
const inPane = (name: string) => within(pane()).getByRole<HTMLButtonElement>('button', { name, hidden: true });
const labelled = (label: string) =>
  within(pane()).getByLabelText<HTMLInputElement>(new RegExp(`^${label}( \\*)?$`), { selector: 'input, textarea' });
/** An input by its label. */
const [field, select, type] = [labelled, labelled, labelled];
const flag = (label: string) => within(pane()).getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const relations = () =>
  within(screen.getByRole('list', { name: 'relations' }))
    .getAllByRole('listitem')
    .map((item) => item.firstChild?.textContent);
const described = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
const answer = async (user: User, name: string) =>
  user.click(within(await screen.findByRole('dialog', { name: /\?$/ })).getByRole('button', { name }));

type User = ReturnType<typeof openRelation>['user'];

const choose = async (user: User, label: string, option: string) => {
  await user.click(select(label));
  const options = await within(pane()).findAllByRole('option', { hidden: true });
  await user.click(options.find(({ textContent }) => textContent.split(' ')[0] === option)!);
};

/** The relation that was sent last. */
const sent = ({ writes }: ReturnType<typeof fakeSchema>) =>
  (writes().at(-1)?.body as { resource: Record<string, unknown>[] } | undefined)?.resource[0];

const blank = {
  name: null,
  is_virtual: true,
  alias: null,
  label: null,
  description: null,
  always_fetch: false,
  ref_service_id: 5,
  junction_service_id: null,
  junction_table: null,
  junction_field: null,
  junction_ref_field: null,
};

beforeEach(signIn);

describe('a new relation', () => {
  it('is blank, and refused while it is, with what is missing beside each input (OPEN-174)', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    expect([flag('Virtual Relationship').checked, flag('Always Fetch').checked]).toEqual([true, false]);
    expect(['Alias', 'Label', 'Description', 'Name'].map((label) => field(label).value)).toEqual(['', '', '', '']);
    expect(field('Name').readOnly).toBe(true);
    await waitFor(() => expect(select('Reference Service').value).toBe('Shop'));
    await user.click(inPane('Save'));
    expect(within(pane()).getByRole('alert').textContent).toBe('Required fields are blank');
    expect(within(pane()).getByText('4 fields to fill in')).toBeTruthy();
    expect(within(pane()).getAllByText('Please choose.')).toHaveLength(4);
    expect(document.activeElement).toBe(type('Belongs To'));
    await user.click(type('Belongs To'));
    expect(within(pane()).getByText('3 fields to fill in')).toBeTruthy();
    expect(instance.writes()).toEqual([]);
  });

  it('belongs to a record: its fields are filled in, it is read back and sent, and the list read again', async () => {
    const instance = fakeSchema();
    const { user, currentAddress } = openRelation('/schema/shop/todo/relation?view=json');
    await openedPane();
    await user.click(type('Belongs To'));
    await choose(user, 'Reference Table', 'team');
    await waitFor(() => expect(select('Reference Field').value).toBe('id'));
    expect(select('Field').value).toBe('team_id');
    expect(field('Name').value).toBe('team_by_team_id');
    expect(
      within(pane()).getByText('Each todo record has one team record, the one whose id is its team_id.'),
    ).toBeTruthy();
    await user.type(field('Alias'), 'crew{Enter}');
    expect(await screen.findByText('Virtual Relationship saved successfully.')).toBeTruthy();
    expect(instance.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST shop/_schema/todo/_related',
    ]);
    expect(sent(instance)).toEqual({
      ...blank,
      alias: 'crew',
      type: 'belongs_to',
      field: 'team_id',
      ref_table: 'team',
      ref_field: 'id',
    });
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/todo?view=json'));
    expect(relations()).toEqual(['town_by_country', 'team_by_team_id']);
    for (const path of ['_schema/todo/_field/', '_schema/', '_schema/team', '_schema/todo/_related'])
      expect(instance.reads()).toContain(`shop/${path}`);
  });

  it('is saved by ⌘S, once however often it is pressed', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    await user.click(await within(pane()).findByRole('button', { name: 'team_id → team' }));
    await waitFor(() => expect(select('Reference Field').value).toBe('id'));
    await user.keyboard('{Control>}ss{/Control}');
    expect(await screen.findByText('Virtual Relationship saved successfully.')).toBeTruthy();
    expect(instance.writes()).toHaveLength(1);
  });

  it('has one or many records: the field is that of the other table; what nobody chose follows the type', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    await choose(user, 'Reference Table', 'step');
    await waitFor(() => expect(select('Reference Field').value).toBe('id'));
    await user.click(type('Has Many'));
    await waitFor(() => expect(select('Reference Field').value).toBe('todo_id'));
    expect(select('Field').value).toBe('id');
    expect(field('Name').value).toBe('step_by_todo_id');
    const says = (sentence: string) => expect(within(pane()).getByText(sentence)).toBeTruthy();
    says('Each todo record has many step records, all whose todo_id is its id.');
    says('Each todo record has at most one step record, which holds its key.');
    await user.click(type('Has One'));
    says('Each todo record has at most one step record, the one whose todo_id is its id.');
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toEqual({
      ...blank,
      type: 'has_one',
      field: 'id',
      ref_table: 'step',
      ref_field: 'todo_id',
    });
  });

  it('goes through a junction, whose inputs many to many alone has', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    expect(within(pane()).queryByLabelText(/^Junction/)).toBeNull();
    await user.click(type('Many To Many'));
    await choose(user, 'Reference Table', 'tag');
    await choose(user, 'Junction Table', 'todo_tag');
    await waitFor(() => expect(select('Junction Reference Field').value).toBe('tag_id'));
    expect(select('Junction Field').value).toBe('todo_id');
    expect(select('Junction Service').value).toBe('Shop');
    expect(field('Name').value).toBe('tag_by_todo_tag');
    expect(
      within(pane()).getByText(
        'Each todo record has many tag records and the other way round. A todo_tag record links two of them: its todo_id is id of todo and its tag_id is id of tag.',
      ),
    ).toBeTruthy();
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toEqual({
      ...blank,
      type: 'many_many',
      field: 'id',
      ref_table: 'tag',
      ref_field: 'id',
      junction_service_id: 5,
      junction_table: 'todo_tag',
      junction_field: 'todo_id',
      junction_ref_field: 'tag_id',
    });
  });

  it('leads to another service, whose name is in its own', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    await user.click(type('Has Many'));
    await choose(user, 'Reference Service', 'CRM');
    await choose(user, 'Reference Table', 'account');
    await waitFor(() => expect(select('Reference Field').value).toBe('todo_id'));
    expect(field('Name').value).toBe('crm.account_by_todo_id');
    expect(instance.reads()).toEqual(expect.arrayContaining(['crm/_schema/', 'crm/_schema/account']));
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toMatchObject({ ref_service_id: 6, ref_table: 'account', ref_field: 'todo_id' });
    expect(relations()).toContain('crm.account_by_todo_id');
  });

  it('joins two fields', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    await user.click(type('Belongs To'));
    // The key of a town has two fields.
    await choose(user, 'Reference Table', 'town');
    await waitFor(() => expect(select('Reference Field 2').value).toBe('code'));
    await choose(user, 'Field', 'country');
    await user.click(inPane('Save'));
    expect(within(pane()).getByRole('alert').textContent).toBe('Required fields are blank');
    expect(described(select('Field 2'))).toContain('Please choose.');
    await choose(user, 'Field 2', 'town_code');
    expect(field('Name').value).toBe('town_by_country_town_code');
    await user.click(inPane('Join by one more field'));
    expect(select('Field 3').value).toBe('');
    await user.click(inPane('Remove Field 3'));
    expect(within(pane()).queryByLabelText(/^Reference Field 3/)).toBeNull();
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toMatchObject({ field: 'country,town_code', ref_field: 'country,code' });
  });

  it('is warned of where types do not match, and refused where its name is taken', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation');
    await openedPane();
    await user.click(type('Belongs To'));
    await choose(user, 'Reference Table', 'step');
    await choose(user, 'Field', 'name');
    await waitFor(() => expect(select('Reference Field').value).toBe('id'));
    expect(within(pane()).getByText(/^todo.name is string, step.id is id\./)).toBeTruthy();
    await choose(user, 'Reference Field', 'todo_name');
    expect(within(pane()).queryByText(/hardly ever equal/)).toBeNull();
    await choose(user, 'Reference Table', 'town');
    await choose(user, 'Field', 'country');
    await user.click(inPane('Remove Field 2'));
    expect(field('Name').value).toBe('town_by_country');
    expect(described(field('Name'))).toContain('The table has a relationship town_by_country already.');
    await user.click(inPane('Save'));
    expect(instance.writes()).toEqual([]);
  });

  it('offers no values of aggregates, and a choice that is unknown stays', async () => {
    fakeSchema({ related: [aRelation('team_by_crew', { field: 'crew' })] });
    const { user } = openRelation('/schema/shop/todo/relation/team_by_crew');
    await openedPane();
    expect(select('Field').value).toBe('crew');
    await user.clear(select('Field'));
    const names = (await within(pane()).findAllByRole('option', { hidden: true })).map(
      ({ textContent }) => textContent,
    );
    expect(names).toHaveLength(7);
    expect(names.join()).not.toContain('total');
  });
});

describe('a relation that is there', () => {
  it('is changed by PATCH: what is not shown stays, a label of the server stays its own, its new name is followed', async () => {
    const original = aRelation('team_by_team_id', { flatten: true });
    const instance = fakeSchema({ related: [original] });
    const { user, currentAddress, router } = openRelation('/schema/shop/todo/relation/team_by_team_id');
    await openedPane();
    expect(field('Label').value).toBe('');
    expect(field('Label').placeholder).toBe('Team By Team Id');
    await choose(user, 'Field', 'owner');
    expect(field('Name').value).toBe('team_by_owner');
    expect(described(field('Name'))).toContain('It is team_by_team_id now.');
    expect(field('Label').placeholder).toBe('Team By Owner');
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(instance.writes().map(({ method }) => method)).toEqual(['PATCH']);
    expect(sent(instance)).toEqual({ ...original, label: null, field: 'owner' });
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/todo'));
    expect(relations()).toEqual(['town_by_country', 'team_by_owner']);
    await router.navigate(-1);
    expect(currentAddress()).toBe('/schema/shop/todo/relation/team_by_owner');
    expect(await openedPane()).toBeTruthy();
  });

  it('by a foreign key lets only alias, label, description and always fetch be changed, and says why', async () => {
    const instance = fakeSchema();
    const { user } = openRelation('/schema/shop/todo/relation/town_by_country');
    await openedPane();
    expect(within(pane()).getByText(/follows from a foreign key of the database/)).toBeTruthy();
    expect(select('Field').value).toBe('country');
    expect(
      ['Field', 'Reference Service', 'Reference Table', 'Reference Field'].map((label) => select(label).disabled),
    ).toEqual([true, true, true, true]);
    expect(type('Has Many').disabled).toBe(true);
    expect(within(pane()).queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.type(field('Label'), 'Home town');
    await user.click(flag('Always Fetch'));
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toEqual({
      ...aRelation('town_by_country', { field: 'country', ref_table: 'town', ref_field: 'country' }),
      is_virtual: false,
      label: 'Home town',
      always_fetch: true,
    });
    expect(instance.reads()).not.toContain('shop/_schema/');
  });

  it('keeps all that was typed when the server refuses it, beside the input it is about', async () => {
    let isRefused = true;
    const instance = fakeSchema({
      related: [aRelation('team_by_team_id')],
      answerFirst: ({ method }) =>
        method === 'PATCH' && isRefused
          ? refusal(400, "The alias of 'team_by_team_id' must be a name of up to 64 letters.")
          : undefined,
    });
    const { user } = openRelation('/schema/shop/todo/relation/team_by_team_id');
    await openedPane();
    await user.type(field('Alias'), 'a/b');
    await user.click(inPane('Save'));
    expect(await screen.findByText('Api Error')).toBeTruthy();
    expect(described(field('Alias'))).toContain('must be a name of up to 64 letters');
    expect(field('Alias').value).toBe('a/b');
    await user.type(field('Alias'), 'c');
    expect(described(field('Alias'))).not.toContain('must be a name');
    isRefused = false;
    await user.click(inPane('Save'));
    await screen.findByText('Virtual Relationship saved successfully.');
    expect(sent(instance)).toMatchObject({ alias: 'a/bc' });
  });

  it('is not there: the pane says so', async () => {
    fakeSchema();
    openRelation('/schema/shop/todo/relation/nothing');
    expect(await screen.findByText('There is no relationship “nothing”')).toBeTruthy();
  });

  it('is only read without the permission, which is named', async () => {
    fakeSchema({ related: [aRelation('team_by_team_id')], access: 1 });
    openRelation('/schema/shop/todo/relation/team_by_team_id');
    await openedPane();
    expect(within(pane()).getByText(/lacks PUT, PATCH for _schema\/todo/)).toBeTruthy();
    expect([inPane('Save').disabled, field('Alias').disabled, select('Field').disabled]).toEqual([true, true, true]);
    expect(within(pane()).queryByRole('button', { name: 'Delete' })).toBeNull();
  });
});

it('asks before changes are lost; once closed, the list of relations is read again', async () => {
  const instance = fakeSchema({ related: [aRelation('team_by_team_id')] });
  const { user, currentAddress } = openRelation('/schema/shop/todo/relation/team_by_team_id');
  await openedPane();
  await user.type(field('Alias'), 'crew');
  await user.click(inPane('Cancel'));
  await answer(user, 'Stay here');
  expect(field('Alias').value).toBe('crew');
  await user.keyboard('{Escape}');
  await answer(user, 'Continue without saving');
  await waitFor(() => expect(currentAddress()).toBe('/schema/shop/todo'));
  expect(instance.reads()).toContain('shop/_schema/todo/_related');
  expect(instance.writes()).toEqual([]);
});

it('names tables that cannot be read, and reads them again on request', async () => {
  let isDown = true;
  fakeSchema({
    answerFirst: ({ path }) => (isDown && path === 'crm/_schema/' ? refusal(500, 'No connection.') : undefined),
  });
  const { user } = openRelation('/schema/shop/todo/relation');
  await openedPane();
  await choose(user, 'Reference Service', 'CRM');
  expect(await within(pane()).findByText(/The tables of crm could not be read: No connection\./)).toBeTruthy();
  expect(await screen.findByText('Api Error')).toBeTruthy();
  isDown = false;
  await user.click(inPane('Try again'));
  await choose(user, 'Reference Table', 'account');
  expect(select('Reference Table').value).toBe('account');
});

describe('deleting', () => {
  it('asks first, and tells', async () => {
    const instance = fakeSchema({ related: [aRelation('team_by_team_id')] });
    const { user } = openRelation('/schema/shop/todo');
    await user.click(await screen.findByRole('button', { name: 'Delete team_by_team_id' }));
    expect(await screen.findByText('Are you sure you want to delete relationship team_by_team_id?')).toBeTruthy();
    await answer(user, 'Cancel');
    expect(instance.writes()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete team_by_team_id' }));
    await answer(user, 'Delete');
    expect(await screen.findByText('Virtual Relationship deleted successfully.')).toBeTruthy();
    expect(instance.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE shop/_schema/todo/_related/team_by_team_id',
    ]);
    expect(relations()).toEqual(['town_by_country']);
  });

  it('closes the pane of what is gone, unsaved or not', async () => {
    fakeSchema({ related: [aRelation('team_by_team_id')] });
    const { user, currentAddress } = openRelation('/schema/shop/todo/relation/team_by_team_id');
    await openedPane();
    await user.type(field('Alias'), 'crew');
    await user.click(inPane('Delete'));
    await answer(user, 'Delete');
    expect(await screen.findByText('Virtual Relationship deleted successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/todo'));
    expect(screen.queryByRole('dialog', { name: /Relationship/ })).toBeNull();
  });

  it('tells what the server refuses', async () => {
    fakeSchema({
      related: [aRelation('team_by_team_id')],
      answerFirst: ({ method }) => (method === 'DELETE' ? refusal(403, 'Not allowed here.') : undefined),
    });
    const { user } = openRelation('/schema/shop/todo');
    await user.click(await screen.findByRole('button', { name: 'Delete team_by_team_id' }));
    await answer(user, 'Delete');
    expect(await screen.findByText('Not allowed here.')).toBeTruthy();
    expect(relations()).toEqual(['town_by_country', 'team_by_team_id']);
  });
});
