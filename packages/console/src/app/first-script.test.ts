// public/first.js runs before the console's own scripts, and stands outside of their build.
import { beforeEach, expect, it } from 'vitest';
import script from '../../public/first.js?raw';
import { forgetFirstAnswers, takeFirstAnswer } from '../api/first-answer.ts';
import { storeSession } from '../api/session-state.ts';
import { aSession, freshConsole } from '../api/testing.ts';

const url = '/api/v2/system/environment';

/** The calls that the script makes on a page with this in its head. */
const callsWith = (head: string): string[] => {
  document.head.innerHTML = head;
  document.body.innerHTML = '<script type="application/json" id="console-settings">{"api_key":"k"}</script>';
  const calls: string[] = [];
  const fetchAhead = (address: string) => {
    calls.push(address);
    return Promise.resolve(new Response('{}'));
  };
  new Function('fetch', script)(fetchAhead);
  return calls;
};

beforeEach(() => {
  freshConsole();
  forgetFirstAnswers();
  document.head.innerHTML = '';
  return () => {
    forgetFirstAnswers();
    document.head.innerHTML = '';
    document.body.innerHTML = '';
  };
});

it('asks for the environment with the page, for the first who wants it', async () => {
  expect(callsWith('')).toEqual([url]);
  expect(await (await takeFirstAnswer('GET', url, null))?.json()).toEqual({});
  expect(takeFirstAnswer('GET', url, null)).toBeUndefined();
});

it('asks for nothing on a page that the server draws: the answers come with it, for the same person alone', async () => {
  storeSession(aSession({ session_token: 'mine' }));
  expect(callsWith('<meta name="sluice-drawn" content="/assets/index.js">')).toEqual([]);
  const answers = { [url]: { status: 200, headers: { etag: '"7"' }, body: '{"apps":[]}' } };
  document.body.innerHTML += `<script type="application/json" id="first-answers">${JSON.stringify(answers)}</script>`;
  const answer = await takeFirstAnswer('GET', url, 'mine');
  expect([answer?.headers.get('etag'), await answer?.json()]).toEqual(['"7"', { apps: [] }]);
  expect(document.getElementById('first-answers')).toBeNull();
  expect(callsWith('<meta name="sluice-drawn" content="/assets/index.js">')).toEqual([]);
  document.body.innerHTML += `<script type="application/json" id="first-answers">${JSON.stringify(answers)}</script>`;
  expect(takeFirstAnswer('GET', url, 'somebody else')).toBeUndefined();
});
