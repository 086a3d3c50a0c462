// For the console's tests: an instance that answers as the test wants, and a clean session before each test.

import type { Environment, Session } from '@sluice/contract';
import { vi } from 'vitest';
import { closeGate, gate } from './renewal.ts';
import { connection, type Method, reachable } from './send.ts';
import { readSessionCookie, sessionState, unknownEnvironment } from './session-state.ts';

export interface RecordedCall {
  method: Method;
  /** Below `/api/v2/`, with the query. */
  path: string;
  token: string | null;
  headers: Headers;
  body: unknown;
}

/** What a fake instance answers: a body (status 200), a status with a body, or nothing at all (unreachable). */
export type FakeResponse = { status?: number; body?: unknown; headers?: Record<string, string> } | 'unreachable';

/** An error in the wire's envelope. */
export const refusal = (
  status: number,
  message: string,
  context: unknown = null,
  code: number = status,
): FakeResponse => ({
  status,
  body: { error: { code, context, message, status_code: status, request_id: 'req-1' } },
});

/** Replaces `fetch`; `answer` sees every call. Returns the list of calls, which grows. */
export const fakeInstance = (answer: (call: RecordedCall) => FakeResponse | Promise<FakeResponse>): RecordedCall[] => {
  const calls: RecordedCall[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const call: RecordedCall = {
      method: (init.method ?? 'GET') as Method,
      path: String(address).replace(/^.*\/api\/v2\//, ''),
      token: headers.get('X-DreamFactory-Session-Token'),
      headers,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined),
    };
    calls.push(call);
    const response = await answer(call);
    if (response === 'unreachable') throw new TypeError('Failed to fetch');
    return new Response(response.body === undefined ? '' : JSON.stringify(response.body), {
      status: response.status ?? 200,
      headers: response.headers ?? {},
    });
  });
  return calls;
};

export const aSession = (changes: Partial<Session> = {}): Session => ({
  session_token: 'token-1',
  session_id: 'token-1',
  id: 1,
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  is_sys_admin: true,
  last_login_date: null,
  host: 'test',
  token_expiry_date: null,
  ...changes,
});

export const anApp = (name: string, url = '') => ({
  id: name.length,
  name,
  description: null,
  url,
  is_default: false,
  allow_fullscreen_toggle: false,
  requires_fullscreen: false,
  toggle_location: 'top',
});

export const anEnvironment = (changes: Partial<Environment> = {}): Environment => ({
  ...unknownEnvironment,
  apps: [anApp('admin', '/home')],
  platform: { license: 'OPEN SOURCE', bitnami_demo: false, is_hosted: false },
  ...changes,
});

/** Nobody signed in, nothing kept, the API key `key`, the page at `path`. */
export const freshConsole = (path = '/home'): void => {
  if (gate.get()) closeGate();
  for (const pair of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the only way in jsdom.
    document.cookie = `${pair.split('=')[0]}=; Max-Age=0; Path=/`;
  }
  if (readSessionCookie()) throw new Error('The cookie of an earlier test is still there.');
  sessionState.set({ session: null, environment: anEnvironment(), isLocked: false });
  connection.set({ base: '', apiKey: 'key' });
  reachable.set(true);
  window.history.replaceState(null, '', path);
};

/** Answers uploads, which go by XMLHttpRequest. */
export function fakeUploads(answer: (form: FormData) => { status: number; body: unknown }) {
  const sent: { url: string; form: FormData; headers: Record<string, string> }[] = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload: { onprogress?: (event: { loaded: number }) => void } = {};
      status = 0;
      responseText = '';
      headers: Record<string, string> = {};
      url = '';
      onload: () => void = () => {};
      onloadend: () => void = () => {};
      open(_method: string, url: string) {
        this.url = url;
      }
      setRequestHeader(name: string, value: string) {
        this.headers[name.toLowerCase()] = value;
      }
      getResponseHeader = () => null;
      abort = () => {};
      send(form: FormData) {
        sent.push({ url: this.url, form, headers: this.headers });
        const { status, body } = answer(form);
        this.status = status;
        this.responseText = JSON.stringify(body);
        setTimeout(() => {
          this.onload();
          this.onloadend();
        });
      }
    },
  );
  return sent;
}
