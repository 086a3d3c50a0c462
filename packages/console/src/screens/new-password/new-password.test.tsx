import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentSession, sessionState } from '../../api/session-state.ts';
import {
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  freshConsole,
  type RecordedCall,
  refusal,
} from '../../api/testing.ts';
import { showConsole } from '../../app/testing.tsx';

const authentication = (changes = {}) => ({
  ...anEnvironment().authentication,
  allow_open_registration: true,
  ...changes,
});

/** An instance where signing in works, and `answer` says what becomes of the rest. */
const instance = (answer: (call: RecordedCall) => FakeResponse | undefined, isAdmin = false, changes = {}) => {
  const environment = anEnvironment({ authentication: authentication(changes) });
  sessionState.set({ ...sessionState.get(), environment });
  return fakeInstance((call) => {
    const answered = answer(call);
    if (answered) return answered;
    if (call.path === 'system/environment') return { body: environment };
    if (call.path === (isAdmin ? 'system/admin/session' : 'user/session'))
      return call.method === 'POST' ? { body: aSession({ is_sys_admin: isAdmin }) } : { body: {} };
    if (call.path === 'user/session') return refusal(401, 'Invalid credentials supplied.');
    if (/password/.test(call.path)) return { body: { success: true } };
    return { body: { resource: [], services: [], service_types: [] } };
  });
};
const passwordCalls = (calls: RecordedCall[]) => calls.filter(({ path }) => path.includes('password'));

