import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleSettings } from '../../api/console-settings.ts';
import { queryClient } from '../../api/index.ts';
import { storeSession } from '../../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../api/testing.ts';
import { signIn } from '../../list/testing.tsx';
import { theme } from '../../theme/index.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { closeCreateKey, type KeyPreset, openCreateKey } from './requests.ts';

const services = [
  { id: 1, name: 'system', label: 'System', type: 'system' },
  { id: 5, name: 'shop', label: 'Shop', type: 'sqlite' },
  { id: 6, name: 'files', label: 'Files', type: 'local_file' },
  { id: 7, name: 'old', label: 'Old', type: 'mysql' },
];
const service_types = [
  { name: 'sqlite', group: 'Database' },
  { name: 'mysql', group: 'Database' },
  { name: 'local_file', group: 'File' },
  { name: 'system', group: 'System' },
];
const made = { app_id: 3, role_id: 4, name: 'shop-thing-read-2', api_key: 'k'.repeat(64) };

const thousand = Array.from({ length: 1000 }, (_, index) => ({ name: `t${index}`, label: `T${index}` }));

interface Answers {
  /** To messages at `/mcp`. */
  agents?: (message: { method: string; params: { cursor?: string } }) => FakeResponse;
  key?: FakeResponse;
}

const openDialog = ({ agents = () => ({ status: 404 }), key = { status: 201, body: made } }: Answers = {}) => {
  const calls = fakeInstance(({ method, path, body }) => {
    if (path.endsWith('/mcp')) return agents(body as Parameters<typeof agents>[0]);
    if (path.startsWith('shop/_table'))
      return { body: { resource: [{ name: 'thing' }, { name: 'part' }, { name: 'maker' }] } };
    if (path.startsWith('old/_table')) return { body: { resource: thousand } };
    if (method === 'POST' && path === 'system/app/_key') return key;
    if (path === '') return { body: { services, service_types } };
    if (path.startsWith('system/role')) return { body: { resource: [{ name: 'SHOP-thing-read' }] } };
    return { body: { resource: [] } };
  });
  render(
    <MantineProvider theme={theme} env="test">
      <CreateKeyDialog navigate={() => {}} />
    </MantineProvider>,
  );
  return { calls, user: userEvent.setup() };
};

const settings = consoleSettings.get();
beforeEach(() => {
  signIn();
  consoleSettings.set(settings);
  queryClient.clear();
  closeCreateKey();
});

it('makes the key by one request, under a name that is free, and answers it when it is closed', async () => {
  const { calls, user } = openDialog();
  let answer: Promise<unknown> = Promise.resolve();
  act(() => {
    answer = openCreateKey({ service: 'shop', table: 'thing' });
  });
  await screen.findByDisplayValue('shop-thing-read-2');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  expect(await screen.findByText(made.api_key)).toBeTruthy();
  const posts = calls.filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    ['system/app/_key', { name: 'shop-thing-read-2', access: 'read', service: 'shop', table: 'thing' }],
  ]);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await answer).toEqual(made);
});

it('offers what holds data, and begins with the database connected last', async () => {
  const { user } = openDialog();
  act(() => void openCreateKey());
  await screen.findByDisplayValue('Old (old)');
  await user.click(screen.getByRole('combobox', { name: 'Service' }));
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Old (old)', 'Shop (shop)', 'Files (files)']);
});

it('shows a key to nobody who comes next', async () => {
  const { user } = openDialog();
  let answer: Promise<unknown> = Promise.resolve();
  act(() => {
    answer = openCreateKey({ service: 'shop' });
  });
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  await screen.findByText(made.api_key);
  act(() => storeSession(aSession({ id: 2, email: 'bob@example.com' })));
  expect(await answer).toBeNull();
  expect(screen.queryByText(made.api_key)).toBeNull();
});

