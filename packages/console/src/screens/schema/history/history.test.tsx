import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { storeSession } from '../../../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { openPage, queryOf, signIn } from '../../../list/testing.tsx';
import { HistoryView } from './history-view.tsx';
import { likelyIds } from './sources.ts';

const services = [{ id: 5, name: 'shop', label: 'Shop', description: null, type: 'sqlite' }];
const tables = [{ name: 'article', label: 'Article' }];

const entry = (id: number, table: string, more: object = {}) => ({
  id,
  created_date: `2026-11-${String(id % 28 || 28).padStart(2, '0')}T10:00:00.000Z`,
  action: 'update',
  resource: 'service',
  record_id: '5',
  record_name: `shop/_schema/${table}`,
  user_id: 1,
  user_email: 'ada@example.com',
  app_id: null,
  outcome: 'ok',
  before: null,
  after: null,
  ...more,
});
const created = (id: number, table: string) =>
  entry(id, table, {
    after: { name: table, field: { id: { type: 'id' } }, steps: [`create table "${table}" ("id" integer)`] },
  });
const labelled = (id: number, table: string, label: string) => entry(id, table, { after: { table, label } });
const renamed = (id: number, from: string, to: string) =>
  entry(id, from, { before: { name: from }, after: { name: to, steps: [`alter table "${from}" rename to "${to}"`] } });

/** Entries are newest first. */
const open = (
  entries: ReturnType<typeof entry>[],
  {
    table = 'article',
    query = '',
    answerFirst = () => undefined,
  }: { table?: string; query?: string; answerFirst?: (call: RecordedCall) => FakeResponse | undefined } = {},
) => {
  const calls = fakeInstance((call) => {
    const answer = answerFirst(call);
    if (answer) return answer;
    const [path] = call.path.split('?');
    const { filter = '', limit = '1000', offset = '0', order } = queryOf(call);
    if (path === '') return { body: { services } };
    if (path === 'shop/_schema') return { body: { resource: tables } };
    if (path === 'system/app') return { body: { resource: [{ id: 3, name: 'builder' }] } };
    if (path !== 'system/audit') return refusal(404, 'Nothing here.');
    const name = filter.match(/ends with "(.*?)"/)?.[1] ?? '';
    const ids = filter
      .match(/id in \((.*?)\)/)?.[1]
      ?.split(',')
      .map(Number);
    const found = entries.filter(({ id, record_name }) => (ids ? ids.includes(id) : record_name.endsWith(name)));
    if (order === 'id asc') found.reverse();
    const resource = found.slice(Number(offset), Number(offset) + Number(limit));
    return { body: { resource, meta: { count: found.length } } };
  });
  const page = openPage(`/schema/shop/${table}?view=history${query}`, [
    { path: '/schema/shop/:table', element: <HistoryView service="shop" table={table} /> },
  ]);
  return { calls, ...page };
};
const items = async () => within(await screen.findByRole('list', { name: /History of/ })).getAllByText(/@|platform/);

beforeEach(signIn);

it('tells what was done, newest first, by whom and with which app', async () => {
  const { calls } = open([{ ...labelled(9, 'article', 'Thing'), app_id: 3 } as never, created(8, 'article')]);
  expect(await items()).toHaveLength(2);
  expect(screen.getByText('Changed label none → Thing')).toBeTruthy();
  expect(await screen.findByText('builder')).toBeTruthy();
  expect(screen.getByText('Created with 1 field')).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'History', checked: true })).toBeTruthy();
  expect(queryOf(calls.find(({ path }) => path.startsWith('system/audit'))!)).toEqual({
    order: 'id desc',
    filter: '(resource = "service") and (record_id = "5") and (record_name ends with "/_schema/article")',
    limit: '50',
    include_count: 'true',
  });
  // It was made here: nobody looks for what was before.
  expect(calls.filter(({ path }) => path.startsWith('system/audit'))).toHaveLength(1);
});

it('shows statements and what differs when it is unfolded', async () => {
  const { user } = open([created(8, 'article')]);
  await items();
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(screen.getByText('Details'));
  expect(await screen.findByText('create table "article" ("id" integer);')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy the SQL statements' })).toBeTruthy();
  const row = within(screen.getByRole('table', { name: 'Before and after' })).getByRole('row', {
    name: /field.id.type/,
  });
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['none', 'id']);
});

it('leads to the names before and after', async () => {
  const entries = [labelled(9, 'article', 'Thing'), renamed(8, 'item', 'article'), created(7, 'item')];
  const { unmount, calls } = open(entries);
  const earlier = await screen.findByRole('link', { name: 'Show the history of item' });
  expect(earlier.getAttribute('href')).toBe('/schema/shop/item?view=history');
  expect(queryOf(calls.findLast(({ path }) => path.includes('id+in') || path.includes('id%20in'))!).filter).toBe(
    '(id in (8,7))',
  );
  unmount();
  open(entries, { table: 'item' });
  const later = await screen.findByRole('link', { name: 'Go on with the history of article' });
  expect(later.getAttribute('href')).toBe('/schema/shop/article?view=history');
  expect(screen.getByText('Renamed from item to article')).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Back to shop' })).toBeTruthy();
});

it('looks first at the last entries of names that are gone', () => {
  const entries = [entry(9, 'here'), entry(8, 'gone'), entry(7, 'article'), entry(6, 'gone'), entry(5, 'lost')];
  expect(likelyIds(entries as never, 'article', ['article', 'here'])).toEqual([8, 5, 9, 6]);
});

it('leaves out a name that a pattern takes for this one', async () => {
  open([labelled(9, 'ARTICLE', 'No'), created(8, 'article')], {
    answerFirst: ({ path }) =>
      path.startsWith('system/audit')
        ? { body: { resource: [labelled(9, 'ARTICLE', 'No'), created(8, 'article')], meta: { count: 2 } } }
        : undefined,
  });
  expect(await items()).toHaveLength(1);
});

it('has pages of 50, which the address names', async () => {
  const entries = Array.from({ length: 60 }, (_, index) => labelled(100 - index, 'article', `label ${100 - index}`));
  const { user, currentAddress, calls } = open(entries);
  expect(await items()).toHaveLength(50);
  expect(screen.getByText('1–50 of 60')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(currentAddress()).toBe('/schema/shop/article?view=history&page=2'));
  await waitFor(() => expect(screen.getByText('Changed label none → label 41')).toBeTruthy());
  expect(calls.some((call) => queryOf(call).offset === '50')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await waitFor(() => expect(currentAddress()).toBe('/schema/shop/article?view=history'));
});

it('says that nothing is known, and since when it would be', async () => {
  open([entry(3, 'other')]);
  expect(await screen.findByText('No change of this table is known')).toBeTruthy();
  expect(await screen.findByText(/The audit begins/)).toBeTruthy();
});

it('can be tried again', async () => {
  let isBroken = true;
  const { user } = open([created(8, 'article')], {
    answerFirst: ({ path }) =>
      path.startsWith('system/audit') && isBroken ? refusal(500, 'The store is away.') : undefined,
  });
  expect(await screen.findByText('The store is away.')).toBeTruthy();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await items()).toHaveLength(1);
});

it('is for administrators: nobody else asks', async () => {
  storeSession(aSession({ is_sys_admin: false }));
  const { calls } = open([created(8, 'article')]);
  expect(await screen.findByText(/only administrators may read/)).toBeTruthy();
  await screen.findByRole('radio', { name: 'History' });
  expect(calls.some(({ path }) => path.startsWith('system/'))).toBe(false);
});
