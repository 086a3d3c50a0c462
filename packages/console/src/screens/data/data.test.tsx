import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../api/testing.ts';
import { queryOf, signIn } from '../../list/testing.tsx';
import { aField, fakeShop, openData, thingFields, thingRows } from './testing.tsx';

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const headTexts = () =>
  screen
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
    .filter(Boolean);
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
const rowOf = async (text: string) => (await screen.findByRole('cell', { name: text })).closest('tr')!;
const filterOf = (call: { path: string }) => queryOf(call as never).filter;

beforeEach(signIn);

describe('choosing what to see', () => {
  it('offers services of every type of database, and no others (DAT-004)', async () => {
    const types = 'mysql pgsql sqlite sqlsrv memsql sqlanywhere oracle ibmdb2 informix firebird aws_redshift_db'.split(
      ' ',
    );
    const otherTypes = ['system', 'user', 'local_file', 'rws', 'mongodb', 'nodejs'];
    const services = [...types, ...otherTypes].map((type, index) => ({ id: index, name: type, label: type, type }));
    fakeShop([], { answerFirst: ({ path }) => (path === '' ? { body: { services, service_types: [] } } : undefined) });
    openData('/data');
    await screen.findByRole('link', { name: /mysql/ });
    for (const type of types) expect(screen.getByRole('link', { name: new RegExp(`^${type}`) })).toBeTruthy();
    for (const type of otherTypes) expect(screen.queryByRole('link', { name: new RegExp(type) })).toBeNull();
  });

  it('offers database services only (DAT-001, DAT-005, X-026, C-DAT-01)', async () => {
    const { calls } = fakeShop([]);
    openData('/data');
    expect(await screen.findByRole('link', { name: /Shop/ })).toBeTruthy();
    expect(screen.getByRole('link', { name: /Old/ })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /System|Files/ })).toBeNull();
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET ']);
    expect(screen.getByRole('link', { name: 'Manage' }).getAttribute('href')).toBe('/data');
  });

  it('lists the tables of a service, found by name, and opens one (DAT-002, DAT-006, OPEN-113, C-DAT-02, NAV-025)', async () => {
    const { calls } = fakeShop(thingRows(1));
    const { user, currentAddress } = openData('/data');
    await user.click(await screen.findByRole('link', { name: /Shop/ }));
    expect(currentAddress()).toBe('/data/shop');
    expect(await screen.findByRole('link', { name: 'order item' })).toBeTruthy();
    expect(calls.find(({ path }) => path.startsWith('shop/'))!.path).toBe('shop/_table/?fields=name%2Clabel');
    await user.type(screen.getByRole('textbox', { name: 'Find a table' }), 'thi');
    expect(screen.queryByRole('link', { name: 'order item' })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'thing' }));
    expect(currentAddress()).toBe('/data/shop/thing');
    expect(await screen.findByRole('heading', { level: 1, name: 'Thing' })).toBeTruthy();
  });

  it('keeps the panel quick with 1,000 tables', async () => {
    const tables = Array.from({ length: 1000 }, (_, index) => ({ name: `t${index}`, label: `T${index}` }));
    fakeShop([], {
      answerFirst: ({ path }) => (path.startsWith('shop/_table/?') ? { body: { resource: tables } } : undefined),
    });
    const { user } = openData('/data/shop');
    expect(await screen.findByText('1,000 tables')).toBeTruthy();
    expect(document.querySelectorAll('[data-table]').length).toBeLessThan(100);
    await user.type(screen.getByRole('textbox', { name: 'Find a table' }), 't99');
    expect(await screen.findByText('11 tables')).toBeTruthy();
    expect(screen.getByRole('link', { name: 't990' })).toBeTruthy();
  });

  it('says that the tab could not be loaded (DAT-010, OPEN-114)', async () => {
    fakeShop([], { answerFirst: ({ path }) => (path === '' ? refusal(500, 'Broken.') : undefined) });
    openData('/data');
    const message = 'There was an error loading the Data tab. Please try refreshing your browser and logging in again.';
    expect((await screen.findAllByText(message)).length).toBe(2);
    expect(button('Try again')).toBeTruthy();
  });

  it('says that no database is connected (X-023)', async () => {
    fakeShop([], { answerFirst: ({ path }) => (path === '' ? { body: { services: [] } } : undefined) });
    openData('/data');
    expect(await screen.findByText('No database is connected yet')).toBeTruthy();
  });

  it('says that a service does not exist, has no tables, or does not answer', async () => {
    fakeShop([], {
      answerFirst: ({ path }) => (path.startsWith('old/') ? refusal(503, 'The file is gone.') : undefined),
    });
    const { router, user } = openData('/data/nope');
    expect(await screen.findByText(/There is no database service “nope”/)).toBeTruthy();
    await router.navigate('/data/old');
    expect(await screen.findByText('The tables of Old could not be read')).toBeTruthy();
    expect(screen.getAllByText('The file is gone.').length).toBeGreaterThan(0);
    fakeShop([]);
    await user.click(button('Try again'));
    expect(await screen.findByRole('heading', { name: 'This database has no tables' })).toBeTruthy();
  });
});

