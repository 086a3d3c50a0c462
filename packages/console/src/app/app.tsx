// Where the console is put together: the start, the routes of the screens, and what lies over every page.
import { MantineProvider } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import type { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { gate } from '../api/renewal.ts';
import { closeCreateKey, keyRequest } from '../calls/key/requests.ts';
import { ScreenList } from '../frame/screen-list.ts';
import { screens } from '../screens/index.ts';
import { nonce } from '../theme/nonce.ts';
import { colorScheme } from '../theme/scheme.ts';
import { cssVariables, theme } from '../theme/theme.ts';
import { question } from '../ui/confirm.ts';
import { useNotices } from '../ui/notify.ts';
import { useStore } from '../ui/store.ts';
import { BrokenPage } from './broken.tsx';
import { Start, type StartProps } from './start.tsx';

type Router = ReturnType<typeof createMemoryRouter>;

const EmptyComponent = () => null;

/** A piece that is loaded when it is first needed. If the network is gone by then, it is left out instead of taking the page along. */
const lazyComponent = <P extends object>(load: () => Promise<ComponentType<P>>, onFailure = () => {}) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await load() };
    } catch {
      onFailure();
      return { default: EmptyComponent };
    }
  });

const Toasts = lazyComponent(async () => (await import('../ui/toasts.tsx')).Toasts);
const ConfirmDialog = lazyComponent(
  async () => (await import('../ui/confirm-dialog.tsx')).ConfirmDialog,
  () => question.get()?.answer('no'),
);
const CreateKeyDialog = lazyComponent(
  async () => (await import('../calls/key/create-key-dialog.tsx')).CreateKeyDialog,
  () => closeCreateKey(),
);
const LoginOverlay = lazyComponent(async () => (await import('../session/login-overlay.tsx')).LoginOverlay);

/** Stays true once it was, so that what was shown can fade out. */
let wasNeeded = { toasts: false, question: false, key: false, gate: false };

/** What may appear over any page; each is loaded when it is first needed. */
const Overlays = ({ router }: { router: Router }) => {
  const { toasts } = useNotices();
  const openQuestion = useStore(question);
  const openKeyRequest = useStore(keyRequest);
  const openGate = useStore(gate);
  wasNeeded = {
    toasts: wasNeeded.toasts || toasts.length > 0,
    question: wasNeeded.question || openQuestion !== null,
    key: wasNeeded.key || openKeyRequest !== null,
    gate: wasNeeded.gate || openGate !== null,
  };
  return (
    <Suspense>
      {wasNeeded.toasts && <Toasts />}
      {wasNeeded.question && <ConfirmDialog />}
      {wasNeeded.key && <CreateKeyDialog navigate={(to) => void router.navigate(to)} />}
      {wasNeeded.gate && <LoginOverlay navigate={(to) => router.navigate(to)} />}
    </Suspense>
  );
};

interface AppProps extends Pick<StartProps, 'begun'> {
  router: Router;
}

/** The console: theme, start, pages, and what lies over them. What has been read from the server begins with the frame. */
export const App = ({ begun, router }: AppProps) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorScheme}
    cssVariablesResolver={cssVariables}
    getStyleNonce={nonce}
    withGlobalClasses={false}
  >
    <BrokenPage>
      <Start begun={begun}>
        <ScreenList value={screens}>
          <RouterProvider router={router} />
          <Overlays router={router} />
        </ScreenList>
      </Start>
    </BrokenPage>
  </MantineProvider>
);
