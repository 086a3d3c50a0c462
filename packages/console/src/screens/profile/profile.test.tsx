import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentSession, sessionState, storeSession } from '../../api/session-state.ts';
import {
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  freshConsole,
  type RecordedCall,
  refusal,
} from '../../api/testing.ts';
import { show } from '../../session/testing.tsx';
import { ProfileScreen } from './index.tsx';

const stored = {
  username: 'ada',
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: null,
  security_question: null,
  default_app_id: null,
  oauth_provider: '',
  adldap: '',
};

/** Answers the calls but those on sessions. */
const open = async (answers: { password?: FakeResponse; put?: FakeResponse; profile?: object } = {}) => {
  const calls: RecordedCall[] = [];
  fakeInstance((call) => {
    if (call.path.startsWith('user/_sessions')) return refusal(404, 'no such list');
    calls.push(call);
    if (call.path.includes('/password'))
      return answers.password ?? { body: { success: true, session_token: 'token-2' } };
    if (call.method === 'PUT') return answers.put ?? { body: { success: true } };
    return { body: { ...stored, ...answers.profile } };
  });
  show(<ProfileScreen />, '/profile');
  await screen.findByLabelText(/Display Name/);
  return calls;
};
const fillPasswords = async (old: string, newPassword: string, verify: string) => {
  await userEvent.click(screen.getByLabelText('Set Password'));
  if (old) await userEvent.type(screen.getByLabelText('Enter Old Password'), old);
  if (newPassword) await userEvent.type(screen.getByLabelText('Enter Password'), newPassword);
  if (verify) await userEvent.type(screen.getByLabelText('Verify Password'), verify);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const writesOf = (calls: Awaited<ReturnType<typeof open>>) =>
  calls.slice(1).map(({ method, path }) => `${method} ${path}`);

beforeEach(() => {
  freshConsole('/profile');
  storeSession(aSession());
});

describe('the profile', () => {
  it.each([
    [true, 'system/admin/profile'],
    [false, 'user/profile'],
  ])('of administrator %s is read and saved at %s (PRO-009, PRO-010, PRO-011)', async (isAdmin, path) => {
    storeSession(aSession({ is_sys_admin: isAdmin }));
    const calls = await open();
    expect(calls[0]!.path).toBe(path);
    const name = screen.getByLabelText(/Display Name/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Ada L.');
    await save();
    expect(await screen.findByText('Profile updated successfully.')).toBeTruthy();
    expect(writesOf(calls)[0]).toBe(`PUT ${path}?fields=*`);
    expect(calls[1]!.body).toMatchObject({ name: 'Ada L.', email: 'ada@example.com', phone: '' });
    expect(calls[1]!.body).not.toHaveProperty('security_answer');
    expect(currentSession()?.name).toBe('Ada L.');
  });

  it('hides password and question from people of other directories (PRO-003)', async () => {
    await open({ profile: { adldap: 'ad' } });
    expect(screen.queryByLabelText('Set Password')).toBeNull();
    expect(screen.queryByLabelText('Set Security Question')).toBeNull();
  });

  it('changes the password first, and goes on with the new token (PRO-005, PRO-012, PRO-013, PRO-016)', async () => {
    const calls = await open();
    await fillPasswords('secret', 'secret-2', 'secret-2');
    await save();
    expect(await screen.findByText('Profile and password updated successfully.')).toBeTruthy();
    expect(writesOf(calls).slice(0, 2)).toEqual([
      'POST system/admin/password?reset=false&login=true',
      'PUT system/admin/profile?fields=*',
    ]);
    expect(calls[1]!.body).toEqual({ old_password: 'secret', new_password: 'secret-2' });
    expect(calls[2]!.token).toBe('token-2');
    expect(currentSession()?.session_token).toBe('token-2');
    expect(screen.queryByLabelText('Enter Old Password')).toBeNull();
  });

  it.each([
    ['', 'secret-2', 'secret-2', 'This is needed.'],
    ['secret', '', 'secret-2', 'This is needed.'],
    ['secret', 'secret-2', '', 'This is needed.'],
    ['secret', 'secret-2', 'secret-3', 'Passwords do not match.'],
    ['secret', 'abcd', 'abcd', 'Password must be at least 5 characters.'],
  ])('sends nothing for %s / %s / %s (PRO-007, PRO-008)', async (old, newPassword, verify, message) => {
    const calls = await open();
    await fillPasswords(old, newPassword, verify);
    await save();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(writesOf(calls)).toEqual([]);
  });

  it('stops at a wrong old password', async () => {
    const calls = await open({ password: refusal(400, 'The password supplied does not match.') });
    await fillPasswords('wrong', 'secret-2', 'secret-2');
    await save();
    expect((await screen.findAllByText('The password supplied does not match.')).length).toBeGreaterThan(0);
    expect(writesOf(calls)).toHaveLength(1);
  });

  it('says when only the password was saved (PRO-017)', async () => {
    const context = { email: ['The email has already been taken.'] };
    await open({ put: refusal(400, 'Invalid data supplied. The email has already been taken.', context) });
    await fillPasswords('secret', 'secret-2', 'secret-2');
    await save();
    expect(await screen.findByText('Password updated successfully but Profile could not be saved.')).toBeTruthy();
    expect(screen.getByText('The email has already been taken.')).toBeTruthy();
    expect(currentSession()?.session_token).toBe('token-2');
  });

  it('sends the question with its answer when asked to', async () => {
    const calls = await open();
    await userEvent.click(screen.getByLabelText('Set Security Question'));
    await userEvent.type(screen.getByLabelText('Question'), 'First pet?');
    await userEvent.type(screen.getByLabelText('Answer'), 'Rex');
    await save();
    await screen.findByText('Profile updated successfully.');
    expect(calls[1]!.body).toMatchObject({ security_question: 'First pet?', security_answer: 'Rex' });
  });

  it('says when it cannot be read (PRO-014)', async () => {
    fakeInstance(() => refusal(500, 'x'));
    show(<ProfileScreen />, '/profile');
    const texts = await screen.findAllByText(/There was an error loading User Profile data/, {}, { timeout: 3000 });
    expect(texts.length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('warns about the default account (OPEN-204)', async () => {
    storeSession(aSession({ email: 'user@example.com' }));
    sessionState.set({ ...sessionState.get(), environment: anEnvironment() });
    await open();
    await waitFor(() => expect(screen.getByText(/You are using the default account/)).toBeTruthy());
  });
});