describe('a page of records', () => {
  it('is read with its schema and count (DAT-009, TBL-001, TBL-002, TBL-010, TBL-024, TBL-042, TBL-044, C-DAT-03)', async () => {
    const { tableCalls } = fakeShop(thingRows(120));
    openData('/data/shop/thing');
    await rowOf('thing 001');
    expect(tableCalls()).toHaveLength(1);
    expect(queryOf(tableCalls()[0]!)).toEqual({
      limit: '50',
      offset: '0',
      fields: '*',
      include_schema: 'true',
      include_count: 'true',
    });
    expect(headTexts()).toEqual(['id', 'name', 'note', 'price', 'is_open']);
    expect(screen.getByText('1–50 of 120')).toBeTruthy();
  });

  it('tells null from an empty text, shows words for booleans, BINARY DATA, and exact integers', async () => {
    const fields = [...thingFields, aField('photo', { type: 'binary' }), aField('big', { type: 'bigint' })];
    const row = { id: 1, name: 'a', note: null, price: 1.5, is_open: true, photo: 'AP8Q', big: '9007199254740993' };
    fakeShop([row, { ...row, id: 2, note: '', is_open: false, photo: null }], { fields });
    openData('/data/shop/thing');
    await rowOf('1');
    const [first, second] = screen.getAllByRole('row').slice(1);
    expect(cells(first!)).toEqual(['', '1', 'a', 'NULL', '1.5', 'TRUE', 'BINARY DATA · 3 bytes', '9007199254740993']);
    expect(cells(second!)).toEqual(['', '2', 'a', '', '1.5', 'FALSE', 'NULL', '9007199254740993']);
  });

  it('changes: next, last, a number, previous, first (TBL-003, X-014)', async () => {
    const { tableCalls } = fakeShop(thingRows(120));
    const { user, currentAddress } = openData('/data/shop/thing');
    await rowOf('thing 001');
    expect(button('Previous page').disabled).toBe(true);
    await user.click(button('Next page'));
    await rowOf('thing 051');
    expect(currentAddress()).toBe('/data/shop/thing?page=2');
    await user.click(button('Last page'));
    await rowOf('thing 120');
    expect(screen.getByText('101–120 of 120')).toBeTruthy();
    const page = screen.getByRole('textbox', { name: 'Page' });
    await user.clear(page);
    await user.type(page, '2{Enter}');
    await rowOf('thing 051');
    await user.click(button('First page'));
    await rowOf('thing 001');
    expect(tableCalls().map((call) => queryOf(call).offset)).toEqual(['0', '50', '100', '50', '0']);
  });

  it('comes from the address, and steps back from a page that no longer exists (X-016)', async () => {
    fakeShop(thingRows(60));
    const { currentAddress } = openData('/data/shop/thing?page=9&order=name+desc');
    await rowOf('thing 051');
    expect(currentAddress()).toBe('/data/shop/thing?page=2&order=name+desc');
    expect(screen.getByRole('columnheader', { name: 'name' }).getAttribute('aria-sort')).toBe('descending');
  });

  it('is ordered by the server, by a click on a head (OPEN-119)', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user } = openData('/data/shop/thing');
    await rowOf('thing 001');
    await user.click(button('price'));
    await waitFor(() => expect(queryOf(tableCalls().at(-1)!).order).toBe('price asc'));
    await user.click(button('price'));
    await waitFor(() => expect(queryOf(tableCalls().at(-1)!).order).toBe('price desc'));
  });

  it('is read again (TBL-005)', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user } = openData('/data/shop/thing');
    await rowOf('thing 001');
    await user.click(button('Refresh Results'));
    await waitFor(() => expect(tableCalls()).toHaveLength(2));
  });

  it('may be empty (OPEN-116), unreadable, or not allowed', async () => {
    fakeShop([]);
    const { router, user } = openData('/data/shop/thing');
    expect(await screen.findByText('No records found.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create the first one' }).getAttribute('href')).toBe(
      '/data/shop/thing/new',
    );
    let answer = refusal(503, "The database file 'x.db' does not exist.");
    fakeShop(thingRows(1), { answerFirst: ({ path }) => (path.startsWith('shop/_table/order') ? answer : undefined) });
    await router.navigate('/data/shop/order%20item');
    expect(await screen.findByText("The database file 'x.db' does not exist.")).toBeTruthy();
    answer = refusal(
      403,
      "GET access to component '_table/order item' of service 'shop' is not allowed by this user's role.",
    );
    await user.click(button('Try again'));
    expect(await screen.findByText('You may not see this')).toBeTruthy();
  });

  it('of a table without a key is read-only, and says why', async () => {
    const fields = [aField('n', { type: 'integer' }), aField('t')];
    fakeShop(
      [
        { n: 1, t: 'one' },
        { n: 1, t: 'one' },
      ],
      { fields },
    );
    openData('/data/shop/thing');
    expect(await screen.findByText(/Read only: this table has no primary key/)).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(3);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Create' })).toBeNull();
  });
});

