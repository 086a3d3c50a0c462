// What stands around a screen: the bar, the rail, the palette and what hangs on them; bare.tsx for pages with one thing to do. screen.ts
// says what a screen is and screen-list.ts which screens there are, so that nothing here imports a screen. The single files are imported: the
// frame itself loads after the sign-in.
import { ActionIcon, Drawer } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2, IconSearch } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { queryClient, refetchWhenBack, resetOnUserChange } from '../api/query-client.ts';
import { reachable } from '../api/send.ts';
import { useSession } from '../api/session-state.ts';
import { landingPage, redirectFrom, type Viewer } from '../session/guards.ts';
import { useViewer } from '../session/viewer.ts';
import { useText } from '../text/index.ts';
import { flyoutWidth } from '../theme/tokens.ts';
import { notify } from '../ui/notify.ts';
import { useStore } from '../ui/store.ts';
import { UnsavedGuard } from '../unsaved/index.ts';
import { Brand } from './brand.tsx';
import classes from './frame.module.css';
import { LiveChat } from './live-chat.tsx';
import { NewsMenu } from './news-menu.tsx';
import { NoticesTray } from './notices-tray.tsx';
import { useOutageWatch } from './outage.ts';
import { SchemeMenu } from './scheme-menu.tsx';
import type { Screen } from './screen.ts';
import { useScreens } from './screen-list.ts';
import { isMac, useShortcuts } from './shortcuts.ts';
import { TopLinks } from './top-links.tsx';
import { catchKeys, type TypeAhead } from './type-ahead.ts';
import { UserMenu } from './user-menu.tsx';

const panels = {
  palette: async () => (await import('./palette.tsx')).Palette,
  shortcuts: async () => (await import('./shortcut-list.tsx')).ShortcutList,
};
const Palette = lazy(async () => ({ default: await panels.palette() }));
const ShortcutList = lazy(async () => ({ default: await panels.shortcuts() }));

/** The component links a person may follow, in order: those of screens that exist and whose guard lets them in (NAV-008, NAV-010). */
export const railLinks = (screens: readonly Screen[], viewer: Viewer) =>
  screens.filter((screen) => screen.nav && redirectFrom(screen.guard, viewer) === null);

const Rail = ({ viewer, isNarrow, onChosen }: { viewer: Viewer; isNarrow?: boolean; onChosen?: () => void }) => {
  const t = useText('frame');
  const screens = useScreens();
  return (
    <nav className={classes.links} aria-label={t('sections')}>
      {railLinks(screens, viewer).map(({ path, nav }) => {
        const Icon = nav!.icon;
        const label = t(`nav.${nav!.name}`);
        return (
          <NavLink
            key={path}
            to={path}
            className={classes.link!}
            onClick={onChosen}
            title={isNarrow ? label : undefined}
          >
            <Icon className={classes.icon} aria-hidden stroke={1.6} />
            <span className={classes.word}>{label}</span>
          </NavLink>
        );
      })}
    </nav>
  );
};

/** Once the page has come to rest, fetches what may be needed when the network is gone: messages, questions, the way back in. */
const preloadPanels = () => {
  const load = () =>
    Promise.allSettled([
      import('../ui/toasts.tsx'),
      import('../ui/confirm-dialog.tsx'),
      import('../session/login-overlay.tsx'),
      panels.palette(),
      panels.shortcuts(),
    ]);
  const timer = setTimeout(load, preloadDelay);
  return () => clearTimeout(timer);
};
const preloadDelay = 1500;

