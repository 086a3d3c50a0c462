import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lockSession } from '../api/session-state.ts';
import { aSession, refusal } from '../api/testing.ts';
import { PickSelect, SwitchInput, TextInput } from '../fields/index.ts';
import type { Row } from '../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../list/testing.tsx';
import { EditorScreen } from './editor-screen.tsx';

const ThingEditor = ({ id }: { id: string | null }) => (
  <EditorScreen
    id={id}
    resource="thing"
    related="part_by_thing_id"
    base="/things"
    permissionTexts={{ resources: 'system/thing', things: 'things' }}
    texts="roles"
    emptyForm={{ name: '', label: '', active: true } as Row}
    validate={(form): Record<string, string> => (form.name === '' ? { name: 'Name is required.' } : {})}
    toDraft={({ secret: _never, ...rest }) => rest}
    tabs={({ address }) => [
      { label: 'First', to: address, end: true, holds: () => true },
      { label: 'Second', to: `${address}/second`, holds: () => false },
    ]}
  >
    <TextInput name="name" label="Name" required />
    <TextInput name="label" label="Label" />
    <TextInput name="secret" label="Secret" />
    <SwitchInput name="active" label="Active" />
    <PickSelect label="Kind" options={[{ name: 'one', label: 'One' }]} value={null} onChange={() => {}} />
  </EditorScreen>
);

const open = (address: string) =>
  openPage(address, [
    { path: '/things', element: <p>The list</p> },
    { path: '/elsewhere', element: <p>Elsewhere</p> },
    { path: '/logout', element: <p>Signed out</p> },
    { path: '/things/create/*', element: <ThingEditor id={null} /> },
    { path: '/things/:id/*', element: <ThingEditor id="7" /> },
  ]);

const thing = (): Row => ({ id: 7, name: 'seven', label: 'Seven', active: true, secret: null });
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const writes = (calls: { method: string }[]) => calls.filter(({ method }) => method !== 'GET');

beforeEach(signIn);

