import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { aField, anId, fakeShop, openData, thingFields, thingRows } from '../testing.tsx';

const pane = () => screen.getByRole('dialog', { name: /Edit Thing|Create Thing/ });
const openedPane = () => screen.findByRole('dialog', { name: /Edit Thing|Create Thing/ });
const input = (name: string) => within(pane()).getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) });
const inPane = (name: string) => within(pane()).getByRole<HTMLButtonElement>('button', { name });
/** What is read out after the name of an input. */
const described = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
/** Opens the record of a row that shows a text. */
const openRow = async (user: ReturnType<typeof openData>['user'], text: string) =>
  user.click(within((await screen.findByText(text)).closest('tr')!).getByRole('link', { name: /^Open record/ }));
const rowOf = async (text: string) => (await screen.findByRole('cell', { name: text })).closest('tr')!;
const type = async (user: ReturnType<typeof openData>['user'], name: string, text: string) => {
  await user.clear(input(name));
  await user.type(input(name), text);
};
const answer = async (user: ReturnType<typeof openData>['user'], name: string) => {
  const dialog = await screen.findByRole('dialog', { name: /\?$/ });
  await user.click(within(dialog).getByRole('button', { name }));
};

/** Changes record 1 and leaves it unsaved. */
const leaveUnsaved = async () => {
  const page = openData('/data/shop/thing/record?key=1');
  await openedPane();
  await type(page.user, 'name', 'changed');
  await page.user.click(inPane('Cancel'));
  await waitFor(() => expect(page.currentAddress()).toBe('/data/shop/thing'));
  return page;
};

beforeEach(signIn);

