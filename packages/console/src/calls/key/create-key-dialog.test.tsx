import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { queryClient } from '../../api/index.ts';
import { storeSession } from '../../api/session-state.ts';
import { aSession, fakeInstance } from '../../api/testing.ts';
import { signIn } from '../../list/testing.tsx';
import { theme } from '../../theme/index.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { closeCreateKey, openCreateKey } from './requests.ts';

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

const openDialog = () => {
  const calls = fakeInstance(({ method, path }) => {
    if (method === 'POST' && path === 'system/app/_key') return { status: 201, body: made };
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

beforeEach(() => {
  signIn();
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
