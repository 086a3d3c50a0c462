import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { changesOf } from '../../list/record-changes.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { filterOf, noFilters, readAuditState, writeAuditState } from './audit-state.ts';
import { AuditScreen } from './index.tsx';

const entry = (id: number, more: Row = {}): Row => ({
  id,
  created_date: '2026-11-20T10:00:00.000Z',
  action: 'update',
  resource: 'role',
  record_id: '5',
  record_name: 'reader',
  user_id: 1,
  user_email: 'ada@example.com',
  app_id: null,
  ip_address: '10.0.0.9',
  user_agent: 'curl',
  outcome: 'ok',
  request_id: 'req-9',
  before: null,
  after: null,
  ...more,
});

const open = (address: string) => openPage(address, [{ path: '/audit/*', element: <AuditScreen /> }]);
const lists = (calls: { path: string }[]) => calls.filter(({ path }) => path.startsWith('system/audit?'));

beforeEach(signIn);

describe('the place', () => {
  it('asks for exactly what is filtered by, with quotes doubled', () => {
    expect(filterOf(noFilters)).toBeUndefined();
    expect(filterOf({ ...noFilters, action: 'delete', resource: 'role', record: '5', who: 'a"b' })).toBe(
      '(action = "delete") and (resource = "role") and (record_id = "5") and (user_email contains "a""b")',
    );
  });

  it('counts both days in the reader’s zone', () => {
    const from = new Date(2026, 10, 20).toISOString();
    const to = new Date(2026, 10, 22).toISOString();
    expect(filterOf({ ...noFilters, since: '2026-11-20', until: '2026-11-21' })).toBe(
      `(created_date >= "${from}") and (created_date < "${to}")`,
    );
  });

  it('is kept in the address, and what is malformed there is not given', () => {
    const address = writeAuditState(new URLSearchParams('page=3&x=1'), { who: ' ada ', action: 'create' });
    expect(String(address)).toBe('x=1&who=ada&action=create');
    expect(readAuditState(address)).toMatchObject({ page: 1, who: 'ada', action: 'create' });
    expect(readAuditState(new URLSearchParams('page=-1&action=hack&since=yesterday'))).toEqual({
      page: 1,
      ...noFilters,
    });
  });
});

describe('what an entry tells', () => {
  it('takes objects apart, marks what changed and puts it first', () => {
    expect(
      changesOf({ name: 'a', config: { host: 'h', port: 1 } }, { name: 'a', config: { host: 'h', port: 2 } }),
    ).toEqual([
      { field: 'config.port', before: 1, after: 2, isChanged: true },
      { field: 'name', before: 'a', after: 'a', isChanged: false },
      { field: 'config.host', before: 'h', after: 'h', isChanged: false },
    ]);
  });

  it('has one side for a record that came or went, and none for a sign-in', () => {
    expect(changesOf(null, { name: 'a' })).toEqual([
      { field: 'name', before: undefined, after: 'a', isChanged: false },
    ]);
    expect(changesOf(null, null)).toEqual([]);
  });
});

describe('the list', () => {
  it('reads the newest first, a hundred at a time, and says who, what, from where and how it went', async () => {
    const { calls } = fakeInstanceOf('audit', [
      entry(1, { outcome: 'Invalid credentials supplied.', action: 'sign_in', resource: 'user' }),
      entry(2),
    ]);
    open('/audit');
    const rows = within(await screen.findByRole('table', { name: 'Audit' })).getAllByRole('row');
    expect(rows).toHaveLength(3);
    expect(rows[1]!.textContent).toContain('Changed');
    expect(rows[1]!.textContent).toContain('ada@example.com');
    expect(rows[1]!.textContent).toContain('10.0.0.9');
    expect(rows[1]!.textContent).toContain('OK');
    expect(rows[2]!.textContent).toContain('Invalid credentials supplied.');
    expect(within(rows[1]!).getByRole('link', { name: 'reader' }).getAttribute('href')).toBe('/roles/5');
    // Who failed to sign in is only said to be that one.
    expect(within(rows[2]!).queryByRole('link', { name: 'reader' })).toBeNull();
    expect(queryOf(lists(calls)[0] as never)).toMatchObject({
      order: 'id desc',
      limit: '100',
      include_count: 'true',
    });
  });

  it('filters by the inputs, and the address holds it', async () => {
    const { calls } = fakeInstanceOf('audit', [entry(1)]);
    const { user, currentAddress } = open('/audit?page=2');
    await user.type(await screen.findByRole('textbox', { name: 'Person' }), 'ada{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/audit?who=ada'));
    await user.click(screen.getByRole('combobox', { name: 'Action' }));
    await user.click(await screen.findByRole('option', { name: 'Deleted' }));
    await waitFor(() => expect(currentAddress()).toBe('/audit?who=ada&action=delete'));
    await waitFor(() =>
      expect(queryOf(lists(calls).at(-1) as never).filter).toBe('(action = "delete") and (user_email contains "ada")'),
    );
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(currentAddress()).toBe('/audit'));
  });

  it('keeps every one of several filters that change before the address is shown', async () => {
    fakeInstanceOf('audit', [entry(1)]);
    const { currentAddress } = open('/audit?since=2026-11-27');
    const since = await screen.findByLabelText('Since');
    act(() => {
      fireEvent.change(since, { target: { value: '2026-11-25' } });
      fireEvent.change(screen.getByLabelText('Until'), { target: { value: '2026-11-28' } });
    });
    await waitFor(() => expect(currentAddress()).toBe('/audit?since=2026-11-25&until=2026-11-28'));
    expect((since as HTMLInputElement).value).toBe('2026-11-25');
  });

  it('pages', async () => {
    fakeInstanceOf(
      'audit',
      Array.from({ length: 150 }, (_, index) => entry(index + 1, { record_name: `r${index + 1}` })),
    );
    const { user, currentAddress } = open('/audit');
    expect(await screen.findByText('r150')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('r1')).toBeTruthy();
    expect(currentAddress()).toBe('/audit?page=2');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
  });

  it('is empty, matches nothing, fails or is forbidden in words of its own', async () => {
    fakeInstanceOf('audit', []);
    const empty = open('/audit');
    expect(await screen.findByText('Nothing has happened yet')).toBeTruthy();
    empty.unmount();
    const none = open('/audit?text=x');
    expect(await screen.findByText('No entry matches these filters.')).toBeTruthy();
    none.unmount();
    fakeInstanceOf('audit', [], () => refusal(500, 'It broke.'));
    const failed = open('/audit');
    expect(await screen.findByText('It broke.')).toBeTruthy();
    failed.unmount();
    fakeInstanceOf('audit', [], () => refusal(403, 'Access Forbidden.'));
    open('/audit');
    expect(await screen.findByText(/GET access to system\/audit/)).toBeTruthy();
  });

  it('saves what is filtered as a file, the session in a header', async () => {
    const { calls } = fakeInstanceOf('audit', [entry(1)]);
    const createUrl = vi.fn(() => 'blob:audit');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: createUrl, revokeObjectURL: vi.fn() }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const { user } = open('/audit?action=create');
    await screen.findByText('reader');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(clicked).toHaveBeenCalled());
    const call = lists(calls).at(-1)!;
    expect(queryOf(call as never)).toMatchObject({
      file: 'audit.csv',
      filter: '(action = "create")',
      order: 'id desc',
    });
    expect(call.path).not.toContain('session_token');
    clicked.mockRestore();
  });
});