describe('editing a record', () => {
  it('opens from its row and from its address (TBL-002, OPEN-124)', async () => {
    fakeShop(thingRows(60));
    const { user, currentAddress, router } = openData('/data/shop/thing?page=2&order=id+asc');
    await openRow(user, 'thing 051');
    expect(currentAddress()).toBe('/data/shop/thing/record?page=2&order=id+asc&key=51');
    expect(within(await openedPane()).getByRole('heading', { name: 'Edit Thing' })).toBeTruthy();
    for (const name of ['Cancel', 'Revert', 'Delete', 'Save']) expect(inPane(name)).toBeTruthy();
    // A record that is not on the page is read on its own.
    await router.navigate('/data/shop/thing/record?key=60');
    await waitFor(() => expect(input('name').value).toBe('thing 060'));
    await router.navigate('/data/shop/thing/record?key=999');
    expect(await screen.findByText('There is no such record')).toBeTruthy();
  });

  it('has an input for every type, required marks, help and locked fields (TBL-009, TBL-012, OPEN-126, OPEN-127)', async () => {
    const fields = [
      ...thingFields,
      aField('count', { type: 'integer' }),
      aField('photo', { type: 'binary' }),
      aField('kind_id', { type: 'reference', is_foreign_key: true, ref_table: 'kind', ref_field: 'id' }),
      aField('fixed', { validation: { api_read_only: {} } }),
      aField('checked', { type: 'boolean' }),
    ];
    const row = { ...thingRows(1)[0], count: 5, photo: 'AP8Q', kind_id: 3, fixed: 'x', checked: null };
    fakeShop([row], { fields });
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    expect(within(pane()).getByText('(required)').parentElement?.textContent).toBe('name (required)');
    expect(input('id').readOnly).toBe(true);
    expect(input('fixed').readOnly).toBe(true);
    expect(input('name').readOnly).toBe(false);
    expect(input('note').tagName).toBe('TEXTAREA');
    expect(within(pane()).getByText('BINARY DATA · 3 bytes')).toBeTruthy();
    expect(within(pane()).getByText('Refers to kind.id')).toBeTruthy();
    const radios = (name: string) => within(within(pane()).getByRole('radiogroup', { name })).getAllByRole('radio');
    expect(radios('is_open').map((radio) => (radio as HTMLInputElement).value)).toEqual(['true', 'false']);
    expect(radios('checked').map((radio) => (radio as HTMLInputElement).value)).toEqual(['true', 'false', 'null']);
    for (const [name, words] of [
      ['id', 'Key: it names the record and cannot be changed'],
      ['fixed', 'Read only'],
      ['kind_id', 'Refers to kind.id'],
    ] as const)
      expect(described(input(name))).toBe(words);
    input('count').focus();
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}');
    expect(input('count').value).toBe('6');
  });

  it('offers the values of a picklist: as the only ones, or as suggestions (OPEN-128)', async () => {
    const fields = [
      anId(),
      aField('size', { picklist: ['S', 'M'], validation: { picklist: {} } }),
      aField('tint', { picklist: ['red', 'blue'] }),
    ];
    const { tableCalls } = fakeShop([{ id: 1, size: 'S', tint: null }], { fields });
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    await user.click(within(pane()).getByRole('combobox', { name: /size/ }));
    await user.click(await screen.findByRole('option', { name: 'M' }));
    await user.type(within(pane()).getByRole('combobox', { name: /tint/ }), 'mauve');
    await user.click(inPane('Save'));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ id: 1, size: 'M', tint: 'mauve' }],
      loaded: expect.anything(),
    });
  });

  it('is saved by PATCH with the changed fields, and closes (TBL-025, TBL-034, OPEN-125, C-DAT-05)', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user, currentAddress } = openData('/data/shop/thing/record?key=2');
    await openedPane();
    await type(user, 'name', 'better');
    await type(user, 'price', '12.50');
    await user.click(inPane('Save'));
    expect(await screen.findByText('Record saved.')).toBeTruthy();
    expect(tableCalls('PATCH')).toHaveLength(1);
    expect(tableCalls('PATCH')[0]!.path).toBe('shop/_table/thing');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ id: 2, name: 'better', price: 12.5 }],
      loaded: expect.anything(),
    });
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing'));
    expect(await rowOf('better')).toBeTruthy();
    expect(screen.queryByText(/unsaved/)).toBeNull();
  });

  it('is saved by ⌘S, once however often it is pressed', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user, currentAddress } = openData('/data/shop/thing/record?key=2');
    await openedPane();
    await type(user, 'name', 'better');
    await user.keyboard('{Control>}ss{/Control}');
    expect(await screen.findByText('Record saved.')).toBeTruthy();
    expect(tableCalls('PATCH')).toHaveLength(1);
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing'));
  });

  it('tells null from an empty text', async () => {
    const { tableCalls } = fakeShop(thingRows(2));
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    const nullButton = inPane('Set note to NULL');
    expect(nullButton.getAttribute('aria-pressed')).toBe('true');
    await user.click(nullButton);
    expect(nullButton.getAttribute('aria-pressed')).toBe('false');
    await user.click(inPane('Save'));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 1, note: '' }], loaded: expect.anything() });
  });

  it('keeps 64-bit integers exact', async () => {
    const fields = [anId(), aField('name'), aField('big', { type: 'bigint' })];
    const { tableCalls } = fakeShop([{ id: '9007199254740993', name: 'a', big: '-9223372036854775808' }], { fields });
    const { user } = openData('/data/shop/thing/record?key=9007199254740993');
    await openedPane();
    expect(input('big').value).toBe('-9223372036854775808');
    await type(user, 'big', '9223372036854775807');
    await user.click(inPane('Save'));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ id: '9007199254740993', big: '9223372036854775807' }],
      loaded: expect.anything(),
    });
  });

  it('shows errors beside their fields, its own before asking the server', async () => {
    const { tableCalls } = fakeShop(thingRows(1), {
      answerFirst: ({ method }) =>
        method === 'PATCH'
          ? refusal(
              400,
              'Batch Error: Not all requested records could be updated.',
              {
                error: [0],
                resource: [
                  { code: 2067, context: null, message: 'UNIQUE constraint failed: thing.name', status_code: 400 },
                ],
              },
              1000,
            )
          : undefined,
    });
    const { user, currentAddress } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    await type(user, 'price', 'lots');
    await user.click(inPane('Save'));
    expect(await within(pane()).findByText('A number is needed here.')).toBeTruthy();
    expect(tableCalls('PATCH')).toHaveLength(0);
    await type(user, 'price', '3');
    expect(within(pane()).queryByText('A number is needed here.')).toBeNull();
    await type(user, 'name', 'taken');
    await user.click(inPane('Save'));
    expect(await within(pane()).findByText('UNIQUE constraint failed: thing.name')).toBeTruthy();
    expect(input('name').getAttribute('aria-invalid')).toBe('true');
    expect(described(input('name'))).toContain('UNIQUE constraint failed: thing.name');
    expect(input('name').value).toBe('taken');
    expect(currentAddress()).toContain('/record');
  });

  it('is reverted (TBL-037)', async () => {
    fakeShop(thingRows(1));
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    expect(inPane('Revert').disabled).toBe(true);
    await type(user, 'name', 'changed');
    await user.click(inPane('Revert'));
    expect(input('name').value).toBe('thing 001');
    expect(await screen.findByText('Record reverted.')).toBeTruthy();
  });

  it('is deleted by POST with X-HTTP-METHOD (TBL-028, TBL-036, C-DAT-07)', async () => {
    const { tableCalls } = fakeShop(thingRows(2));
    const { user, currentAddress } = openData('/data/shop/thing/record?key=2');
    await openedPane();
    await user.click(inPane('Delete'));
    await answer(user, 'Delete');
    expect(await screen.findByText('Record deleted.')).toBeTruthy();
    const [call] = tableCalls('POST');
    expect(call!.headers.get('X-HTTP-METHOD')).toBe('DELETE');
    expect(call!.body).toEqual({ resource: [{ id: 2 }], loaded: expect.anything() });
    expect(currentAddress()).toBe('/data/shop/thing');
    await waitFor(() => expect(screen.queryByText('thing 002')).toBeNull());
  });

  it('with a composite key is named by all fields of the key', async () => {
    const fields = [
      aField('group', { type: 'integer', is_primary_key: true }),
      aField('user', { is_primary_key: true }),
      aField('role'),
    ];
    const rows = [
      { group: 1, user: 'ann', role: 'a' },
      { group: 2, user: 'ann', role: 'b' },
    ];
    const { tableCalls } = fakeShop(rows, { fields });
    const { user, currentAddress } = openData('/data/shop/thing');
    await openRow(user, 'b');
    expect(currentAddress()).toBe('/data/shop/thing/record?key=2&key=ann');
    await openedPane();
    await type(user, 'role', 'c');
    await user.click(inPane('Save'));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ group: 2, user: 'ann', role: 'c' }],
      loaded: expect.anything(),
    });
  });
});

