import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../../api/testing.ts';
import { queryOf, signIn } from '../../../../list/testing.tsx';
import { aField, anId, fakeShop, openData, thingFields, thingRows } from '../../testing.tsx';

const cell = (row: number, column: number) => document.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)!;
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const rowTexts = (row: number) =>
  [...document.querySelectorAll(`[data-at^="${row}:"]`)].map((cell) => cell.textContent);
const selectedCells = () => [...document.querySelectorAll<HTMLElement>('[data-chosen]')].map((cell) => cell.dataset.at);
const active = () => (document.activeElement as HTMLElement).dataset.at;

/** Columns of `things`: 0 id, 1 name, 2 note, 3 price, 4 is_open. */
const openThings = async (address = '/data/shop/thing') => {
  const page = openData(address);
  await screen.findByText('thing 001');
  return page;
};

beforeEach(signIn);

describe('a cell', () => {
  it('is edited by a double click, by Enter, F2 and typing; Escape cancels it', async () => {
    fakeShop(thingRows(3));
    const { user } = await openThings();
    await user.dblClick(cell(0, 1));
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'name' });
    expect(input.value).toBe('thing 001');
    await user.keyboard('new{Enter}');
    expect(cell(0, 1).textContent).toContain('new');
    expect(active()).toBe('1:1');
    await user.keyboard('x{ArrowDown}');
    expect(cell(1, 1).textContent).toContain('x');
    expect(active()).toBe('2:1');
    await user.keyboard('{F2}{Escape}');
    expect(rowTexts(2)[1]).toBe('thing 003');
    expect(active()).toBe('2:1');
    expect(screen.getByText('2 unsaved')).toBeTruthy();
    expect(screen.getByText('2 cells changed')).toBeTruthy();
  });

  it('moves on by Tab, past locked cells', async () => {
    fakeShop(thingRows(3));
    const { user } = await openThings();
    await user.dblClick(cell(0, 3));
    await user.keyboard('9{Tab}');
    expect(screen.getByRole('listbox', { name: 'is_open' })).toBeTruthy();
    await user.keyboard('{Tab}');
    // The key of the next row is passed over.
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'name' }).value).toBe('thing 002');
    await user.keyboard('{Shift>}{Tab}{/Shift}');
    expect(screen.getByRole('listbox', { name: 'is_open' })).toBeTruthy();
  });

  it('of a boolean and of a list offers its values, NULL where the field allows it', async () => {
    const fields = [
      anId(),
      aField('ok', { type: 'boolean' }),
      aField('size', { picklist: ['S', 'M'], validation: { picklist: {} }, allow_null: false }),
    ];
    const { tableCalls } = fakeShop([{ id: 1, ok: null, size: 'S' }], { fields });
    const { user } = openData('/data/shop/thing');
    await user.dblClick(await screen.findByText('NULL'));
    const options = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['NULL', 'TRUE', 'FALSE']);
    await user.keyboard('f{Enter}');
    expect(cell(0, 1).textContent).toContain('FALSE');
    cell(0, 2).focus();
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('option', { name: 'M' }));
    await user.click(button('Save'));
    expect(await screen.findByText('Records saved.')).toBeTruthy();
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ id: 1, ok: false, size: 'M' }],
      loaded: expect.anything(),
    });
  });

  it('tells null from the empty text', async () => {
    const { tableCalls } = fakeShop(thingRows(2));
    const { user } = await openThings();
    // Opened and left as it was, null stays null.
    await user.dblClick(cell(0, 2));
    await user.keyboard('{Enter}');
    expect(screen.queryByText(/unsaved/)).toBeNull();
    cell(0, 2).focus();
    await user.keyboard('{Backspace}');
    expect(cell(0, 2).textContent).toBe('');
    cell(1, 2).focus();
    await user.keyboard('{Control>}{Backspace}{/Control}');
    expect(cell(1, 2).textContent).toBe('NULL');
    cell(1, 1).focus();
    await user.keyboard('{Control>}{Backspace}{/Control}');
    expect(cell(1, 1).textContent).toContain('name can not be NULL.');
    await user.click(button('Save'));
    await screen.findByText('Records saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [
        { id: 1, note: '' },
        { id: 2, note: null },
      ],
      loaded: expect.anything(),
    });
  });

  it('that is locked says why', async () => {
    const fields = [
      anId(),
      aField('name'),
      aField('fixed', { validation: { api_read_only: {} } }),
      aField('photo', { type: 'binary' }),
    ];
    fakeShop([{ id: 1, name: 'a', fixed: 'x', photo: 'AP8Q' }], { fields });
    const { user } = openData('/data/shop/thing');
    await screen.findByText('BINARY DATA · 3 bytes');
    for (const [column, why] of [
      [0, 'Key: it names the record and cannot be changed'],
      [2, 'Read only'],
      [3, 'Bytes cannot be typed here; open the record to change them.'],
    ] as const) {
      await user.dblClick(cell(0, column));
      expect(document.querySelector('[data-at] input, [data-at] textarea')).toBeNull();
      expect(cell(0, column).textContent).toContain(why);
    }
  });

  it('shows its error, the server’s too, until it is changed', async () => {
    const fieldError = {
      error: [0],
      resource: [{ code: 400, context: null, message: "Field 'name' can not be NULL.", status_code: 400 }],
    };
    fakeShop(thingRows(2), {
      answerFirst: ({ method }) =>
        method === 'PATCH' ? refusal(400, 'Batch Error: Not all could be updated.', fieldError, 1000) : undefined,
    });
    const { user } = await openThings();
    await user.dblClick(cell(0, 3));
    await user.keyboard('lots{Enter}');
    expect(cell(0, 3).getAttribute('aria-invalid')).toBe('true');
    expect(cell(0, 3).title).toBe('A number is needed here.');
    expect(screen.getByText('1 needs attention')).toBeTruthy();
    await user.click(cell(1, 1));
    await user.click(button('Save'));
    await waitFor(() => expect(active()).toBe('0:3'));
    await user.dblClick(cell(0, 3));
    await user.keyboard('7{Enter}');
    expect(cell(0, 3).hasAttribute('aria-invalid')).toBe(false);
    await user.click(button('Save'));
    await waitFor(() => expect(cell(0, 1).title).toBe("Field 'name' can not be NULL."));
  });

  it('of a long text keeps its lines: Shift with Enter begins a line', async () => {
    fakeShop(thingRows(1));
    const { user } = await openThings();
    await user.dblClick(cell(0, 2));
    const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'note' });
    expect(area.tagName).toBe('TEXTAREA');
    await user.keyboard('one{Shift>}{Enter}{/Shift}two');
    expect(area.value).toBe('one\ntwo');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Records saved.')).toBeTruthy();
  });
});

