import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeResponse, refusal } from '../../../api/testing.ts';
import type { Row } from '../../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../../list/testing.tsx';
import { AppsScreen } from '../index.tsx';

const services = [
  { name: 'system', label: 'System', type: 'system' },
  { name: 'mail', label: 'Mail', type: 'smtp_email' },
  { name: 'shop', label: 'The shop', type: 'mysql' },
];
const service_types = [
  { name: 'mysql', group: 'Database' },
  { name: 'smtp_email', group: 'Email' },
];
const till: Row = {
  id: 9,
  name: 'till',
  type: 1,
  storage_service_id: 3,
  is_active: true,
  launch_url: '',
  api_key: 'k',
};
const remote: Row = { ...till, id: 10, name: 'remote', type: 2, storage_service_id: null };
const admin: Row = { ...till, id: 1, name: 'admin', type: 3 };

const instance = (answer: FakeResponse = { body: 'the package' }) =>
  fakeInstanceOf('app', [admin, till, remote], ({ path }) => {
    if (path.includes('pkg=true')) return answer;
    if (path === '') return { body: { services, service_types } };
    if (path.startsWith('shop/_table/')) return { body: { resource: [{ name: 'sale' }, { name: 'product' }] } };
    if (path.startsWith('system/role?')) return { body: { resource: [] } };
    if (path.startsWith('system/service?')) return { body: { resource: [] } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/apps/*', element: <AppsScreen /> }]);
type User = ReturnType<typeof open>['user'];
/** The names of the files that were handed to the browser. */
let saved: string[] = [];

beforeEach(() => {
  signIn();
  saved = [];
  URL.createObjectURL = () => 'blob:package';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

async function openDialog(user: User) {
  await user.click(await screen.findByRole('button', { name: 'Export…' }));
  return within(await screen.findByRole('dialog'));
}
const exports = (calls: { path: string }[]) => calls.filter(({ path }) => path.includes('pkg=true'));

describe('the export of an app', () => {
  it('downloads it with what goes along, the session in headers', async () => {
    const { calls } = instance();
    const { user } = open('/apps/9');
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole('combobox', { name: 'Services' }));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Mail (mail)',
      'The shop (shop)',
    ]);
    await user.click(screen.getByRole('option', { name: 'Mail (mail)' }));
    await user.click(dialog.getByRole('combobox', { name: 'Databases' }));
    await user.click(screen.getByRole('option', { name: 'The shop (shop)' }));
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'With their records' }).disabled).toBe(true);
    const tables = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Tables of The shop' });
    await waitFor(() => expect(tables.disabled).toBe(false));
    await user.click(tables);
    await user.click(screen.getByRole('option', { name: 'sale' }));
    await user.click(dialog.getByRole('checkbox', { name: 'With their records' }));
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(saved).toEqual(['till.dfpkg']));
    const [call] = exports(calls) as [(typeof calls)[0]];
    expect(call.path.split('?')[0]).toBe('system/app/9');
    expect(call.token).toBe('token-1');
    expect(queryOf(call)).toEqual({
      pkg: 'true',
      include_files: 'true',
      include_data: 'true',
      service: 'mail',
      schema: '{"shop":["sale"]}',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('takes all tables of a database, and no files of an app that has none', async () => {
    const { calls } = instance();
    const { user } = open('/apps/10');
    const dialog = await openDialog(user);
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^With its files/ }).disabled).toBe(true);
    await user.click(dialog.getByRole('combobox', { name: 'Databases' }));
    await user.click(screen.getByRole('option', { name: 'The shop (shop)' }));
    await user.click(await dialog.findByRole('checkbox', { name: 'All 2 tables of The shop' }));
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(saved).toEqual(['remote.dfpkg']));
    expect(queryOf(exports(calls)[0] as (typeof calls)[0])).toEqual({
      pkg: 'true',
      schema: '{"shop":["sale","product"]}',
    });
  });

  it('says in place why it was refused, and saves nothing', async () => {
    instance(refusal(404, 'Resource not found for system/service/x'));
    const { user } = open('/apps/9');
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    const alert = await dialog.findByRole('alert', { name: 'The app was not exported.' });
    expect(alert.textContent).toContain('Resource not found for system/service/x');
    expect(saved).toEqual([]);
  });

  it('begins in the menu of a row, too, but not for the app of the console', async () => {
    instance();
    const { user } = open('/apps');
    await user.click(await screen.findByRole('button', { name: 'Actions for till' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Export…' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Export till');
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Actions for admin' }));
    await screen.findByRole('menuitem', { name: 'Edit' });
    expect(screen.queryByRole('menuitem', { name: 'Export…' })).toBeNull();
  });
});
