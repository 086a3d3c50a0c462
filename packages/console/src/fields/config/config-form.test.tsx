import { MantineProvider } from '@mantine/core';
import type { FieldDescriptor } from '@sluice/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../api/testing.ts';
import { signIn } from '../../list/testing.tsx';
import { theme } from '../../theme/index.ts';
import { notices } from '../../ui/notify.ts';
import { ConfigForm } from './config-form.tsx';
import { type Config, initialConfig } from './schema.ts';
import { everyKind } from './service-types.fixture.ts';

const linkable = [
  { id: 3, name: 'files', label: 'Local File Storage', type: 'local_file' },
  { id: 90, name: 'gh', label: 'GitHub', type: 'github' },
];
const events = ['db.get', 'db._table.{table_name}.get', 'user.session.post'];

const instance = (other: (call: RecordedCall) => FakeResponse | undefined = () => undefined) =>
  fakeInstance((call) => {
    const response = other(call);
    if (response) return response;
    if (call.path.startsWith('system/event')) return { body: { resource: events } };
    if (call.path.startsWith('system/role'))
      return {
        body: {
          resource: [
            { id: 1, name: 'reader' },
            { id: 2, name: 'writer' },
          ],
        },
      };
    if (call.path.startsWith('?group=')) return { body: { services: linkable } };
    return refusal(404, 'Not here.');
  });

/** Shows a form of some of the made-up fields, and what its config is at the end. */
function show(
  schema: readonly FieldDescriptor[],
  stored: Config | null = null,
  more: { errors?: Record<string, string>; type?: string } = {},
) {
  const seen: { config: Config } = { config: initialConfig(schema, stored) };
  const Form = () => {
    const [config, setConfig] = useState(seen.config);
    seen.config = config;
    return (
      <ConfigForm
        schema={schema}
        value={config}
        // A form library hands back copies: what is typed must not depend on identity.
        onChange={(next) => setConfig(structuredClone(next))}
        stored={stored}
        service={{ type: more.type ?? 'nodejs', name: 'mine' }}
        title="Services"
        {...(more.errors ? { errors: more.errors } : {})}
      />
    );
  };
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })}
      >
        <Form />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { user: userEvent.setup(), config: () => seen.config };
}

const only = (...names: string[]) => everyKind.filter(({ name }) => names.includes(name));
const input = (name: string | RegExp) => screen.getByLabelText<HTMLInputElement>(name);

beforeEach(() => {
  signIn();
  notices.set({ toasts: [], tray: [], unseen: 0 });
});

