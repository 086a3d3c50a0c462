import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aSession, refusal } from '../api/testing.ts';
import { column, type Row } from './column.tsx';
import { ListScreen } from './list-screen.tsx';
import { fakeInstanceOf, openPage, queryOf, signIn } from './testing.tsx';

const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `thing ${String(index + 1).padStart(3, '0')}`,
    note: index % 2 ? 'odd' : 'even',
  }));

const Things = ({ pageSize = 10 }: { pageSize?: number }) => (
  <ListScreen
    texts="roles"
    resource="thing"
    related="part_by_thing_id"
    pageSize={pageSize}
    search={['name', 'note']}
    permissionTexts={{ resources: 'system/thing', things: 'things' }}
    base="/things"
    columns={[
      column('id', { label: 'ID' }),
      column('name', { label: 'Name', opens: true }),
      column('note', { label: 'Note', sortable: false }),
    ]}
    isDeletable={(row) => row.note !== 'kept'}
  />
);

const open = (address = '/things', pageSize?: number) =>
  openPage(address, [
    { path: '/things', element: <Things {...(pageSize ? { pageSize } : {})} /> },
    { path: '/things/:id', element: <p>The editor</p> },
  ]);

const names = () => screen.getAllByRole('link', { name: /^thing/ }).map((link) => link.textContent);
const findLink = (name: string) => screen.findByRole('link', { name });

beforeEach(signIn);

describe('a list', () => {
  it('reads one page, sorted and counted by the server (X-018, X-020, X-025, C-NAV-03)', async () => {
    const { calls } = fakeInstanceOf('thing', rows(25));
    open();
    await findLink('thing 001');
    expect(names()).toHaveLength(10);
    expect(calls).toHaveLength(1);
    expect(queryOf(calls[0]!)).toEqual({
      limit: '10',
      order: 'id asc',
      related: 'part_by_thing_id',
      include_count: 'true',
    });
    expect(screen.getByText('1–10 of 25')).toBeTruthy();
  });

  it('pages first, previous, next and by number, in the address (X-014, OPEN-045)', async () => {
    const { calls } = fakeInstanceOf('thing', rows(25));
    const { user, currentAddress, router } = open();
    await findLink('thing 001');
    expect((screen.getByRole('button', { name: 'Previous page' }) as HTMLButtonElement).disabled).toBe(true);

    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await findLink('thing 011');
    expect(currentAddress()).toBe('/things?page=2');
    expect(queryOf(calls.at(-1)!)).toMatchObject({ offset: '10', limit: '10' });

    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await findLink('thing 021');
    expect((screen.getByRole('button', { name: 'Next page' }) as HTMLButtonElement).disabled).toBe(true);

    await user.click(screen.getByRole('button', { name: 'First page' }));
    await findLink('thing 001');
    expect(currentAddress()).toBe('/things');

    await user.click(screen.getByRole('combobox', { name: 'Select page' }));
    await user.click(await screen.findByRole('option', { name: 'Page 3' }));
    await findLink('thing 021');

    await router.navigate(-1);
    await findLink('thing 001');
  });

  it('ends a page fetch that is no longer wanted, so that one runs at a time (X-015)', async () => {
    fakeInstanceOf('thing', rows(35));
    const answer = globalThis.fetch;
    const running = new Set<string>();
    let most = 0;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      running.add(address);
      init.signal?.addEventListener('abort', () => running.delete(address));
      most = Math.max(most, running.size);
      return new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('ended', 'AbortError')));
        setTimeout(() => {
          running.delete(address);
          resolve(answer(address, init));
        }, 60);
      });
    });
    const { user } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await findLink('thing 031');
    expect(most).toBe(1);
  });

  it('goes to the last page when the address is beyond it', async () => {
    fakeInstanceOf('thing', rows(25));
    const { currentAddress } = open('/things?page=9');
    await findLink('thing 021');
    expect(currentAddress()).toBe('/things?page=3');
  });

  it('sorts at the server, by the head of a column', async () => {
    const { calls } = fakeInstanceOf('thing', rows(25));
    const { user, currentAddress } = open('/things?page=2');
    await findLink('thing 011');
    await user.click(screen.getByRole('button', { name: 'Name' }));
    await findLink('thing 001');
    await user.click(screen.getByRole('button', { name: 'Name' }));
    await findLink('thing 025');
    expect(currentAddress()).toBe('/things?order=name+desc');
    expect(queryOf(calls.at(-1)!).order).toBe('name desc');
    expect(screen.getByRole('columnheader', { name: /Name/ }).getAttribute('aria-sort')).toBe('descending');
    expect(screen.queryByRole('button', { name: 'Note' })).toBeNull();
  });
});