describe('columns', () => {
  it('are chosen, and stay so for this person and table (TBL-006, OPEN-115)', async () => {
    fakeShop(thingRows(2));
    const { user, unmount } = openData('/data/shop/thing');
    await rowOf('thing 001');
    await user.click(button('Visible Fields'));
    await user.click(await screen.findByRole('checkbox', { name: 'note' }));
    expect(headTexts()).toEqual(['id', 'name', 'price', 'is_open']);
    await user.click(screen.getByRole('checkbox', { name: 'Toggle All' }));
    expect(headTexts()).toEqual(['id', 'name', 'note', 'price', 'is_open']);
    await user.click(screen.getByRole('checkbox', { name: 'Toggle All' }));
    expect(screen.getByText(/All fields are hidden/)).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'name' }));
    expect(headTexts()).toEqual(['name']);
    unmount();
    openData('/data/shop/thing');
    await rowOf('thing 001');
    expect(headTexts()).toEqual(['name']);
    expect(Object.keys(localStorage).some((key) => key.includes('.1.') && key.includes('"thing"'))).toBe(true);
  });

  it('are resized from the keyboard and keep their width', async () => {
    fakeShop(thingRows(2));
    openData('/data/shop/thing');
    await rowOf('thing 001');
    const before = document.querySelectorAll('col')[2]!.style.width;
    fireEvent.keyDown(button('name'), { key: 'ArrowRight', altKey: true });
    const after = document.querySelectorAll('col')[2]!.style.width;
    expect(Number.parseInt(after, 10)).toBe(Number.parseInt(before, 10) + 16);
    expect(Object.values(localStorage).join()).toContain('"name":');
  });
});