describe('a new record', () => {
  it('is posted with its drafts, and reads the page again (TBL-023, TBL-027, TBL-035, OPEN-125, C-DAT-08)', async () => {
    const { tableCalls } = fakeShop(thingRows(1));
    const { user, currentAddress } = openData('/data/shop/thing');
    await user.click(await screen.findByRole('link', { name: 'Create' }));
    expect(currentAddress()).toBe('/data/shop/thing/new');
    expect(within(await openedPane()).getByRole('heading', { name: 'Create Thing' })).toBeTruthy();
    expect(within(pane()).queryByRole('button', { name: 'Delete' })).toBeNull();
    await type(user, 'name', 'fresh');
    await user.click(inPane('Save'));
    expect(await screen.findByText('Record created.')).toBeTruthy();
    expect(tableCalls('POST')[0]!.path).toBe('shop/_table/thing?fields=*');
    expect(tableCalls('POST')[0]!.body).toEqual({ resource: [{ name: 'fresh' }] });
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing'));
    expect(await rowOf('fresh')).toBeTruthy();
  });

  it('says which required field is missing', async () => {
    const { tableCalls } = fakeShop(thingRows(1));
    const { user } = openData('/data/shop/thing/new');
    await openedPane();
    await user.click(inPane('Save'));
    expect(await within(pane()).findByText('A value is needed here.')).toBeTruthy();
    expect(input('name').getAttribute('aria-invalid')).toBe('true');
    expect(tableCalls('POST')).toHaveLength(0);
  });

  it('asks before drafts are lost (TBL-038, X-022)', async () => {
    fakeShop(thingRows(1));
    const { user, currentAddress } = openData('/data/shop/thing/new');
    await openedPane();
    await user.click(inPane('Cancel'));
    expect(currentAddress()).toBe('/data/shop/thing');
    await user.click(screen.getByRole('link', { name: 'Create' }));
    await openedPane();
    await type(user, 'name', 'draft');
    await user.click(inPane('Cancel'));
    await answer(user, 'Stay here');
    expect(input('name').value).toBe('draft');
    await user.click(inPane('Cancel'));
    await answer(user, 'Continue without saving');
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing'));
    await user.click(screen.getByRole('link', { name: 'Create' }));
    await openedPane();
    expect(input('name').value).toBe('');
  });
});