const FrameLayout = () => {
  const t = useText('frame');
  const common = useText('common');
  const viewer = useViewer();
  const person = useSession()?.id;
  const { pathname } = useLocation();
  const [panel, setPanel] = useState<keyof typeof panels | null>(null);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isNarrow, setNarrow] = useLocalStorage({
    key: 'sluice.rail',
    // Also where a page is drawn without a window.
    defaultValue: localStorage.getItem('sluice.rail') === 'true',
    getInitialValueInEffect: false,
  });
  const content = useRef<HTMLElement>(null);
  const isReachable = useStore(reachable);
  const opener = useRef<Element | null>(null);
  const typeAhead = useRef<TypeAhead | null>(null);
  const openPanel = useCallback(
    (next: keyof typeof panels) => {
      // It is opening already, and what was typed meanwhile stays.
      if (typeAhead.current?.isCatching()) return;
      opener.current = document.activeElement;
      let isWanted = true;
      typeAhead.current =
        next === 'palette'
          ? catchKeys(() => {
              isWanted = false;
              setPanel(null);
            })
          : null;
      panels[next]().then(
        () => isWanted && setPanel(next),
        () => {
          typeAhead.current?.stop();
          notify.error('', common('unreachable'));
        },
      );
    },
    [common],
  );
  const takeKeys = useCallback(() => typeAhead.current?.take() ?? [], []);
  useEffect(() => () => typeAhead.current?.stop(), []);
  // The focus goes back to where it was, unless the panel leads to another page.
  const closePanel = (isNavigating = false) => {
    typeAhead.current?.stop();
    setPanel(null);
    if (!isNavigating && opener.current instanceof HTMLElement) opener.current.focus();
  };
  useShortcuts(openPanel);
  useEffect(preloadPanels, []);
  useOutageWatch();

  const screens = useScreens();
  const screen = screens.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  const hasRail = screen?.frame === 'rail' && viewer.session !== null;
  const section = screen?.path ?? pathname;
  const lastSection = useRef(section);
  useEffect(() => {
    if (lastSection.current === section) return;
    lastSection.current = section;
    // A new section is read from its beginning, and the keyboard starts there.
    content.current?.focus({ preventScroll: true });
    content.current?.scrollTo(0, 0);
  }, [section]);

  const placeholder = t('palette.open');
  const page = (
    // What one person typed is gone when another signs in over it.
    <UnsavedGuard key={`forms of ${person}`}>
      <Outlet />
    </UnsavedGuard>
  );
  if (screen?.frame === 'embedded')
    return (
      <div className={classes.frame} data-rail="none" data-embedded>
        <main id="content" ref={content} tabIndex={-1} className={classes.content}>
          {page}
        </main>
      </div>
    );
  return (
    <div className={classes.frame} data-rail={hasRail ? (isNarrow ? 'narrow' : 'wide') : 'none'}>
      <a href="#content" className={classes.skip}>
        {common('skipToContent')}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          className={classes.burger!}
          aria-label={t('openMenu')}
          aria-expanded={isDrawerOpen}
          onClick={() => setDrawerOpen(true)}
        >
          <IconMenu2 className={classes.icon} aria-hidden />
        </ActionIcon>
        <Link to={landingPage(viewer)} className={classes.home}>
          <Brand />
        </Link>
        {viewer.session && (
          <button
            type="button"
            className={classes.search}
            onClick={() => openPanel('palette')}
            aria-label={placeholder}
            aria-keyshortcuts="Meta+K Control+K"
          >
            <IconSearch className={classes.smallIcon} aria-hidden />
            <span className={classes.searchWords}>{placeholder}</span>
            <kbd className={classes.key}>{isMac() ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        )}
        <div className={classes.places}>
          <TopLinks />
        </div>
        <div className={classes.tools}>
          <SchemeMenu />
          {person !== undefined && <NewsMenu />}
          {person !== undefined && <NoticesTray owner={person} />}
          <LiveChat />
          {viewer.session && <UserMenu onShortcuts={() => openPanel('shortcuts')} />}
        </div>
      </header>
      {!isReachable && (
        <div className={classes.outage} role="status">
          {common('offline.banner')}
        </div>
      )}
      {hasRail && (
        <div className={classes.rail}>
          <Rail viewer={viewer} isNarrow={isNarrow} />
          <ActionIcon
            className={classes.fold!}
            aria-label={t(isNarrow ? 'expand' : 'collapse')}
            onClick={() => setNarrow(!isNarrow)}
          >
            {isNarrow ? (
              <IconLayoutSidebarLeftExpand className={classes.icon} aria-hidden stroke={1.6} />
            ) : (
              <IconLayoutSidebarLeftCollapse className={classes.icon} aria-hidden stroke={1.6} />
            )}
          </ActionIcon>
        </div>
      )}
      <main id="content" ref={content} tabIndex={-1} className={classes.content}>
        {page}
      </main>
      <Drawer
        opened={isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        title={<Brand />}
        size={flyoutWidth}
        closeButtonProps={{ 'aria-label': t('closeMenu') }}
      >
        {viewer.session && <Rail viewer={viewer} onChosen={() => setDrawerOpen(false)} />}
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside act; this only closes the drawer behind them. */}
        <div className={classes.drawerPlaces} onClick={() => setDrawerOpen(false)}>
          <TopLinks isColumn />
        </div>
      </Drawer>
      <Suspense>
        {panel === 'palette' && (
          <Palette takeKeys={takeKeys} onClose={closePanel} onShortcuts={() => setPanel('shortcuts')} />
        )}
        {panel === 'shortcuts' && <ShortcutList onClose={() => closePanel()} />}
      </Suspense>
    </div>
  );
};

// From here on there is something to forget when the person changes. Signed-out pages read nothing that is kept.
resetOnUserChange();
refetchWhenBack();

/** What stands around a screen: the bar with the places, the rail with the sections, the way to jump, and the data that was read. */
export const Frame = () => (
  <QueryClientProvider client={queryClient}>
    <FrameLayout />
  </QueryClientProvider>
);