describe('the failed calls of a service', () => {
  const failed = {
    at: '2026-11-20T10:00:00.000Z',
    verb: 'GET',
    path: '_table/contact/7',
    status: 404,
    message: "Record with identifier '7' not found.",
    user_email: null,
    app: 'shop',
    ip_address: '10.0.0.9',
    request_id: 'req-9',
  };
  const fakeFailures = (resource: object[]) =>
    fakeInstanceOf('audit', [], ({ path }) =>
      path.startsWith('system/service/_failures')
        ? { body: { resource } }
        : path.startsWith('system/service?')
          ? { body: { resource: [{ name: 'db' }, { name: 'user' }] } }
          : undefined,
    );

  it('are listed with the call, its caller and why', async () => {
    const { calls } = fakeFailures([failed]);
    open('/audit/failed?service=db');
    const [, row] = within(await screen.findByRole('table', { name: 'Failed calls' })).getAllByRole('row');
    expect(row!.textContent).toContain('shop');
    expect(row!.textContent).toContain('GET db/_table/contact/7');
    expect(row!.textContent).toContain("404 · Record with identifier '7' not found.");
    expect(calls.some(({ path }) => path === 'system/service/_failures?service=db')).toBe(true);
  });

  it('may be none, and are of the service one chooses', async () => {
    fakeFailures([]);
    const { user, currentAddress } = open('/audit/failed');
    expect(await screen.findByText('Its last failed calls will be listed here.')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: 'Service' }));
    await user.click(await screen.findByRole('option', { name: 'user' }));
    expect(await screen.findByText('No call of user failed')).toBeTruthy();
    expect(currentAddress()).toBe('/audit/failed?service=user');
  });
});

describe('an entry', () => {
  it('shows the record before and after, with what changed marked', async () => {
    fakeInstanceOf('audit', [
      entry(7, { before: { description: 'old', key: '**********' }, after: { description: 'new', key: '**********' } }),
    ]);
    open('/audit/7');
    expect(await screen.findByRole('heading', { name: 'Changed role reader' })).toBeTruthy();
    const table = screen.getByRole('table', { name: 'What changed' });
    const row = within(table).getByRole('row', { name: /description/ });
    expect(row.textContent).toBe('descriptionchangedoldnew');
    expect(within(table).getByRole('row', { name: /key/ }).textContent).toBe('key********************');
    expect(screen.getByRole('link', { name: 'All entries of this record' }).getAttribute('href')).toBe(
      '/audit?resource=role&record=5',
    );
  });

  it('goes back to the place it came from', async () => {
    fakeInstanceOf('audit', [entry(7)]);
    const { user, currentAddress } = open('/audit?action=update');
    await user.click((await screen.findAllByRole('link', { name: /Nov/ }))[0]!);
    await user.click(await screen.findByRole('link', { name: 'Back to the audit' }));
    expect(currentAddress()).toBe('/audit?action=update');
  });

  it('that is gone says so', async () => {
    fakeInstanceOf('audit', []);
    open('/audit/7');
    expect(await screen.findByText(/There is no such entry/)).toBeTruthy();
  });
});
