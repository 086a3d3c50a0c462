import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { AppsScreen } from './index.tsx';

const reader = { id: 2, name: 'reader', is_active: true };
const roles = [reader, { id: 3, name: 'writer', is_active: true }, { id: 4, name: 'old', is_active: false }];
const key = (id: number) => `${id}`.repeat(64);

const anApp = (id: number, name: string, set: Row = {}): Row => ({
  id,
  name,
  description: null,
  api_key: key(id),
  is_active: true,
  type: 0,
  path: null,
  url: null,
  storage_service_id: null,
  storage_container: null,
  role_id: null,
  role_by_role_id: null,
  lookup_by_app_id: [],
  launch_url: '',
  ...set,
});

const apps = (): Row[] => [
  anApp(1, 'admin', { type: 3, launch_url: 'http://localhost/' }),
  anApp(4, 'shop', {
    type: 2,
    url: 'https://shop.example',
    launch_url: 'https://shop.example',
    role_id: 2,
    role_by_role_id: reader,
  }),
  anApp(5, 'kiosk', { type: 3, path: 'kiosk', launch_url: 'http://localhost/kiosk', is_active: false }),
  anApp(6, 'gallery', {
    type: 1,
    storage_service_id: 3,
    storage_container: 'applications',
    launch_url: 'http://localhost/files/x',
  }),
  anApp(7, 'evil', { type: 2, url: 'javascript:alert(1)', launch_url: 'javascript:alert(1)' }),
];

interface World {
  rows?: Row[];
  services?: Row[];
  other?: (call: RecordedCall) => FakeResponse | undefined;
}