describe('for an agent', () => {
  const openForAgent = (preset: KeyPreset, answers?: Answers) => {
    const opened = openDialog(answers);
    act(() => void openCreateKey({ purpose: 'agent', ...preset }));
    return opened;
  };
  const submit = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create API key' }));
  const posted = (calls: RecordedCall[]) =>
    calls.filter(({ path }) => path === 'system/app/_key').map(({ body }) => body);

  it('the key is for chosen tables, reads alone and has a limit', async () => {
    const { calls, user } = openForAgent({ service: 'shop', table: 'thing' });
    await screen.findByDisplayValue('agent-shop-thing-read');
    const tables = screen.getByRole('combobox', { name: 'Tables' });
    await user.type(tables, 'mak{Enter}');
    // The list is open still: Enter sends nothing.
    await user.keyboard('{Enter}');
    expect(posted(calls)).toEqual([]);
    await screen.findByDisplayValue('agent-shop-read');
    await submit(user);
    await screen.findByText(made.api_key);
    expect(posted(calls)).toEqual([
      {
        ...{ name: 'agent-shop-read', access: 'read', service: 'shop', tables: ['thing', 'maker'] },
        limit: { rate: 60, period: 'minute' },
      },
    ]);
    expect(
      screen.getByText(/It may read the records of thing, maker in shop. 60 calls a minute at most./),
    ).toBeTruthy();
  });

  it('writing is chosen, with a warning; the limit can be another, or none', async () => {
    const { calls, user } = openForAgent({ service: 'shop', table: 'thing' });
    await screen.findByDisplayValue('agent-shop-thing-read');
    expect(screen.queryByText(/can mislead it/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Read and write' }));
    expect(screen.getByText(/can mislead it/)).toBeTruthy();
    const rate = screen.getByRole('textbox', { name: 'Calls at most' });
    await user.clear(rate);
    await submit(user);
    expect(await screen.findByText('A number of calls is needed.')).toBeTruthy();
    expect(posted(calls)).toEqual([]);
    await user.type(rate, '500');
    await user.click(screen.getByRole('switch', { name: /^Limit its calls/ }));
    await submit(user);
    await screen.findByText(made.api_key);
    expect(posted(calls)).toEqual([
      { name: 'agent-shop-thing-write', access: 'write', service: 'shop', tables: ['thing'] },
    ]);
  });

  it('of a thousand tables fifty are offered, and typing finds the others', async () => {
    const { user } = openForAgent({ service: 'old' });
    const tables = await screen.findByRole('combobox', { name: 'Tables' });
    await vi.waitFor(() => expect(tables.getAttribute('placeholder')).toBe('Choose one'));
    await user.click(tables);
    expect(await screen.findAllByRole('option')).toHaveLength(50);
    await user.type(tables, 't987{Enter}');
    await screen.findByDisplayValue('agent-old-t987-read');
  });

  it('a refusal is shown at its field', async () => {
    const message = 'Table "thing" does not exist in the database.';
    const key = refusal(400, `Invalid data supplied. ${message}`, { tables: [message] });
    const { user } = openForAgent({ service: 'shop', table: 'thing' }, { key });
    await screen.findByDisplayValue('agent-shop-thing-read');
    await submit(user);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Tables' }).getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('Test asks for the tools as an agent does, with the key alone, page by page', async () => {
    const tools = [[{ name: 'get_records' }, { name: 'get_record' }], [{ name: 'count' }]];
    const agents: Answers['agents'] = ({ method, params: { cursor } }) => {
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: {} }
          : { tools: tools[cursor ? 1 : 0], ...(cursor ? {} : { nextCursor: 'more' }) };
      return { body: { jsonrpc: '2.0', id: 1, result } };
    };
    const { calls, user } = openForAgent({ service: 'shop', table: 'thing' }, { agents });
    await screen.findByDisplayValue('agent-shop-thing-read');
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    expect(await screen.findByText('3 tools')).toBeTruthy();
    expect(screen.getByText('get_records, get_record, count')).toBeTruthy();
    const messages = calls.filter(({ path }) => path.endsWith('/mcp'));
    expect(messages.map(({ body }) => (body as { method: string }).method)).toEqual([
      ...['initialize', 'tools/list', 'tools/list'],
    ]);
    for (const { token, headers } of messages) {
      expect([token, headers.get('X-DreamFactory-API-Key')]).toEqual([null, made.api_key]);
    }
    expect(messages[1]?.headers.get('MCP-Protocol-Version')).toBe('2025-03-26');
  });

  it.each([
    ['a refusal', refusal(403, 'Pages of this origin may not.'), 'Pages of this origin may not.'],
    [
      'an error of the protocol',
      { body: { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'Wrong.' } } },
      'Wrong.',
    ],
    ['another page', { body: 'hello' }, 'The address of this instance for agents (/mcp) does not answer as MCP says.'],
    ['nothing', 'unreachable' as const, 'The server cannot be reached.'],
  ])('Test says what stands in its way: %s', async (_, answer, message) => {
    const { user } = openForAgent({ service: 'shop', table: 'thing' }, { agents: () => answer });
    await screen.findByDisplayValue('agent-shop-thing-read');
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    expect((await screen.findByRole('alert')).textContent).toBe(message);
  });

  it('an instance without an address for agents says so, and how it gets one', async () => {
    consoleSettings.set({ ...settings, ...{ api_key: 'k', mcp: false } });
    const { user } = openForAgent({ service: 'shop', table: 'thing' });
    await screen.findByDisplayValue('agent-shop-thing-read');
    expect(screen.getByText(/SLUICE_MCP=on/)).toBeTruthy();
    await submit(user);
    await screen.findByText(made.api_key);
    expect(screen.getByText(/SLUICE_MCP=on/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Test' })).toBeNull();
  });

  it('who may not make limits makes a key without one', async () => {
    storeSession(aSession({ is_sys_admin: false }));
    const { calls, user } = openForAgent({ service: 'shop', table: 'thing' });
    await screen.findByDisplayValue('agent-shop-thing-read');
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Limit its calls/ }).disabled).toBe(true);
    await submit(user);
    await screen.findByText(made.api_key);
    expect(posted(calls)).toEqual([expect.not.objectContaining({ limit: expect.anything() })]);
  });
});
