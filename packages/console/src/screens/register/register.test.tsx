import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { sessionState } from '../../api/session-state.ts';
import { anEnvironment, aSession, type FakeResponse, fakeInstance, freshConsole, refusal } from '../../api/testing.ts';
import { showConsole } from '../../app/testing.tsx';

const instance = (changes = {}, answer: FakeResponse = { body: { success: true } }) => {
  const environment = anEnvironment({
    authentication: { ...anEnvironment().authentication, allow_open_registration: true, ...changes },
  });
  sessionState.set({ ...sessionState.get(), environment });
  return fakeInstance(({ path }) => {
    if (path.startsWith('user/register')) return answer;
    if (path === 'user/session') return { body: aSession({ is_sys_admin: false }) };
    return { body: environment };
  });
};

const fill = async () => {
  await userEvent.type(await screen.findByLabelText(/^Email/), 'jo@example.com');
  await userEvent.type(screen.getByLabelText(/^First name/), 'Jo');
  await userEvent.type(screen.getByLabelText(/^Last name/), 'Doe');
};
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Register' }));

beforeEach(() => freshConsole('/register'));

it('is led to from the sign-in while it is open, and only then (SES-013)', async () => {
  instance({ allow_open_registration: false });
  const { router, unmount } = showConsole('/register');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(await screen.findByRole('link', { name: 'Forgot password?' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Register' })).toBeNull();
  unmount();
  instance();
  showConsole('/login');
  expect((await screen.findAllByRole('link', { name: 'Register' })).map((link) => link.getAttribute('href'))).toEqual([
    '/register',
    '/register',
  ]);
});

it('with a mail to confirm it asks for no password and says that the mail is on its way (SES-068, SES-088)', async () => {
  const calls = instance({ open_reg_email_service_id: 6 });
  const { router } = showConsole('/register');
  await fill();
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  await submit();
  await waitFor(() => expect(router.state.location.pathname).toBe('/register-complete'));
  expect(await screen.findByText('Thanks For Registering!')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Login page' }).getAttribute('href')).toBe('/login');
  expect(calls[0]).toMatchObject({ path: 'user/register?login=false' });
  expect(calls[0]?.body).toEqual({ email: 'jo@example.com', first_name: 'Jo', last_name: 'Doe' });
});

it('without one it signs in and goes to the launchpad (SES-069)', async () => {
  const calls = instance();
  const { router } = showConsole('/register');
  await fill();
  await userEvent.type(screen.getByLabelText(/^Password/), 'secret');
  await userEvent.type(screen.getByLabelText(/^Repeat the password/), 'secret');
  await submit();
  await waitFor(() => expect(router.state.location.pathname).toBe('/launchpad'));
  expect(calls[0]?.body).toMatchObject({ new_password: 'secret', verify_password: 'secret' });
  expect(calls[1]).toMatchObject({ path: 'user/session', body: { email: 'jo@example.com', password: 'secret' } });
});

it('checks before it sends (SES-078)', async () => {
  const calls = instance({ login_attribute: 'username' });
  showConsole('/register');
  await userEvent.type(await screen.findByLabelText(/^Password/), 'abcd');
  await submit();
  for (const text of [
    'Enter a valid email address.',
    'Enter a username.',
    'Enter your first name.',
    'Enter your last name.',
    'Password must be at least 5 characters.',
    'Password and confirm password do not match.',
  ])
    expect(screen.getByText(text)).toBeTruthy();
  expect(calls).toEqual([]);
});

it.each([
  [
    'each field',
    refusal(400, 'Validation failed', { email: ['The email has already been taken.'] }),
    'email: The email has already been taken.',
  ],
  ['the message', refusal(403, 'Open Registration is not enabled.'), 'Open Registration is not enabled.'],
])('a refusal shows %s (SES-092)', async (_what, answer, said) => {
  instance({ open_reg_email_service_id: 6 }, answer);
  showConsole('/register');
  await fill();
  await submit();
  expect((await screen.findByRole('alert')).textContent).toBe(`Validation failed. ${said}`);
});

it('a server that is away refuses nothing', async () => {
  instance({ open_reg_email_service_id: 6 }, 'unreachable');
  showConsole('/register');
  await fill();
  await submit();
  expect((await screen.findByRole('alert')).textContent).toBe('The server cannot be reached.');
});

it('abuse: an address fills in what is seen in the form, and nothing else (SES-053)', async () => {
  const calls = instance({ open_reg_email_service_id: 6 });
  showConsole('/register?name=Jo&security_question=a&security_answer=b&new_password=c&email=x');
  await fill();
  expect(screen.getByLabelText<HTMLInputElement>(/^Display name/).value).toBe('Jo');
  await submit();
  await waitFor(() => expect(calls.length).toBeGreaterThan(0));
  expect(Object.keys(calls[0]?.body as object).sort()).toEqual(['email', 'first_name', 'last_name', 'name']);
});
