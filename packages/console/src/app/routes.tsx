import { type ComponentType, lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject, useLocation, useRouteError } from 'react-router';
import { bringsSignIn } from '../api/session.ts';
import type { Screen } from '../frame/screen.ts';
import { screens } from '../screens/index.ts';
import { landing, redirectFrom } from '../session/guards.ts';
import { useWho } from '../session/who.ts';
import { Loading } from '../ui/states.tsx';
import { Broken, BrokenPage } from './broken.tsx';
import { takeOldAddress } from './old-address.ts';

const Frame = lazy(async () => {
  const [{ Frame }, { loadAllText }] = await Promise.all([import('../frame/frame.tsx'), import('../text/index.ts')]);
  await loadAllText();
  return { default: Frame };
});

const component = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** A screen, once its guard agrees; also when the session changes while it is open. */
const guarded = (screen: Screen) => {
  const Content = component(screen.load);
  return function Guarded() {
    const { search, pathname } = useLocation();
    const target = redirectFrom(screen.guard, useWho(), search);
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
const Elsewhere = () => {
  const { search } = useLocation();
  const who = useWho();
  const isSignIn = !who.session && bringsSignIn(search);
  return <Navigate to={isSignIn ? `/login${search}` : landing(who)} replace />;
};

const routeOf = (screen: Screen): RouteObject => ({ path: `${screen.path}/*`, Component: guarded(screen) });

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
      { path: '*', Component: Elsewhere },
    ],
  },
];

// The router reads the address bar when it is made, so old addresses are moved just before.
takeOldAddress();
export const router = createBrowserRouter(routes);
