// The sign-in page as a text, for the page that the server sends: it is there with the first frame, before the scripts are.
// scripts/build.mjs runs this in Node; the start (main.tsx) puts the living page in its place.
import './browser.ts';
import { MantineProvider } from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { connection } from '../../api/send.ts';
import { ScreenList } from '../../frame/screen-list.ts';
import { screens } from '../../screens/index.ts';
import { LoginScreen } from '../../screens/login/index.tsx';
import { isForSignedOut } from '../../session/guards.ts';
import { chooseLanguage, type LanguageCode, languages, startText } from '../../text/index.ts';
import { cssVariables, theme } from '../../theme/theme.ts';

/** What the server fills in for each answer; the host is one so that it can stand in an address. */
const host = 'host.invalid';
const nonce = '__CSP_NONCE__';

/**
 * The page in each language, of an instance that signs in by e-mail and password alone, which every one is taken for until it
 * has told (`unknownEnvironment`). `except` are the first segments of addresses that lead elsewhere without a session.
 */
export async function renderSignInPages() {
  connection.set({ base: `http://${host}`, apiKey: '' });
  await startText();
  const pages: Record<string, string> = {};
  for (const language of Object.keys(languages) as LanguageCode[]) {
    await chooseLanguage(language);
    pages[language] = renderToString(
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={cssVariables}
        getStyleNonce={() => nonce}
        withGlobalClasses={false}
      >
        <ScreenList value={screens}>
          <MemoryRouter initialEntries={['/login']}>
            <LoginScreen />
          </MemoryRouter>
        </ScreenList>
      </MantineProvider>,
    );
  }
  const except = screens
    .filter(({ path, guard }) => path !== '/login' && (isForSignedOut(guard) || guard === 'setup'))
    .map(({ path }) => path);
  return { host, pages, except };
}
