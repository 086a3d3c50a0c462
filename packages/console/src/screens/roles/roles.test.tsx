import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionState } from '../../api/session-state.ts';
import { anEnvironment, type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { RolesScreen } from './index.tsx';

const access = (id: number, more: Row): Row => ({
  id,
  role_id: 4,
  service_id: 5,
  component: '_table/contact/*',
  verb_mask: 1,
  requestor_mask: 1,
  filters: [],
  filter_op: 'AND',
  ...more,
});

const roles = (): Row[] => [
  {
    id: 4,
    name: 'reader',
    description: 'Reads contacts',
    is_active: true,
    role_service_access_by_role_id: [
      access(11, { filters: [{ name: 'owner', operator: '=', value: '{user.id}' }] }),
      access(12, { service_id: 77, component: 'docs/*' }),
    ],
    lookup_by_role_id: [{ id: 1, role_id: 4, name: 'region', value: 'eu', private: false }],
  },
  {
    id: 6,
    name: 'writer',
    description: null,
    is_active: false,
    role_service_access_by_role_id: [],
    lookup_by_role_id: [],
  },
];

const platform = {
  services: [
    { id: 5, name: 'db', label: 'Local SQL Database', type: 'sqlite' },
    { id: 6, name: 'couch', label: 'couch', type: 'couchdb' },
    { id: 7, name: 'mail', label: 'mail', type: 'smtp_email' },
    { id: 8, name: 'docs', label: 'docs', type: 'local_file' },
  ],
  service_types: [
    { name: 'sqlite', group: 'Database' },
    { name: 'couchdb', group: 'Database' },
    { name: 'smtp_email', group: 'Email' },
    { name: 'local_file', group: 'File' },
  ],
};
const components: Record<string, string[]> = {
  db: ['', '*', '_table/', '_table/*', '_table/contact/', '_table/contact/*'],
  couch: ['', '*', '_table/*'],
  docs: ['', '*', 'a/', 'a/*'],
};

const instance = (rows = roles(), other: (call: RecordedCall) => FakeResponse | undefined = () => undefined) =>
  fakeInstanceOf('role', rows, (call) => {
    const response = other(call);
    if (response) return response;
    const [path = ''] = call.path.split('?');
    if (path === '') return { body: platform };
    if (path === 'system/service') return { body: { resource: [] } };
    const listed = components[path.slice(0, -1)];
    if (listed && queryOf(call).as_access_list === 'true') return { body: { resource: listed } };
    if (path === 'db/_schema/contact')
      return { body: { field: [{ name: 'id' }, { name: 'owner_no', alias: 'owner' }] } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/roles/*', element: <RolesScreen /> }]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const putBody = (calls: RecordedCall[]) => calls.find(({ method }) => method === 'PUT')?.body as Row;
const line = (name: RegExp) => screen.findByRole('button', { name, expanded: false });
const optionOf = (list: HTMLElement, name: string) => within(list).getByRole('option', { name, hidden: true });
/** The menu that belongs to an input. */
const menuOf = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-controls') ?? '') as HTMLElement;

beforeEach(signIn);

describe('the list of roles', () => {
  it('has its columns and loads what the tab needs (ROL-003, ROL-026, ROL-039, C-ROL-01, C-ROL-02)', async () => {
    const { calls } = instance();
    open('/roles');
    await screen.findByRole('link', { name: 'reader' });
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(heads.filter(Boolean)).toEqual(['Id', 'Name', 'Description', 'Active']);
    expect(queryOf(calls.find(({ path }) => path.startsWith('system/role?'))!)).toEqual({
      limit: '10000',
      order: 'id asc',
      related: 'role_service_access_by_role_id,lookup_by_role_id',
      include_count: 'true',
    });
    expect(calls.some(({ path }) => path === '')).toBe(true);
  });

  it('is empty with its own words (ROL-002)', async () => {
    instance([]);
    open('/roles');
    expect(await screen.findByText('You have no Roles!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create A Role!' }).getAttribute('href')).toBe('/roles/create');
  });

  it('says in the documents’ words that it could not be loaded (ROL-032)', async () => {
    instance([], ({ path }) => (path.startsWith('system/role?') ? refusal(500, 'It broke.') : undefined));
    open('/roles');
    const message =
      'There was an error loading data for the Roles tab. Please try refreshing your browser and logging in again.';
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
    expect(screen.getByText('It broke.')).toBeTruthy();
  });

  it('leads home where it is not allowed, and says which permission is missing (X-011, X-012)', async () => {
    instance([], ({ path }) => (path.startsWith('system/role?') ? refusal(403, 'No.') : undefined));
    open('/roles');
    expect(await screen.findByText('Home is here')).toBeTruthy();
    expect(screen.getByText(/To use the Roles tab your role must allow GET access to system\/role\./)).toBeTruthy();
  });

  it('deletes in the documents’ words and says who loses it (ROL-028, ROL-029, ROL-036, ROL-037, ROL-038, C-ROL-05, C-ROL-06)', async () => {
    const held = {
      app_by_role_id: [{ id: 1 }],
      user_to_app_to_role_by_role_id: [{ user_id: 3 }, { user_id: 3 }, { user_id: 9 }],
    };
    const { calls } = instance(roles(), (call) => {
      const { fields, ids } = queryOf(call);
      if (call.method !== 'GET' || fields !== 'id') return undefined;
      return {
        body: {
          resource: [4, 6].filter((id) => ids?.includes(String(id))).map((id) => ({ id, ...(id === 4 ? held : {}) })),
        },
      };
    });
    const { user } = open('/roles');
    await screen.findByRole('link', { name: 'reader' });
    await user.click(button('Actions for reader'));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    let dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Delete reader?');
    expect(dialog.textContent).toContain('2 users and 1 app will be without it from the next call on.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Role successfully deleted.')).toBeTruthy();
    await user.click(await screen.findByRole('checkbox', { name: 'Select writer' }));
    await user.click(button('Delete'));
    dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Delete selected roles?');
    expect(dialog.textContent).toContain('No user and no app has it.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Roles deleted successfully.')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      'system/role/4',
      'system/role?ids=6&rollback=true',
    ]);
  });

  it('switches a role on from its row', async () => {
    const { calls } = instance();
    const { user } = open('/roles');
    await screen.findByRole('link', { name: 'writer' });
    await user.click(button('Actions for writer'));
    await user.click(await screen.findByRole('menuitem', { name: 'Activate' }));
    expect(await screen.findByText('Role updated successfully.')).toBeTruthy();
    expect(putBody(calls)).toEqual({ is_active: true });
  });
});

