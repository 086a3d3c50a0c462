import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, resetOnUserChange } from './query-client.ts';
import { completeSignIn, restoreSession, setUp, signIn, signOut, updateSession } from './session.ts';
import {
  clearSession,
  currentSession,
  lockSession,
  readSessionCookie,
  sessionState,
  storeSession,
} from './session-state.ts';
import {
  anApp,
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  freshConsole,
  type RecordedCall,
  refusal,
} from './testing.ts';

const wrong = refusal(401, 'Invalid credentials supplied.');
const environmentOr = (call: RecordedCall, other: FakeResponse): FakeResponse =>
  call.path === 'system/environment' ? { body: anEnvironment() } : other;
const sessionCalls = (calls: RecordedCall[]) =>
  calls.filter(({ path }) => path !== 'system/environment').map(({ method, path }) => `${method} ${path}`);

beforeEach(() => freshConsole('/login'));

describe('the cookie', () => {
  it('is CurrentUserObj, without session_id, SameSite=Strict (SES-040, SES-041)', () => {
    const written = vi.spyOn(document, 'cookie', 'set');
    storeSession(aSession());
    expect(written.mock.lastCall?.[0]).toMatch(/^CurrentUserObj=[^;]+; Path=\/; SameSite=Strict$/);
    expect(readSessionCookie()).toMatchObject({
      session_token: 'token-1',
      is_sys_admin: true,
      email: 'ada@example.com',
    });
    expect(readSessionCookie()).not.toHaveProperty('session_id');
    storeSession({ ...aSession(), remember_me: true });
    expect(written.mock.lastCall?.[0]).toMatch(/; Max-Age=\d{7,}$/);
    written.mockRestore();
  });

  it.each(['nonsense', '%', '%22text%22', 'null', encodeURIComponent('{"id":1}')])('ignores %s', (value) => {
    // biome-ignore lint/suspicious/noDocumentCookie: someone else wrote it.
    document.cookie = `CurrentUserObj=${value}; Path=/`;
    expect(readSessionCookie()).toBeNull();
  });
});

describe('signing in', () => {
  const credentials = { email: 'ada@example.com', password: 'secret' };

  it('tries the user first (SES-059)', async () => {
    const calls = fakeInstance((call) => environmentOr(call, { body: aSession({ is_sys_admin: false }) }));
    await signIn(credentials);
    expect(sessionCalls(calls)).toEqual(['POST user/session']);
    expect(calls[0]!.body).toEqual({ ...credentials, remember_me: false });
    expect(currentSession()).toMatchObject({ id: 1, session_token: 'token-1' });
  });

  it.each([401, 404])('then the administrator after %i (SES-060)', async (status) => {
    const calls = fakeInstance((call) => {
      if (call.path === 'user/session') return refusal(status, 'no');
      return environmentOr(call, { body: aSession() });
    });
    await signIn({ ...credentials, remember_me: true });
    expect(sessionCalls(calls)).toEqual(['POST user/session', 'POST system/admin/session']);
    expect(calls[1]!.body).toEqual({ ...credentials, remember_me: true });
    expect(readSessionCookie()).toMatchObject({ remember_me: true });
  });

  it('does not with a directory chosen, nor after other failures (SES-060, SES-061)', async () => {
    const calls = fakeInstance(() => wrong);
    await expect(signIn({ username: 'ada', password: 'x', service: 'ad' })).rejects.toMatchObject({ status: 401 });
    expect(sessionCalls(calls)).toEqual(['POST user/session']);
    expect(calls[0]!.body).toMatchObject({ username: 'ada', service: 'ad' });
    const inactive = fakeInstance(() => refusal(403, 'Role is not active.'));
    await expect(signIn(credentials)).rejects.toThrow('Role is not active.');
    expect(inactive).toHaveLength(1);
    expect(currentSession()).toBeNull();
  });

  it('reads the environment with the new token before anyone decides on it', async () => {
    const apps = [anApp('admin'), anApp('crm')];
    const calls = fakeInstance((call) =>
      call.path === 'system/environment' ? { body: anEnvironment({ apps }) } : { body: aSession() },
    );
    const seen: [boolean, number][] = [];
    const stop = sessionState.subscribe(() => {
      const { session, environment } = sessionState.get();
      seen.push([session !== null, environment?.apps.length ?? 0]);
    });
    await signIn(credentials);
    stop();
    expect(calls.find(({ path }) => path === 'system/environment')?.token).toBe('token-1');
    expect(seen).not.toContainEqual([true, 1]);
    expect(seen.at(-1)).toEqual([true, 2]);
  });

  it('is finished with a session token or a provider answer of the address (SES-080, SES-081)', async () => {
    const calls = fakeInstance((call) => environmentOr(call, { body: aSession() }));
    await completeSignIn('?session_token=abc');
    await completeSignIn('?code=1&state=2');
    await completeSignIn('?oauth_token=t&oauth_verifier=v');
    expect(await completeSignIn('?code=1')).toBeNull();
    expect(sessionCalls(calls)).toEqual([
      'GET user/session?session_token=abc',
      'POST user/session?oauth_callback=true&code=1&state=2',
      'POST user/session?oauth_callback=true&oauth_token=t&oauth_verifier=v',
    ]);
  });

  it('follows set-up at once', async () => {
    const calls = fakeInstance((call) => environmentOr(call, { status: 201, body: aSession() }));
    const admin = { code: 'C', email: 'ada@example.com', password: 'secret', first_name: 'Ada', last_name: 'L' };
    await setUp(admin);
    expect(calls[0]).toMatchObject({ method: 'POST', path: 'system/admin/setup', body: admin });
    expect(currentSession()?.session_token).toBe('token-1');
  });
});

