import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { anEnvironment, type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { notices } from '../../ui/notify.ts';
import { ConfigScreen } from './index.tsx';
import { configPalette } from './palette.ts';
import { previewDocument } from './preview.tsx';

const caches = [
  { name: 'user', label: 'User Management', type: 'user' },
  { name: 'db', label: 'Local Database', type: 'sqlite' },
];
const templates = (): Row[] => [
  {
    id: 1,
    name: 'Invite',
    description: 'Hello',
    to: [{ name: 'Ada', email: 'ada@b.c' }],
    cc: null,
    bcc: null,
    subject: 'Hi {first_name}',
    attachment: null,
    body_text: null,
    body_html: '<p>Hello</p><script>window.ran = true</script>',
    from_name: null,
    from_email: null,
    reply_to_name: null,
    reply_to_email: null,
  },
  { id: 2, name: 'Reset', to: null, cc: null, bcc: null, body_html: null },
];
const lookups = (): Row[] => [
  { id: 1, name: 'region', value: 'eu', private: false, description: null },
  { id: 2, name: 'password', value: '**********', private: true, description: null },
];

const rules = (): Row[] => [
  {
    ...{ id: 1, path: 'api/v2/db/*', description: null, origin: 'https://shop.example', header: '*' },
    ...{
      exposed_header: null,
      max_age: 60,
      method: ['GET', 'POST', 'OPTIONS'],
      supports_credentials: false,
      enabled: true,
    },
  },
  { id: 2, path: 'api/v2/files/*', origin: '*', method: [], enabled: false },
];
const records = { cors: rules, email_template: templates, lookup: lookups };

const instance = (
  other: (call: RecordedCall) => FakeResponse | undefined = () => undefined,
  kind: keyof typeof records = 'lookup',
) =>
  fakeInstanceOf(kind, records[kind](), (call) => {
    const response = other(call);
    if (response) return response;
    if (call.path === 'system/environment') {
      const platform = { license: 'GOLD', version: '2.16.1', bitnami_demo: false, is_hosted: false };
      return { body: anEnvironment({ platform, server: { server_os: 'linux' } }) };
    }
    if (call.path.startsWith('system/cache')) {
      return { body: call.method === 'DELETE' ? { success: true } : { resource: caches } };
    }
    for (const [name, list] of Object.entries(records))
      if (name !== kind && call.path.startsWith(`system/${name}`)) return { body: { resource: list() } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/config/*', element: <ConfigScreen /> }]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const tabs = () =>
  within(screen.getByRole('navigation', { name: 'System Configuration' }))
    .queryAllByRole('link')
    .map((link) => link.textContent);
const answer = async (user: ReturnType<typeof open>['user'], question: string, name: string) => {
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.textContent).toContain(question));
  await user.click(within(dialog).getByRole('button', { name }));
};
/** Two blanks stay two. */
const toTheLetter = { normalizer: (text: string) => text };
/** At once, as pasted: a keystroke draws the whole form. */
const pasteInto = async (user: ReturnType<typeof open>['user'], input: HTMLElement, words: string) => {
  await user.click(input);
  await user.paste(words);
};
const callsOf = (calls: RecordedCall[], method: string) => calls.filter((call) => call.method === method);

beforeEach(signIn);
// Large forms, drawn by a browser that is none.
vi.setConfig({ testTimeout: 60_000 });

describe('the tabs', () => {
  it('stand in order, each with its data, and the first opens (CFG-001, CFG-002, CFG-054, C-CFG-01, C-CFG-02, C-CFG-03, C-CFG-04, C-CFG-05)', async () => {
    const { calls } = instance();
    const { currentAddress } = open('/config');
    await waitFor(() => expect(currentAddress()).toBe('/config/system-info'));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('System Configuration');
    expect(tabs()).toEqual(['System Info', 'Cache', 'CORS', 'Email Templates', 'Global Lookup Keys']);
    expect(calls.map(({ path }) => path).sort()).toEqual([
      'system/cache?fields=*',
      'system/cors?include_count=true',
      'system/email_template?include_count=true',
      'system/environment',
      'system/lookup?include_count=true',
    ]);
  });

  it('are listed only when their data loaded; the address of another says why (CFG-003, OPEN-071)', async () => {
    instance(({ path }) => (path.startsWith('system/cache') ? refusal(403, 'Access Forbidden.') : undefined));
    open('/config/cache');
    expect(await screen.findByText('Your role needs GET access to system/cache for this.')).toBeTruthy();
    await waitFor(() => expect(tabs()).toEqual(['System Info', 'CORS', 'Email Templates', 'Global Lookup Keys']));
    expect(notices.get().toasts).toEqual([]);
  });

  it('say so when nothing loads, and go home when nothing may be read', async () => {
    instance(() => refusal(500, 'Down.'));
    const first = open('/config');
    expect(await screen.findByText('The configuration could not be loaded.')).toBeTruthy();
    first.unmount();
    instance(() => refusal(403, 'Access Forbidden.'));
    open('/config');
    expect(await screen.findByText('Home is here')).toBeTruthy();
    expect(
      screen.getByText(/^To use the Config tab your role must allow GET access to system\/environment/),
    ).toBeTruthy();
  });
});

describe('System Info', () => {
  it('shows what the instance runs on, to read and to copy (CFG-006)', async () => {
    instance();
    const { user } = open('/config/system-info');
    const part = await screen.findByRole('region', { name: 'Sluice Instance' });
    expect(part.textContent).toContain('License LevelGOLD');
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(button('Copy all'));
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain('Sluice Instance\n  License Level: GOLD\n  API Version: 2.16.1\n  Demo: No');
    expect(copied).toContain('Server\n  Operating System: linux');
  });
});

describe('Cache', () => {
  it('flushes everything, or one service of those sorted by label (CFG-007, CFG-008, CFG-009, CFG-010, CFG-011, CFG-012, CFG-013, C-CFG-07, C-CFG-08, OPEN-075)', async () => {
    const { calls } = instance();
    const { user } = open('/config/cache');
    await user.click(await screen.findByRole('button', { name: 'Flush System-Wide Cache' }));
    expect(await screen.findByText('System-wide cache flushed.')).toBeTruthy();
    const rows = within(screen.getByRole('list', { name: 'Per-Service Caches' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(['Local Databasedbsqlite', 'User Managementuseruser']);
    await user.click(button('Flush the cache of Local Database'));
    expect(await screen.findByText('Local Database service cache flushed.')).toBeTruthy();
    expect(callsOf(calls, 'DELETE').map(({ path }) => path)).toEqual(['system/cache', 'system/cache/db']);
  });

  it('tells a refusal, and what there is to flush when there is nothing', async () => {
    instance(({ path, method }) => {
      if (method === 'DELETE') return refusal(501, 'Service does not implement API controlled cache.');
      return path.startsWith('system/cache') ? { body: { resource: [] } } : undefined;
    });
    const { user } = open('/config/cache');
    expect(await screen.findByText('No cache-enabled services found.')).toBeTruthy();
    await user.click(button('Flush System-Wide Cache'));
    expect(await screen.findByText('Service does not implement API controlled cache.')).toBeTruthy();
    expect(screen.queryByText('System-wide cache flushed.')).toBeNull();
  });

  it('is flushed from the palette too', async () => {
    const { calls } = instance();
    const entries = await configPalette('', new AbortController().signal);
    expect(entries.filter(({ group }) => group === 'screens').map(({ to }) => to)).toEqual([
      '/config/system-info',
      '/config/cache',
      '/config/cors',
      '/config/email-templates',
      '/config/lookup-keys',
    ]);
    entries.find(({ label }) => label === 'Flush the system-wide cache')?.run?.();
    await waitFor(() => expect(callsOf(calls, 'DELETE').map(({ path }) => path)).toEqual(['system/cache']));
  });
});

describe('Global Lookup Keys', () => {
  it('are listed, and saving without one selected says so (CFG-036, CFG-038, CFG-039)', async () => {
    const { calls } = instance();
    const { user } = open('/config/lookup-keys');
    const list = await screen.findByRole('navigation', { name: 'Global Lookup Keys' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['region', 'passwordPrivate']);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(screen.getAllByText('No lookup key selected.').length).toBe(2));
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('are made: local until saved, never under the default name (CFG-037, CFG-040, CFG-041, CFG-042, CFG-045, CFG-055, C-CFG-15, OPEN-083)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/config/lookup-keys');
    await user.click(await screen.findByRole('link', { name: 'New' }));
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    expect(name.value).toBe('NEW');
    expect(screen.getByText('Not saved yet')).toBeTruthy();
    await user.click(button('Save'));
    expect(
      await screen.findByText(
        "Lookup keys should have a unique name.  Please rename your key to something other than the default 'new' key name.",
        toTheLetter,
      ),
    ).toBeTruthy();
    await user.clear(name);
    await user.click(button('Save'));
    expect(
      await screen.findByText('Lookup keys should have a unique name.  Please name your key.', toTheLetter),
    ).toBeTruthy();
    expect(callsOf(calls, 'POST')).toEqual([]);
    await pasteInto(user, name, 'zone');
    await pasteInto(user, screen.getByRole('textbox', { name: 'Value' }), 'line 1\nline 2');
    await user.click(button('Save'));
    expect(await screen.findByText('Lookup key created successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/config/lookup-keys/900'));
    const [request] = callsOf(calls, 'POST');
    expect(request?.path).toBe('system/lookup?fields=*');
    expect(request?.body).toEqual({
      resource: [{ name: 'zone', value: 'line 1\nline 2', private: false, description: '' }],
    });
    expect(await screen.findByRole('heading', { name: 'Edit zone' })).toBeTruthy();
  });

  it('are dropped without a call while they are new (CFG-046, CFG-047)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/config/lookup-keys/create');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await answer(user, 'Delete NEW?', 'Delete');
    expect(await screen.findByText('Lookup key deleted successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/config/lookup-keys'));
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('are changed and deleted (CFG-043, CFG-044, CFG-047, C-CFG-16, C-CFG-17)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/config/lookup-keys/1');
    await user.type(await screen.findByRole('textbox', { name: 'Value' }), '-west');
    await user.click(button('Save'));
    expect(await screen.findByText('Lookup key updated successfully.')).toBeTruthy();
    const [request] = callsOf(calls, 'PUT');
    expect(request?.path).toBe('system/lookup/1?fields=*');
    expect(request?.body).toEqual({ id: 1, name: 'region', value: 'eu-west', private: false, description: '' });
    await user.click(button('Delete'));
    await answer(user, 'Delete region?', 'Delete');
    expect(await screen.findByText('Lookup key deleted successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/config/lookup-keys'));
    expect(callsOf(calls, 'DELETE').map(({ path }) => path)).toEqual(['system/lookup/1?fields=*']);
  });

  it('keep a secret unless it is replaced, and do not make it readable', async () => {
    const { calls } = instance();
    const { user } = open('/config/lookup-keys/2');
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Value' })).readOnly).toBe(true);
    await user.click(screen.getByRole('switch', { name: /^Private/ }));
    await user.click(button('Save'));
    expect(
      (await screen.findAllByText('A private value does not become readable: type it again.')).length,
    ).toBeGreaterThan(0);
    expect(callsOf(calls, 'PUT')).toEqual([]);
    await user.click(screen.getByRole('switch', { name: /^Private/ }));
    await user.type(screen.getByRole('textbox', { name: 'Description' }), 'mail');
    await user.click(button('Save'));
    await screen.findByText('Lookup key updated successfully.');
    expect(callsOf(calls, 'PUT')[0]?.body).toMatchObject({ value: '**********', private: true, description: 'mail' });
    await user.click(button('Replace'));
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'hunter3');
    await user.click(button('Save'));
    await waitFor(() => expect(callsOf(calls, 'PUT')[1]?.body).toMatchObject({ value: 'hunter3', private: true }));
  });

  it('ask before changes are lost, by another entry and by another tab (CFG-004, CFG-005, OPEN-072)', async () => {
    instance();
    const { user, currentAddress } = open('/config/lookup-keys/1');
    await user.type(await screen.findByRole('textbox', { name: 'Value' }), '!');
    for (const name of [/^password/, 'Cache']) {
      await user.click(screen.getByRole('link', { name }));
      await answer(user, 'Continue without saving?', 'Stay here');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(currentAddress()).toBe('/config/lookup-keys/1');
    }
    await user.click(screen.getByRole('link', { name: 'Cache' }));
    await answer(user, 'Continue without saving?', 'Continue without saving');
    await waitFor(() => expect(currentAddress()).toBe('/config/cache'));
  });
});

describe('CORS', () => {
  const rulesOnly = (other?: (call: RecordedCall) => FakeResponse | undefined) => instance(other, 'cors');

  it('entries are listed by their path, and saving without one selected says so (CFG-014, CFG-021)', async () => {
    rulesOnly();
    const { user } = open('/config/cors');
    const list = await screen.findByRole('navigation', { name: 'CORS' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['api/v2/db/*', 'api/v2/files/*Off']);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(screen.getAllByText('No host selected.').length).toBe(2));
  });

  it('entries are made: local until saved, never under the default path (CFG-015…020, CFG-022, CFG-023, CFG-024, CFG-045, CFG-055, CFG-056, C-CFG-09)', async () => {
    const { calls } = rulesOnly();
    const { user, currentAddress } = open('/config/cors/create');
    const path = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Path/ });
    const textIn = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name }).value;
    expect([path.value, textIn(/^Origins/), textIn(/^Headers/), textIn(/^Max Age/)]).toEqual(['NEW', '*', '*', '0']);
    for (const name of [/^Enabled/, /^Supports Credentials/])
      expect(screen.getByRole<HTMLInputElement>('switch', { name }).checked).toBe(false);
    await user.click(button('Save'));
    expect(
      await screen.findByText(
        "Entries should have a unique path pattern.  Please rename your entry to something other than the default 'new' name.",
        toTheLetter,
      ),
    ).toBeTruthy();
    await user.clear(path);
    await user.click(button('Save'));
    expect(await screen.findByText('Path is a required field.')).toBeTruthy();
    await pasteInto(user, path, 'api/*');
    await user.click(button(/^Methods/));
    const offered = (await screen.findAllByRole('menuitemcheckbox')).map((item) => item.textContent?.split(' ')[0]);
    expect(offered).toEqual(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);
    await user.click(screen.getByRole('menuitemcheckbox', { name: /^GET/ }));
    await user.click(screen.getByRole('menuitemcheckbox', { name: /^PATCH/ }));
    await user.keyboard('{Escape}');
    await user.click(button('Save'));
    expect(await screen.findByText('CORS entry created successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/config/cors/900'));
    const [request] = callsOf(calls, 'POST');
    expect(request?.path).toBe('system/cors?fields=*');
    expect(request?.body).toEqual({
      resource: [
        {
          ...{ path: 'api/*', description: null, origin: '*', header: '*', exposed_header: null, max_age: 0 },
          ...{ method: ['GET', 'PATCH'], supports_credentials: false, enabled: false },
        },
      ],
    });
  });

  it('entries are changed and deleted, the new ones without a call (CFG-025, CFG-026, CFG-046, CFG-047, C-CFG-10, C-CFG-11)', async () => {
    const { calls } = rulesOnly();
    const { user } = open('/config/cors/1');
    await user.click(await screen.findByRole('switch', { name: /^Enabled/ }));
    await user.click(button('Save'));
    expect(await screen.findByText('CORS entry updated successfully.')).toBeTruthy();
    const [request] = callsOf(calls, 'PUT');
    expect(request?.path).toBe('system/cors/1?fields=*');
    expect(request?.body).toMatchObject({ id: 1, enabled: false, max_age: 60, method: ['GET', 'POST', 'OPTIONS'] });
    await user.click(button('Delete'));
    await answer(user, 'Delete api/v2/db/*?', 'Delete');
    expect(await screen.findByText('CORS entry deleted successfully.')).toBeTruthy();
    expect(callsOf(calls, 'DELETE').map(({ path }) => path)).toEqual(['system/cors/1?fields=*']);
    await user.click(await screen.findByRole('link', { name: 'New' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await answer(user, 'Delete NEW?', 'Delete');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(callsOf(calls, 'DELETE').length).toBe(1);
  });
});

describe('Email Templates', () => {
  const templatesOnly = (other?: (call: RecordedCall) => FakeResponse | undefined) => instance(other, 'email_template');

  it('are listed, and saving without one selected says so (CFG-027, CFG-030)', async () => {
    templatesOnly();
    const { user } = open('/config/email-templates');
    const list = await screen.findByRole('navigation', { name: 'Email Templates' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Invite', 'Reset']);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(screen.getAllByText('No email template selected.').length).toBe(2));
  });

  it('are made: local until saved, never under the default name (CFG-028, CFG-029, CFG-031, CFG-032, CFG-033, CFG-045, CFG-055, C-CFG-12)', async () => {
    const { calls } = templatesOnly();
    const { user, currentAddress } = open('/config/email-templates/create');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Template Name/ });
    expect(name.value).toBe('NEW EMAIL TEMPLATE');
    await user.click(button('Save'));
    expect(
      await screen.findByText(
        "Email templates should have a unique name.  Please rename your email template to something other than the default 'new' template name.",
        toTheLetter,
      ),
    ).toBeTruthy();
    await user.clear(name);
    await user.click(button('Save'));
    expect(await screen.findByText('Template Name is a required field.')).toBeTruthy();
    await pasteInto(user, name, 'Welcome');
    await user.type(screen.getByLabelText('Recipient', { selector: 'input' }), 'Ada <ada@b.c>,j@b.c{Enter}');
    await pasteInto(user, screen.getByRole('textbox', { name: 'Reply to Email' }), 'desk@b.c');
    await user.click(button('Save'));
    expect(await screen.findByText('Email template created successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/config/email-templates/900'));
    const [request] = callsOf(calls, 'POST');
    expect(request?.path).toBe('system/email_template?fields=*');
    expect(request?.body).toMatchObject({
      resource: [
        {
          name: 'Welcome',
          to: [{ name: 'Ada', email: 'ada@b.c' }, 'j@b.c'],
          reply_to_email: 'desk@b.c',
        },
      ],
    });
  });

  it('are changed and deleted, the new ones without a call (CFG-034, CFG-035, CFG-046, CFG-047, C-CFG-13, C-CFG-14)', async () => {
    const { calls } = templatesOnly();
    const { user } = open('/config/email-templates/1');
    await user.type(await screen.findByRole('textbox', { name: 'Subject' }), '!');
    await user.click(button('Save'));
    expect(await screen.findByText('Email template updated successfully.')).toBeTruthy();
    const [request] = callsOf(calls, 'PUT');
    expect(request?.path).toBe('system/email_template/1?fields=*');
    expect(request?.body).toMatchObject({
      id: 1,
      subject: 'Hi {first_name}!',
      to: [{ name: 'Ada', email: 'ada@b.c' }],
    });
    await user.click(button('Delete'));
    await answer(user, 'Delete Invite?', 'Delete');
    expect(await screen.findByText('Email template deleted successfully.')).toBeTruthy();
    expect(callsOf(calls, 'DELETE').map(({ path }) => path)).toEqual(['system/email_template/1?fields=*']);
    await user.click(await screen.findByRole('link', { name: 'New' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await answer(user, 'Delete NEW EMAIL TEMPLATE?', 'Delete');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(callsOf(calls, 'DELETE').length).toBe(1);
  });

  it('are previewed without a permission', async () => {
    templatesOnly();
    const { user } = open('/config/email-templates/1');
    await user.click(await screen.findByText('Preview', { selector: 'span' }));
    const frame = await screen.findByTitle<HTMLIFrameElement>('Preview of the HTML body');
    expect(frame.getAttribute('sandbox')).toBe('');
    expect(frame.srcdoc).toContain('<p>Hello</p>');
    expect(Reflect.get(window, 'ran')).toBeUndefined();
    expect(previewDocument('<meta http-equiv="refresh" content="0;url=/x"><p>a</p>')).not.toContain('refresh');
  });

  it('show the refusal of the server, such as a name that is taken', async () => {
    const taken = 'The name has already been taken.';
    templatesOnly(({ method }) =>
      method === 'PUT' ? refusal(400, `Invalid data supplied. ${taken}`, { name: [taken] }) : undefined,
    );
    const { user } = open('/config/email-templates/1');
    const name = await screen.findByRole('textbox', { name: /^Template Name/ });
    await user.type(name, '2');
    await user.click(button('Save'));
    expect(await screen.findByText(taken)).toBeTruthy();
    expect(name.getAttribute('aria-invalid')).toBe('true');
  });
});

it('asks for nothing but what it shows', async () => {
  const { calls } = instance();
  open('/config/lookup-keys/1');
  await screen.findByRole('heading', { name: 'Edit region' });
  expect(queryOf(calls.find(({ path }) => path.startsWith('system/lookup?'))!)).toEqual({ include_count: 'true' });
  expect(calls.filter(({ path }) => path.startsWith('system/lookup')).length).toBe(2);
});
