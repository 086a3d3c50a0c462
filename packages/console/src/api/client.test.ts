import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from './client.ts';
import { ApiError } from './errors.ts';
import { closeGate, gate } from './renewal.ts';
import { reachable } from './send.ts';
import { currentToken, readSessionCookie, sessionState, storeSession } from './session-state.ts';
import { aSession, type FakeResponse, fakeInstance, freshConsole, refusal } from './testing.ts';

const expired = refusal(401, 'Token has expired: Session expired. Please refresh your token.');
const blacklisted = refusal(403, 'The token has been blacklisted: Session terminated. Please re-login.');
const renewed = (token: string, changes = {}): FakeResponse => ({
  body: aSession({ session_token: token, session_id: token, ...changes }),
});

beforeEach(() => freshConsole());

describe('a call', () => {
  it('carries the key, the token and JSON, also on DELETE (X-001, X-002, X-003, SES-104)', async () => {
    storeSession(aSession());
    const calls = fakeInstance(() => ({ body: { success: true } }));
    await api.delete('/system/role', { query: { ids: [1, 2], rollback: true, filter: undefined } });
    expect(calls[0]).toMatchObject({ method: 'DELETE', path: 'system/role?ids=1%2C2&rollback=true', token: 'token-1' });
    expect(calls[0]!.headers.get('X-DreamFactory-API-Key')).toBe('key');
    expect(calls[0]!.headers.get('Content-Type')).toBe('application/json');
  });

  it('goes to /api/v2 of its own origin, and sends a file as it is', async () => {
    const seen: [string, RequestInit][] = [];
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      seen.push([address, init]);
      return new Response('{}');
    });
    const file = new Blob(['a,b'], { type: 'text/csv' });
    await api.post('system/user', { body: file, headers: { 'Content-Type': 'text/csv' } });
    expect(seen[0]![0]).toBe('/api/v2/system/user');
    expect(seen[0]![1].body).toBe(file);
    expect(new Headers(seen[0]![1].headers).get('Content-Type')).toBe('text/csv');
  });

  it('says that the server is unreachable, and notices when it is back', async () => {
    let answer: FakeResponse = 'unreachable';
    fakeInstance(() => answer);
    const failure = await api.get('system/role').catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 0, message: 'The server cannot be reached.', isUnreachable: true });
    expect(reachable.get()).toBe(false);
    answer = { body: {} };
    await api.get('system/role');
    expect(reachable.get()).toBe(true);
  });

  it('passes the abort of its caller on, and does not call it an outage', async () => {
    const stop = new AbortController();
    fakeInstance(() => {
      stop.abort();
      return 'unreachable';
    });
    await expect(api.get('x', { signal: stop.signal })).rejects.toBeInstanceOf(TypeError);
    expect(reachable.get()).toBe(true);
  });
});

describe('an error', () => {
  const failing = async (answer: FakeResponse): Promise<ApiError> => {
    fakeInstance(() => answer);
    return (await api.get('system/role').catch((error: unknown) => error)) as ApiError;
  };

  it('keeps code, context, message and request id (X-008)', async () => {
    const error = await failing(refusal(404, "Record with identifier '77' not found."));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 404, context: null, requestId: 'req-1' });
    expect(error.messages()).toEqual(["Record with identifier '77' not found."]);
  });

  it('of a batch lists the messages of its records (X-007)', async () => {
    const item = (message: string, context: unknown = null) => ({ code: 400, context, message, status_code: 400 });
    const context = {
      error: [1, 2],
      resource: [{ id: 12 }, item('The name field is required.', { name: ['Needed.'] })],
    };
    const one = await failing(refusal(400, 'Batch Error: Not all requested records could be created.', context, 1000));
    expect(one.messages()).toEqual(['The name field is required.']);
    expect(one.fieldMessages()).toEqual({ name: ['Needed.'] });
    const two = { error: [0, 1], resource: [item('First.', { a: ['A.'] }), item('Second.', { b: ['B.'] })] };
    const both = await failing(refusal(400, 'Batch Error', two, 1000));
    expect(both.messages()).toEqual(['First.', 'Second.']);
    expect(both.fieldMessages()).toEqual({});
  });

  it.each<[string, FakeResponse]>([
    ['an empty answer', { status: 502 }],
    ['a page', { status: 502, body: '<html>' }],
    ['an envelope without a message', { status: 500, body: { error: { code: 500 } } }],
  ])('of %s has the fallback text (X-009)', async (_name, answer) => {
    expect((await failing(answer)).messages()).toEqual(['The server returned an unknown error.']);
  });
});

