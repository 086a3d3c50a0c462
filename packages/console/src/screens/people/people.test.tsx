import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentSession, sessionState } from '../../api/session-state.ts';
import { anEnvironment, type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { AdminsScreen, UsersScreen } from './index.tsx';

const person = (id: number, changes: Row = {}): Row => ({
  id,
  name: `Person ${id}`,
  username: `person${id}@example.com`,
  first_name: `First${id}`,
  last_name: null,
  email: `person${id}@example.com`,
  phone: null,
  is_active: true,
  default_app_id: null,
  last_login_date: null,
  confirmed: true,
  expired: false,
  lookup_by_user_id: [],
  user_to_app_to_role_by_user_id: [],
  ...changes,
});

const users = (): Row[] => [
  person(2),
  person(3, { confirmed: false, is_active: false }),
  person(4, { user_to_app_to_role_by_user_id: [{ id: 9, user_id: 4, app_id: 1, role_id: 12 }] }),
];
const roles = Array.from({ length: 300 }, (_, index) => ({
  id: index + 10,
  name: `role ${index + 10}`,
  is_active: true,
}));
const apps = [
  { id: 1, name: 'admin', is_active: true },
  { id: 5, name: 'shop', is_active: false },
];

const instance = (
  kind: 'admin' | 'user',
  rows = users(),
  other: (call: RecordedCall) => FakeResponse | undefined = () => undefined,
) =>
  fakeInstanceOf(kind, rows, (call) => {
    const said = other(call);
    if (said) return said;
    if (call.path.endsWith('/_sessions')) return refusal(404, 'no such list');
    if (call.path.startsWith('system/role?')) return { body: { resource: roles, meta: { count: roles.length } } };
    if (call.path.startsWith('system/app?')) return { body: { resource: apps, meta: { count: apps.length } } };
    return undefined;
  });

const open = (address: string) =>
  openPage(address, [
    { path: '/admins/*', element: <AdminsScreen /> },
    { path: '/users/*', element: <UsersScreen /> },
  ]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const callOf = (calls: RecordedCall[], wanted: string) => calls.find(({ method }) => method === wanted)!;
const heads = () =>
  screen
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
    .filter(Boolean);

beforeEach(signIn);

describe('the list of users', () => {
  it('has its columns and loads users, roles and apps (PPL-006, PPL-008, PPL-012, PPL-063, PPL-078, C-PPL-09, C-PPL-10, C-PPL-11)', async () => {
    const { calls } = instance('user');
    open('/users');
    await screen.findByRole('link', { name: 'person2@example.com' });
    expect(heads()).toEqual(['ID', 'Email', 'Display Name', 'First Name', 'Last Name', 'Active', 'Registration']);
    expect(screen.getByRole('cell', { name: 'Pending' })).toBeTruthy();
    expect(queryOf(calls.find(({ path }) => path.startsWith('system/user?'))!)).toEqual({
      limit: '100',
      order: 'id asc',
      related: 'user_to_app_to_role_by_user_id,lookup_by_user_id',
      include_count: 'true',
    });
    expect(queryOf(calls.find(({ path }) => path.startsWith('system/role?'))!)).toMatchObject({ limit: '10000' });
    expect(queryOf(calls.find(({ path }) => path.startsWith('system/app?'))!)).toMatchObject({ limit: '100' });
  });

  it('is empty, and finds nothing, in its own words (PPL-003, PPL-004)', async () => {
    instance('user', []);
    const first = open('/users');
    expect(await screen.findByText('You have no Users!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create A User!' }).getAttribute('href')).toBe('/users/create');
    expect(button('Import')).toBeTruthy();
    first.unmount();
    instance('user');
    open('/users?filter=nobody');
    expect(await screen.findByText('You have no Users that match your search criteria!')).toBeTruthy();
  });

  it('invites who is not confirmed, and tells what stands against it (PPL-023, PPL-060, PPL-074, C-PPL-16, OPEN-100)', async () => {
    let hasMail = false;
    const { calls } = instance('user', users(), ({ method }) =>
      method !== 'PATCH' ? undefined : hasMail ? { body: { id: 3 } } : refusal(500, 'No email service configured.'),
    );
    const { user } = open('/users');
    await user.click(await screen.findByRole('button', { name: 'Actions for Person 2' }));
    await screen.findByRole('menuitem', { name: 'Deactivate' });
    expect(screen.queryByRole('menuitem', { name: 'Send Invite' })).toBeNull();
    await user.keyboard('{Escape}');
    for (const text of ['No email service configured.', 'User invite has been sent.']) {
      await user.click(button('Actions for Person 3'));
      await user.click(await screen.findByRole('menuitem', { name: 'Send Invite' }));
      expect(await screen.findByText(text)).toBeTruthy();
      hasMail = true;
    }
    expect(callOf(calls, 'PATCH').path).toBe('system/user/3?send_invite=true');
  });

  it('the editor tells why a mail did not go out, and sends another', async () => {
    const failed = person(3, { confirmed: false, mail_error: 'Mailbox full.' });
    const { calls } = instance('user', [failed], ({ method }) =>
      method === 'PATCH' ? { body: { id: 3 } } : undefined,
    );
    const { user } = open('/users/3');
    expect(await screen.findByText('Their last mail was not sent: Mailbox full.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send Invite' })).toBeNull();
    // The server has forgotten the failed mail by the time it is read again.
    failed.mail_error = null;
    await user.click(button('Send again'));
    expect(await screen.findByText('User invite has been sent.')).toBeTruthy();
    expect(callOf(calls, 'PATCH').path).toBe('system/user/3?send_invite=true');
    expect(await screen.findByRole('button', { name: 'Send Invite' })).toBeTruthy();
    expect(screen.queryByText(/Their last mail/)).toBeNull();
  });

  it('switches someone off from the row', async () => {
    const { calls } = instance('user');
    const { user } = open('/users');
    await user.click(await screen.findByRole('button', { name: 'Actions for Person 2' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }));
    expect(await screen.findByText('User updated successfully.')).toBeTruthy();
    expect(callOf(calls, 'PUT')).toMatchObject({ body: { is_active: false } });
  });

  it.each(['system/user?', 'system/role?', 'system/app?'])(
    'goes home with the permission message when %s is forbidden (PPL-046, PPL-048, OPEN-064)',
    async (path) => {
      instance('user', users(), (call) => (call.path.startsWith(path) ? refusal(403, 'No.') : undefined));
      open('/users');
      expect(await screen.findByText('Home is here')).toBeTruthy();
      expect(
        screen.getByText(
          'To use the Users tab your role must allow GET access to system/user, system/role, and system/app. To create, update, or delete users you need POST, PUT, DELETE access to /system/user and/or /system/user/*.',
        ),
      ).toBeTruthy();
    },
  );

  it.each([
    ['/admins', 'admin', 'Admins'],
    ['/users', 'user', 'Users'],
  ] as const)('says that %s could not be loaded (PPL-064, PPL-065)', async (address, kind, tab) => {
    instance(kind, users(), (call) => (call.path.startsWith(`system/${kind}?`) ? refusal(500, 'Down.') : undefined));
    open(address);
    const message = `There was an error loading data for the ${tab} tab. Please try refreshing your browser and logging in again.`;
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  });
});