describe('the form of a config_schema', () => {
  it('draws every kind at once, in order, with its label (SVC-005, OPEN-144)', async () => {
    instance();
    show(everyKind);
    const text = document.body.textContent ?? '';
    const labels = everyKind
      .filter(({ name }) => !name.startsWith('storage_') && !name.startsWith('scm_'))
      .map(({ label }) => label ?? '');
    const places = labels.map((label) => text.indexOf(label));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(screen.queryByText('Storage Service')).toBeNull();
    await screen.findByRole('textbox', { name: 'Content' });
  });

  it('string: a line, required, with plain help and its error', async () => {
    instance();
    const { user, config } = show(only('plain'), null, { errors: { plain: 'Not like this.' } });
    const line = input(/^A line/);
    expect(line.value).toBe('begin');
    expect(line.required).toBe(true);
    expect(screen.getByText(/Help may hold simple HTML/).innerHTML).not.toContain('<b>');
    expect(screen.getByText('Not like this.')).toBeTruthy();
    expect(line.getAttribute('aria-invalid')).toBe('true');
    await user.clear(line);
    await user.type(line, 'other');
    expect(config()).toEqual({ plain: 'other' });
  });

  it('password, and any field of that name: typed unseen', () => {
    instance();
    show(only('secret', 'password'));
    expect(input('A secret').type).toBe('password');
    expect(input('Named password').type).toBe('password');
  });

  it('a stored secret is never shown: it is kept or replaced', async () => {
    instance();
    const { user, config } = show(only('secret', 'client_key'), { secret: '**********', client_key: '**********' });
    const fieldOf = (label: string) => input(label).closest('.mantine-InputWrapper-root') as HTMLElement;
    await user.click(within(fieldOf('A secret')).getByRole('button', { name: 'Replace' }));
    await user.type(input('A secret'), 'new');
    expect(config()).toEqual({ secret: 'new', client_key: '**********' });
    await user.click(screen.getByRole('button', { name: 'Keep the stored value' }));
    expect(config().secret).toBe('**********');
    expect(within(fieldOf('A masked text')).getByRole('button', { name: 'Replace' })).toBeTruthy();
  });

  it('integer: a number, null when emptied', async () => {
    instance();
    const { user, config } = show(only('count'));
    const number = input('A number');
    expect(number.value).toBe('9042');
    await user.clear(number);
    expect(config()).toEqual({ count: null });
    await user.type(number, '12x');
    expect(config()).toEqual({ count: 12 });
  });

  it('boolean: a check box', async () => {
    instance();
    const { user, config } = show(only('flag'));
    await user.click(screen.getByRole('checkbox', { name: 'A switch' }));
    expect(config()).toEqual({ flag: false });
  });

  it('picklist: stores the name, also a number; the blank choice is null', async () => {
    instance();
    const { user, config } = show(only('protocol'));
    const list = screen.getByRole<HTMLInputElement>('combobox', { name: 'One of several' });
    expect(list.placeholder).toBe('None');
    await user.click(list);
    await user.click(await screen.findByRole('option', { name: 'Number four' }));
    expect(config()).toEqual({ protocol: 4 });
    // Choosing it again takes it back, also from the keyboard.
    await user.click(list);
    await user.click(await screen.findByRole('option', { name: 'Number four' }));
    expect(config()).toEqual({ protocol: null });
  });

  it('picklist: keeps a stored value that is no longer on offer, and knows 4 from "4"', () => {
    instance();
    show(only('protocol'), { protocol: 'gopher' });
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'One of several' }).value).toBe('gopher');
  });

  it('picklist of drivers: copies the dsn (OPEN-148)', async () => {
    instance();
    const { user, config } = show(only('driver', 'dsn'));
    await user.click(screen.getByRole('combobox', { name: 'Driver' }));
    await user.click(await screen.findByRole('option', { name: 'PostgreSQL' }));
    expect(config()).toEqual({ driver: 'pgsql', dsn: 'pgsql:host=localhost' });
    expect(input('Connection String').value).toBe('pgsql:host=localhost');
  });

  it('multi_picklist: check boxes in three columns or its own number, select all, legend (NAV-045)', async () => {
    instance();
    const { user, config } = show(only('context', 'context_three'), { context: ['_event.response', 'gone'] });
    const two = screen.getByRole('group', { name: 'Log Context: Select data object(s) to capture' });
    const three = screen.getByRole('group', { name: 'Three columns' });
    const columns = (group: HTMLElement) =>
      group.querySelector<HTMLElement>('[style*="--columns"]')?.style.getPropertyValue('--columns');
    expect([columns(two), columns(three)]).toEqual(['2', '3']);
    await user.click(within(two).getByRole('checkbox', { name: '_event.request' }));
    expect(config().context).toEqual(['gone', '_event.request', '_event.response']);
    await user.click(within(three).getByRole('checkbox', { name: 'Select All' }));
    expect(config().context_three).toEqual(['a', 'b', 'c', 'd']);
    await user.click(within(three).getByRole('checkbox', { name: 'Select All' }));
    expect(config().context_three).toEqual([]);
  });

  it('reference: chooses a record of its table', async () => {
    const calls = instance();
    const { user, config } = show(only('role_id'));
    await waitFor(() => expect(calls.map(({ path }) => path)).toEqual(['system/role']));
    await user.click(screen.getByRole('combobox', { name: 'A reference' }));
    await user.click(await screen.findByRole('option', { name: 'writer' }));
    expect(config()).toEqual({ role_id: 2 });
  });

  it('array of string: a list of inputs', async () => {
    instance();
    const { user, config } = show(only('paths'), { paths: ['/one', '/two'] });
    const group = within(screen.getByRole('group', { name: 'A list of lines' }));
    await user.click(group.getByRole('button', { name: 'Remove row 1' }));
    await user.click(group.getByRole('button', { name: 'Add' }));
    await user.type(group.getByLabelText('A list of lines, row 2'), '/new');
    expect(config()).toEqual({ paths: ['/two', '/new'] });
  });

  it('array of objects: a table with a column for each part, every kind of part (OPEN-145, SVC-033)', async () => {
    instance();
    const { user, config } = show(only('rows'), { rows: [{ id: 5, name: 'old', action: 1 }] });
    const group = within(screen.getByRole('group', { name: 'A list of objects' }));
    expect(group.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Name *',
      'Pin',
      'Size',
      'Active',
      'Level',
      'Grouped',
      'Event',
      'Verbs',
    ]);
    await user.click(group.getByRole('button', { name: 'Add a row' }));
    await user.type(group.getByLabelText('Name, row 2'), 'new');
    await user.type(group.getByLabelText('Pin, row 2'), '123');
    expect(group.getByLabelText<HTMLInputElement>('Pin, row 2').type).toBe('password');
    await user.type(group.getByLabelText('Size, row 2'), '7');
    await user.click(group.getByLabelText('Active, row 2'));
    await user.click(group.getByRole('combobox', { name: 'Level, row 2' }));
    await user.click(await screen.findByRole('option', { name: 'Debug' }));
    await user.click(group.getByRole('combobox', { name: 'Grouped, row 2' }));
    await user.click(await screen.findByRole('option', { name: 'Apple' }));
    await user.type(group.getByRole('combobox', { name: 'Event, row 2' }), 'x.y');
    expect(group.getByRole('button', { name: 'Verbs, row 2: 5 Selected' })).toBeTruthy();
    expect(config().rows).toEqual([
      { id: 5, name: 'old', action: 1 },
      { name: 'new', pin: '123', size: 7, active: false, level: 'DEBUG', group: 'apple', event: 'x.y', action: 31 },
    ]);
    await user.click(group.getByRole('button', { name: 'Remove row 1' }));
    expect(config().rows).toHaveLength(1);
  });

  it('object: rows of a name and a value, kept while names are typed (SVC-008, OPEN-147)', async () => {
    instance();
    const { user, config } = show(only('options'), { options: { retries: 3 } });
    const group = within(screen.getByRole('group', { name: 'A map' }));
    expect(group.getByLabelText<HTMLInputElement>('Setting, row 1').value).toBe('3');
    await user.click(group.getByRole('button', { name: 'Add' }));
    expect(config().options).toEqual({ retries: 3, new_key: 'new_value' });
    const name = group.getByLabelText('Option, row 2');
    await user.clear(name);
    expect(config().options).toEqual({ retries: 3 });
    await user.type(name, 'retries');
    expect(group.getByText(/Another row has this name/)).toBeTruthy();
    await user.type(name, '_max');
    expect(config().options).toEqual({ retries: 3, retries_max: 'new_value' });
    await user.click(group.getByRole('button', { name: 'Remove row 1' }));
    expect(config().options).toEqual({ retries_max: 'new_value' });
  });

  it('file_certificate: a file or its text', async () => {
    instance();
    const { user, config } = show(only('certificate'));
    await user.upload(
      document.querySelector<HTMLInputElement>('input[type="file"]')!,
      new File(['-----BEGIN'], 'push.pem'),
    );
    await waitFor(() => expect(config()).toEqual({ certificate: '-----BEGIN' }));
    await user.type(input('Certificate file (.pem)'), ' END');
    expect(config()).toEqual({ certificate: '-----BEGIN END' });
  });

  it('event_picklist: free text with a menu by service (OPEN-152, C-SVC-05)', async () => {
    const calls = instance();
    const { user, config } = show(only('event'));
    await waitFor(() => expect(calls.map(({ path }) => path)).toEqual(['system/event?as_list=true']));
    await user.click(screen.getByRole('combobox', { name: 'An event' }));
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'All db events',
      'db.get',
      'db._table.{table_name}.get',
      'All user events',
      'user.session.post',
    ]);
    await user.click(screen.getByRole('option', { name: 'All db events' }));
    expect(config()).toEqual({ event: 'db.*' });
    await user.type(screen.getByRole('combobox', { name: 'An event' }), 'own');
    expect(config()).toEqual({ event: 'db.*own' });
  });

  it('says when the events cannot be loaded, and takes free text (SVC-043, OPEN-154)', async () => {
    instance(({ path }) => (path.startsWith('system/event') ? refusal(500, 'no') : undefined));
    const { user, config } = show(only('event'));
    await waitFor(() =>
      expect(notices.get().tray[0]).toMatchObject({
        title: 'Services',
        messages: ['There was an error loading the service. Please try refreshing your browser and logging in again.'],
      }),
    );
    await user.type(screen.getByRole('combobox', { name: 'An event' }), 'db.get');
    expect(config()).toEqual({ event: 'db.get' });
  });

  it('verb_mask: the verb picker (OPEN-055)', async () => {
    instance();
    const { user, config } = show(only('verbs'));
    await user.click(screen.getByRole('button', { name: 'Verbs: None Selected' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'POST (create)' }));
    expect(config()).toEqual({ verbs: 2 });
    expect(screen.getByRole('button', { name: 'Verbs: POST', hidden: true })).toBeTruthy();
    await user.click(screen.getByRole('menuitem', { name: 'All/None' }));
    expect(config()).toEqual({ verbs: 0 });
    await user.click(screen.getByRole('menuitem', { name: 'All/None' }));
    expect(config()).toEqual({ verbs: 31 });
  });

  it('grouped_picklist: choices in groups', async () => {
    instance();
    const { user, config } = show(only('grouped'));
    await user.click(screen.getByRole('combobox', { name: 'Grouped choices' }));
    expect(await screen.findByText('Nuts')).toBeTruthy();
    await user.click(screen.getByRole('option', { name: 'Pear' }));
    expect(config()).toEqual({ grouped: 'pear' });
  });
});

