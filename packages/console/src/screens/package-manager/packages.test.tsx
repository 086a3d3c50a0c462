import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  fakeUploads,
  type RecordedCall,
  refusal,
} from '../../api/testing.ts';
import { openPage, signIn } from '../../list/testing.tsx';
import { PackagesScreen } from './index.tsx';
import { nameFilterDelay } from './item-list.tsx';

const services = [
  { id: 1, name: 'system', label: 'System Management', type: 'system' },
  { id: 2, name: 'files', label: 'Local files', type: 'local_file' },
  { id: 5, name: 'shop', label: 'The shop', type: 'mysql' },
  { id: 6, name: 'old', label: 'Old', type: 'mysql' },
];
const service_types = [
  { name: 'system', label: 'System', group: 'System' },
  { name: 'local_file', label: 'Local File Storage', group: 'File' },
  { name: 'mysql', label: 'MySQL', group: 'Database' },
];
const people = Array.from({ length: 10_000 }, (_, index) => ({
  username: null,
  email: `p${index}@example.com`,
  first_name: 'P',
  last_name: String(index),
}));
const manifest = {
  service: {
    system: { role: ['Clerk', 'Guest'], service: ['files', 'shop'], app: ['till'], user: people },
    files: ['docs/', 'a.txt'],
    shop: { reachable: true, _schema: ['product', 'sale'], _table: ['product', 'sale'] },
    old: { reachable: false },
  },
};
const exported = { success: true, path: 'http://localhost/api/v2/files/__EXPORTS/my.zip', is_public: false };

interface World {
  package?: FakeResponse;
  post?: (call: RecordedCall) => FakeResponse;
  apps?: FakeResponse;
  secured?: boolean;
}

function instance(world: World = {}) {
  return fakeInstance((call) => {
    const [path] = call.path.split('?');
    if (call.method === 'POST' && path === 'system/package') return world.post?.(call) ?? { body: exported };
    if (path === '') return { body: { services, service_types } };
    if (path === 'system/package') return world.package ?? { body: manifest };
    if (path === 'system/environment')
      return {
        body: anEnvironment({
          platform: {
            license: '',
            bitnami_demo: false,
            is_hosted: false,
            secured_package_export: world.secured ?? true,
          },
        }),
      };
    if (path === 'system/app')
      return (
        world.apps ?? {
          body: {
            resource: [
              {
                name: 'till',
                storage_service_id: 2,
                storage_container: 'apps/till',
                role_by_role_id: { name: 'Clerk' },
              },
            ],
          },
        }
      );
    if (path === 'system/admin/session') return { body: aSession({ session_token: 'token-2' }) };
    if (path === 'system/role')
      return { body: { resource: [{ name: 'Clerk', role_service_access_by_role_id: [{ service_id: 5 }] }] } };
    return refusal(404, 'nothing');
  });
}

const open = (tab = '') =>
  openPage(`/package-manager${tab}`, [{ path: '/package-manager/*', element: <PackagesScreen /> }]);
type User = ReturnType<typeof open>['user'];
const pick = async (user: User, label: string, option: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
};
const choose = async (user: User, type: string, name?: string) => {
  await pick(user, 'Type', type);
  if (name) await pick(user, 'Name', name);
};
const press = (user: User, name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const rows = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map(({ textContent }) => textContent)
        .join(' | '),
    );

beforeEach(() => {
  vi.restoreAllMocks();
  signIn();
});

