import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { consoleSettings } from '../../api/console-settings.ts';
import { currentSession } from '../../api/session-state.ts';
import { anEnvironment, aSession, fakeInstance, freshConsole, refusal } from '../../api/testing.ts';
import { showConsole } from '../../app/testing.tsx';

const fill = async (code = 'ABCD-EFGH') => {
  await userEvent.type(await screen.findByLabelText('One-time code'), code);
  await userEvent.type(screen.getByLabelText('First name'), 'Ada');
  await userEvent.type(screen.getByLabelText('Last name'), 'Lovelace');
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'secret');
  await userEvent.type(screen.getByLabelText('Repeat the password'), 'secret');
};
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create the administrator' }));

beforeEach(() => {
  freshConsole('/setup');
  consoleSettings.set({ ...consoleSettings.get(), setup_needed: true });
  return () => consoleSettings.set({ ...consoleSettings.get(), setup_needed: false });
});

it('is where every address leads, makes the administrator and goes home', async () => {
  const calls = fakeInstance((call) =>
    call.path === 'system/admin/setup' ? { status: 201, body: aSession() } : { body: anEnvironment() },
  );
  const { router } = showConsole('/home');
  await fill();
  await submit();
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  expect(calls[0]!.body).toEqual({
    code: 'ABCD-EFGH',
    email: 'ada@example.com',
    password: 'secret',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  expect(currentSession()?.id).toBe(1);
});

it('checks before it sends', async () => {
  const calls = fakeInstance(() => ({ body: {} }));
  showConsole('/setup');
  await screen.findByLabelText('One-time code');
  await userEvent.type(screen.getByLabelText('Password'), 'abcd');
  await submit();
  expect(screen.getByText('Enter the code from the terminal.')).toBeTruthy();
  expect(screen.getByText('Password must be at least 5 characters.')).toBeTruthy();
  expect(screen.getByText('Passwords do not match.')).toBeTruthy();
  expect(calls).toHaveLength(0);
});

it('says what the server refuses, beside the field too', async () => {
  const context = { email: ['The email must be a valid email address.'] };
  fakeInstance(() => refusal(400, 'Invalid data supplied. The email must be a valid email address.', context));
  showConsole('/setup');
  await fill('WRONG');
  await submit();
  expect((await screen.findByRole('alert')).textContent).toContain('Invalid data supplied.');
  expect(screen.getByText('The email must be a valid email address.')).toBeTruthy();
});

it('points to the login page when someone was faster', async () => {
  fakeInstance(() => refusal(404, 'not found'));
  showConsole('/setup');
  await fill();
  await submit();
  expect((await screen.findByRole('alert')).textContent).toContain('An administrator exists already.');
  expect(screen.getByRole('button', { name: 'Go to the login page' })).toBeTruthy();
});