describe('the content of a script', () => {
  const script = only('content', 'storage_service_id', 'storage_path', 'scm_repository', 'scm_reference');
  const choose = async (user: ReturnType<typeof userEvent.setup>, service: string) => {
    await user.click(await screen.findByRole('combobox', { name: 'Service:' }));
    await user.click(await screen.findByRole('option', { name: service }));
  };
  const file = () => document.querySelector<HTMLInputElement>('input[type="file"]')!;

  it('takes in a file with the ending of its type, and says no to others (SVC-023, X-029)', async () => {
    instance();
    const { config } = show(script, null, { type: 'python' });
    fireEvent.change(file(), { target: { files: [new File(['x'], 'script.js')] } });
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Error: Invalid file format. Only py, python file format(s) allowed',
    );
    expect(config().content).toBeNull();
    fireEvent.change(file(), { target: { files: [new File(['print(1)'], 'script.py')] } });
    await waitFor(() => expect(config().content).toBe('print(1)'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('empties and locks while linked, and opens again without a link (SVC-021, SVC-022)', async () => {
    instance();
    const { user, config } = show(script, {
      content: 'old',
      storage_service_id: null,
      storage_path: null,
      scm_repository: null,
      scm_reference: null,
    });
    await choose(user, 'GitHub');
    expect(config()).toMatchObject({ content: '', storage_service_id: 90 });
    const editor = await screen.findByRole('textbox', { name: 'Content' });
    await waitFor(() => expect(editor.getAttribute('aria-readonly')).toBe('true'));
    await user.type(input('Repository:'), 'hooks');
    await choose(user, 'Local File Storage');
    expect(config()).toMatchObject({ storage_service_id: 3, scm_repository: null });
    expect(screen.queryByLabelText('Repository:')).toBeNull();
    await choose(user, 'Local File Storage');
    expect(config().storage_service_id).toBeNull();
    await waitFor(() => expect(editor.getAttribute('aria-readonly')).toBeNull());
  });

  it('views the latest from git, which is no change of the form (SVC-028, SVC-039, SVC-045)', async () => {
    const calls = instance(({ path }) => (path.startsWith('gh/') ? { body: 1234 } : undefined));
    const { user, config } = show(script);
    await choose(user, 'GitHub');
    const latest = () => screen.getByRole<HTMLButtonElement>('button', { name: 'View Latest' });
    await user.type(input('Repository:'), 'hooks');
    await user.type(input('Branch/Tag:'), 'main');
    expect(latest().disabled).toBe(true);
    await user.type(input('Path:'), 'a/x.js');
    expect(latest().disabled).toBe(false);
    await user.click(latest());
    const editor = await screen.findByRole('textbox', { name: 'Content' });
    await waitFor(() => expect(editor.textContent).toBe('1234'));
    expect(config().content).toBe('');
    expect(calls.at(-1)!.path).toBe('gh/_repo/hooks?path=a%2Fx.js&branch=main&content=1');
    expect(notices.get().toasts.at(-1)).toMatchObject({
      kind: 'success',
      title: 'Services',
      messages: ['Successfully pulled the latest script from source.'],
    });
  });

  it('of a link that is there already is read when its form opens', async () => {
    const calls = instance(({ path }) => (path.startsWith('files/') ? { body: 5678 } : undefined));
    show(script, {
      content: '',
      storage_service_id: 3,
      storage_path: 'a/x.js',
      scm_repository: null,
      scm_reference: null,
    });
    const editor = await screen.findByRole('textbox', { name: 'Content' });
    await waitFor(() => expect(editor.textContent).toBe('5678'));
    expect(calls.filter(({ path }) => path === 'files/a/x.js')).toHaveLength(1);
    expect(screen.getByText('Content (Read Only)')).toBeTruthy();
    expect(notices.get().toasts).toEqual([]);
  });

  it('says when it cannot be pulled, and clears the cache (SVC-029, SVC-041, SVC-044, SVC-046, SVC-047)', async () => {
    let isBroken = false;
    const calls = instance(({ method }) =>
      method === 'DELETE' && !isBroken ? { body: { success: true } } : undefined,
    );
    const { user } = show(script);
    await choose(user, 'Local File Storage');
    await user.type(input('Path:'), 'x.js');
    await user.click(screen.getByRole('button', { name: 'View Latest' }));
    const last = () => notices.get().toasts.at(-1)?.messages[0];
    await waitFor(() =>
      expect(last()).toBe(
        'There was an error pulling the latest script from source. Please make sure your service, path and permissions are correct and try again.',
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Delete Cache' }));
    await waitFor(() => expect(last()).toBe('Successfully cleared script from cache.'));
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: 'system/cache/_event/mine' });
    isBroken = true;
    await user.click(screen.getByRole('button', { name: 'Delete Cache' }));
    await waitFor(() => expect(last()).toBe('Failed to cleared script from cache.'));
  });
});

describe('the language of a script', () => {
  const scriptTypes = [
    { name: 'nodejs', label: 'Node.js', available: false, missing: 'Nothing confines their processes here.' },
    { name: 'php', label: 'PHP', available: true, confinement: 'none' },
    { name: 'v8js', label: 'V8js', available: true, confinement: 'webassembly' },
  ];
  const content: FieldDescriptor[] = [{ name: 'content', label: 'Content', type: 'text' } as FieldDescriptor];

  it.each([
    ['nodejs', 'Scripts in Node.js do not run on this instance. Nothing confines their processes here.'],
    ['php', 'Scripts in PHP are not confined on this instance: they may do what the server may.'],
  ])('%s that does not run here, or is not confined, is said', async (type, words) => {
    instance((call) => (call.path.startsWith('system/script_type') ? { body: { resource: scriptTypes } } : undefined));
    show(content, null, { type });
    expect((await screen.findByRole('status')).textContent).toBe(words);
  });
});
