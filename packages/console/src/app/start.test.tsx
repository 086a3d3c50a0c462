import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleSettings } from '../api/console-settings.ts';
import { connection } from '../api/send.ts';
import { sessionState } from '../api/session-state.ts';
import { anEnvironment, freshConsole } from '../api/testing.ts';
import { show } from '../session/testing.tsx';
import { Start } from './start.tsx';

const settings = {
  api_key: 'from-server',
  base_url: '',
  setup_needed: false,
  version: '0.1.0',
  links: {},
  mcp: true,
  graphql: true,
};
const page = new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

/** Answers by address; `undefined` is a server that does not answer. */
const serve = (answers: Record<string, () => Response | undefined>) => {
  const requests: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    requests.push([address, init]);
    const answer = answers[address]?.();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer;
  });
  return requests;
};
const json = (value: unknown) => () => new Response(JSON.stringify(value));

beforeEach(() => {
  freshConsole('/login');
  sessionState.set({ session: null, environment: null, isLocked: false });
  connection.set({ base: '', apiKey: '' });
});

describe('the start', () => {
  it('reads the settings uncached, then the environment with the key (SES-089, X-002, X-028)', async () => {
    const requests = serve({ '/console.json': json(settings), '/api/v2/system/environment': json(anEnvironment()) });
    show(<Start>ready</Start>);
    expect(await screen.findByText('ready')).toBeTruthy();
    expect(requests[0]).toMatchObject(['/console.json', { cache: 'no-store' }]);
    expect(new Headers(requests[1]![1].headers).get('X-DreamFactory-API-Key')).toBe('from-server');
    expect(sessionState.get().environment?.apps).toHaveLength(1);
    expect(consoleSettings.get().version).toBe('0.1.0');
  });

  it('says that the server does not answer, and tries again', async () => {
    const answers: Record<string, () => Response | undefined> = {};
    serve(answers);
    show(<Start>ready</Start>);
    expect(await screen.findByText('You are offline')).toBeTruthy();
    answers['/console.json'] = json(settings);
    answers['/api/v2/system/environment'] = json(anEnvironment());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('ready')).toBeTruthy();
  });

  it('asks a console that no instance serves for one, once', async () => {
    const answers: Record<string, () => Response | undefined> = { '/console.json': () => page.clone() };
    const requests = serve(answers);
    const first = show(<Start>ready</Start>);
    const address = await screen.findByLabelText(/Address/);
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByText('Enter an address that begins with http:// or https://.')).toBeTruthy();

    await userEvent.type(address, 'https://api.example.com/api/v2/');
    await userEvent.type(screen.getByLabelText(/API key/), ' key-1 ');
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.');
    expect(localStorage.getItem('sluice.instance')).toBeNull();

    answers['https://api.example.com/api/v2/system/environment'] = json(anEnvironment());
    await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('ready')).toBeTruthy();
    const last = requests.at(-1)!;
    expect(last[0]).toBe('https://api.example.com/api/v2/system/environment');
    expect(new Headers(last[1].headers).get('X-DreamFactory-API-Key')).toBe('key-1');

    first.unmount();
    show(<Start>ready</Start>);
    await waitFor(() => expect(screen.getByText('ready')).toBeTruthy());
    expect(screen.queryByLabelText(/Address/)).toBeNull();
  });
});