describe('filters', () => {
  const openPanel = async () => {
    const page = openData('/data/shop/thing');
    await rowOf('thing 001');
    await page.user.click(button('Filters'));
    return page;
  };
  const chooseOption = async (user: Awaited<ReturnType<typeof openPanel>>['user'], label: string, option: string) => {
    await user.click(screen.getByRole('combobox', { name: label }));
    await user.click(await screen.findByRole('option', { name: option }));
  };

  it('are built from a field and a value, shown, and removed (TBL-004, TBL-022, OPEN-117)', async () => {
    const { tableCalls } = fakeShop(thingRows(3), { filterRows: (rows) => rows.slice(1, 2) });
    const { user, currentAddress } = await openPanel();
    expect(button('Remove').disabled).toBe(true);
    await chooseOption(user, 'Filter By', 'name');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Operator' }).value).toBe('contains');
    await user.type(screen.getByRole('textbox', { name: 'Filter Value' }), '002{Enter}');
    await rowOf('thing 002');
    await waitFor(() => expect(screen.queryByText('thing 001')).toBeNull());
    expect(filterOf(tableCalls().at(-1)!)).toBe('name like "%002%"');
    expect(currentAddress()).toBe('/data/shop/thing?filter=name+like+%22%25002%25%22');
    await user.click(button('Remove the filter name like "%002%"'));
    await rowOf('thing 001');
    expect(currentAddress()).toBe('/data/shop/thing');
  });

  it('compare numbers by <, > and =, and require a number (TBL-020)', async () => {
    const { tableCalls } = fakeShop(thingRows(3), { filterRows: (rows) => rows });
    const { user } = await openPanel();
    await chooseOption(user, 'Filter By', 'price');
    await user.click(screen.getByRole('combobox', { name: 'Operator' }));
    const offeredOptions = await screen.findAllByRole('option');
    expect(offeredOptions.map((option) => option.textContent)).toEqual(expect.arrayContaining(['<', '=', '>']));
    await user.click(offeredOptions.find((option) => option.textContent === '>')!);
    const value = screen.getByRole('textbox', { name: 'Filter Value' });
    await user.type(value, '1 or 1=1{Enter}');
    expect(await screen.findByText('A number is needed here.')).toBeTruthy();
    await user.clear(value);
    await user.type(value, '1{Enter}');
    await waitFor(() => expect(filterOf(tableCalls().at(-1)!)).toBe('price > 1'));
  });

  it('compare booleans by = with TRUE and FALSE (TBL-021)', async () => {
    const { tableCalls } = fakeShop(thingRows(3), { filterRows: (rows) => rows });
    const { user } = await openPanel();
    await chooseOption(user, 'Filter By', 'is_open');
    await chooseOption(user, 'Filter Value', 'FALSE');
    await user.click(screen.getAllByRole('button', { name: 'Apply' })[0]!);
    await waitFor(() => expect(filterOf(tableCalls().at(-1)!)).toBe('is_open = FALSE'));
  });

  it('can be written in the filter language; several are joined', async () => {
    const { tableCalls } = fakeShop(thingRows(3), { filterRows: (rows) => rows });
    const { user } = await openPanel();
    const text = screen.getByRole('textbox', { name: 'Filter text' });
    await user.type(text, 'id > 0{Enter}');
    await waitFor(() => expect(filterOf(tableCalls().at(-1)!)).toBe('id > 0'));
    await user.type(text, 'name is not null{Enter}');
    await waitFor(() => expect(filterOf(tableCalls().at(-1)!)).toBe('(id > 0) and (name is not null)'));
    await user.click(button('Remove'));
    await waitFor(() => expect(screen.queryByText('id > 0')).toBeNull());
  });

  it('that are refused say so beside their text, and can be corrected', async () => {
    fakeShop(thingRows(3), {
      answerFirst: ({ path }) =>
        path.includes('nope') ? refusal(400, "Invalid or unparsable field in filter request: 'nope'") : undefined,
      filterRows: (rows) => rows,
    });
    const { user } = openData('/data/shop/thing?filter=nope+%3D+3');
    expect(await screen.findByText("Invalid or unparsable field in filter request: 'nope'")).toBeTruthy();
    const text = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter text' });
    expect(text.value).toBe('nope = 3');
    expect(text.getAttribute('aria-invalid')).toBe('true');
    await user.clear(text);
    await user.type(text, 'id = 3');
    await user.click(button('Replace'));
    await rowOf('thing 001');
    expect(button('Edit the filter id = 3')).toBeTruthy();
  });

  it('that match nothing can be cleared', async () => {
    fakeShop(thingRows(3), { filterRows: () => [] });
    const { user } = openData('/data/shop/thing?filter=id+%3D+-1');
    expect(await screen.findByText('Nothing matches your filter')).toBeTruthy();
    await user.click(button('Clear the filter'));
    await rowOf('thing 001');
  });
});

