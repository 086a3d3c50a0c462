import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { gate, waitForSignIn } from '../api/renewal.ts';
import { currentSession, sessionState, storeSession } from '../api/session-state.ts';
import {
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  freshConsole,
  type RecordedCall,
  refusal,
} from '../api/testing.ts';
import { notices } from '../ui/notify.ts';
import { LoginForm } from './login-form.tsx';
import { LoginOverlay } from './login-overlay.tsx';
import { refusedSignIn } from './refused-sign-in.ts';
import { show } from './testing.tsx';

const authentication = (changes = {}) =>
  sessionState.set({
    ...sessionState.get(),
    environment: anEnvironment({ authentication: { ...anEnvironment().authentication, ...changes } }),
  });
const withEnvironment = (session: FakeResponse) => (call: RecordedCall) =>
  call.path === 'system/environment' ? { body: anEnvironment() } : session;
const directory = { path: 'user/session?service=ad', name: 'ad', label: 'Corporate', verb: 'POST' };
const provider = { path: 'user/session?service=github', name: 'github', label: 'GitHub', verb: 'GET' };

const fill = async (name: string, password: string) => {
  await userEvent.type(screen.getByPlaceholderText(/Enter (Email|Username)/), name);
  await userEvent.type(screen.getByPlaceholderText('Enter Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
};

beforeEach(() => freshConsole('/login'));

describe('the login form', () => {
  it('asks for an e-mail address (SES-027, OPEN-010) and nothing that is not allowed', () => {
    show(<LoginForm />);
    expect(screen.getByPlaceholderText('Enter Email').getAttribute('type')).toBe('email');
    expect(screen.queryByLabelText('Remember Me')).toBeNull();
    expect(screen.queryByLabelText('Services:')).toBeNull();
    expect(screen.queryByText('OAuth Login')).toBeNull();
    expect(screen.queryByText('SAML 2.0 Login')).toBeNull();
  });

  it('asks for a user name when that is the login attribute or a directory is chosen (SES-024, SES-028, SES-042, SES-043, SES-051, OPEN-011)', async () => {
    authentication({ adldap: [directory] });
    const calls = fakeInstance(withEnvironment({ body: aSession({ is_sys_admin: false }) }));
    show(<LoginForm />);
    const choice = screen.getByLabelText('Services:');
    expect([...choice.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      `-- ${window.location.host} --`,
      'Corporate',
    ]);
    await userEvent.selectOptions(choice, 'Corporate');
    expect(screen.getByPlaceholderText('Enter Username').getAttribute('type')).toBe('text');
    await fill('ada', 'secret');
    expect(calls[0]!.body).toEqual({ username: 'ada', password: 'secret', service: 'ad', remember_me: false });
  });

  it('offers to remember only when sessions may last (SES-025, SES-044, OPEN-012)', async () => {
    authentication({ allow_forever_sessions: true, login_attribute: 'username' });
    const calls = fakeInstance(withEnvironment({ body: aSession() }));
    show(<LoginForm />);
    await userEvent.click(screen.getByLabelText('Remember Me'));
    await fill('ada', 'secret');
    expect(calls[0]!.body).toEqual({ username: 'ada', password: 'secret', remember_me: true });
  });

  it('links to providers (SES-037, SES-038, SES-045, SES-046, SES-090, OPEN-013)', () => {
    authentication({ oauth: [provider], saml: [{ ...provider, path: 'okta/sso', name: 'okta', label: 'Okta' }] });
    show(<LoginForm />);
    expect(screen.getByText('OAuth Login')).toBeTruthy();
    expect(screen.getByText('SAML 2.0 Login')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'GitHub' });
    expect(link.getAttribute('href')).toBe('/api/v2/user/session?service=github');
    expect(link.getAttribute('target')).toBe('_top');
    expect(screen.getByRole('link', { name: 'Okta' }).getAttribute('href')).toBe('/api/v2/okta/sso');
  });

  it('asks for what is missing before it sends anything', async () => {
    const calls = fakeInstance(() => ({ body: {} }));
    show(<LoginForm />);
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(screen.getByText('Enter your email address.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByPlaceholderText('Enter Email'));
    expect(calls).toHaveLength(0);
  });

  it('shows the message of the server, which can be dismissed (SES-061, OPEN-009)', async () => {
    fakeInstance(() => refusal(401, 'Invalid credentials supplied.'));
    show(<LoginForm />);
    await fill('ada@example.com', 'wrong');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Invalid credentials supplied.');
    expect(screen.getByPlaceholderText<HTMLInputElement>('Enter Email').value).toBe('ada@example.com');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByPlaceholderText('Enter Password')));
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('cannot be used while its request runs (SES-035)', async () => {
    let answer = (_: FakeResponse) => {};
    fakeInstance(() => new Promise<FakeResponse>((resolve) => (answer = resolve)));
    const { container } = show(<LoginForm />);
    await fill('ada@example.com', 'secret');
    expect(container.querySelector('[inert]')).not.toBeNull();
    expect(await screen.findByText('One moment')).toBeTruthy();
    answer(refusal(500, 'x'));
    await waitFor(() => expect(container.querySelector('[inert]')).toBeNull());
  });
});

describe('the login overlay', () => {
  it('lies over the page and goes away after the sign-in (SES-036)', async () => {
    storeSession(aSession());
    fakeInstance(withEnvironment({ body: aSession({ session_token: 'token-2' }) }));
    show(<LoginOverlay navigate={async () => {}} />);
    expect(screen.queryByRole('dialog')).toBeNull();
    const waiting = waitForSignIn();
    expect(await screen.findByRole('dialog', { name: 'Your session has ended' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(gate.get()).not.toBeNull();
    await userEvent.type(screen.getByPlaceholderText('Enter Password'), 'secret');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    await waiting;
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentSession()?.session_token).toBe('token-2');
  });

  it('removes itself and goes to /logout when the sign-in fails (SES-063)', async () => {
    storeSession(aSession());
    const go = vi.fn(async () => {});
    fakeInstance(withEnvironment(refusal(401, 'Invalid credentials supplied.')));
    show(<LoginOverlay navigate={go} />);
    const waiting = waitForSignIn();
    const failed = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await userEvent.type(await screen.findByPlaceholderText('Enter Password'), 'wrong');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    await failed;
    expect(go).toHaveBeenCalledWith('/logout');
    expect(currentSession()).toBeNull();
    expect(gate.get()).toBeNull();
    // The login page says why, and nothing else does.
    expect(refusedSignIn.get()).toEqual({ message: 'Invalid credentials supplied.', person: 1 });
    expect(notices.get().toasts).toEqual([]);
  });
});
