import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionState } from '../../../api/session-state.ts';
import { anEnvironment, aSession, type FakeResponse, fakeUploads, refusal } from '../../../api/testing.ts';
import type { Row } from '../../../list/index.ts';
import { fakeInstanceOf, openPage, signIn } from '../../../list/testing.tsx';
import { AppsScreen } from '../index.tsx';

const services = [
  { id: 8, name: 's3', label: 'Cloud', type: 'aws_s3' },
  { id: 3, name: 'files', label: 'Local files', type: 'local_file' },
  { id: 5, name: 'shop', label: 'The shop', type: 'mysql' },
];
const till = { id: 9, name: 'till', type: 1, is_active: true, launch_url: '', role_by_role_id: null, api_key: 'k' };
const package_url = 'https://packages.example/add_javascript.dfpkg?raw=true';
const samples = [
  { name: 'javascript', package_url, repository_url: 'https://code.example/javascript' },
  { name: 'dotnet', package_url: 'https://packages.example/net.dfpkg', repository_url: 'https://code.example/net' },
];

interface World {
  count?: number;
  importAnswer?: FakeResponse;
  services?: Row[];
}

const instance = (world: World = {}) =>
  fakeInstanceOf('app', [till], ({ method, path }) => {
    if (method === 'POST' && path.startsWith('system/app')) return world.importAnswer ?? { body: till };
    if (path.startsWith('system/app?') && path.includes('fields=id'))
      return { body: { resource: [till], meta: { count: world.count ?? 1 } } };
    if (path.startsWith('system/role?')) return { body: { resource: [] } };
    if (path.startsWith('system/service?')) return { body: { resource: world.services ?? services } };
    return undefined;
  });

const open = () => openPage('/apps/import', [{ path: '/apps/*', element: <AppsScreen /> }]);
type User = ReturnType<typeof open>['user'];
const file = new File(['PK'], 'till.dfpkg', { type: 'application/zip' });
const chooseFile = (user: User) => user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
const pathInput = () => screen.getByLabelText<HTMLInputElement>('Package File');
const press = (user: User) => user.click(screen.getByRole('button', { name: 'Import' }));
const serviceInput = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Storage Service (optional)' });
const posts = (calls: { method: string }[]) => calls.filter(({ method }) => method === 'POST');

beforeEach(signIn);

