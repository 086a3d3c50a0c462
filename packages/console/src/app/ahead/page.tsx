// A page behind the sign-in as a text, for the page that the server sends: it is there before the scripts are, drawn by the very
// components that the start (main.tsx) then puts in its place. The server runs this in a thread (server/src/http/ahead/), one
// page at a time.

import type { PageRequest } from '@sluice/contract';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter } from 'react-router';
import { loadConsoleSettings } from '../../api/console-settings.ts';
import { queryClient } from '../../api/query-client.ts';
import { reachable } from '../../api/send.ts';
import { refreshEnvironment } from '../../api/session.ts';
import { adoptSession, readSessionCookie, sessionState } from '../../api/session-state.ts';
import { screens } from '../../screens/index.ts';
import { forgetFormats } from '../../text/formats.ts';
import { startText } from '../../text/index.ts';
import { App } from '../app.tsx';
import { preloadFirstPage, preloadPage, screenAt } from '../pages.ts';
import { routes } from '../routes.tsx';
import { setBrowser } from './browser.ts';
import { readView } from './view.ts';

/** The sections whose first page is drawn: those that say what they begin with. */
export const sections = screens.filter(({ prefetch }) => prefetch).map(({ path }) => path);

/** Loads what all pages need, so that the first is drawn as fast as the next. */
export const prepare = async (): Promise<void> => {
  await startText();
  await Promise.all(sections.map(preloadPage));
};

/**
 * Draws the page at an address for the person and the browser of the cookies; empty where the scripts have to draw it: a
 * browser unknown, a session that does not hold, data that did not come. Calls of the API go through `ask`.
 */
export async function drawPage(request: PageRequest, ask: typeof fetch): Promise<string> {
  const { origin, address, cookie, nonce } = request;
  const view = readView(cookie);
  const { pathname, search } = new URL(address, origin);
  if (!view || screenAt(pathname)?.prefetch === undefined) return '';
  setBrowser({ ...view, cookie, nonce, settings: request.settings, location: { origin, pathname, search } });
  globalThis.fetch = ask;
  try {
    await startText();
    const session = readSessionCookie();
    if (!session || !(await loadConsoleSettings())) return '';
    adoptSession(session);
    // Fails where the session does not hold; renewing it is the living page's business.
    await refreshEnvironment();
    await preloadFirstPage({ pathname, search });
    if (!hasData()) return '';
    const router = createMemoryRouter(routes, { initialEntries: [pathname + search] });
    return withoutInput(
      renderToString(<App router={router} begun={{ start: Promise.resolve(ready), stage: ready }} />),
    );
  } finally {
    forgetEverything();
  }
}

const ready = { name: 'ready' } as const;

/** Links of the rail lead on at once; whatever would be typed or pressed elsewhere would be lost when the living page comes. */
const withoutInput = (page: string): string =>
  page.replace('<header ', '<header inert ').replace('<main ', '<main inert ');

/** Whether all was answered that the page asked for. */
const hasData = (): boolean => {
  const queries = queryClient.getQueryCache().getAll();
  return queries.length > 0 && queries.every(({ state }) => state.status === 'success');
};

/** Nothing of one person is there when the next page is drawn. */
const forgetEverything = () => {
  queryClient.clear();
  sessionState.set({ session: null, environment: null, isLocked: false });
  reachable.set(true);
  forgetFormats();
};
