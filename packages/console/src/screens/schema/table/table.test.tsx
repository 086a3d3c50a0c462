import { EditorView } from '@codemirror/view';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { aField, anId, aRelation, aTable, fakeSchema, openSchema } from '../testing.tsx';

const product = () =>
  aTable(
    'product',
    [
      anId(),
      aField('name', { allow_null: false, required: true }),
      aField('team_id', { type: 'reference', is_foreign_key: true, ref_table: 'team', ref_field: 'id' }),
    ],
    {
      related: [
        aRelation('team_by_team_id', { type: 'belongs_to', field: 'team_id', ref_table: 'team' }),
        aRelation('item_by_code', { is_virtual: true, ref_table: 'item', ref_field: 'code' }),
      ],
    },
  );

beforeEach(signIn);

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
const descriptionOf = (input: HTMLElement) =>
  (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join('');
const rowNames = (region: string) =>
  within(screen.getByRole('region', { name: region }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]!.textContent);
const quick = () => within(screen.getByRole('group', { name: 'Add a field' }));

describe('a table', () => {
  it('shows its properties, its fields and its relations', async () => {
    fakeSchema([product(), aTable('team')]);
    const { user } = openSchema('/schema/shop/product');
    expect((await screen.findByRole('textbox', { name: 'Table Name' })).hasAttribute('readonly')).toBe(true);
    expect(screen.getByRole('heading', { name: 'product', level: 1 })).toBeTruthy();
    expect(rowNames('Fields')).toEqual(['id', 'name', 'team_id']);
    expect(rowNames('Relationships')).toEqual(['team_by_team_id', 'item_by_code']);
    expect(screen.getByRole('link', { name: 'team_id' }).getAttribute('href')).toBe(
      '/schema/shop/product/field/team_id',
    );
    // Only virtual ones can be deleted: the others go with their field.
    expect(screen.queryByRole('button', { name: 'Delete relationship team_by_team_id' })).toBeNull();
    expect(isDisabled('Delete relationship item_by_code')).toBe(false);

    const nameHead = screen.getAllByRole('columnheader', { name: 'Name' })[0]!;
    await user.click(within(nameHead).getByRole('button'));
    await user.click(within(nameHead).getByRole('button'));
    expect(nameHead.getAttribute('aria-sort')).toBe('descending');
    expect(rowNames('Fields')).toEqual(['team_id', 'name', 'id']);
    await user.click(within(nameHead).getByRole('button'));
    expect(rowNames('Fields')).toEqual(['id', 'name', 'team_id']);
  });

  it('is saved with what was changed, and not with what others may have changed', async () => {
    const { writes } = fakeSchema([product()]);
    const { user } = openSchema('/schema/shop/product');
    await user.type(await screen.findByRole('textbox', { name: 'Alias' }), 'ware');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Table saved successfully.')).toBeTruthy();
    expect(writes()).toMatchObject([{ method: 'PATCH', path: 'shop/_schema/product' }]);
    expect(writes()[0]?.body).toEqual({
      ...{ name: 'product', alias: 'ware', label: 'product', plural: 'products' },
      ...{ description: null, name_field: null },
    });
    await waitFor(() => expect(isDisabled('Save')).toBe(true));
  });

  it('says why it was not saved, keeps what was typed, and asks before that is lost', async () => {
    const refuse = {
      answerFirst: (call: { method: string }) =>
        call.method === 'PATCH' ? refusal(400, 'Not that alias.') : undefined,
    };
    fakeSchema([product(), aTable('team')], refuse);
    const { user, currentAddress } = openSchema('/schema/shop/product');
    await user.type(await screen.findByRole('textbox', { name: 'Alias' }), 'team');
    await user.click(button('Save'));
    expect((await screen.findByRole('alert')).textContent).toBe('The table was not savedNot that alias.');
    await user.click(screen.getByRole('link', { name: 'team' }));
    await user.click(await screen.findByRole('button', { name: 'Stay here' }));
    expect(currentAddress()).toBe('/schema/shop/product');
    expect(box('Alias').value).toBe('team');
    await user.click(button('Discard changes'));
    expect(box('Alias').value).toBe('');
    await user.click(screen.getByRole('link', { name: 'team' }));
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/team'));
  });

  it('gets a field by a name and a type', async () => {
    const { writes } = fakeSchema([product()]);
    const { user } = openSchema('/schema/shop/product');
    await user.type(await screen.findByRole('textbox', { name: 'New field' }), 'name{Enter}nonsense type{Enter}');
    expect(quick().getByText(/“nonsense type” is no type/)).toBeTruthy();
    await user.clear(quick().getByLabelText('Type of the new field', { selector: 'input' }));
    await user.type(quick().getByLabelText('Type of the new field', { selector: 'input' }), 'string(80){Enter}');
    expect(quick().getByText('The field name already exists')).toBeTruthy();
    await user.type(box('New field'), '_2{Enter}');
    expect(await screen.findByText('Field saved successfully.')).toBeTruthy();
    expect(writes()).toMatchObject([
      {
        method: 'POST',
        path: 'shop/_schema/product/_field',
        body: { resource: [{ name: 'name_2', type: 'string', length: 80, allow_null: false }] },
      },
    ]);
    await waitFor(() => expect(rowNames('Fields')).toContain('name_2'));
    expect(document.activeElement).toBe(box('New field'));
    expect(box('New field').value).toBe('');
  });

  it('keeps the line of a field that was refused', async () => {
    fakeSchema([product()], {
      answerFirst: ({ method }) => (method === 'POST' ? refusal(400, 'No such type here.') : undefined),
    });
    const { user } = openSchema('/schema/shop/product');
    await user.type(await screen.findByRole('textbox', { name: 'New field' }), 'note{Enter}uuid{Enter}');
    expect(await screen.findByText('Failed to save field')).toBeTruthy();
    expect(quick().getByRole('alert').textContent).toBe('No such type here.');
    expect(box('New field').value).toBe('note');
  });

  it('can only be looked at by someone who may only read', async () => {
    fakeSchema([aTable('product', undefined, { access: 1 })]);
    openSchema('/schema/shop/product');
    expect((await screen.findByRole('textbox', { name: 'Alias' })).hasAttribute('readonly')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(isDisabled('Add Field')).toBe(true);
    expect(isDisabled('Add Virtual Relationship')).toBe(true);
    expect(screen.queryByRole('group', { name: 'Add a field' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Delete field/ })).toBeNull();
  });

  it('is found by its alias, as records are addressed, with what is open of it', async () => {
    fakeSchema([aTable('tbl_item', undefined, { alias: 'Items' })]);
    const { currentAddress } = openSchema('/schema/shop/items/field/name?view=json');
    expect(await screen.findByRole('heading', { name: 'tbl_item', level: 1 })).toBeTruthy();
    expect(currentAddress()).toBe('/schema/shop/tbl_item/field/name?view=json');
  });

  it('says what it is when there is none, when it is not allowed, and when it cannot be read', async () => {
    let status = 404;
    fakeSchema([product()], {
      answerFirst: ({ path }) => (path.includes('_schema/gone') ? refusal(status, `Answer ${status}`) : undefined),
    });
    const { user, unmount } = openSchema('/schema/shop/gone');
    expect(await screen.findByText('There is no table “gone”')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'gone', level: 1 })).toBeTruthy();
    unmount();
    status = 403;
    const forbidden = openSchema('/schema/shop/gone');
    expect(await screen.findByText('Answer 403')).toBeTruthy();
    forbidden.unmount();
    status = 503;
    openSchema('/schema/shop/gone');
    expect(await screen.findByText('gone could not be read')).toBeTruthy();
    await user.click(button('Try again'));
    expect(await screen.findByText('Answer 503')).toBeTruthy();
  });
});

