// Every screen, in the order of the component links (NAV-008). A line here is a route, a guard, a link and a place in the palette;
// a screen that is not listed does not exist, and nothing links to it.
import { IconHome, IconPlugConnected, IconTable } from '@tabler/icons-react';
import type { Screen } from '../app/screen.ts';

export const screens: Screen[] = [
  {
    path: '/login',
    guard: 'signedOut',
    frame: 'none',
    load: async () => (await import('./login/index.tsx')).LoginScreen,
  },
  {
    path: '/logout',
    guard: 'logout',
    frame: 'none',
    load: async () => (await import('./logout/index.tsx')).LogoutScreen,
  },
  { path: '/setup', guard: 'setup', frame: 'none', load: async () => (await import('./setup/index.tsx')).SetupScreen },
  {
    path: '/home',
    guard: 'user',
    frame: 'rail',
    nav: { name: 'home', icon: IconHome },
    load: async () => (await import('./home/index.tsx')).HomeScreen,
  },
  {
    path: '/services',
    guard: 'user',
    frame: 'rail',
    nav: { name: 'services', icon: IconPlugConnected },
    load: async () => (await import('./services/index.tsx')).ServicesScreen,
    palette: async (...asked) => (await import('./services/palette.ts')).servicesPalette(...asked),
  },
  {
    path: '/data',
    guard: 'user',
    frame: 'rail',
    nav: { name: 'data', icon: IconTable },
    load: async () => (await import('./data/index.tsx')).DataScreen,
    palette: async (words) => (await import('./data/palette.ts')).dataPalette(words),
  },
  {
    path: '/launchpad',
    guard: 'launchpad',
    frame: 'bar',
    load: async () => (await import('./launchpad/index.tsx')).LaunchpadScreen,
  },
  {
    path: '/profile',
    guard: 'signedIn',
    frame: 'bar',
    load: async () => (await import('./profile/index.tsx')).ProfileScreen,
  },
];