describe('selected records', () => {
  const rowCheckbox = (id: number) => screen.getByRole('checkbox', { name: `Select record ${id}` });

  it('are selected one by one, by range with Shift, and all (TBL-013, OPEN-121)', async () => {
    fakeShop(thingRows(6));
    const { user } = openData('/data/shop/thing');
    const row = await rowOf('thing 002');
    await user.click(rowCheckbox(2));
    expect(row.getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{Shift>}');
    await user.click(rowCheckbox(5));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('4 selected')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select all records of this page' }));
    expect(screen.getByText('6 selected')).toBeTruthy();
    await user.click(button('Clear selection'));
    expect(screen.queryByText(/selected/)).toBeNull();
  });

  it('are deleted after a confirmation (TBL-008, TBL-026, TBL-033, TBL-039, C-DAT-06)', async () => {
    const { tableCalls, rows } = fakeShop(thingRows(4));
    const { user } = openData('/data/shop/thing');
    await rowOf('thing 002');
    await user.click(rowCheckbox(2));
    await user.click(rowCheckbox(3));
    await user.click(button('Delete'));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('You are about to delete records. Continue?');
    expect(tableCalls('DELETE')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Records deleted.')).toBeTruthy();
    expect(tableCalls('DELETE')[0]!.body).toEqual({ resource: [{ id: 2 }, { id: 3 }], loaded: expect.anything() });
    expect(tableCalls('DELETE')[0]!.path).toBe('shop/_table/thing');
    await waitFor(() => expect(screen.queryByText('thing 002')).toBeNull());
    expect(rows()).toHaveLength(2);
  });

  it('that were all of the last page lead to the page before (X-016)', async () => {
    fakeShop(thingRows(51));
    const { user, currentAddress } = openData('/data/shop/thing?page=2');
    await rowOf('thing 051');
    await user.click(rowCheckbox(51));
    await user.click(button('Delete'));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await rowOf('thing 001');
    expect(currentAddress()).toBe('/data/shop/thing');
  });

  it('are needed to delete and to save (TBL-040, TBL-041)', async () => {
    const { calls } = fakeShop(thingRows(2));
    const { user } = openData('/data/shop/thing');
    await rowOf('thing 001');
    const before = calls.length;
    await user.click(button('Save'));
    expect(await screen.findByText('No records selected for save.')).toBeTruthy();
    await user.click(button('Delete'));
    expect(await screen.findByText('No records selected for delete.')).toBeTruthy();
    expect(calls).toHaveLength(before);
  });
});

describe('the keyboard', () => {
  it('moves by arrows, selects by Space, opens by Enter with Control', async () => {
    fakeShop(thingRows(4));
    const { user, currentAddress } = openData('/data/shop/thing');
    await rowOf('thing 001');
    const first = screen.getByRole('cell', { name: '1' });
    expect(first.tabIndex).toBe(0);
    first.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('thing 003');
    expect(document.querySelectorAll('td[tabindex="0"]')).toHaveLength(1);
    await user.keyboard(' ');
    expect(screen.getByText('1 selected')).toBeTruthy();
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}{Home}{Control>}{End}{/Control}');
    expect(document.activeElement?.closest('tr')?.textContent).toContain('thing 004');
    await user.keyboard('{Escape}');
    expect(screen.queryByText('1 selected')).toBeNull();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(currentAddress()).toBe('/data/shop/thing/record?key=4');
    expect(await screen.findByRole('dialog', { name: 'Edit Thing' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^name/ }));
    await user.keyboard('{Escape}');
    expect(currentAddress()).toBe('/data/shop/thing');
    expect(document.activeElement?.closest('tr')?.textContent).toContain('thing 004');
  });
});
