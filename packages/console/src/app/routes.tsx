import { type ComponentType, lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject, useLocation, useRouteError } from 'react-router';
import { hasPendingSignIn } from '../api/session.ts';
import type { Screen } from '../frame/screen.ts';
import { screens } from '../screens/index.ts';
import { landingPage, redirectFrom } from '../session/guards.ts';
import { useViewer } from '../session/viewer.ts';
import { Loading } from '../ui/states.tsx';
import { Broken, BrokenPage } from './broken.tsx';
import { replaceOldAddress } from './old-address.ts';

const Frame = lazy(async () => {
  const [{ Frame }, { loadAllText }] = await Promise.all([import('../frame/frame.tsx'), import('../text/index.ts')]);
  await loadAllText();
  return { default: Frame };
});

const lazyScreen = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** A screen, once its guard agrees; also when the session changes while it is open. */
const withGuard = (screen: Screen) => {
  const Content = lazyScreen(screen.load);
  return function Guarded() {
    const { search, pathname } = useLocation();
    const target = redirectFrom(screen.guard, useViewer(), search);
    if (target) return <Navigate to={target} replace />;
    return (
      <BrokenPage resetBy={pathname}>
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </BrokenPage>
    );
  };
};

/** Any other address leads to where the person belongs (SES-020); a sign-in on its way back is finished first. */
const FallbackRedirect = () => {
  const { search } = useLocation();
  const viewer = useViewer();
  const isSignIn = !viewer.session && hasPendingSignIn(search);
  return <Navigate to={isSignIn ? `/login${search}` : landingPage(viewer)} replace />;
};

const routeOf = (screen: Screen): RouteObject => ({ path: `${screen.path}/*`, Component: withGuard(screen) });

const Framed = () => (
  <Suspense fallback={null}>
    <Frame />
  </Suspense>
);

const BrokenFrame = () => <Broken error={useRouteError()} />;

/** Every address of the console, from the list of screens. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: BrokenFrame,
    children: [
      ...screens.filter(({ frame }) => frame === 'none').map(routeOf),
      { Component: Framed, children: screens.filter(({ frame }) => frame !== 'none').map(routeOf) },
      { path: '*', Component: FallbackRedirect },
    ],
  },
];

// The router reads the address bar when it is made, so old addresses are moved just before.
replaceOldAddress();
export const router = createBrowserRouter(routes);
