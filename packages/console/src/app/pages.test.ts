import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { send } from '../api/send.ts';
import { storeSession } from '../api/session-state.ts';
import { aSession, fakeInstance, freshConsole } from '../api/testing.ts';
import { preloadFirstPage } from './pages.ts';

const at = (pathname: string, search = '') => ({ pathname, search }) as Location;

beforeEach(() => {
  freshConsole();
  queryClient.clear();
});

const homeCalls = ['', 'system/app/_use', 'system/audit', 'system/job', 'system/service', 'system/service/_use'];

describe('the first page', () => {
  it.each([
    ['/home', homeCalls],
    ['/', homeCalls],
    ['/login', homeCalls],
    ['/users', ['system/user']],
  ])('at %s has asked for its data before it is shown', async (path, expected) => {
    storeSession(aSession({ is_sys_admin: true }));
    const calls = fakeInstance(() => ({ body: { resource: [], services: [], service_types: [] } }));
    await preloadFirstPage(at(path));
    expect(calls.map((each) => each.path.split('?')[0]).sort()).toEqual(expected);
    expect(queryClient.getQueryCache().getAll()).toHaveLength(expected.length);
  });

  it('asks for nothing in the name of nobody, nor for a list behind an editor', async () => {
    const calls = fakeInstance(() => ({ body: {} }));
    await preloadFirstPage(at('/users'));
    storeSession(aSession({ is_sys_admin: true }));
    await preloadFirstPage(at('/users/7'));
    expect(calls).toEqual([]);
  });

  it('reads the page of a list that the address names', async () => {
    storeSession(aSession({ is_sys_admin: true }));
    const calls = fakeInstance(() => ({ body: { resource: [] } }));
    await preloadFirstPage(at('/users', '?page=2&order=email%20desc&filter=jo'));
    const query = new URLSearchParams(calls[0]?.path.split('?')[1]);
    expect(query.get('offset')).toBe('100');
    expect(query.get('order')).toBe('email desc');
    expect(query.get('filter')).toContain('%jo%');
  });

  it('is shown by its own call when the one ahead is refused', async () => {
    storeSession(aSession({ is_sys_admin: true }));
    fakeInstance(() => ({ status: 401, body: {} }));
    await preloadFirstPage(at('/users'));
    expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error');
  });
});

describe('a call made before the scripts were there', () => {
  const ahead = (token: string | null) => {
    globalThis.sluiceFirst = {
      token,
      answers: new Map([['/api/v2/system/environment', Promise.resolve(new Response('{"of":"ahead"}'))]]),
    };
  };

  it('answers the same call once', async () => {
    fakeInstance(() => ({ body: { of: 'now' } }));
    ahead('token-1');
    expect(await send('GET', 'system/environment', {}, 'token-1')).toEqual({ of: 'ahead' });
    expect(await send('GET', 'system/environment', {}, 'token-1')).toEqual({ of: 'now' });
  });

  it('abuse: does not answer another person', async () => {
    fakeInstance(() => ({ body: { of: 'now' } }));
    ahead('token-1');
    expect(await send('GET', 'system/environment', {}, 'token-2')).toEqual({ of: 'now' });
    expect(await send('GET', 'system/environment', {}, null)).toEqual({ of: 'now' });
    globalThis.sluiceFirst = undefined;
  });
});