describe('the JSON of a table', () => {
  // There is nothing to type into without a layout engine: the test calls the editor itself.
  const editor = async () => EditorView.findFromDOM(await screen.findByLabelText('The table as JSON'))!;
  const written = async () => (await editor()).state.doc.toString();
  const write = async (text: string) => {
    const view = await editor();
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  };

  it('is left for the table view only while it is JSON', async () => {
    fakeSchema([product()]);
    const { user, currentAddress } = openSchema('/schema/shop/product?view=json');
    expect(JSON.parse(await written())).toMatchObject({ name: 'product', field: [{ name: 'id' }, {}, {}] });
    await write('{ "alias": ');
    await user.click(button('Validate'));
    expect(await screen.findByText('JSON Invalid.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(
      await screen.findByText('Invalid JSON.  Please correct any errors and validate to switch back to table view.', {
        normalizer: (text) => text,
      }),
    ).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop/product?view=json'));
    expect(await written()).toBe('{ "alias": ');

    await write('{"alias":"ware"}');
    await user.click(button('Validate'));
    expect(await screen.findByText('Valid JSON.')).toBeTruthy();
    expect(await written()).toMatch(/^{\n {2}"alias": "ware",\n {2}"name": "product"/);
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Alias' })).value).toBe('ware');
  });

  it('is saved as it is; fields that wait in it are not edited one by one', async () => {
    const { writes } = fakeSchema([product()]);
    const { user } = openSchema('/schema/shop/product?view=json');
    const fields = [...product().field, { name: 'note', type: 'text', allow_null: true }];
    await write(JSON.stringify({ field: fields }));
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(await screen.findByText(/The fields were changed as JSON/)).toBeTruthy();
    expect(rowNames('Fields')).toEqual(['id', 'name', 'team_id', 'note']);
    expect(isDisabled('Add Field')).toBe(true);
    await user.click(button('Save'));
    expect(await screen.findByText('Table saved successfully.')).toBeTruthy();
    expect(writes()).toMatchObject([{ method: 'PATCH', body: { name: 'product', field: fields } }]);
    await waitFor(() => expect(isDisabled('Add Field')).toBe(false));
  });
});

describe('a new table', () => {
  it('keeps its fields until it is saved, and is opened then', async () => {
    const { writes } = fakeSchema([aTable('team')]);
    const { user, currentAddress } = openSchema('/schema/shop?make=table');
    await user.type(await screen.findByRole('textbox', { name: 'Table Name' }), 'todo{Enter}');
    expect(document.activeElement).toBe(box('New field'));
    await user.keyboard('title{Enter}string(40){Enter}team_id{Enter}reference team?{Enter}');
    expect(rowNames('Fields')).toEqual(['id', 'title', 'team_id']);
    await user.click(button('Delete field title'));
    expect(rowNames('Fields')).toEqual(['id', 'team_id']);
    expect(isDisabled('Add Virtual Relationship')).toBe(true);
    expect(writes()).toEqual([]);

    await user.click(button('Save'));
    expect(await screen.findByText('Table saved successfully.')).toBeTruthy();
    expect(currentAddress()).toBe('/schema/shop/todo');
    expect(writes()).toMatchObject([{ method: 'POST', path: 'shop/_schema?fields=*' }]);
    expect(writes()[0]?.body).toMatchObject({
      resource: [
        {
          ...{ name: 'todo', label: null, plural: null },
          field: [
            { name: 'id', type: 'id', is_primary_key: true },
            { name: 'team_id', type: 'reference', ref_table: 'team', ref_field: 'id', allow_null: true },
          ],
        },
      ],
    });
    expect(await screen.findByRole('link', { name: 'todo' })).toBeTruthy();
  });

  it('needs a name of its own', async () => {
    const { writes } = fakeSchema([aTable('team')]);
    const { user } = openSchema('/schema/shop?make=table');
    await user.type(await screen.findByRole('textbox', { name: 'Table Name' }), 'TEAM');
    await user.click(button('Save'));
    expect(await screen.findByText('Validation Error')).toBeTruthy();
    expect(descriptionOf(box('Table Name'))).toBe('The name already exists');
    expect(document.activeElement).toBe(box('Table Name'));
    await user.clear(box('Table Name'));
    await user.type(box('Alias'), 'x');
    await user.click(button('Save'));
    expect(descriptionOf(box('Table Name'))).toBe('A table needs a name.');
    expect(writes()).toEqual([]);
  });

  it('is followed by the next one', async () => {
    const { writes } = fakeSchema([]);
    const { user, currentAddress } = openSchema('/schema/shop?make=table');
    await user.type(await screen.findByRole('textbox', { name: 'Table Name' }), 'one');
    await user.click(button('Save and create another'));
    await waitFor(() => expect(box('Table Name').value).toBe(''));
    await waitFor(() => expect(document.activeElement).toBe(box('Table Name')));
    await user.keyboard('two');
    await user.click(button('Save and create another'));
    await waitFor(() => expect(writes()).toHaveLength(2));
    expect(currentAddress()).toBe('/schema/shop?make=table');
    expect(writes()).toMatchObject([
      { body: { resource: [{ name: 'one' }] } },
      { body: { resource: [{ name: 'two' }] } },
    ]);
  });

  it('is not lost without a question, and stays as it is when it is refused', async () => {
    fakeSchema([aTable('team')], {
      answerFirst: ({ method }) => (method === 'POST' ? 'unreachable' : undefined),
    });
    const { user, currentAddress } = openSchema('/schema/shop?make=table');
    await user.type(await screen.findByRole('textbox', { name: 'Table Name' }), 'todo');
    await user.click(button('Save'));
    expect((await screen.findByRole('alert')).textContent).toContain('The table was not saved');
    await user.click(screen.getByRole('link', { name: 'team' }));
    await user.click(await screen.findByRole('button', { name: 'Stay here' }));
    expect(box('Table Name').value).toBe('todo');
    await user.click(button('Cancel'));
    await user.click(await screen.findByRole('button', { name: 'Continue without saving' }));
    await waitFor(() => expect(currentAddress()).toBe('/schema/shop'));
  });
});