describe('the tab Import', () => {
  it('stands beside the list and the editor (NAV-024)', async () => {
    instance();
    open();
    const tabs = within(await screen.findByRole('navigation', { name: 'Apps' }));
    expect(tabs.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Manage Applications', '/apps'],
      ['Create', '/apps/create'],
      ['Import', '/apps/import'],
    ]);
  });

  it('sends nothing where nothing is chosen (APP-017)', async () => {
    const { calls } = instance();
    const sent = fakeUploads(() => ({ status: 200, body: till }));
    const { user } = open();
    await screen.findByDisplayValue('Local files');
    await press(user);
    expect(await screen.findByText('No package file selected.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(pathInput()));
    await user.type(pathInput(), 'till.dfpkg');
    await press(user);
    expect(await screen.findByText(/^Choose a file, or enter an address/)).toBeTruthy();
    await user.clear(pathInput());
    await user.type(pathInput(), 'https://packages.example/till.zip');
    await press(user);
    expect(await screen.findByText('A package of an app ends in .dfpkg.')).toBeTruthy();
    expect([sent, posts(calls)]).toEqual([[], []]);
  });

  it('sends a file with the place of its pages, and shows the list (APP-010, APP-011, APP-027, APP-040, C-APP-09)', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 200, body: till }));
    const { user, currentAddress } = open();
    await screen.findByDisplayValue('Local files');
    await chooseFile(user);
    expect(pathInput().value).toBe('till.dfpkg');
    await press(user);
    expect(await screen.findByText('App successfully imported.')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'till' })).toBeTruthy();
    expect(currentAddress()).toBe('/apps');
    const [{ url, form }] = sent as [(typeof sent)[0]];
    expect(url).toBe('/api/v2/system/app');
    expect([...form.keys()]).toEqual(['file', 'storage_service_id', 'storage_container']);
    expect((form.get('file') as File).name).toBe('till.dfpkg');
    expect([form.get('storage_service_id'), form.get('storage_container')]).toEqual(['3', 'applications']);
  });

  it('takes a file that is dropped', async () => {
    instance();
    open();
    await screen.findByDisplayValue('Local files');
    fireEvent.drop(pathInput(), { dataTransfer: { types: ['Files'], files: [file] } });
    expect(pathInput().value).toBe('till.dfpkg');
    expect(screen.getByRole('button', { name: 'Remove the file' })).toBeTruthy();
  });

  it.each(['http', 'https', 'HTTPS'])(
    'sends an address that begins with %s (APP-018, APP-026, C-APP-08)',
    async (scheme) => {
      const { calls } = instance();
      const { user } = open();
      await user.click(await serviceInput());
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
        '-- No Service Selected --',
        'Cloud',
        'Local files',
      ]);
      await user.click(screen.getByRole('option', { name: 'Cloud' }));
      const folder = screen.getByLabelText('Storage Folder (optional)');
      await user.clear(folder);
      await user.type(folder, '/tills/');
      await user.type(pathInput(), `${scheme}://packages.example/till.dfpkg`);
      await press(user);
      expect(await screen.findByText('App successfully imported.')).toBeTruthy();
      const [call] = posts(calls) as [(typeof calls)[0]];
      expect([call.path, call.headers.get('content-type')]).toEqual(['system/app', 'application/json']);
      expect(call.body).toEqual({
        import_url: `${scheme}://packages.example/till.dfpkg`,
        storage_service_id: 8,
        storage_container: 'tills',
      });
    },
  );

  it('without a service sends 0 (OPEN-111)', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 200, body: till }));
    const { user } = open();
    await screen.findByDisplayValue('Local files');
    await user.click(await serviceInput());
    await user.click(screen.getByRole('option', { name: '-- No Service Selected --' }));
    await chooseFile(user);
    await press(user);
    await screen.findByText('App successfully imported.');
    expect(sent[0]!.form.get('storage_service_id')).toBe('0');
  });

  it('leads to the page of the list where the new app is', async () => {
    instance({ count: 201 });
    fakeUploads(() => ({ status: 200, body: till }));
    const { user, currentAddress } = open();
    await chooseFile(user);
    await press(user);
    await waitFor(() => expect(currentAddress()).toBe('/apps?page=3'));
  });

  it('says why it was refused, and keeps what was chosen', async () => {
    instance();
    const message = 'No application description file in this package file.';
    fakeUploads(() => ({ status: 400, body: { error: { code: 400, message } } }));
    const { user, currentAddress } = open();
    await chooseFile(user);
    await press(user);
    const alert = await screen.findByRole('alert', { name: 'The app was not imported.' });
    expect(alert.textContent).toContain(message);
    expect([pathInput().value, currentAddress()]).toEqual(['till.dfpkg', '/apps/import']);
  });

  it('asks before what was chosen is lost', async () => {
    instance();
    const { user } = open();
    await chooseFile(user);
    await user.click(screen.getByRole('link', { name: 'Create' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Leave without importing this app?');
  });

  it('is left for home by a person who may not read services (APP-019)', async () => {
    fakeInstanceOf('app', [], ({ path }) =>
      path.startsWith('system/role?') ? { body: { resource: [] } } : refusal(403, 'Access Forbidden.'),
    );
    open();
    expect(await screen.findByText('Home is here')).toBeTruthy();
  });
});

describe('the sample apps', () => {
  it('fill in their address, and lead to their source (APP-030, APP-031, OPEN-110)', async () => {
    sessionState.set({ ...sessionState.get(), environment: anEnvironment({ sample_apps: samples }) });
    instance();
    const { user } = open();
    const list = within(await screen.findByRole('list', { name: 'Sample Apps' }));
    expect(list.getAllByRole('listitem').map((item) => item.firstChild?.textContent)).toEqual([
      'Address Book for JavaScript',
      'Address Book for .NET',
    ]);
    const source = list.getByRole('link', { name: 'Repository of Address Book for JavaScript' });
    expect([source.getAttribute('href'), source.getAttribute('rel')]).toEqual([
      'https://code.example/javascript',
      'noopener noreferrer',
    ]);
    const select = list.getByRole('button', { name: 'Select Address Book for JavaScript' });
    await user.click(select);
    expect([pathInput().value, select.getAttribute('aria-pressed')]).toEqual([package_url, 'true']);
  });

  it('without addresses are not there; administrators read how to set them', async () => {
    instance();
    const { unmount } = open();
    expect(await screen.findByText(/SLUICE_SAMPLE_APPS/)).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Sample Apps' })).toBeNull();
    unmount();
    sessionState.set({
      ...sessionState.get(),
      session: { ...sessionState.get().session!, ...aSession({ is_sys_admin: false }) },
    });
    open();
    expect(await screen.findByText('Select App Package File')).toBeTruthy();
    expect(screen.queryByText(/SLUICE_SAMPLE_APPS/)).toBeNull();
  });
});