const instance = ({ rows = apps(), services = [], other = () => undefined }: World = {}) =>
  fakeInstanceOf('app', rows, (call) => {
    const said = other(call);
    if (said) return said;
    if (call.path.startsWith('system/role?')) return { body: { resource: roles, meta: { count: roles.length } } };
    if (call.path.startsWith('system/service?')) return { body: { resource: services } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/apps/*', element: <AppsScreen /> }]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const answer = async (user: ReturnType<typeof open>['user'], question: string, name: string) => {
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.textContent).toContain(question));
  await user.click(within(dialog).getByRole('button', { name }));
};
const deletions = (calls: RecordedCall[]) => calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
const forbidden = refusal(403, 'Access Forbidden.');

beforeEach(signIn);

describe('the list of apps', () => {
  it('has its columns and loads apps, roles and services (APP-003, APP-025, APP-042, C-APP-01, C-APP-02, C-APP-03)', async () => {
    const { calls } = instance();
    open('/apps');
    const shop = (await screen.findByRole('link', { name: 'shop' })).closest('tr')!;
    expect(
      screen
        .getAllByRole('columnheader')
        .map((head) => head.textContent)
        .filter(Boolean),
    ).toEqual(['ID', 'Name', 'Role', 'API Key', 'Description', 'Active']);
    expect(within(shop).getByText('reader')).toBeTruthy();
    const called = (start: string) => queryOf(calls.find(({ path }) => path.startsWith(start))!);
    expect(called('system/app?')).toEqual({
      limit: '100',
      order: 'id asc',
      related: 'role_by_role_id',
      include_count: 'true',
    });
    expect(called('system/role?')).toEqual({
      include_count: 'true',
      limit: '10000',
      related: 'role_service_access_by_role_id,lookup_by_role_id',
    });
    expect(called('system/service?')).toEqual({
      include_count: 'true',
      limit: '100',
      related: 'service_doc_by_service_id',
    });
  });

  it('shows the ends of a key, and all of it when asked', async () => {
    instance();
    const { user } = open('/apps');
    const row = (await screen.findByRole('link', { name: 'shop' })).closest('tr')!;
    expect(within(row).getByText('444444…4444')).toBeTruthy();
    await user.click(button('Show the API key of shop'));
    expect(within(row).getByText(key(4))).toBeTruthy();
    await user.click(button('Hide the API key of shop'));
    expect(within(row).queryByText(key(4))).toBeNull();
    expect(button('Copy the API key of shop')).toBeTruthy();
  });

  it('launches what is active and has a page, in a new window (APP-004, APP-028, C-APP-10, OPEN-112)', async () => {
    instance();
    open('/apps');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Launch shop' });
    expect([link.href, link.target, link.rel]).toEqual(['https://shop.example/', '_blank', 'noopener noreferrer']);
    expect(button('Launch kiosk').disabled).toBe(true);
    expect(button('Launch kiosk').title).toBe('kiosk is not active.');
    // An address that would run here is no page.
    expect(button('Launch evil').disabled).toBe(true);
    expect(screen.queryByRole('link', { name: 'Launch evil' })).toBeNull();
  });

  it('is empty with its own words (APP-002)', async () => {
    instance({ rows: [] });
    open('/apps');
    expect(await screen.findByText('You have no Apps!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create An App!' }).getAttribute('href')).toBe('/apps/create');
  });

  it('deletes one (APP-006, APP-033, APP-038, APP-023, C-APP-06)', async () => {
    const { calls } = instance();
    const { user } = open('/apps');
    await user.click(await screen.findByRole('button', { name: 'Actions for shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await answer(user, 'Delete shop?', 'Delete');
    expect(await screen.findByText('App successfully deleted.')).toBeTruthy();
    expect(deletions(calls)).toEqual(['system/app/4?fields=*&related=role_by_role_id&delete_storage=false']);
  });

  it.each([
    ['Delete the files', true],
    ['Cancel', false],
  ])('asks about the files of an app that has some: %s (APP-035, OPEN-108)', async (choice, isWithFiles) => {
    const { calls } = instance();
    const { user } = open('/apps');
    await user.click(await screen.findByRole('button', { name: 'Actions for gallery' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await answer(user, 'Delete gallery?', 'Delete');
    await answer(user, 'Delete application files? Pressing cancel will retain the files in storage.', choice);
    expect(await screen.findByText('App successfully deleted.')).toBeTruthy();
    expect(deletions(calls)).toEqual([`system/app/6?fields=*&related=role_by_role_id&delete_storage=${isWithFiles}`]);
  });

  it('deletes several (APP-024, APP-034, APP-039, C-APP-07)', async () => {
    const { calls } = instance();
    const { user } = open('/apps');
    await user.click(await screen.findByRole('checkbox', { name: 'Select shop' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select gallery' }));
    await user.click(button('Delete'));
    await answer(user, 'Delete selected apps?', 'Delete');
    await answer(user, 'Delete application files?', 'Delete the files');
    expect(await screen.findByText('Apps deleted successfully.')).toBeTruthy();
    expect(queryOf(calls.find(({ method }) => method === 'DELETE')!)).toEqual({
      ids: '4,6',
      rollback: 'true',
      fields: '*',
      delete_storage: 'true',
    });
  });

  it('keeps the console’s own app', async () => {
    instance();
    const { user } = open('/apps');
    await screen.findByRole('link', { name: 'admin' });
    expect(screen.queryByRole('checkbox', { name: 'Select admin' })).toBeNull();
    await user.click(button('Actions for admin'));
    await screen.findByRole('menuitem', { name: 'Edit' });
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Deactivate' })).toBeNull();
  });

  it.each(['system/app?', 'system/role?', 'system/service?'])(
    'goes home with the permission message when %s is forbidden (APP-019, APP-020, APP-021, OPEN-065)',
    async (path) => {
      instance({ other: (call) => (call.path.startsWith(path) ? forbidden : undefined) });
      open('/apps');
      expect(await screen.findByText('Home is here')).toBeTruthy();
      expect(
        screen.getByText(
          'To use the Apps tab your role must allow GET access to system/app, system/role, and system/service. To create, update, or delete apps you need POST, PUT, DELETE access to /system/app and/or /system/app/*.',
        ),
      ).toBeTruthy();
    },
  );

  it.each(['system/app?', 'system/role?'])('says that %s could not be loaded (APP-032)', async (path) => {
    instance({ other: (call) => (call.path.startsWith(path) ? refusal(500, 'Down.') : undefined) });
    open('/apps');
    expect(
      await screen.findByText(
        'There was an error loading data for the Apps tab. Please try refreshing your browser and logging in again.',
      ),
    ).toBeTruthy();
  });
});

describe('creating an app', () => {
  it('sends name, role and place, and says so by its name (APP-007, APP-022, APP-036, C-APP-04, OPEN-103)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/apps/create');
    expect(await screen.findByRole('heading', { name: 'Create Application' })).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: /^Application Name/ }), 'till');
    await user.click(screen.getByRole('switch', { name: /^Active/ }));
    await user.click(screen.getByRole('radio', { name: 'On a remote URL.' }));
    await user.type(screen.getByRole('textbox', { name: /^URL to Application/ }), 'https://till.example');
    const picker = screen.getByRole<HTMLInputElement>('combobox', { name: 'Assign a Default Role' });
    expect(picker.placeholder).toBe('-- No Role Selected --');
    await user.type(picker, 'wri');
    await user.click(await screen.findByRole('option', { name: 'writer' }));
    await user.click(button('Save'));
    expect(await screen.findByText('till saved successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/apps'));
    const sent = calls.find(({ method }) => method === 'POST')!;
    expect(queryOf(sent)).toEqual({ fields: '*', related: 'role_by_role_id,lookup_by_app_id' });
    expect(sent.body).toEqual({
      resource: [
        {
          name: 'till',
          description: '',
          is_active: true,
          type: 2,
          url: 'https://till.example',
          role_id: 3,
          lookup_by_app_id: [],
        },
      ],
    });
  });

  it('offers four places in the order of the documents (OPEN-101, OPEN-102)', async () => {
    instance();
    open('/apps/create');
    const radios = await screen.findAllByRole<HTMLInputElement>('radio');
    expect(radios.map((radio) => [radio.value, radio.labels?.[0]?.textContent])).toEqual([
      ['0', 'No Storage Required - remote device, client, or desktop.'],
      ['1', 'On a provisioned file storage service.'],
      ['3', 'On this web server.'],
      ['2', 'On a remote URL.'],
    ]);
    expect(radios[0]?.checked).toBe(true);
  });

  it('asks for what a place needs, and for an address that is a page', async () => {
    const { calls } = instance();
    const { user } = open('/apps/create');
    await user.type(await screen.findByRole('textbox', { name: /^Application Name/ }), 'till');
    await user.click(screen.getByRole('radio', { name: 'On this web server.' }));
    await user.click(button('Save'));
    expect(await screen.findByText('Path to Application is required.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'On a remote URL.' }));
    await user.type(screen.getByRole('textbox', { name: /^URL to Application/ }), 'javascript:alert(1)');
    await user.click(button('Save'));
    expect(await screen.findByText('A whole address that begins with https:// or http://.')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('says in words that there is no file service, and does not save', async () => {
    const { calls } = instance();
    const { user } = open('/apps/create');
    await user.type(await screen.findByRole('textbox', { name: /^Application Name/ }), 'till');
    await user.click(screen.getByRole('radio', { name: 'On a provisioned file storage service.' }));
    expect(screen.getByText(/^This instance has no file storage service/)).toBeTruthy();
    expect(screen.queryByRole('combobox', { name: /^Storage Service/ })).toBeNull();
    await user.click(button('Save'));
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('keeps the pages in a file service where there is one (APP-010, APP-011, APP-016, APP-029)', async () => {
    const services = [
      { id: 8, name: 'db', label: 'Database', type: 'sqlite' },
      { id: 3, name: 'files', label: 'Files', type: 'local_file' },
    ];
    const { calls } = instance({ services });
    const { user } = open('/apps/create');
    await user.type(await screen.findByRole('textbox', { name: /^Application Name/ }), 'till');
    await user.click(screen.getByRole('radio', { name: 'On a provisioned file storage service.' }));
    const select = screen.getByRole<HTMLInputElement>('combobox', { name: /^Storage Service/ });
    expect(select.value).toBe('Files');
    expect(screen.getByText(/\/files\/applications\/index\.html$/)).toBeTruthy();
    await user.click(button('Save'));
    await screen.findByText('till saved successfully.');
    expect((calls.find(({ method }) => method === 'POST')!.body as { resource: Row[] }).resource[0]).toMatchObject({
      type: 1,
      storage_service_id: 3,
      storage_container: 'applications',
      path: 'index.html',
    });
  });
});

describe('editing an app', () => {
  it('saves on top and stays (APP-005, APP-037, C-APP-05)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/apps/4');
    await user.type(await screen.findByRole('textbox', { name: /^Description/ }), 'Sells');
    await user.click(button('Save'));
    expect(await screen.findByText('shop updated successfully.')).toBeTruthy();
    expect(currentAddress()).toBe('/apps/4');
    const sent = calls.find(({ method }) => method === 'PUT')!;
    expect(sent.path).toMatch(/^system\/app\/4\?/);
    expect(queryOf(sent).fields).toBe('*');
    expect(queryOf(sent).related).toContain('role_by_role_id');
    expect(sent.body).toMatchObject({ id: 4, name: 'shop', description: 'Sells', role_id: 2 });
    expect(sent.body).not.toHaveProperty('api_key');
    expect(sent.body).not.toHaveProperty('role_by_role_id');
  });

  it('asks before changes are lost (APP-041)', async () => {
    instance();
    const { user, currentAddress } = open('/apps/4');
    await user.type(await screen.findByRole('textbox', { name: /^Description/ }), 'x');
    await user.click(button('Close'));
    await answer(user, 'Continue without saving?', 'Stay here');
    expect(currentAddress()).toBe('/apps/4');
  });

  it('makes a new key after asking, and keeps what is typed', async () => {
    const { calls } = instance({
      other: ({ method }) => (method === 'PATCH' ? { body: { ...apps()[1], api_key: key(9) } } : undefined),
    });
    const { user } = open('/apps/4');
    await user.type(await screen.findByRole('textbox', { name: /^Description/ }), 'kept');
    expect(screen.getByText(key(4))).toBeTruthy();
    await user.click(button('New key…'));
    await answer(user, 'The key it has now stops working at once', 'Make a new key');
    expect(await screen.findByText('shop has a new API key.')).toBeTruthy();
    expect(await screen.findByText(key(9))).toBeTruthy();
    expect(screen.queryByText(key(4))).toBeNull();
    const sent = calls.find(({ method }) => method === 'PATCH')!;
    expect(sent.path).toMatch(/^system\/app\/4\?regenerate=true/);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Description/ }).value).toBe('kept');
    expect(screen.getByText(new RegExp(`X-DreamFactory-API-Key: ${key(9)}`))).toBeTruthy();
  });

  it('shows a call that works with the key alone, or with a person where it has no role', async () => {
    instance();
    const first = open('/apps/4');
    const command = await screen.findByText(/^curl '/);
    expect(command.textContent).not.toContain('Session-Token');
    first.unmount();
    open('/apps/7');
    expect((await screen.findByText(/^TOKEN=/)).textContent).toContain('X-DreamFactory-Session-Token: $TOKEN');
  });

  it('edits its lookup keys', async () => {
    const { calls } = instance();
    const { user } = open('/apps/4/lookups');
    await user.click(await screen.findByRole('button', { name: 'Add lookup key' }));
    await user.type(screen.getByRole('textbox', { name: 'Name, row 1' }), 'region');
    await user.type(screen.getByRole('textbox', { name: 'Value, row 1' }), 'eu');
    await user.click(button('Save'));
    await screen.findByText('shop updated successfully.');
    expect(calls.find(({ method }) => method === 'PUT')!.body).toMatchObject({
      lookup_by_app_id: [{ name: 'region', value: 'eu', private: false }],
    });
  });

  it('leaves the console’s own app its name, key and life', async () => {
    instance();
    open('/apps/1');
    expect(await screen.findByText(/^This is the app of the console itself/)).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /^Application Name/ })).toBeNull();
    expect(screen.queryByRole('switch', { name: /^Active/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'New key…' })).toBeNull();
  });

  it('finds a role among ten thousand without drawing them all', async () => {
    const many = Array.from({ length: 10_000 }, (_, id) => ({ id: id + 10, name: `role ${id}`, is_active: true }));
    vi.setConfig({ testTimeout: 30_000 });
    instance({ other: ({ path }) => (path.startsWith('system/role?') ? { body: { resource: many } } : undefined) });
    const { user } = open('/apps/create');
    const picker = await screen.findByRole('combobox', { name: 'Assign a Default Role' });
    await user.click(picker);
    await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(10));
    expect(screen.getAllByRole('option').length).toBeLessThanOrEqual(50);
    await user.type(picker, 'role 9876');
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['role 9876']);
  });
});