describe('a session that ended', () => {
  it.each<[string, FakeResponse, boolean]>([
    ['an expired token (SES-099)', expired, true],
    ['any other 401 (SES-099)', refusal(401, 'Invalid token: Malformed token'), true],
    ['a blacklisted token (SES-100)', blacklisted, true],
    ['a 403 for other reasons', refusal(403, 'Access Forbidden.'), false],
    ['a 500', refusal(500, 'Token has expired'), false],
  ])('is renewed after %s', async (_name, answer, isRenewed) => {
    storeSession(aSession());
    const calls = fakeInstance((call) => {
      if (call.method === 'PUT') return renewed('token-2');
      return call.token === 'token-1' ? answer : { body: { id: 1 } };
    });
    const result = await api.get('system/role/1').catch((error: unknown) => error);
    if (!isRenewed) {
      expect(result).toBeInstanceOf(ApiError);
      expect(calls).toHaveLength(1);
      return;
    }
    expect(result).toEqual({ id: 1 });
    expect(calls.map(({ method, path, token }) => [method, path, token])).toEqual([
      ['GET', 'system/role/1', 'token-1'],
      ['PUT', 'system/admin/session', 'token-1'],
      ['GET', 'system/role/1', 'token-2'],
    ]);
    expect(readSessionCookie()?.session_token).toBe('token-2');
  });

  it('is renewed at the address of its kind of person, and keeps what a renewal leaves out (SES-079, SES-102)', async () => {
    storeSession(aSession({ is_sys_admin: false, role: 'reader', role_id: 4 }));
    const calls = fakeInstance((call) => {
      if (call.method === 'PUT') return renewed('token-2', { is_sys_admin: false });
      return call.token === 'token-1' ? expired : { body: {} };
    });
    await api.get('db/_table/x');
    expect(calls[1]!.path).toBe('user/session');
    expect(sessionState.get().session).toMatchObject({ role: 'reader', role_id: 4, session_token: 'token-2' });
  });

  it('is renewed once for many calls, and each is repeated as it was (SES-099, SES-103)', async () => {
    storeSession(aSession());
    const calls = fakeInstance(async (call) => {
      if (call.method === 'PUT') return renewed('token-2');
      return call.token === 'token-1' ? expired : { body: { path: call.path, body: call.body ?? null } };
    });
    const results = await Promise.all([
      api.get('a', { query: { limit: 5 } }),
      api.patch('b', { body: { name: 'x' } }),
      api.delete('c'),
    ]);
    expect(results).toEqual([
      { path: 'a?limit=5', body: null },
      { path: 'b', body: { name: 'x' } },
      { path: 'c', body: null },
    ]);
    expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('takes the token another tab has got meanwhile, without asking the server', async () => {
    storeSession(aSession());
    const calls = fakeInstance((call) => (call.token === 'token-1' ? blacklisted : { body: {} }));
    const cookie = encodeURIComponent(JSON.stringify(aSession({ session_token: 'token-of-other-tab' })));
    // biome-ignore lint/suspicious/noDocumentCookie: what the other tab did.
    document.cookie = `CurrentUserObj=${cookie}; Path=/`;
    await api.get('a');
    expect(calls.map(({ method, token }) => [method, token])).toEqual([
      ['GET', 'token-1'],
      ['GET', 'token-of-other-tab'],
    ]);
    expect(currentToken()).toBe('token-of-other-tab');
  });

  it('opens the login overlay when it cannot be renewed; the calls wait and are repeated (SES-101)', async () => {
    storeSession(aSession());
    const calls = fakeInstance((call) => {
      if (call.method === 'PUT')
        return refusal(401, 'Token refresh failed. Token has expired and can no longer be refreshed');
      return call.token === 'token-1' ? expired : { body: { for: call.path } };
    });
    const both = Promise.all([api.get('a'), api.post('b', { body: { id: 1 } })]);
    await vi.waitFor(() => expect(gate.get()).not.toBeNull());
    await vi.waitFor(() => expect(calls.filter(({ method }) => method !== 'PUT')).toHaveLength(2));
    expect(sessionState.get()).toMatchObject({ isLocked: true, session: { id: 1, session_token: null } });
    expect(readSessionCookie()).toBeNull();

    // A call made while the overlay is open waits as well, instead of going out without a session.
    const before = calls.length;
    const late = api.get('c');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(calls).toHaveLength(before);

    storeSession(aSession({ session_token: 'token-3' }));
    closeGate();
    expect(await both).toEqual([{ for: 'a' }, { for: 'b' }]);
    expect(await late).toEqual({ for: 'c' });
    expect(calls.slice(-3).every(({ token }) => token === 'token-3')).toBe(true);
  });

  it('lets waiting calls fail when the overlay was left, or someone else signed in', async () => {
    storeSession(aSession());
    fakeInstance((call) => (call.method === 'PUT' ? blacklisted : expired));
    const left = api.get('a');
    await vi.waitFor(() => expect(gate.get()).not.toBeNull());
    closeGate(new Error('left'));
    await expect(left).rejects.toThrow('left');

    storeSession(aSession());
    const calls = fakeInstance((call) =>
      call.method === 'PUT' ? blacklisted : call.token === 'token-1' ? expired : { body: {} },
    );
    const other = api.delete('system/role/1');
    await vi.waitFor(() => expect(gate.get()).not.toBeNull());
    storeSession(aSession({ id: 2, session_token: 'token-9' }));
    closeGate();
    await expect(other).rejects.toMatchObject({ status: 401 });
    expect(calls.filter(({ method, token }) => method === 'DELETE' && token === 'token-9')).toHaveLength(0);
  });

  it('stays when the server only cannot be reached', async () => {
    storeSession(aSession());
    fakeInstance((call) => (call.method === 'PUT' ? 'unreachable' : expired));
    await expect(api.get('a')).rejects.toMatchObject({ status: 0 });
    expect(gate.get()).toBeNull();
    expect(currentToken()).toBe('token-1');
  });

  it('hands on a 401 that a renewal does not cure: it may come from behind the service', async () => {
    storeSession(aSession());
    fakeInstance((call) => (call.method === 'PUT' ? renewed('token-2') : refusal(401, 'Upstream says no.')));
    await expect(api.get('remote/thing')).rejects.toMatchObject({ status: 401, message: 'Upstream says no.' });
    expect(gate.get()).toBeNull();
  });

  it.each([
    ['/home', 'user/session'],
    ['/home', 'system/admin/session?x=1'],
    ['/login', 'system/environment'],
    ['/user-invite', 'a'],
    ['/register-confirm', 'a'],
    ['/register', 'a'],
    ['/register-complete', 'a'],
    ['/logout', 'a'],
  ])('is left alone at %s for %s (OPEN-006)', async (page, path) => {
    freshConsole(page);
    storeSession(aSession());
    const calls = fakeInstance(() => expired);
    await expect(api.get(path)).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(1);
  });

  it.each(['/apidocs', '/apidocs/shop/call/getShop'])(
    'is not renewed at %s: one signs in again (OPEN-006)',
    async (page) => {
      freshConsole(page);
      storeSession(aSession());
      const calls = fakeInstance((call) => (call.token === 'token-2' ? { body: { a: 1 } } : expired));
      const answer = api.get('api_docs/shop');
      await vi.waitFor(() => expect(gate.get()).not.toBeNull());
      expect(calls.map(({ method }) => method)).toEqual(['GET']);
      storeSession(aSession({ session_token: 'token-2' }));
      closeGate();
      expect(await answer).toEqual({ a: 1 });
    },
  );

  it('of nobody is not renewed', async () => {
    const calls = fakeInstance(() => refusal(401, 'There is no valid session for the current request.'));
    await expect(api.get('a')).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(1);
    expect(gate.get()).toBeNull();
  });
});