describe('unsaved records', () => {
  it('stay in the grid, marked, when their pane is left (TBL-008, TBL-013, OPEN-123)', async () => {
    fakeShop(thingRows(3));
    const { user } = await leaveUnsaved();
    const row = (await screen.findByText('changed')).closest('tr')!;
    expect(row.dataset.unsaved).toBe('true');
    expect(row.textContent).toContain('Not saved yet');
    expect(screen.getByText('1 unsaved')).toBeTruthy();
    await openRow(user, 'changed');
    await openedPane();
    expect(input('name').value).toBe('changed');
  });

  it('are saved together from the toolbar (TBL-025, TBL-031, OPEN-122, C-DAT-04)', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user, currentAddress } = await leaveUnsaved();
    await openRow(user, 'thing 003');
    await openedPane();
    await type(user, 'price', '9');
    await user.click(inPane('Cancel'));
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing'));
    expect(screen.getByText('2 unsaved')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Records saved.')).toBeTruthy();
    expect(tableCalls('PATCH').map((call) => call.body)).toEqual([
      {
        resource: [
          { id: 1, name: 'changed' },
          { id: 3, price: 9 },
        ],
        loaded: [thingRows(3)[0], thingRows(3)[2]],
      },
    ]);
    await waitFor(() => expect(screen.queryByText(/unsaved/)).toBeNull());
  });

  it('are reverted from the toolbar (TBL-032)', async () => {
    fakeShop(thingRows(3));
    const { user } = await leaveUnsaved();
    await user.click(screen.getByRole('button', { name: 'Revert' }));
    expect(await screen.findByText('Records reverted.')).toBeTruthy();
    expect(await rowOf('thing 001')).toBeTruthy();
  });

  it('that fail stay unsaved; those before them are saved', async () => {
    fakeShop(thingRows(3), {
      answerFirst: ({ method }) =>
        method === 'PATCH'
          ? refusal(
              400,
              'Batch Error: Not all requested records could be updated.',
              {
                error: [1],
                resource: [
                  { id: 1 },
                  { code: 400, context: null, message: "Field 'name' can not be NULL.", status_code: 400 },
                ],
              },
              1000,
            )
          : undefined,
    });
    const { user } = await leaveUnsaved();
    await openRow(user, 'thing 003');
    await openedPane();
    await type(user, 'name', 'other');
    await user.click(inPane('Cancel'));
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText("Field 'name' can not be NULL.")).toBeTruthy();
    expect(await screen.findByText('1 unsaved')).toBeTruthy();
    expect((await screen.findByText('other')).closest('tr')!.dataset.wrong).toBe('true');
  });

  it.each([
    [
      'paging (TBL-014, TBL-038)',
      async (user: ReturnType<typeof openData>['user']) =>
        user.click(screen.getByRole('button', { name: 'Next page' })),
    ],
    [
      'filtering (TBL-015)',
      async (user: ReturnType<typeof openData>['user']) => {
        const filters = screen.getByRole('button', { name: 'Filters' });
        if (filters.getAttribute('aria-expanded') === 'false') await user.click(filters);
        const text = screen.getByRole('textbox', { name: 'Filter text' });
        await user.clear(text);
        await user.type(text, 'id > 50{Enter}');
      },
    ],
    [
      'refresh (TBL-016)',
      async (user: ReturnType<typeof openData>['user']) =>
        user.click(screen.getByRole('button', { name: 'Refresh Results' })),
    ],
  ])('are confirmed before %s', async (_name, leave) => {
    const { tableCalls } = fakeShop(thingRows(60), { filterRows: (rows) => rows.slice(50) });
    const page = openData('/data/shop/thing');
    await openRow(page.user, 'thing 001');
    await openedPane();
    await type(page.user, 'name', 'changed');
    await page.user.click(inPane('Cancel'));
    await screen.findByText('1 unsaved');
    const before = tableCalls().length;
    await leave(page.user);
    const dialog = await screen.findByRole('dialog', { name: /\?$/ });
    expect(within(dialog).getByRole('heading').textContent).toBe('You have Unsaved records.  Continue without saving?');
    await answer(page.user, 'Stay here');
    expect(page.currentAddress()).toBe('/data/shop/thing');
    expect(screen.getByText('1 unsaved')).toBeTruthy();
    expect(tableCalls()).toHaveLength(before);
    await leave(page.user);
    await answer(page.user, 'Continue without saving');
    await waitFor(() => expect(tableCalls().length).toBeGreaterThan(before));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /\?$/ })).toBeNull());
    await waitFor(() => expect(screen.queryByText(/unsaved/)).toBeNull());
  });

  it('are confirmed before another table opens, and by the back button (OPEN-135)', async () => {
    fakeShop(thingRows(60));
    const { user, router, currentAddress } = openData('/data/shop/thing');
    await rowOf('thing 001');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await openRow(user, 'thing 051');
    await openedPane();
    await type(user, 'name', 'changed');
    await user.click(inPane('Cancel'));
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing?page=2'));
    await router.navigate('/data/shop/order%20item');
    await answer(user, 'Stay here');
    expect(currentAddress()).toBe('/data/shop/thing?page=2');
    await router.navigate('/home');
    await answer(user, 'Continue without saving');
    expect(await screen.findByText('Home is here')).toBeTruthy();
  });
});