describe('the editor of a role', () => {
  it('creates one with rows and lookup keys (ROL-004, ROL-005, ROL-006, ROL-015, ROL-022, ROL-027, ROL-034, C-ROL-03)', async () => {
    const { calls } = instance();
    const { user, router, currentAddress } = open('/roles/create');
    await user.type(await screen.findByLabelText(/^Name/), 'clerk');
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Active/ }).checked).toBe(false);
    await user.click(screen.getByRole('link', { name: 'Service Access' }));
    expect(
      await screen.findByText('No service access for this role. Click the add button to grant/deny access.'),
    ).toBeTruthy();
    await user.click(button('Add a row'));
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Service' }));
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Component' }).value).toBe('*');
    await user.click(screen.getByRole('link', { name: 'Lookup Keys' }));
    await user.click(await screen.findByRole('button', { name: 'Add lookup key' }));
    await user.keyboard('region');
    await user.type(screen.getByLabelText('Value, row 1'), 'eu');
    await user.click(button('Save'));
    expect(await screen.findByText('Role saved successfully.')).toBeTruthy();
    const post = calls.find(({ method }) => method === 'POST')!;
    expect(post.path).toBe('system/role?fields=*&related=role_service_access_by_role_id%2Clookup_by_role_id');
    expect(post.body).toEqual({
      resource: [
        {
          name: 'clerk',
          description: '',
          is_active: false,
          default_app_id: null,
          role_service_access_by_role_id: [
            { service_id: null, component: '*', verb_mask: 0, requestor_mask: 1, filters: [], filter_op: 'AND' },
          ],
          lookup_by_role_id: [{ name: 'region', value: 'eu', private: false, allow_user_update: false }],
        },
      ],
    });
    await waitFor(() => expect(currentAddress()).toBe('/roles'));
    router.dispose();
  });

  it('does not send a role without a name, and marks the tab (ROL-021)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/create/access');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('link', { name: 'Basic (1)' }));
    expect(await screen.findByText('Name is required.')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('flags lookup keys of one name, and their tab (ROL-023)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/4/lookups');
    await user.click(await screen.findByRole('button', { name: 'Add lookup key' }));
    await user.keyboard('region');
    await user.type(screen.getByLabelText('Value, row 2'), 'us');
    await user.click(button('Save'));
    expect(await screen.findByRole('link', { name: 'Lookup Keys (2)' })).toBeTruthy();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('removes a stored lookup key by clearing its owner (ROL-025)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/4/lookups');
    await user.click(await screen.findByRole('button', { name: 'Delete lookup key region' }));
    await user.click(button('Save'));
    await waitFor(() => expect(putBody(calls)).toMatchObject({ lookup_by_role_id: [{ id: 1, role_id: null }] }));
  });

  it('asks about a stored role only', async () => {
    instance();
    open('/roles/create/explain');
    expect(await screen.findByText('This role is not saved yet.')).toBeTruthy();
  });
});

