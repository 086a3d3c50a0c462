// The code of the pages: the frame and the screens in it, and what of it is loaded before it is shown.
import { consoleSettings } from '../api/console-settings.ts';
import { currentSession } from '../api/session-state.ts';
import type { Screen } from '../frame/screen.ts';
import { screens } from '../screens/index.ts';
import { isForSignedOut } from '../session/guards.ts';
import { loadAllText } from '../text/index.ts';
import { type Preloadable, preloadable } from './preloadable.tsx';

/** The frame, with the words of the pages in it. */
export const frame = preloadable(async () => {
  const [{ Frame }] = await Promise.all([import('../frame/frame.tsx'), loadAllText()]);
  return Frame;
});

export const pages: ReadonlyMap<Screen, Preloadable> = new Map(
  screens.map((screen) => [screen, preloadable(screen.load)]),
);

/** The screen an address belongs to. */
export const screenAt = (pathname: string): Screen | undefined =>
  screens.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));

const preloadScreen = (screen: Screen): Promise<unknown> =>
  Promise.all([screen.frame === 'none' ? undefined : frame.preload(), pages.get(screen)?.preload()]);

/** Loads the code of the page at an address. What cannot be loaded is loaded, or reported, when the page is shown. */
export const preloadPage = async (pathname: string): Promise<void> => {
  const screen = screenAt(pathname);
  if (screen) await preloadScreen(screen).catch(() => undefined);
};

/** Where the start will most likely lead: to the page of the address, or where the person belongs (SES-020). */
const firstScreen = (pathname: string): Screen | undefined => {
  const session = currentSession();
  const wanted = screenAt(pathname);
  if (consoleSettings.get().setup_needed) return screenAt('/setup');
  if (!session) return wanted && isForSignedOut(wanted.guard) ? wanted : screenAt('/login');
  if (wanted && !isForSignedOut(wanted.guard)) return wanted;
  return screenAt(session.is_sys_admin ? '/home' : '/launchpad');
};

/** Loads what the start will most likely show, code and data. */
export const preloadFirstPage = async ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> => {
  const screen = firstScreen(pathname);
  if (!screen) return;
  const below = screen === screenAt(pathname) ? pathname.slice(screen.path.length) : '';
  const data = screen.prefetch?.(below, new URLSearchParams(search));
  await Promise.all([preloadScreen(screen), data && Promise.race([data, patience()])]).catch(() => undefined);
};

/** A page that can come up whole soon is worth the wait; one with a slow list shows where that will be. */
const patience = () => new Promise((resolve) => setTimeout(resolve, maxWait));
const maxWait = 150;

/** Loads the code behind a link as soon as one points at it or comes to it by keyboard. */
export const preloadWhatIsPointedAt = (): void => {
  const preloadTarget = ({ target }: Event) => {
    const link = target instanceof Element && target.closest('a[href]');
    if (link instanceof HTMLAnchorElement && link.origin === window.location.origin) void preloadPage(link.pathname);
  };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, preloadTarget, { passive: true });
};

/** While someone types a password, loads what they will see then. */
export const preloadBehindSignIn = (): void => {
  if (!currentSession()) setTimeout(() => void preloadPage('/home'), idleDelay);
};
const idleDelay = 1000;
