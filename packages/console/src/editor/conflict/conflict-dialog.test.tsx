import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import { TextInput } from '../../fields/index.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, signIn } from '../../list/testing.tsx';
import { useField } from '../editor-context.ts';
import { EditorScreen } from '../editor-screen.tsx';

const ThingEditor = ({ id }: { id: string }) => (
  <EditorScreen
    id={id}
    resource="thing"
    related="lookup_by_thing_id"
    base="/things"
    permissionTexts={{ resources: 'system/thing', things: 'things' }}
    texts="roles"
    emptyForm={{ name: '', label: '' } as Row}
    validate={(form): Record<string, string> => (form.label === '' ? { label: 'Label is required.' } : {})}
    toDraft={({ secret: _never, ...rest }) => rest}
    describeValue={(field, value) => (field === 'owner_id' ? `Person ${value}` : undefined)}
  >
    <TextInput name="name" label="Name" required />
    <TextInput name="label" label="Label" />
    <TextInput name="owner_id" label="Owner" />
    <TextInput name="secret" label="Secret" />
    <Keys />
  </EditorScreen>
);

/** A list of rows, as a screen would have one. */
function Keys() {
  const { value, onChange } = useField<Row[]>('lookup_by_thing_id');
  return (
    <button type="button" onClick={() => onChange([...value, { name: 'mine', value: '1' }])}>
      Add mine
    </button>
  );
}

const start = (): Row => ({
  id: 7,
  name: 'seven',
  label: 'Seven',
  owner_id: '1',
  secret: null,
  lookup_by_thing_id: [],
});

/** An instance that keeps one record and its version, and a hand that changes it from outside. */
function versioned(created: Row = start()) {
  let record: Row | null = created;
  let version = 1;
  const currentRecord = (): FakeResponse => ({ body: record, headers: { ETag: `"${version}"` } });
  const answer = (call: RecordedCall): FakeResponse | undefined => {
    if (!call.path.startsWith('system/thing/7') || call.method === 'POST') return undefined;
    if (record === null) return refusal(404, "Record with identifier '7' not found.");
    if (call.method === 'GET') return currentRecord();
    const seen = call.headers.get('If-Match');
    if (seen !== null && seen !== `"${version}"`)
      return refusal(412, 'The record was changed by someone else in the meantime.');
    record = call.method === 'DELETE' ? null : { ...record, ...(call.body as Row) };
    version += 1;
    return record === null ? { body: { id: 7 } } : currentRecord();
  };
  const { calls } = fakeInstanceOf('thing', [], answer);
  return {
    calls,
    writes: () => calls.filter(({ method }) => method !== 'GET'),
    record: () => record,
    someoneSaves: (changes: Row) => {
      record = { ...record, ...changes, last_modified_date: '2026-11-20T10:00:00.000Z' };
      version += 1;
    },
    someoneDeletes: () => {
      record = null;
    },
  };
}

const open = () =>
  openPage('/things/7', [
    { path: '/things', element: <p>The list</p> },
    { path: '/things/:id/*', element: <ThingEditor id="7" /> },
  ]);
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const dialog = () => screen.findByRole('dialog');

beforeEach(signIn);