describe('the filter box', () => {
  it('applies one second after the last key, from page 1 (X-013, X-017)', async () => {
    const { calls } = fakeInstanceOf('thing', rows(25));
    const { currentAddress } = open('/things?page=2');
    await findLink('thing 011');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const box = screen.getByRole('searchbox', { name: 'Filter roles' });
      fireEvent.change(box, { target: { value: '00' } });
      vi.advanceTimersByTime(900);
      fireEvent.change(box, { target: { value: '003' } });
      vi.advanceTimersByTime(999);
      expect(currentAddress()).toBe('/things?page=2');
      vi.advanceTimersByTime(1);
      expect(currentAddress()).toBe('/things?filter=003');
    } finally {
      vi.useRealTimers();
    }
    await findLink('thing 003');
    expect(queryOf(calls.at(-1)!).filter).toBe('(name like "%003%") or (note like "%003%")');
    expect(calls).toHaveLength(2);
  });

  it('applies at once with Enter, takes the focus with /, and says when nothing matches', async () => {
    fakeInstanceOf('thing', rows(3));
    const { user, currentAddress } = open();
    await findLink('thing 001');
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    await user.keyboard('zzz{Enter}');
    expect(await screen.findByText('Nothing matches “zzz”.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    await findLink('thing 001');
    expect(currentAddress()).toBe('/things');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('');
  });

  it('follows the address', async () => {
    fakeInstanceOf('thing', rows(3));
    const { router } = open('/things?filter=002');
    await findLink('thing 002');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('002');
    await router.navigate('/things');
    await findLink('thing 001');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('');
  });
});

describe('selecting and deleting', () => {
  it('takes a range with Shift and deletes by ids with rollback (OPEN-062, X-033)', async () => {
    const { calls } = fakeInstanceOf('thing', rows(5));
    const { user } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('checkbox', { name: 'Select thing 002' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select thing 004' }));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('3 selected')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Delete selected roles?');
    expect(dialog.textContent).toContain('3 records will be deleted.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Roles deleted successfully.')).toBeTruthy();
    const request = calls.find(({ method }) => method === 'DELETE')!;
    expect(request.path.split('?')[0]).toBe('system/thing');
    expect(queryOf(request)).toEqual({ ids: '2,3,4', rollback: 'true' });
    await waitFor(() => expect(names()).toEqual(['thing 001', 'thing 005']));
    expect(screen.getByRole('searchbox')).toBeTruthy();
  });

  it('deletes nothing when the answer is no', async () => {
    const { calls } = fakeInstanceOf('thing', rows(2));
    const { user } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    expect(screen.getByText('2 selected')).toBeTruthy();
  });

  it('deletes one row by its own address, asked by name', async () => {
    const { calls } = fakeInstanceOf('thing', rows(2));
    const { user } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('button', { name: 'Actions for thing 002' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Delete thing 002?');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Role successfully deleted.')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'DELETE')!.path).toBe('system/thing/2');
  });

  it('steps back a page when the last one is emptied (X-016)', async () => {
    fakeInstanceOf('thing', rows(11));
    const { user, currentAddress } = open('/things?page=2');
    await findLink('thing 011');
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await findLink('thing 010');
    expect(currentAddress()).toBe('/things');
  });

  it('leaves out what may not be deleted', async () => {
    fakeInstanceOf('thing', [{ id: 1, name: 'thing kept', note: 'kept' }, ...rows(3).slice(1)]);
    const { user } = open();
    await findLink('thing kept');
    expect(screen.queryByRole('checkbox', { name: 'Select thing kept' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(screen.getByText('2 selected')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Actions for thing kept' }));
    await screen.findByRole('menuitem', { name: 'Edit' });
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  });

  it('tells a refusal as Api Error and keeps the rows (X-006, X-007)', async () => {
    fakeInstanceOf('thing', rows(2), (call) =>
      call.method === 'DELETE'
        ? refusal(
            400,
            'Batch Error: Not all requested records could be deleted.',
            {
              error: [0],
              resource: [{ code: 403, message: 'Cannot delete your account.', status_code: 403, context: null }],
            },
            1000,
          )
        : undefined,
    );
    const { user } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Cannot delete your account.')).toBeTruthy();
    expect(screen.getByText('Api Error')).toBeTruthy();
    expect(names()).toHaveLength(2);
  });
});

describe('the states of a list', () => {
  it('is empty with a sentence and a button (X-023, OPEN-041)', async () => {
    fakeInstanceOf('thing', []);
    open();
    expect(await screen.findByText('You have no Roles!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create A Role!' }).getAttribute('href')).toBe('/things/create');
  });

  it('tells a failure in place, with the request id, and tries again', async () => {
    let isBroken = true;
    fakeInstanceOf('thing', rows(1), () => (isBroken ? refusal(500, 'The store is away.') : undefined));
    const { user } = open();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The store is away.');
    expect(alert.textContent).toContain('req-1');
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await findLink('thing 001');
  });

  it.each([403, 401])('names the missing permission on %i and goes home (X-011, X-012, OPEN-063)', async (status) => {
    // A 401 is answered by a renewal first (SES-099); the new session is refused in the same way.
    fakeInstanceOf('thing', [], ({ path }) =>
      path === 'system/admin/session'
        ? { body: aSession({ session_token: 'token-2' }) }
        : refusal(status, 'You are not authorized to perform this action.'),
    );
    const { currentAddress } = open();
    expect(await screen.findByText('Home is here')).toBeTruthy();
    expect(currentAddress()).toBe('/home');
    expect(
      screen.getByText(
        'To use the Roles tab your role must allow GET access to system/thing. To create, update, or delete things you need POST, PUT, DELETE access to /system/thing and/or /system/thing/*.',
      ),
    ).toBeTruthy();
  });
});

describe('opening a row', () => {
  it('works by a click anywhere in it, and by the keyboard', async () => {
    fakeInstanceOf('thing', rows(3));
    const { user, currentAddress, router } = open('/things?filter=thing');
    await findLink('thing 001');
    await user.click(screen.getAllByRole('cell', { name: 'even' })[0]!);
    expect(currentAddress()).toBe('/things/1');
    expect(router.state.location.state).toEqual({ from: '/things?filter=thing' });
    await router.navigate(-1);
    await findLink('thing 001');
    screen.getByRole('link', { name: 'thing 001' }).focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'thing 002' }));
    await user.keyboard(' ');
    expect((screen.getByRole('checkbox', { name: 'Select thing 002' }) as HTMLInputElement).checked).toBe(true);
    await user.keyboard('{Enter}');
    expect(currentAddress()).toBe('/things/2');
  });

  it('does not happen when something in the row is used', async () => {
    fakeInstanceOf('thing', rows(1));
    const { user, currentAddress } = open();
    await findLink('thing 001');
    await user.click(screen.getByRole('checkbox', { name: 'Select thing 001' }));
    await user.click(screen.getByRole('button', { name: 'Actions for thing 001' }));
    expect(currentAddress()).toBe('/things');
  });
});

describe('columns', () => {
  it('are hidden, resized and kept for the person', async () => {
    fakeInstanceOf('thing', rows(1));
    const first = open();
    await findLink('thing 001');
    const { user } = first;
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    expect(((await screen.findByRole('checkbox', { name: 'Name' })) as HTMLButtonElement).disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Note' }));
    expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
    screen.getByRole('button', { name: 'ID' }).focus();
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
    first.unmount();

    open();
    await findLink('thing 001');
    expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
    expect(JSON.parse(localStorage.getItem('sluice.columns.1.thing') ?? '')).toEqual({
      hidden: ['note'],
      widths: { id: 56 },
    });
  });
});

describe('many rows', () => {
  it('draws only those in sight', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(440);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
    fakeInstanceOf('thing', rows(5000));
    open('/things', 10_000);
    await findLink('thing 001');
    await waitFor(() => expect(names().length).toBeGreaterThan(5));
    expect(names().length).toBeLessThan(60);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('5001');
    vi.restoreAllMocks();
  });
});