const choose = async (password: string, verify = password) => {
  await userEvent.type(await screen.findByLabelText('New password'), password);
  await userEvent.type(screen.getByLabelText('Repeat the new password'), verify);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const link = (path: string, admin = '') =>
  `${path}?code=ABC123&email=jo%2Bx%40example.com&username=jo.doe&admin=${admin}`;

beforeEach(() => freshConsole('/reset-password'));

describe('a link in a mail', () => {
  it.each([
    ['/user-invite', '', 'Confirm User', 'user/password?login=false', 'User Confirmation successful.'],
    ['/user-invite', '1', 'Confirm Admin', 'system/admin/password?login=false', 'User Confirmation successful.'],
    ['/register-confirm', '', 'Confirm User', 'user/password?login=false', 'Registration Confirmation successful.'],
  ])(
    '%s (admin: %s) sets a password, signs in and goes to the launchpad (SES-070, SES-071, SES-087)',
    async (path, admin, submit, call, toast) => {
      const calls = instance(() => undefined, admin === '1');
      const { router } = showConsole(link(path, admin));
      await choose('secret');
      // The code is out of the address, and out of sight.
      expect(router.state.location.search).toBe('');
      expect(screen.queryByLabelText('Confirmation code')).toBeNull();
      await press(submit);
      await waitFor(() => expect(router.state.location.pathname).toBe('/launchpad'));
      expect(passwordCalls(calls)).toMatchObject([
        {
          path: call,
          body: { email: 'jo+x@example.com', username: 'jo.doe', code: 'ABC123', new_password: 'secret' },
        },
      ]);
      expect(await screen.findByText(toast)).toBeTruthy();
      expect(currentSession()?.session_token).toBe('token-1');
    },
  );

  it('sets a forgotten password, as the other kind of account too, and leads home (SES-072, SES-085, SES-086, SES-095)', async () => {
    const calls = instance(
      ({ path }) => (path.startsWith('user/password') ? refusal(401, 'You are not authorized') : undefined),
      true,
    );
    const { router } = showConsole(link('/reset-password'));
    await choose('secret');
    await press('Reset Password');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    expect(passwordCalls(calls).map(({ path }) => path)).toEqual([
      'user/password?login=false',
      'system/admin/password?login=false',
    ]);
    expect(await screen.findByText('Password reset successful.')).toBeTruthy();
  });

  it('of an administrator asks the administrators’ address at once', async () => {
    const calls = instance(() => undefined, true);
    showConsole(link('/reset-password', '1'));
    await choose('secret');
    await press('Reset Password');
    await waitFor(() => expect(passwordCalls(calls)[0]?.path).toBe('system/admin/password?login=false'));
  });

  it('checks before it sends (SES-074…077)', async () => {
    const calls = instance(() => undefined);
    showConsole(link('/user-invite'));
    await choose('abcd', 'abce');
    await press('Confirm User');
    expect(screen.getByText('Password must be at least 5 characters.')).toBeTruthy();
    expect(screen.getByText('Passwords do not match.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')));
    expect(passwordCalls(calls)).toEqual([]);
  });

  it.each([
    ['/user-invite', 'Confirm User'],
    ['/register-confirm', 'Confirm User'],
    ['/reset-password', 'Reset Password'],
  ])('%s with a code that is too old leads to a new mail (SES-091)', async (path, submit) => {
    const calls = instance(({ path: called }) =>
      /password\?login/.test(called) ? refusal(400, 'Confirmation code expired.') : undefined,
    );
    const { router } = showConsole(link(path));
    await choose('secret');
    await press(submit);
    expect((await screen.findByRole('alert')).textContent).toContain('Confirmation code expired.');
    expect(screen.getByLabelText<HTMLInputElement>('Confirmation code').value).toBe('ABC123');
    await userEvent.click(screen.getByText('Ask for a new mail'));
    expect(await screen.findByRole('heading', { name: 'Password Reset' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/reset-password');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('jo+x@example.com');
    expect(passwordCalls(calls)).toHaveLength(1);
  });

  it('says what is wrong with the password beside it, and keeps the code out of sight', async () => {
    const message = 'The password must be at least 8 characters.';
    instance(({ path }) =>
      path.includes('password')
        ? refusal(400, `Invalid data supplied. ${message}`, { password: [message] })
        : undefined,
    );
    showConsole(link('/user-invite'));
    await choose('secret');
    await press('Confirm User');
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.queryByText('Ask for a new mail')).toBeNull();
    expect(screen.queryByLabelText('Confirmation code')).toBeNull();
    await userEvent.type(screen.getByLabelText('New password'), '2');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('sets no second password when only the sign-in failed (SES-094)', async () => {
    let mayEnter = false;
    const calls = instance(({ path, method }) =>
      !mayEnter && path.endsWith('session') && method === 'POST' ? refusal(503, 'Busy.') : undefined,
    );
    const { router } = showConsole(link('/user-invite'));
    await choose('secret');
    await press('Confirm User');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Your password is set, but signing in with it failed.');
    expect(alert.textContent).toContain('Busy.');
    mayEnter = true;
    await press('Confirm User');
    await waitFor(() => expect(router.state.location.pathname).toBe('/launchpad'));
    expect(passwordCalls(calls)).toHaveLength(1);
  });

  it('asks for the code where the address has none (OPEN-021)', async () => {
    const calls = instance(() => undefined, false, { login_attribute: 'username' });
    showConsole('/user-invite');
    await userEvent.type(await screen.findByLabelText('Username'), 'jo.doe');
    await choose('secret');
    await press('Confirm User');
    expect(screen.getByText('Enter the code from the mail.')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Confirmation code'), ' XYZ ');
    await press('Confirm User');
    await waitFor(() =>
      expect(passwordCalls(calls)[0]?.body).toEqual({
        email: '',
        username: 'jo.doe',
        code: 'XYZ',
        new_password: 'secret',
      }),
    );
  });
});

describe('who has forgotten their password', () => {
  it('comes from the sign-in with what was typed, and learns that a mail was sent (SES-026, SES-029, SES-065, SES-083)', async () => {
    const calls = instance(({ path }) =>
      path.startsWith('user/password') ? refusal(404, 'The supplied email was not found in the system.') : undefined,
    );
    showConsole('/login');
    await userEvent.type(await screen.findByPlaceholderText('Enter Email'), 'jo@example.com');
    await userEvent.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByDisplayValue('jo@example.com')).toBeTruthy();
    await press('Request Password Reset');
    expect(await screen.findByText("A password reset email has been sent to the user's email address.")).toBeTruthy();
    expect(passwordCalls(calls)).toMatchObject([
      { path: 'user/password?reset=true', body: { email: 'jo@example.com', reset: true } },
      { path: 'system/admin/password?reset=true', body: { email: 'jo@example.com', reset: true } },
    ]);
    await press('Enter the code of a mail');
    expect(screen.getByLabelText('Confirmation code')).toBeTruthy();
  });

  it('answers their question (SES-064, SES-084, OPEN-015)', async () => {
    const calls = instance(({ path, body }) => {
      if (path === 'user/password?reset=true') return { body: { security_question: 'First pet?' } };
      if ((body as { security_answer?: string })?.security_answer === 'Rex')
        return refusal(400, 'The answer supplied does not match.');
      return undefined;
    });
    const { router } = showConsole('/reset-password');
    await userEvent.type(await screen.findByLabelText('Email'), 'jo@example.com');
    await press('Request Password Reset');
    expect(await screen.findByRole('heading', { name: 'Security Question' })).toBeTruthy();
    expect(screen.getByText('First pet?')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Your answer'), 'Rex');
    await choose('secret');
    await press('Reset Password');
    expect((await screen.findByRole('alert')).textContent).toBe('The answer supplied does not match.');
    await userEvent.clear(screen.getByLabelText('Your answer'));
    await userEvent.type(screen.getByLabelText('Your answer'), 'Max');
    await press('Reset Password');
    await waitFor(() => expect(router.state.location.pathname).toBe('/launchpad'));
    expect(passwordCalls(calls).at(-1)).toMatchObject({
      path: 'user/password?login=false',
      body: {
        email: 'jo@example.com',
        security_question: 'First pet?',
        security_answer: 'Max',
        new_password: 'secret',
      },
    });
    expect(await screen.findByText('Password reset successful.')).toBeTruthy();
  });
});