describe('signing out', () => {
  it.each([
    [true, 'system/admin/session'],
    [false, 'user/session'],
  ])('as administrator %s goes to %s (SES-082)', async (isAdmin, path) => {
    storeSession(aSession({ is_sys_admin: isAdmin }));
    const calls = fakeInstance((call) => environmentOr(call, { body: { success: true } }));
    await signOut();
    expect(sessionCalls(calls)).toEqual([`DELETE ${path}`]);
    expect(calls[0]!.headers.get('Content-Type')).toBe('application/json');
    expect(currentSession()).toBeNull();
    expect(readSessionCookie()).toBeNull();
  });

  it.each<[string, FakeResponse, boolean]>([
    ['401 (SES-055, SES-093)', refusal(401, 'Token has expired'), true],
    ['code 401', refusal(400, 'No session.', null, 401), true],
    ['a blacklisted token', refusal(403, 'The token has been blacklisted: x'), true],
    ['500', refusal(500, 'broken'), false],
    ['no answer', 'unreachable', false],
  ])('after %s', async (_name, answer, isOut) => {
    storeSession(aSession());
    fakeInstance((call) => environmentOr(call, answer));
    await signOut().catch(() => undefined);
    expect(currentSession() === null).toBe(isOut);
  });
});

describe('the start', () => {
  it('restores the session of the cookie (SES-056)', async () => {
    storeSession(aSession());
    sessionState.set({ session: null, environment: null, isLocked: false });
    const calls = fakeInstance((call) => environmentOr(call, {}));
    await restoreSession();
    expect(calls.map(({ path, token }) => [path, token])).toEqual([['system/environment', 'token-1']]);
    expect(currentSession()?.id).toBe(1);
  });

  it('renews an expired one', async () => {
    storeSession(aSession());
    fakeInstance((call) => {
      if (call.method === 'PUT') return { body: aSession({ session_token: 'token-2' }) };
      return call.token === 'token-1' ? refusal(401, 'Token has expired: x') : { body: anEnvironment() };
    });
    await restoreSession();
    expect(currentSession()?.session_token).toBe('token-2');
  });

  it('drops one that the environment cannot be read with (SES-057)', async () => {
    storeSession(aSession());
    fakeInstance((call) =>
      call.token ? refusal(401, 'Invalid token: Malformed token') : { body: anEnvironment({ apps: [] }) },
    );
    await restoreSession();
    expect(currentSession()).toBeNull();
    expect(readSessionCookie()).toBeNull();
    expect(sessionState.get().environment?.apps).toEqual([]);
  });

  it('keeps it when the server does not answer at all', async () => {
    storeSession(aSession());
    fakeInstance(() => 'unreachable');
    await expect(restoreSession()).rejects.toMatchObject({ status: 0 });
    expect(readSessionCookie()?.session_token).toBe('token-1');
  });
});

describe('what was read before', () => {
  it('is forgotten when another person signs in, kept over renewals and locks (SES-058, X-027)', () => {
    const stop = resetOnUserChange();
    storeSession(aSession());
    queryClient.setQueryData(['role'], ['mine']);
    updateSession({ session_token: 'token-2', name: 'Ada' });
    lockSession();
    storeSession(aSession({ session_token: 'token-3' }));
    expect(queryClient.getQueryData(['role'])).toEqual(['mine']);
    storeSession(aSession({ id: 2 }));
    expect(queryClient.getQueryData(['role'])).toBeUndefined();
    queryClient.setQueryData(['role'], ['theirs']);
    clearSession(anEnvironment());
    expect(queryClient.getQueryData(['role'])).toBeUndefined();
    stop();
  });
});
