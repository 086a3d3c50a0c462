import { Suspense, useRef } from 'react';
import { Navigate, Outlet, type RouteObject, useLocation, useRouteError } from 'react-router';
import { hasPendingSignIn } from '../api/session.ts';
import type { Screen } from '../frame/screen.ts';
import { screens } from '../screens/index.ts';
import {
  isDefaultAccount,
  landingPage,
  redirectFrom,
  returnAddressOf,
  signInStateOf,
  type Viewer,
} from '../session/guards.ts';
import { useViewer } from '../session/viewer.ts';
import { Loading } from '../ui/states.tsx';
import { Broken, BrokenPage } from './broken.tsx';
import { frame, pages } from './pages.ts';
import { PendingPage } from './pending-page.tsx';

/** A screen, once its guard agrees; also when the session changes while it is open. */
const withGuard = (screen: Screen) => {
  const Content = pages.get(screen)!.Component;
  return function Guarded() {
    const { search, pathname, hash, state } = useLocation();
    const viewer = useViewer();
    // Who was signed in here and no longer is has left the page for good (SES-012).
    const wasSignedIn = useRef(false);
    wasSignedIn.current ||= viewer.session !== null;
    const target = redirectFrom(screen.guard, viewer, search);
    if (target && screen.guard === 'signedOut') {
      const address = viewer.session && returnAddress(viewer, state);
      return <Navigate to={address ?? target} replace />;
    }
    if (target) {
      const signIn = wasSignedIn.current ? undefined : signInStateOf(screen.guard, target, pathname + search + hash);
      return <Navigate to={target} replace state={signIn} />;
    }
    return (
      <BrokenPage resetBy={pathname}>
        <Content />
      </BrokenPage>
    );
  };
};

/** The address someone opened before they signed in, if they may see what is there. */
const returnAddress = (viewer: Viewer, state: unknown): string | null => {
  const address = returnAddressOf(state);
  if (address === null || isDefaultAccount(viewer)) return null;
  const { pathname, search } = new URL(address, window.location.origin);
  const screen = screens.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  return screen && redirectFrom(screen.guard, viewer, search) === null ? address : null;
};

/** Any other address leads to where the person belongs (SES-020); a sign-in on its way back is finished first. */
const FallbackRedirect = () => {
  const { search } = useLocation();
  const viewer = useViewer();
  const isSignIn = !viewer.session && hasPendingSignIn(search);
  return <Navigate to={isSignIn ? `/login${search}` : landingPage(viewer)} replace />;
};

const routeOf = (screen: Screen): RouteObject => ({ path: `${screen.path}/*`, Component: withGuard(screen) });

// The two places where code may be waited for stay while one goes from page to page, so that the old page is shown until the
// new one is there: React shows what follows a fallback no sooner than 300 ms after it.
const AnyPage = () => (
  <>
    <PendingPage />
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  </>
);
const AnyScreen = () => (
  <Suspense fallback={<Loading />}>
    <Outlet />
  </Suspense>
);

const BrokenFrame = () => <Broken error={useRouteError()} />;

/** Every address of the console, from the list of screens. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: BrokenFrame,
    Component: AnyPage,
    children: [
      ...screens.filter((screen) => screen.frame === 'none').map(routeOf),
      {
        Component: frame.Component,
        children: [
          { Component: AnyScreen, children: screens.filter((screen) => screen.frame !== 'none').map(routeOf) },
        ],
      },
      { path: '*', Component: FallbackRedirect },
    ],
  },
];
