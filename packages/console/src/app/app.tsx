// Where the console is put together: the start, the routes of the screens, and what lies over every page.
import { MantineProvider } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { RouterProvider } from 'react-router/dom';
import { gate } from '../api/renewal.ts';
import { ScreenList } from '../frame/screen-list.ts';
import { screens } from '../screens/index.ts';
import { nonce } from '../theme/nonce.ts';
import { colorScheme } from '../theme/scheme.ts';
import { cssVariables, theme } from '../theme/theme.ts';
import { question } from '../ui/ask.ts';
import { useNotices } from '../ui/notify.ts';
import { useStore } from '../ui/store.ts';
import { BrokenPage } from './broken.tsx';
import { router } from './routes.tsx';
import { Start } from './start.tsx';

const Nothing = () => null;

/** A piece that is loaded when it is first needed. If the network is gone by then, it is left out instead of taking the page along. */
const later = <P extends object>(load: () => Promise<ComponentType<P>>, giveUp = () => {}) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await load() };
    } catch {
      giveUp();
      return { default: Nothing };
    }
  });

const Toasts = later(async () => (await import('../ui/toasts.tsx')).Toasts);
const ConfirmDialog = later(
  async () => (await import('../ui/confirm.tsx')).ConfirmDialog,
  () => question.get()?.answer(false),
);
const LoginOverlay = later(async () => (await import('../session/login-overlay.tsx')).LoginOverlay);

/** True from the first time on, so that what was once shown can fade out. */
let neededOnce = { toasts: false, question: false, gate: false };

/** What may appear over any page; each is loaded when it is first needed. */
const Overlays = () => {
  const { toasts } = useNotices();
  const asked = useStore(question);
  const locked = useStore(gate);
  neededOnce = {
    toasts: neededOnce.toasts || toasts.length > 0,
    question: neededOnce.question || asked !== null,
    gate: neededOnce.gate || locked !== null,
  };
  return (
    <Suspense>
      {neededOnce.toasts && <Toasts />}
      {neededOnce.question && <ConfirmDialog />}
      {neededOnce.gate && <LoginOverlay navigate={(to) => router.navigate(to)} />}
    </Suspense>
  );
};

/** The console: theme, start, pages, and what lies over them. What has been read from the server begins with the frame. */
export const App = () => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorScheme}
    cssVariablesResolver={cssVariables}
    getStyleNonce={nonce}
    withGlobalClasses={false}
  >
    <BrokenPage>
      <Start>
        <ScreenList value={screens}>
          <RouterProvider router={router} />
        </ScreenList>
        <Overlays />
      </Start>
    </BrokenPage>
  </MantineProvider>
);