describe('a save', () => {
  it('goes on top of the version that was read, and the next one on top of what it made', async () => {
    const { writes } = versioned();
    const { user } = open();
    await user.type(await field('Label'), '!');
    await user.click(button('Save'));
    await screen.findByText('Role updated successfully.');
    await user.type(await field('Label'), '?');
    await user.click(button('Save'));
    await waitFor(() => expect(writes()).toHaveLength(2));
    expect(writes().map(({ headers }) => headers.get('If-Match'))).toEqual(['"1"', '"2"']);
  });

  it('asks for no version where the instance tells none', async () => {
    const { calls } = fakeInstanceOf('thing', [start()]);
    const { user } = open();
    await user.type(await field('Label'), '!');
    await user.click(button('Save'));
    await screen.findByText('Role updated successfully.');
    expect(calls.every(({ headers }) => !headers.has('If-Match'))).toBe(true);
  });

  it('shows what both changed, merges the rest, and saves what was chosen on top of theirs', async () => {
    const instance = versioned();
    const { user } = open();
    await user.type(await field('Label'), ' mine');
    await user.type(await field('Secret'), 'hush');
    instance.someoneSaves({ label: 'Seven theirs', owner_id: '2' });
    await user.click(button('Save'));

    const openDialog = await dialog();
    expect(within(openDialog).getByText('Someone else saved this first')).toBeTruthy();
    expect(instance.record()).toMatchObject({ label: 'Seven theirs' });
    const both = within(openDialog).getByRole('group', { name: 'Label' });
    expect(both.textContent).toContain('Seven mine');
    expect(both.textContent).toContain('Seven theirs');
    const settled = within(openDialog).getByRole('region', { name: 'Merged by itself' });
    expect(settled.textContent).toContain('Owner Only they changed it');
    expect(settled.textContent).toContain('Person 2');
    // Mine, but nobody reads it over a shoulder.
    expect(settled.textContent).toContain('Secret Only you changed it');
    expect(openDialog.textContent).toContain('**********');
    expect(openDialog.textContent).not.toContain('hush');

    const save = within(openDialog).getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    expect(openDialog.textContent).toContain('1 choice left');
    await user.click(within(both).getByRole('radio', { name: 'Keep mine' }));
    await user.click(save);
    await screen.findByText('Role updated successfully.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(instance.record()).toMatchObject({ label: 'Seven mine', owner_id: '2', secret: 'hush' });
    expect(instance.writes().map(({ headers }) => headers.get('If-Match'))).toEqual(['"1"', '"2"']);
    expect((await field('Owner')).value).toBe('2');
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('takes all of theirs at once', async () => {
    const instance = versioned();
    const { user } = open();
    await user.type(await field('Label'), ' mine');
    await user.type(await field('Name'), ' mine');
    instance.someoneSaves({ label: 'L', name: 'N' });
    await user.click(button('Save'));
    const openDialog = await dialog();
    await user.click(within(openDialog).getByRole('button', { name: 'Take all theirs' }));
    await user.click(within(openDialog).getByRole('button', { name: 'Save' }));
    await screen.findByText('Role updated successfully.');
    expect(instance.record()).toMatchObject({ label: 'L', name: 'N' });
    expect((await field('Label')).value).toBe('L');
  });

  it('goes on by itself where they changed nothing that is seen', async () => {
    const instance = versioned();
    const { user } = open();
    await user.type(await field('Label'), ' mine');
    instance.someoneSaves({});
    await user.click(button('Save'));
    await screen.findByText('Role updated successfully.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(instance.record()).toMatchObject({ label: 'Seven mine' });
  });

  it('leaves everything as typed when the comparison is closed, and asks again with the next save', async () => {
    const instance = versioned();
    const { user } = open();
    await user.type(await field('Label'), ' mine');
    instance.someoneSaves({ label: 'L' });
    await user.click(button('Save'));
    await user.click(
      within(await dialog())
        .getAllByRole('button', { name: 'Back to the form' })
        .at(-1)!,
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await field('Label')).value).toBe('Seven mine');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    instance.someoneSaves({ label: 'L2' });
    await user.click(button('Save'));
    expect((await dialog()).textContent).toContain('L2');
  });

  it('shows a third one who saved while the two were being compared', async () => {
    const instance = versioned();
    const { user } = open();
    await user.type(await field('Label'), ' mine');
    instance.someoneSaves({ label: 'L' });
    await user.click(button('Save'));
    await user.click(within(await dialog()).getByRole('radio', { name: 'Keep mine' }));
    instance.someoneSaves({ owner_id: '9' });
    await user.click(within(await dialog()).getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect((await dialog()).textContent).toContain('Person 9'));
    await user.click(within(await dialog()).getByRole('button', { name: 'Save' }));
    await screen.findByText('Role updated successfully.');
    expect(instance.record()).toMatchObject({ label: 'Seven mine', owner_id: '9' });
  });

  it('tells the rows of a list that came and those that stayed', async () => {
    const rows = [{ id: 1, thing_id: 7, name: 'a', value: '1' }];
    const instance = versioned({ ...start(), lookup_by_thing_id: rows });
    const { user } = open();
    await field('Label');
    instance.someoneSaves({
      lookup_by_thing_id: [...rows, { id: 2, thing_id: 7, name: 'theirs', value: '2' }],
      label: 'L',
    });
    await user.type(await field('Label'), ' mine');
    await user.click(button('Save'));
    const settled = within(await dialog()).getByRole('region', { name: 'Merged by itself' });
    expect(settled.textContent).toContain('Added: theirs = 2');
    expect(settled.textContent).toContain('1 unchanged');
  });
});

describe('a list both changed', () => {
  const keptRow = { id: 1, thing_id: 7, name: 'a', value: '1' };
  const theirs = { id: 2, thing_id: 7, name: 'theirs', value: '2' };
  const conflict = async () => {
    const instance = versioned({ ...start(), lookup_by_thing_id: [keptRow] });
    const { user } = open();
    await field('Label');
    await user.click(button('Add mine'));
    instance.someoneSaves({ lookup_by_thing_id: [keptRow, theirs] });
    await user.click(button('Save'));
    const list = within(await dialog()).getByRole('group', { name: 'Lookup' });
    expect(list.textContent).toContain('Added: mine = 1');
    expect(list.textContent).toContain('Added: theirs = 2');
    return async (choice: string) => {
      await user.click(within(list).getByRole('radio', { name: choice }));
      await user.click(within(await dialog()).getByRole('button', { name: 'Save' }));
      await screen.findByText('Role updated successfully.');
      return (instance.writes().at(-1)!.body as Row).lookup_by_thing_id;
    };
  };

  it('is kept as mine by taking away what they added, which the server would leave alone otherwise', async () => {
    const choose = await conflict();
    expect(await choose('Keep mine')).toEqual([keptRow, { name: 'mine', value: '1' }, { id: 2, thing_id: null }]);
  });

  it('is taken as theirs, without what I added', async () => {
    const choose = await conflict();
    expect(await choose('Take theirs')).toEqual([keptRow, theirs]);
  });
});

describe('a record that was deleted in the meantime', () => {
  it('is created again from the draft', async () => {
    const instance = versioned();
    const { user, currentAddress } = open();
    await user.type(await field('Label'), ' mine');
    instance.someoneDeletes();
    await user.click(button('Save'));
    const openDialog = await dialog();
    expect(openDialog.textContent).toContain('This was deleted in the meantime');
    await user.click(within(openDialog).getByRole('button', { name: 'Create it again' }));
    await waitFor(() => expect(currentAddress()).toBe('/things/900'));
    const created = instance.writes().at(-1)!;
    expect(created).toMatchObject({ method: 'POST', body: { resource: [{ label: 'Seven mine' }] } });
    expect((created.body as { resource: Row[] }).resource[0]).not.toHaveProperty('id');
  });

  it('is simply gone when it was to be deleted', async () => {
    const instance = versioned();
    const { user } = open();
    await field('Label');
    instance.someoneDeletes();
    await user.click(button('Delete'));
    await user.click(within(await dialog()).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(screen.getByText('seven had been deleted already.')).toBeTruthy();
  });
});

describe('a deletion', () => {
  it('says what changed since, and deletes only when told again', async () => {
    const instance = versioned();
    const { user } = open();
    await field('Label');
    instance.someoneSaves({ label: 'L' });
    await user.click(button('Delete'));
    await user.click(within(await dialog()).getByRole('button', { name: 'Delete' }));
    const openDialog = await waitFor(() => screen.getByRole('dialog', { name: 'Someone else changed this first' }));
    expect(openDialog.textContent).toContain('L');
    expect(instance.record()).not.toBeNull();
    await user.click(within(openDialog).getByRole('button', { name: 'Delete anyway' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(instance.record()).toBeNull();
    expect(instance.writes().map(({ headers }) => headers.get('If-Match'))).toEqual(['"1"', '"2"']);
  });
});

describe('a draft', () => {
  it('says so when the record was saved since', async () => {
    const instance = versioned();
    const first = open();
    await first.user.type(await field('Label'), '!');
    await waitFor(() => expect(sessionStorage.getItem(sessionStorage.key(0) ?? '')).toContain('Seven!'));
    first.unmount();
    instance.someoneSaves({ label: 'L' });
    open();
    expect(await screen.findByText(/someone saved this record since/)).toBeTruthy();
  });
});
