// public/first.js makes the calls that pages begin with ahead of them. It stands outside of the build: this holds the two together.
import { beforeEach, expect, it } from 'vitest';
import script from '../../public/first.js?raw';
import { forgetFirstAnswers } from '../api/first-answer.ts';
import { queryClient } from '../api/query-client.ts';
import { readSessionCookie, storeSession } from '../api/session-state.ts';
import { aSession, fakeInstance, freshConsole } from '../api/testing.ts';
import { preloadFirstPage } from './pages.ts';

/** The calls that the script makes at an address. */
const askedAhead = (pathname: string, search = ''): string[] => {
  document.body.innerHTML = '<script type="application/json" id="console-settings">{"api_key":"k"}</script>';
  const asked: string[] = [];
  const fetchAhead = (url: string) => {
    asked.push(url);
    return new Promise(() => {});
  };
  new Function('fetch', 'location', script)(fetchAhead, { pathname, search });
  forgetFirstAnswers();
  return asked;
};

beforeEach(() => {
  freshConsole();
  queryClient.clear();
});

it.each(['/home', '/admins', '/users'])(
  '%s is asked for its data ahead, by the very addresses it asks for',
  async (path) => {
    storeSession(aSession({ is_sys_admin: true }));
    expect(readSessionCookie()?.is_sys_admin).toBe(true);
    const calls = fakeInstance(() => ({ body: { resource: [], services: [], service_types: [] } }));
    await preloadFirstPage({ pathname: path, search: '' } as Location);
    const asked = askedAhead(path);
    expect(asked).toEqual(['/api/v2/system/environment', ...calls.map((each) => `/api/v2/${each.path}`)]);
  },
);

it('asks for nothing but the environment elsewhere, for others, and for another page of a list', () => {
  storeSession(aSession({ is_sys_admin: true }));
  expect(askedAhead('/users', '?page=2')).toEqual(['/api/v2/system/environment']);
  expect(askedAhead('/constructor')).toEqual(['/api/v2/system/environment']);
  storeSession(aSession({ is_sys_admin: false }));
  expect(askedAhead('/home')).toEqual(['/api/v2/system/environment']);
});
