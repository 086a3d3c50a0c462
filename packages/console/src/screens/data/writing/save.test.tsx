// A save and what is wrong: nothing that is marked leaves the console, and each mark is led to.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { signIn } from '../../../list/testing.tsx';
import { fakeShop, openData, thingRows } from '../testing.tsx';

const cell = (row: number, column: number) => document.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)!;
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const active = () => (document.activeElement as HTMLElement).dataset.at;
const tooLong = 'x'.repeat(21);

/** Columns: 0 id, 1 name (20 characters at most), 2 note, 3 price, 4 is_open. */
async function openThings() {
  const { calls } = fakeShop(thingRows(4));
  const page = openData('/data/shop/thing');
  await screen.findByText('thing 001');
  const typeInto = async (row: number, column: number, typed: string) => {
    await page.user.dblClick(cell(row, column));
    await page.user.clear(document.activeElement as HTMLElement);
    await page.user.keyboard(`${typed}{Enter}`);
  };
  const writes = () => calls.filter(({ method }) => method !== 'GET');
  return { ...page, writes, typeInto };
}

beforeEach(signIn);

it('sends nothing while a cell is marked, says how many are, and leads to each', async () => {
  const { user, writes, typeInto } = await openThings();
  await typeInto(0, 3, '7');
  await typeInto(1, 1, tooLong);
  await typeInto(2, 3, 'lots');
  expect(screen.getByText('2 need attention')).toBeTruthy();
  await user.keyboard('{Control>}s{/Control}');
  expect(await screen.findByText('Nothing was saved: 2 values need attention first.')).toBeTruthy();
  await waitFor(() => expect(active()).toBe('1:1'));
  expect(cell(1, 1).title).toBe('At most 20 characters');
  await user.click(button('2 need attention'));
  await waitFor(() => expect(active()).toBe('2:3'));
  await user.click(button('2 need attention'));
  await waitFor(() => expect(active()).toBe('1:1'));
  await user.click(button('Save'));
  await typeInto(1, 1, 'short');
  await user.click(button('Save'));
  await waitFor(() => expect(active()).toBe('2:3'));
  expect(writes()).toEqual([]);

  await typeInto(2, 3, '8');
  await user.click(button('Save'));
  expect(await screen.findByText('Records saved.')).toBeTruthy();
  expect(writes().map(({ body }) => (body as { resource: unknown }).resource)).toEqual([
    [
      { id: 1, price: 7 },
      { id: 2, name: 'short' },
      { id: 3, price: 8 },
    ],
  ]);
});

it('after undo and redo, on the way out, and from the pane of the record alike', async () => {
  const { user, writes, typeInto, router, currentAddress } = await openThings();
  await typeInto(0, 1, tooLong);
  await user.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
  await user.click(button('Save'));
  expect(await screen.findByText('Nothing was saved: 1 value needs attention first.')).toBeTruthy();

  void router.navigate('/data/shop/thing?page=2');
  await user.click(within(await screen.findByRole('dialog', { name: /\?$/ })).getByText('Save and continue'));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /\?$/ })).toBeNull());
  expect(currentAddress()).toBe('/data/shop/thing');

  await user.click(within(cell(0, 1).closest('tr')!).getByRole('link', { name: /^Open record/ }));
  const pane = await screen.findByRole('dialog', { name: 'Edit Thing' });
  await user.click(within(pane).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(document.activeElement).toBe(within(pane).getByRole('textbox', { name: /^name/ })));
  await user.click(within(pane).getByRole('button', { name: 'Close' }));
  expect(within(pane).getByText('1 field needs attention.')).toBeTruthy();
  expect(writes()).toEqual([]);
});

it('opens the record where its column is hidden', async () => {
  const { user, writes, typeInto } = await openThings();
  await typeInto(0, 3, 'lots');
  await user.click(button('Visible Fields'));
  await user.click(await screen.findByRole('checkbox', { name: 'price' }));
  await user.keyboard('{Escape}');
  await user.click(button('Save'));
  const pane = await screen.findByRole('dialog', { name: 'Edit Thing' });
  await waitFor(() => expect(document.activeElement).toBe(within(pane).getByRole('textbox', { name: /^price/ })));
  expect(writes()).toEqual([]);
});