describe('the export', () => {
  it('loads services, environment, manifest and apps, and shows the tab Export Package first', async () => {
    const calls = instance();
    open();
    await screen.findByRole('combobox', { name: 'Type' });
    expect(calls.map(({ path }) => path).sort()).toEqual([
      '',
      'system/app?include_count=true&limit=100&related=role_by_role_id',
      'system/environment',
      'system/package',
    ]);
    expect(
      within(screen.getByRole('navigation', { name: 'Packages' }))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Export Package', 'Import Package']);
  });

  it('lists what was chosen, and what goes with it', async () => {
    instance();
    const { user } = open();
    await choose(user, 'System', 'role');
    await user.click(screen.getByRole('checkbox', { name: 'Clerk' }));
    await press(user, /^Add to Package/);
    await choose(user, 'MySQL Schema', 'shop');
    await press(user, /^Add All/);
    expect(rows()).toEqual(['System | role | Clerk', 'MySQL Schema | shop | All']);
    const line = await screen.findByText('Service shop, for role Clerk and the tables of shop');
    await press(user, 'Add them');
    expect(line.isConnected).toBe(false);
    expect(rows().at(-1)).toBe('System | service | shop');
    await press(user, 'Remove role Clerk');
    expect(rows()).toEqual(['MySQL Schema | shop | All', 'System | service | shop']);
  });

  it('sends what was chosen, and shows where it went until it is cleared', async () => {
    const calls = instance();
    const { user } = open();
    await choose(user, 'MySQL Schema', 'shop');
    await user.click(screen.getByRole('checkbox', { name: 'sale' }));
    await user.click(screen.getByRole('checkbox', { name: /^With their records/ }));
    await press(user, /^Add to Package/);
    expect(rows()).toEqual(['MySQL Schema | shop | sale, with records']);
    await pick(user, 'File Service', 'Local files');
    await user.type(screen.getByLabelText('File Name'), 'my');
    await user.type(screen.getByLabelText('Password'), 'secret1');
    await press(user, 'Export');
    await screen.findByText('files/__EXPORTS/my.zip');
    expect(calls.findLast(({ method }) => method === 'POST')!.body).toEqual({
      secured: true,
      password: 'secret1',
      storage: { name: 'files', folder: '', filename: 'my' },
      service: { shop: { _schema: ['sale'], _table: ['sale'] } },
    });
    expect(screen.getByText(/add the folder __EXPORTS under “Public Path”/)).toBeTruthy();
    await press(user, 'Clear');
    expect(rows()).toEqual([]);
    expect(screen.queryByText('files/__EXPORTS/my.zip')).toBeNull();
  });

  it('is not sent without content, without a file service, or with a short password', async () => {
    const calls = instance();
    const { user } = open();
    await screen.findByRole('combobox', { name: 'Type' });
    await user.type(screen.getByLabelText('Password'), 'short');
    await press(user, 'Export');
    await screen.findByText('No package content is selected.');
    expect(screen.getByText('No file service is selected.')).toBeTruthy();
    expect(screen.getByText('The password needs at least 6 characters.')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    expect(document.activeElement?.textContent).toContain('Selected Package Content');
  });

  it('has no password where the instance cannot secure packages', async () => {
    instance({ secured: false });
    open();
    await screen.findByRole('combobox', { name: 'Type' });
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  it('shows of 10,000 people those in sight, and adds all of them as one row that nothing is added to', async () => {
    const calls = instance();
    const { user } = open();
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(320);
    await choose(user, 'System', 'user');
    expect(screen.getAllByRole('checkbox').length).toBeLessThan(60);
    await press(user, /^Add All/);
    expect(rows()).toEqual(['System | user | All']);
    await user.click(screen.getByRole('checkbox', { name: /^p0@example/ }));
    await press(user, /^Add to Package/);
    await screen.findByText('You have already selected all items for System / user.');
    await pick(user, 'File Service', 'Local files');
    await press(user, 'Export');
    await screen.findByText('files/__EXPORTS/my.zip');
    const { service } = calls.findLast(({ method }) => method === 'POST')!.body as {
      service: { system: { user: string[] } };
    };
    expect(service.system.user).toHaveLength(10_000);
  });

  it(`filters names ${nameFilterDelay} ms after the last key, and offers no Add All meanwhile`, async () => {
    instance();
    const { user } = open();
    await choose(user, 'System', 'role');
    await user.type(screen.getByRole('searchbox', { name: 'Filter by name' }), 'gue');
    const typed = Date.now();
    expect(screen.getByRole('checkbox', { name: 'Clerk' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Clerk' })).toBeNull(), { timeout: 3000 });
    expect(Date.now() - typed).toBeGreaterThan(nameFilterDelay - 100);
    expect(screen.queryByRole('button', { name: /^Add All/ })).toBeNull();
    expect(screen.getByRole('checkbox', { name: 'Guest' })).toBeTruthy();
  });

  it('adds the folder of an app, and warns of a service that cannot be reached', async () => {
    instance();
    const { user } = open();
    await choose(user, 'System', 'app');
    await press(user, 'Add All (1)');
    expect(rows()).toEqual(['System | app | All', 'Local File Storage | files | apps/till/']);
    await choose(user, 'MySQL Schema', 'old [unavailable]');
    expect((await screen.findByRole('alert')).textContent).toMatch(/"old" is currently unavailable or unreachable/);
    expect(screen.getByText('Nothing to export')).toBeTruthy();
  });

  it('says why it failed', async () => {
    instance({ post: () => refusal(400, 'No items found in package manifest.') });
    const { user } = open();
    await choose(user, 'System', 'role');
    await press(user, 'Add All (2)');
    await pick(user, 'File Service', 'Local files');
    await press(user, 'Export');
    const alerts = await screen.findAllByText('An error occurred!');
    expect(
      alerts.some((alert) => alert.closest('form')?.textContent?.includes('No items found in package manifest.')),
    ).toBe(true);
  });

  it('asks before what was selected is lost, and keeps it while one looks at the other tab', async () => {
    instance();
    const { user, router } = open();
    await choose(user, 'System', 'role');
    await press(user, 'Add All (2)');
    await user.click(screen.getByRole('link', { name: 'Import Package' }));
    await user.click(screen.getByRole('link', { name: 'Export Package' }));
    expect(rows()).toEqual(['System | role | All']);
    void router.navigate('/home');
    expect((await screen.findByRole('dialog')).textContent).toContain('Leave without exporting this package?');
  });
});

describe('what cannot be loaded', () => {
  it.each([401, 403])('with %i names the permission and goes home', async (status) => {
    instance({ package: refusal(status, 'Access Forbidden.') });
    open();
    await screen.findByText('Home is here');
    expect(
      screen.getByText('To use the Packages tab your role must allow GET and POST access to system/package.'),
    ).toBeTruthy();
  });

  it('says so, and is loaded again', async () => {
    const answers: FakeResponse[] = [refusal(500, 'Broken.'), { body: manifest }];
    instance({
      get package() {
        return answers.length > 1 ? answers.shift() : answers[0];
      },
    });
    const { user } = open();
    const text =
      'There was an error loading data for the Packages tab. Please try refreshing your browser and logging in again.';
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    await press(user, 'Try again');
    await screen.findByRole('combobox', { name: 'Type' });
  });

  it('of apps is left out', async () => {
    instance({ apps: refusal(403, 'no') });
    open();
    expect(await screen.findByRole('combobox', { name: 'Type' })).toBeTruthy();
  });
});

describe('the import', () => {
  const log = { notice: ['Ignored duplicate found for system/role with name Guest'] };
  const file = new File(['PK'], 'my.zip', { type: 'application/zip' });
  const chooseFile = (user: User) => user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);

  it('needs a file or an address', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 200, body: {} }));
    const { user } = open('/import');
    await press(user, 'Import');
    expect(await screen.findByText('No package file selected.')).toBeTruthy();
    await user.type(screen.getByLabelText('Select File:'), 'notes');
    await press(user, 'Import');
    expect(await screen.findByText(/^Choose a file, or enter an address/)).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('sends a file once, with password and overwrite in the query, and shows what came of it', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 201, body: { success: true, log } }));
    const { user } = open('/import');
    await chooseFile(user);
    expect(screen.getByLabelText<HTMLInputElement>('Select File:').value).toBe('my.zip');
    await user.type(screen.getByLabelText('Password:'), 'secret1');
    await user.click(screen.getByRole('checkbox', { name: /^Overwrite existing/ }));
    await press(user, 'Import');
    expect((await screen.findAllByText('Package was imported successfully.')).length).toBe(2);
    const [{ url, form, headers }] = sent as [(typeof sent)[0]];
    expect(url).toBe('/api/v2/system/package?password=secret1&overwrite=true');
    expect([...form.keys()]).toEqual(['files']);
    expect((form.get('files') as File).name).toBe('my.zip');
    expect(headers['x-dreamfactory-session-token']).toBe('token-1');
    expect(headers['content-type']).toBeUndefined();
    expect(within(screen.getByRole('group', { name: 'Notices' })).getByText(log.notice[0]!)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Select File:').value).toBe('');
  });

  it('of an address sends the address; without success it lists why and keeps what was typed', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 200, body: { success: false, log } }));
    const { user } = open('/import');
    await user.type(screen.getByLabelText('Select File:'), 'https://packages.example/a.zip');
    await press(user, 'Import');
    expect((await screen.findAllByText('Package import failed.')).length).toBeGreaterThan(0);
    expect(Object.fromEntries(sent[0]!.form)).toEqual({ import_url: 'https://packages.example/a.zip' });
    expect(sent[0]!.url).toBe('/api/v2/system/package?overwrite=false');
    expect(screen.getByRole('group', { name: 'Notices' }).textContent).toContain(log.notice[0]);
    expect(screen.getByLabelText<HTMLInputElement>('Select File:').value).toBe('https://packages.example/a.zip');
  });

  it('with a wrong password says so beside it, and asks for another one', async () => {
    instance();
    const message = 'Cannot read package manifest. A valid password is required if this is a secured package.';
    fakeUploads(() => ({ status: 400, body: { error: { code: 400, message } } }));
    const { user } = open('/import');
    await chooseFile(user);
    await user.type(screen.getByLabelText('Password:'), 'wrong-1');
    await press(user, 'Import');
    await screen.findByText(message, { selector: '.mantine-PasswordInput-error' });
    expect(screen.getByLabelText<HTMLInputElement>('Password:').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Select File:').value).toBe('my.zip');
  });

  it('of a package of an app asks for neither password nor overwriting, sends neither, and leads to the app', async () => {
    instance();
    const sent = fakeUploads(() => ({ status: 200, body: { id: 9, name: 'till' } }));
    const { user } = open('/import');
    await user.type(screen.getByLabelText('Password:'), 'of-another');
    await user.type(screen.getByLabelText('Select File:'), 'https://packages.example/till.dfpkg');
    expect(screen.queryByLabelText('Password:')).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('link', { name: 'Import it there' }).getAttribute('href')).toBe('/apps/import');
    await press(user, 'Import');
    expect((await screen.findByRole('link', { name: 'Open the app' })).getAttribute('href')).toBe('/apps/9');
    expect(sent.map(({ url }) => url)).toEqual(['/api/v2/system/package']);
    expect(Object.fromEntries(sent[0]!.form)).toEqual({ import_url: 'https://packages.example/till.dfpkg' });
    expect(screen.getByLabelText('Password:')).toBeTruthy();
  });
});