describe('a range of cells', () => {
  it('is selected with Shift, by keys and by the mouse, and collapsed by Escape', async () => {
    fakeShop(thingRows(4));
    const { user } = await openThings();
    await user.click(cell(0, 1));
    expect(selectedCells()).toEqual([]);
    await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    expect(selectedCells()).toEqual(['0:1', '0:2', '1:1', '1:2']);
    expect(active()).toBe('0:1');
    await user.keyboard('{Escape}');
    expect(selectedCells()).toEqual([]);
    fireEvent.mouseDown(cell(2, 2), { button: 0, buttons: 1 });
    fireEvent.mouseOver(cell(3, 3), { buttons: 1 });
    fireEvent.mouseUp(cell(3, 3));
    fireEvent.mouseOver(cell(0, 0), { buttons: 0 });
    expect(selectedCells()).toEqual(['2:2', '2:3', '3:2', '3:3']);
    await user.keyboard('{Control>}a{/Control}');
    expect(selectedCells()).toHaveLength(20);
  });

  it('is copied as a spreadsheet accepts it, and pasted with its nulls', async () => {
    fakeShop(thingRows(4));
    const { user } = await openThings();
    await user.click(cell(0, 1));
    await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    let clipboardText = '';
    fireEvent.copy(cell(0, 1), {
      clipboardData: { setData: (_type: string, message: string) => (clipboardText = message) },
    });
    expect(clipboardText).toBe('thing 001\t\nthing 002\t');
    await user.click(cell(2, 1));
    await user.paste(clipboardText);
    await waitFor(() => expect(rowTexts(2)[2]).toBe('NULL'));
    expect(rowTexts(3).slice(0, 3)).toEqual([expect.stringContaining('4'), 'thing 002', '']);
    expect(await screen.findByText('4 cells pasted.')).toBeTruthy();
  });

  it('is copied with headers from the menu', async () => {
    fakeShop(thingRows(2));
    const { user } = await openThings();
    await user.click(cell(0, 0));
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    fireEvent.contextMenu(cell(0, 1));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy with headers' }));
    expect(await screen.findByText('1 row copied.')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('id\tname\n1\tthing 001');
  });
});

describe('a paste', () => {
  it('from a spreadsheet overwrites cells, is validated, undone and redone', async () => {
    const { tableCalls } = fakeShop(thingRows(3));
    const { user } = await openThings();
    await user.click(cell(0, 1));
    await user.paste('"say ""hi"""\t"two\nlines"\t5\nb\t\tmany\n');
    await waitFor(() => expect(cell(0, 1).textContent).toContain('say "hi"'));
    expect(cell(1, 2).textContent).toBe('NULL');
    expect(cell(1, 3).title).toBe('A number is needed here.');
    expect(screen.getByText('2 unsaved')).toBeTruthy();
    await user.keyboard('{Control>}z{/Control}');
    expect(screen.queryByText(/unsaved/)).toBeNull();
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    expect(screen.getByText('2 unsaved')).toBeTruthy();
    // Nothing is sent while a cell is wrong.
    await user.click(button('Save'));
    expect(tableCalls('PATCH')).toHaveLength(0);
    await user.dblClick(cell(1, 3));
    await user.keyboard('8{Enter}');
    await user.click(button('Save'));
    await screen.findByText('Records saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [
        { id: 1, name: 'say "hi"', note: 'two\nlines', price: 5 },
        { id: 2, name: 'b', note: null, price: 8 },
      ],
      loaded: expect.anything(),
    });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('beyond the last record adds new ones, which the next save posts', async () => {
    const { tableCalls } = fakeShop(thingRows(2));
    const { user } = await openThings();
    await user.click(cell(1, 1));
    await user.paste('changed\nfirst new\nsecond new');
    expect(await screen.findByText('3 cells pasted. 2 new records at the end.')).toBeTruthy();
    expect(rowTexts(3)[1]).toBe('second new');
    expect(screen.getByText('3 unsaved')).toBeTruthy();
    await user.click(button('Save'));
    await screen.findByText('Records saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 2, name: 'changed' }], loaded: expect.anything() });
    expect(tableCalls('POST')[0]!.path).toBe('shop/_table/thing?fields=*');
    expect(tableCalls('POST')[0]!.body).toEqual({ resource: [{ name: 'first new' }, { name: 'second new' }] });
    await waitFor(() => expect(screen.queryByText(/unsaved/)).toBeNull());
    expect(await screen.findByText('second new')).toBeTruthy();
  });

  it('on a page before the last skips rows beyond it, and says so', async () => {
    fakeShop(thingRows(60));
    const { user } = await openThings();
    await user.click(cell(49, 1));
    await user.paste('x\ty\tz\t1\tno\ta\nb');
    const notice = await screen.findByText(/1 row was left out/);
    expect(notice.textContent).toContain('2 columns were left out');
    expect(document.querySelector('[data-at="50:1"]')).toBeNull();
  });

  it('is confirmed before another page opens, and reverted in one step that can be undone (TBL-032)', async () => {
    fakeShop(thingRows(2));
    const { user } = await openThings();
    await user.click(cell(1, 1));
    await user.paste('a\nb');
    await screen.findByText('2 unsaved');
    await user.click(button('Revert'));
    expect(await screen.findByText('Records reverted.')).toBeTruthy();
    expect(document.querySelector('[data-at="2:1"]')).toBeNull();
    await user.click(button('Undo'));
    expect(rowTexts(2)[1]).toBe('b');
  });
});

describe('the whole table', () => {
  it('is read in windows as one scrolls; schema and count are requested once', async () => {
    const { tableCalls } = fakeShop(thingRows(230));
    const { user, currentAddress } = openData('/data/shop/thing?page=2');
    await screen.findByText('thing 051');
    await user.click(button('Scroll through the whole table'));
    expect(currentAddress()).toBe('/data/shop/thing?page=2&rows=all');
    await screen.findByText('thing 230');
    const params = tableCalls().map(queryOf);
    expect(params.slice(1).map(({ limit, offset, include_count }) => [limit, offset, include_count])).toEqual([
      ['100', '0', 'true'],
      ['100', '100', undefined],
      ['100', '200', undefined],
    ]);
    expect(screen.queryByRole('checkbox', { name: /Select all/ })).toBeNull();
    cell(150, 1).focus();
    await user.keyboard('far{Enter}');
    expect(screen.getByText('1 unsaved')).toBeTruthy();
    await user.click(button('Save'));
    await screen.findByText('Records saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 151, name: 'far' }], loaded: expect.anything() });
    expect(await screen.findByText('far')).toBeTruthy();
  });

  it('shows rows that are still being read, and why some could not be', async () => {
    fakeShop(thingRows(130), {
      answerFirst: ({ path }) => (path.includes('offset=100') ? refusal(503, 'Away.') : undefined),
    });
    openData('/data/shop/thing?rows=all');
    await screen.findByText('thing 100');
    expect(screen.getByText('Row 101 is being read')).toBeTruthy();
    expect(await screen.findByText('What you see may be old: Away.', {}, { timeout: 3000 })).toBeTruthy();
  });
});

describe('columns', () => {
  it('are reordered, and stay in that order', async () => {
    fakeShop(thingRows(1), { fields: thingFields });
    const { user, unmount } = await openThings();
    const headTexts = () =>
      screen.getAllByRole('columnheader').flatMap((head) => (head.textContent ? [head.textContent] : []));
    fireEvent.keyDown(button('price'), { key: 'ArrowLeft', altKey: true, shiftKey: true });
    expect(headTexts()).toEqual(['id', 'name', 'price', 'note', 'is_open']);
    await user.click(button('Visible Fields'));
    await user.click(await screen.findByRole('button', { name: 'Move name up' }));
    expect(headTexts()).toEqual(['name', 'id', 'price', 'note', 'is_open']);
    unmount();
    await openThings();
    expect(headTexts()).toEqual(['name', 'id', 'price', 'note', 'is_open']);
  });
});

describe('saved views', () => {
  it('save filters, order and columns under a name; are applied, renamed and deleted', async () => {
    fakeShop(thingRows(3), { filterRows: (rows) => rows });
    const { user, currentAddress } = await openThings('/data/shop/thing?order=name+desc&filter=id+%3E+0');
    await user.click(button('Views'));
    await user.type(await screen.findByRole('textbox', { name: 'Name of the view' }), 'Mine{Enter}');
    await user.keyboard('{Escape}');
    expect(button('Mine')).toBeTruthy();
    await user.click(button('price'));
    await waitFor(() => expect(currentAddress()).toContain('order=price'));
    await user.click(button('Views'));
    await user.click(await screen.findByRole('button', { name: 'Mine' }));
    await waitFor(() => expect(currentAddress()).toBe('/data/shop/thing?order=name+desc&filter=id+%3E+0'));
    await user.click(button('Mine'));
    await user.click(await screen.findByRole('button', { name: 'Rename Mine' }));
    const name = screen.getByRole('textbox', { name: 'New name of Mine' });
    await user.clear(name);
    await user.type(name, 'Ours{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Delete Ours' }));
    await user.click(within(await screen.findByRole('dialog', { name: /\?$/ })).getByText('Delete'));
    await waitFor(() => expect(Object.keys(localStorage).some((key) => key.includes('views'))).toBe(false));
  });
});

describe('the export', () => {
  it('has the filter, the order and the columns of the view', async () => {
    const { tableCalls } = fakeShop(thingRows(3), { filterRows: (rows) => rows });
    const { user } = await openThings('/data/shop/thing?order=name+desc&filter=id+%3E+0');
    const links: string[] = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      links.push(this.href);
    };
    try {
      fireEvent.keyDown(button('price'), { key: 'ArrowLeft', altKey: true, shiftKey: true });
      await user.click(button('Export'));
      await user.click(await screen.findByRole('menuitem', { name: 'XML' }));
      await waitFor(() => expect(links).toHaveLength(1));
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    const params = Object.fromEntries(new URL(links[0]!).searchParams);
    expect(params).toMatchObject({
      file: 'thing.xml',
      filter: 'id > 0',
      order: 'name desc',
      fields: 'id,name,price,note,is_open',
    });
    expect(queryOf(tableCalls().at(-1)!)).toMatchObject({ limit: '1', fields: params.fields });
  });
});