describe('service access', () => {
  it('sends the rows that were changed, added or removed, and no others (ROL-009, ROL-024, ROL-035, C-ROL-04)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    await user.click(button(/^Access: GET/));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'POST (create)' }));
    await user.keyboard('{Escape}');
    await user.click(button(/^Remove Service with id "77" not found\. docs/));
    expect(screen.getByText('1 row goes when you save.')).toBeTruthy();
    await user.click(button('Add a row'));
    await user.click(button('Remove All *'));
    await user.click(button('Save'));
    expect(await screen.findByText('Role updated successfully.')).toBeTruthy();
    expect(putBody(calls).role_service_access_by_role_id).toEqual([
      {
        id: 11,
        role_id: 4,
        service_id: 5,
        component: '_table/contact/*',
        verb_mask: 3,
        requestor_mask: 1,
        filters: [{ name: 'owner', operator: '=', value: '{user.id}' }],
        filter_op: 'AND',
      },
      { id: 12, role_id: null },
    ]);
  });

  it('says what a row gives, and what is not there (ROL-033)', async () => {
    instance();
    open('/roles/4/access');
    expect(
      await screen.findByText('May read in contact of db, API only; only records where owner = {user.id}.'),
    ).toBeTruthy();
    expect(screen.getByText('Service with id "77" not found.')).toBeTruthy();
  });

  it('warns where the rules surprise, as soon as they do', async () => {
    instance();
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    const component = screen.getByRole('combobox', { name: 'Component' });
    await user.clear(component);
    await user.paste('_table/contact');
    expect(screen.getByText(/This is the table as a whole/)).toBeTruthy();
    await user.paste('/*/x');
    expect(screen.getByText(/Something follows the \*/)).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'API' }));
    expect(screen.getByText(/counts for nobody/)).toBeTruthy();
  });

  it('offers the components the service tells, once it is chosen; any may be typed (ROL-014, ROL-031, C-ROL-08)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/6/access');
    await user.click(await screen.findByRole('button', { name: 'Add a row' }));
    const component = screen.getByRole('combobox', { name: 'Component' });
    const offered = () =>
      within(menuOf(component))
        .getAllByRole('option', { hidden: true })
        .map((option) => option.textContent);
    await user.click(component);
    expect(offered()).toEqual(['(the service itself)', '*']);
    expect(calls.some(({ path }) => path.includes('as_access_list'))).toBe(false);
    const service = screen.getByRole('combobox', { name: 'Service' });
    const choose = async (name: string) => {
      await user.click(service);
      await user.click(optionOf(menuOf(service), name));
    };
    await choose('db – Local SQL Database');
    await user.click(component);
    await waitFor(() => expect(offered()).toEqual(['(the service itself)', '*', ...components.db!.slice(2)]));
    expect(calls.filter(({ path }) => path === 'db/?as_access_list=true')).toHaveLength(1);
    await choose('mail');
    await user.click(component);
    await waitFor(() => expect(offered()).toEqual(['(the service itself)', '*']));
    expect(calls.some(({ path }) => path.startsWith('mail/'))).toBe(false);
    await user.clear(component);
    await user.paste('anything/at all');
    expect(screen.getByText(/at anything\/at all of mail/)).toBeTruthy();
  });

  it('says why a service does not tell its components, and takes typed ones', async () => {
    instance(roles(), ({ path }) => (path.startsWith('db/?') ? refusal(503, 'The file is locked.') : undefined));
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    expect(await screen.findByText('Service Error: The file is locked.')).toBeTruthy();
    await user.type(screen.getByRole('combobox', { name: 'Component' }), 'x');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Component' }).value).toBe('_table/contact/*x');
  });

  it('has filters for databases other than couchdb only (ROL-018)', async () => {
    instance();
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    expect(screen.getByText('Advanced Filters (1)')).toBeTruthy();
    const service = screen.getByRole('combobox', { name: 'Service' });
    for (const other of ['couch', 'docs', 'All']) {
      await user.click(service);
      await user.click(optionOf(menuOf(service), other));
      expect(await screen.findByText(/^Advanced Filters: N\/A/)).toBeTruthy();
    }
  });

  it('builds filters of the table’s fields, joined by AND or OR (ROL-017)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    await user.click(button('Add a filter'));
    await user.click(button('Save'));
    expect(await screen.findByRole('link', { name: 'Service Access (1)' })).toBeTruthy();
    expect(screen.getByText('Field is required.')).toBeTruthy();
    const field = screen.getByRole('combobox', { name: 'Field, filter 2' });
    await user.click(field);
    await user.click(optionOf(menuOf(field), 'owner'));
    expect(screen.queryByText('Field is required.')).toBeNull();
    await user.click(button('Joined by AND'));
    await user.click(button('Save'));
    await waitFor(() =>
      expect(putBody(calls).role_service_access_by_role_id).toMatchObject([
        {
          id: 11,
          filters: [
            { name: 'owner', operator: '=', value: '{user.id}' },
            { name: 'owner', operator: '=', value: '' },
          ],
          filter_op: 'OR',
        },
      ]),
    );
  });

  it('compares with all operators; two of them with nothing (ROL-016)', async () => {
    const { calls } = instance();
    const { user } = open('/roles/4/access');
    await user.click(await line(/^db ?_table\/contact/));
    const operator = screen.getByRole('combobox', { name: 'Operator, filter 1' });
    await user.click(operator);
    expect(
      within(menuOf(operator))
        .getAllByRole('option', { hidden: true })
        .map((each) => each.textContent),
    ).toEqual('=,!=,>,<,>=,<=,in,not in,starts with,ends with,contains,is null,is not null'.split(','));
    await user.click(optionOf(menuOf(operator), 'is null'));
    expect(screen.getByLabelText<HTMLInputElement>('Value, filter 1').disabled).toBe(true);
    await user.click(button('Save'));
    await waitFor(() =>
      expect(putBody(calls).role_service_access_by_role_id).toMatchObject([
        {
          id: 11,
          filters: [{ name: 'owner', operator: 'is null', value: null }],
          filter_op: 'AND',
        },
      ]),
    );
  });

  it('finds a row among many by its words', async () => {
    const many = Array.from({ length: 20 }, (_, index) => access(100 + index, { component: `_table/t${index}/*` }));
    instance([{ ...roles()[0], role_service_access_by_role_id: many }]);
    const { user } = open('/roles/4/access');
    expect(await screen.findByText('20 rows')).toBeTruthy();
    await user.type(screen.getByRole('searchbox', { name: 'Filter rows' }), 'T17');
    expect(await screen.findByText('1 of 20 rows')).toBeTruthy();
    expect(screen.getByText('_table/t17/*')).toBeTruthy();
    expect(screen.queryByText('_table/t3/*')).toBeNull();
  });
});

describe('the directory binding', () => {
  const withDirectory = () => {
    const environment = anEnvironment();
    const adldap = [{ path: 'user/session?service=ad', name: 'ad', label: 'AD', verb: 'POST' }];
    sessionState.set({
      ...sessionState.get(),
      environment: { ...environment, authentication: { ...environment.authentication, adldap } },
    });
  };

  it('is not there without a directory (ROL-008)', async () => {
    const { calls } = instance();
    open('/roles/4');
    await screen.findByDisplayValue('reader');
    expect(screen.queryByLabelText('DN (Distinguished Name)')).toBeNull();
    expect(calls.some(({ path }) => path.includes('role_adldap'))).toBe(false);
  });

  it('is read when a role opens and sent when it was typed (ROL-007, ROL-030, C-ROL-07)', async () => {
    const { calls } = instance(roles(), (call) =>
      queryOf(call).related === 'role_adldap_by_role_id'
        ? { body: { id: 4, role_adldap_by_role_id: { role_id: 4, dn: 'cn=readers' } } }
        : undefined,
    );
    withDirectory();
    const { user } = open('/roles/4');
    const dn = await screen.findByLabelText<HTMLInputElement>('DN (Distinguished Name)');
    await waitFor(() => expect(dn.value).toBe('cn=readers'));
    await user.click(dn);
    await user.paste(',dc=x');
    await user.click(button('Save'));
    await waitFor(() => expect(putBody(calls).role_adldap_by_role_id).toEqual([{ role_id: 4, dn: 'cn=readers,dc=x' }]));
    const reads = () => calls.filter((call) => queryOf(call).related === 'role_adldap_by_role_id').length;
    await waitFor(() => expect(reads()).toBe(2));
  });
});