describe('the list of admins', () => {
  it('has its columns and its call (PPL-005, C-PPL-01)', async () => {
    const { calls } = instance('admin');
    open('/admins');
    await screen.findByRole('link', { name: 'person2@example.com' });
    expect(heads()).toEqual(['ID', 'Email', 'Display Name', 'First Name', 'Last Name', 'Active', 'Registration']);
    expect(queryOf(calls[0]!)).toEqual({
      limit: '100',
      order: 'id asc',
      related: 'lookup_by_user_id',
      include_count: 'true',
    });
    expect(calls.some(({ path }) => path.startsWith('system/role'))).toBe(false);
  });

  it('says when one of those to be deleted is oneself, and does not switch oneself off (PPL-044, PPL-052, PPL-069, C-PPL-05)', async () => {
    const { calls } = instance('admin', [person(1, { name: 'Me' }), ...users()]);
    const { user } = open('/admins');
    await user.click(await screen.findByRole('checkbox', { name: 'Select Me' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select Person 2' }));
    await user.click(button('Delete'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete selected admins?')).toBeTruthy();
    expect(dialog.getByText(/One of them is you\./)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select Me' }));
    await user.click(button('Delete'));
    const again = within(await screen.findByRole('dialog'));
    await waitFor(() => expect(again.queryByText(/One of them is you\./)).toBeNull());
    await user.click(again.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Admins deleted successfully.')).toBeTruthy();
    expect(callOf(calls, 'DELETE').path).toBe('system/admin?ids=2&rollback=true');
    await user.click(button('Actions for Me'));
    await screen.findByRole('menuitem', { name: 'Delete' });
    expect(screen.queryByRole('menuitem', { name: 'Deactivate' })).toBeNull();
  });
});

describe('creating a person', () => {
  it('asks for an invitation or a password, in the documents’ words (PPL-018, PPL-037, PPL-038, PPL-039, PPL-040)', async () => {
    const { calls } = instance('user');
    const { user } = open('/users/create');
    await user.type(await screen.findByRole('textbox', { name: /^Email/ }), 'new@example.com');
    await user.click(button('Save'));
    expect(await screen.findByText('Please select email invite or set password.')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: /^Send Email Invite/ }));
    await user.click(screen.getByRole('checkbox', { name: /^Set Password/ }));
    expect(screen.queryByText('Please select email invite or set password.')).toBeNull();
    await user.click(button('Save'));
    expect(await screen.findByText('Please select email invite or set password, but not both.')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: /^Send Email Invite/ }));
    await user.type(screen.getByLabelText(/^Enter Password/), 'correct horse');
    await user.type(screen.getByLabelText(/^Verify Password/), 'correct house');
    await user.click(button('Save'));
    expect(await screen.findAllByText('Passwords do not match.')).toHaveLength(2);
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('sends a user with a password and a role (PPL-020, PPL-056, PPL-072, C-PPL-12, OPEN-061)', async () => {
    const { calls } = instance('user');
    const { user, currentAddress } = open('/users/create');
    await user.type(await screen.findByRole('textbox', { name: /^Email/ }), 'new@example.com');
    await user.click(screen.getByRole('checkbox', { name: /^Set Password/ }));
    await user.type(screen.getByLabelText(/^Enter Password/), 'correct horse');
    await user.type(screen.getByLabelText(/^Verify Password/), 'correct horse');
    await user.click(screen.getByRole('link', { name: 'Roles' }));
    const picker = screen.getByRole('combobox', { name: 'Role in admin' });
    await user.click(picker);
    expect(screen.getAllByRole('option').length).toBeLessThanOrEqual(50);
    await user.type(picker, 'role 309');
    await user.click(await screen.findByRole('option', { name: 'role 309' }));
    await user.click(button('Save'));
    expect(await screen.findByText('User saved successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/users'));
    const { path, body } = callOf(calls, 'POST');
    expect(path).toBe(
      'system/user?fields=*&related=user_to_app_to_role_by_user_id%2Clookup_by_user_id&send_invite=false',
    );
    expect((body as { resource: Row[] }).resource).toMatchObject([
      {
        email: 'new@example.com',
        password: 'correct horse',
        user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: 309 }],
      },
    ]);
  });

  it('invites an admin (PPL-049, PPL-066, C-PPL-02)', async () => {
    const { calls } = instance('admin');
    const { user } = open('/admins/create');
    await user.type(await screen.findByRole('textbox', { name: /^Email/ }), 'new@example.com');
    expect(screen.queryByRole('link', { name: 'Roles' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: /^Send Email Invite/ }));
    await user.click(button('Save'));
    expect(await screen.findByText('Admin saved successfully.')).toBeTruthy();
    expect(callOf(calls, 'POST').path).toBe('system/admin?fields=*&related=lookup_by_user_id&send_invite=true');
  });

  it('needs a username where people sign in with it', async () => {
    const { authentication } = anEnvironment();
    sessionState.set({
      ...sessionState.get(),
      environment: anEnvironment({ authentication: { ...authentication, login_attribute: 'username' } }),
    });
    instance('admin');
    const { user } = open('/admins/create');
    await user.type(await screen.findByRole('textbox', { name: /^Email/ }), 'new@example.com');
    await user.click(screen.getByRole('checkbox', { name: /^Send Email Invite/ }));
    await user.click(button('Save'));
    expect(await screen.findByText('Username is required.')).toBeTruthy();
  });
});

describe('editing a person', () => {
  it('changes and clears roles in their rows (PPL-035, PPL-036, PPL-057, PPL-073, C-PPL-13)', async () => {
    const { calls } = instance('user');
    const { user } = open('/users/4/roles');
    const picker = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Role in admin' });
    expect(picker.value).toBe('role 12');
    expect(screen.getByRole('rowheader', { name: 'shop (not active)' })).toBeTruthy();
    await user.clear(picker);
    await user.type(picker, 'no role');
    await user.click(await screen.findByRole('option', { name: '-- No Role Selected --' }));
    await user.click(button('Save'));
    expect(await screen.findByText('User updated successfully.')).toBeTruthy();
    const { path, body } = callOf(calls, 'PUT');
    expect(path).toBe('system/user/4?fields=*&related=user_to_app_to_role_by_user_id%2Clookup_by_user_id');
    expect(body).toMatchObject({
      id: 4,
      user_to_app_to_role_by_user_id: [{ id: 9, user_id: null, app_id: 1, role_id: 12 }],
    });
    expect(body).not.toHaveProperty('password');
  });

  it('takes the session over that comes with a change of oneself (C-PPL-03, OPEN-099)', async () => {
    instance('admin', [person(1, { name: 'Me' })], ({ method }) =>
      method === 'PUT' ? { body: { ...person(1, { name: 'Myself' }), session_token: 'token-2' } } : undefined,
    );
    const { user } = open('/admins/1');
    await user.type(await screen.findByRole('textbox', { name: /^Display Name/ }), 'self');
    await user.click(button('Save'));
    expect(await screen.findByText('Admin updated successfully.')).toBeTruthy();
    expect(currentSession()).toMatchObject({ id: 1, name: 'Myself', session_token: 'token-2', is_sys_admin: true });
  });

  it('leaves the session alone when another is changed', async () => {
    instance('admin');
    const { user } = open('/admins/2');
    await user.type(await screen.findByRole('textbox', { name: /^Display Name/ }), '!');
    await user.click(button('Save'));
    await screen.findByText('Admin updated successfully.');
    expect(currentSession()).toMatchObject({ name: 'Ada Lovelace', session_token: 'token-1' });
  });

  it('sets a password, invites, and shows what the server says beside a field (PPL-022, PPL-053, PPL-071, C-PPL-06)', async () => {
    const { calls } = instance('admin', users(), ({ method }) =>
      method === 'PUT'
        ? refusal(400, 'Invalid data supplied. The password must be at least 5 characters.', {
            password: ['The password must be at least 5 characters.'],
          })
        : method === 'PATCH'
          ? { body: { id: 3 } }
          : undefined,
    );
    const { user } = open('/admins/3');
    await user.click(await screen.findByRole('button', { name: 'Send Invite' }));
    expect(await screen.findByText('Admin invite has been sent.')).toBeTruthy();
    expect(callOf(calls, 'PATCH').path).toBe('system/admin/3?send_invite=true');
    await user.click(screen.getByRole('checkbox', { name: /^Set Password/ }));
    await user.type(screen.getByLabelText(/^Enter Password/), 'abc');
    await user.type(screen.getByLabelText(/^Verify Password/), 'abc');
    await user.click(button('Save'));
    expect(await screen.findByText('The password must be at least 5 characters.')).toBeTruthy();
    expect(screen.getByLabelText(/^Enter Password/).getAttribute('aria-invalid')).toBe('true');
    expect(callOf(calls, 'PUT').body).toMatchObject({ password: 'abc' });
  });

  it('counts what is wrong with lookup keys at their tab (PPL-019, PPL-032)', async () => {
    instance('user');
    const { user } = open('/users/2/lookups');
    await user.click(await screen.findByRole('button', { name: 'Add lookup key' }));
    await user.click(button('Save'));
    expect(await screen.findByRole('link', { name: 'Lookup Keys (2)' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Basic' }));
    expect(box(/^Email/).value).toBe('person2@example.com');
  });
});

describe('an address that looks like another', () => {
  const rows = () => [person(2), person(3, { email: 'pеrson2@example.com', resembles: 'person2@example.com' })];

  it('abuse: is marked in the list, and the mark says whose', async () => {
    instance('user', rows());
    open('/users');
    const mark = await screen.findByTitle(/looks like person2@example\.com/);
    expect(within(mark.closest('a')!).getByText('Look-alike')).toBeTruthy();
    expect(screen.getAllByText('Look-alike')).toHaveLength(1);
  });

  it('abuse: is said in the editor', async () => {
    instance('user', rows());
    open('/users/3');
    expect(await screen.findByText(/looks like person2@example\.com/)).toBeTruthy();
  });
});