describe('creating', () => {
  it('posts the record in `resource`, says so and closes (OPEN-061, X-021, X-024, NAV-043)', async () => {
    const { calls } = fakeInstanceOf('thing', []);
    const { user, currentAddress } = open('/things/create');
    expect(await screen.findByRole('heading', { name: 'Create Role' })).toBeTruthy();
    await user.type(await field('Name'), 'new');
    await user.click(button('Save'));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(currentAddress()).toBe('/things');
    expect(screen.getByText('Role saved successfully.')).toBeTruthy();
    const [request] = writes(calls) as typeof calls;
    expect(request).toMatchObject({ method: 'POST', body: { resource: [{ name: 'new', label: '', active: true }] } });
    expect(request!.path.split('?')[0]).toBe('system/thing');
    expect(queryOf(request!)).toEqual({ fields: '*', related: 'part_by_thing_id' });
  });

  it('sends nothing while something is wrong, and takes the reader there', async () => {
    const { calls } = fakeInstanceOf('thing', []);
    const { user } = open('/things/create');
    const name = await field('Name');
    await user.click(button('Save'));
    expect(await screen.findByText('Name is required.')).toBeTruthy();
    expect(screen.getByText('1 field needs attention')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(writes(calls)).toEqual([]);
    await user.type(name, 'x');
    expect(screen.queryByText('Name is required.')).toBeNull();
  });

  it('offers Save and Close only when editing (OPEN-143)', async () => {
    fakeInstanceOf('thing', []);
    open('/things/create');
    await field('Name');
    expect(screen.queryByRole('button', { name: 'Save and Close' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });
});

describe('editing', () => {
  it('puts the bare record and stays with what was stored (OPEN-061, SVC-020)', async () => {
    const { calls } = fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress } = open('/things/7');
    const name = await field('Name');
    expect(screen.getByRole('heading', { name: 'Edit seven' })).toBeTruthy();
    await user.clear(name);
    await user.type(name, 'eight');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    await user.click(button('Save'));
    expect(await screen.findByText('Role updated successfully.')).toBeTruthy();
    expect(writes(calls)[0]).toMatchObject({
      method: 'PUT',
      path: 'system/thing/7?fields=*&related=part_by_thing_id',
      body: { id: 7, name: 'eight', label: 'Seven', active: true },
    });
    expect(currentAddress()).toBe('/things/7');
    expect(await screen.findByRole('heading', { name: 'Edit eight' })).toBeTruthy();
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('closes after Save and Close (SVC-019), also with the place in the list it came from', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress, router } = open('/elsewhere');
    await router.navigate('/things/7', { state: { from: '/things?page=2' } });
    await user.type(await field('Label'), '!');
    await user.click(button('Save and Close'));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(currentAddress()).toBe('/things?page=2');
  });

  it('saves with ⌘S, from inside a field too', async () => {
    const { calls } = fakeInstanceOf('thing', [thing()]);
    const { user } = open('/things/7');
    await user.type(await field('Label'), '!');
    await user.keyboard('{Meta>}s{/Meta}');
    expect(await screen.findByText('Role updated successfully.')).toBeTruthy();
    await user.type(await field('Label'), '?');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(writes(calls)).toHaveLength(2));
  });

  it('keeps what is typed while a save is on its way', async () => {
    let release = () => {};
    fakeInstanceOf('thing', [thing()]);
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      if (init.method === 'PUT') await new Promise<void>((resolve) => (release = resolve));
      return answer(address, init);
    });
    const { user } = open('/things/7');
    const label = await field('Label');
    await user.type(label, '!');
    await user.click(button('Save'));
    await user.type(label, '?');
    release();
    expect(await screen.findByText('Role updated successfully.')).toBeTruthy();
    expect(label.value).toBe('Seven!?');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
  });

  it('shows what the server says beside the field, in place, and as a toast (X-006, X-010)', async () => {
    fakeInstanceOf('thing', [thing()], ({ method }) =>
      method === 'PUT'
        ? refusal(400, 'Invalid data supplied. The name has already been taken.', {
            name: ['The name has already been taken.'],
          })
        : undefined,
    );
    const { user } = open('/things/7');
    const name = await field('Name');
    await user.type(name, '!');
    await user.click(button('Save'));
    expect(await screen.findByText('The name has already been taken.')).toBeTruthy();
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('1 field needs attention')).toBeTruthy();
    expect(screen.getByText('Api Error')).toBeTruthy();
    const refusalBox = screen.getByText('Not saved').closest('[role="alert"]')!;
    expect(refusalBox.textContent).toContain('Invalid data supplied. The name has already been taken.');
    expect(refusalBox.textContent).toContain('req-1');
    expect(name.value).toBe('seven!');
  });

  it('reads the messages of a batch of one (X-007)', async () => {
    fakeInstanceOf('thing', [], ({ method }) =>
      method === 'POST'
        ? refusal(
            400,
            'Batch Error: Not all requested records could be created.',
            {
              error: [0],
              resource: [
                {
                  code: 400,
                  status_code: 400,
                  message: 'Invalid data supplied. The label field is required.',
                  context: { label: ['The label field is required.'] },
                },
              ],
            },
            1000,
          )
        : undefined,
    );
    const { user } = open('/things/create');
    await user.type(await field('Name'), 'x');
    await user.click(button('Save'));
    expect(await screen.findByText('The label field is required.')).toBeTruthy();
    expect(screen.getAllByText('Invalid data supplied. The label field is required.').length).toBeGreaterThan(0);
  });
});

describe('leaving', () => {
  const question = 'Continue without saving?';

  it('asks before changes are lost; staying keeps them (X-022, CFG-005)', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress, router } = open('/things/7');
    const label = await field('Label');
    await user.type(label, '!');
    await user.click(button('Close'));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain(question);
    // Enter loses nothing.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Stay here'));
    await user.keyboard('{Enter}');
    expect(currentAddress()).toBe('/things/7');
    expect(label.value).toBe('Seven!');

    void router.navigate('/elsewhere');
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Continue without saving' }),
    );
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
  });

  it('asks nothing when nothing changed, or when a change was taken back (OPEN-051)', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress } = open('/things/7');
    await user.type(await field('Label'), '!{Backspace}');
    await user.click(button('Close'));
    expect(currentAddress()).toBe('/things');
  });

  it('counts the tabs of the form as staying', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress } = open('/things/7');
    await user.type(await field('Label'), '!');
    await user.click(screen.getByRole('link', { name: 'Second' }));
    expect(currentAddress()).toBe('/things/7/second');
    expect((await field('Label')).value).toBe('Seven!');
  });

  it('closes with Escape, asking as usual', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress } = open('/things/7');
    await user.type(await field('Label'), '!');
    await user.keyboard('{Escape}');
    const dialog = await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(currentAddress()).toBe('/things/7');
    await user.type(await field('Label'), '{Backspace}');
    await user.keyboard('{Escape}');
    expect(currentAddress()).toBe('/things');
  });

  it('leaves Escape to a list that is open', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user, currentAddress } = open('/things/7');
    await user.type(await field('Label'), '!');
    const kind = screen.getByRole('combobox', { name: 'Kind' });
    await user.click(kind);
    expect(kind.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(kind.getAttribute('aria-expanded')).not.toBe('true'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('dialog')).toBeTruthy();
    expect(currentAddress()).toBe('/things/7');
  });

  it('lets the browser ask before the page is closed', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user } = open('/things/7');
    const ask = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const label = await field('Label');
    expect(ask()).toBe(true);
    await user.type(label, '!');
    expect(ask()).toBe(false);
  });
});

describe('drafts', () => {
  it('survive a lost session, without the secrets', async () => {
    fakeInstanceOf('thing', [thing()]);
    const first = open('/things/7');
    await first.user.type(await field('Label'), '!');
    await first.user.type(await field('Secret'), 'hush');
    await waitFor(() => expect(Object.keys(sessionStorage)).toHaveLength(1));
    await waitFor(() => expect(sessionStorage.getItem(sessionStorage.key(0)!)).toContain('Seven!'));
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hush');
    // The session ends: the sign-in overlay may give up and leave, and is not held back.
    lockSession();
    await first.router.navigate('/logout');
    expect(await screen.findByText('Signed out')).toBeTruthy();
    first.unmount();

    signedInAgain();
    const { user } = open('/things/7');
    const label = await field('Label');
    expect(label.value).toBe('Seven');
    await user.click(button('Restore them'));
    expect(label.value).toBe('Seven!');
    expect((await field('Secret')).value).toBe('');
    await user.click(button('Save'));
    await screen.findByText('Role updated successfully.');
    expect(Object.keys(sessionStorage)).toHaveLength(0);
  });

  it('are forgotten with the changes', async () => {
    fakeInstanceOf('thing', [thing()]);
    const { user } = open('/things/7');
    await user.type(await field('Label'), '!');
    await waitFor(() => expect(Object.keys(sessionStorage)).toHaveLength(1));
    await user.click(button('Close'));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Continue without saving' }),
    );
    await screen.findByText('The list');
    expect(Object.keys(sessionStorage)).toHaveLength(0);
  });
});

describe('deleting', () => {
  it('asks by name, deletes and closes (X-033)', async () => {
    const { calls } = fakeInstanceOf('thing', [thing()]);
    const { user } = open('/things/7');
    await field('Name');
    await user.click(button('Delete'));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Delete seven?');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(screen.getByText('Role successfully deleted.')).toBeTruthy();
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: 'system/thing/7' }]);
  });
});

describe('a record that cannot be shown', () => {
  it('is said to be missing, with the way back', async () => {
    fakeInstanceOf('thing', []);
    open('/things/7');
    expect(await screen.findByText('There is no such record.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the list' }).getAttribute('href')).toBe('/things');
  });

  it('names the missing permission and goes home on 403 (X-011)', async () => {
    fakeInstanceOf('thing', [], () => refusal(403, 'Access Forbidden.'));
    open('/things/7');
    expect(await screen.findByText('Home is here')).toBeTruthy();
    expect(screen.getByText(/^To use the Roles tab your role must allow GET access to system\/thing\./)).toBeTruthy();
  });
});

function signedInAgain() {
  const stored = { ...sessionStorage };
  signIn();
  for (const [name, value] of Object.entries(stored)) sessionStorage.setItem(name, value);
  expect(aSession().id).toBe(1);
}
