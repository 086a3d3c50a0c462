import { IconArrowUpRight } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useConsoleSettings } from '../api/console-settings.ts';
import { mayUseAdminApp, type Viewer } from '../session/guards.ts';
import { upgradeAddress } from '../session/upgrade.ts';
import { useViewer } from '../session/viewer.ts';
import { useText } from '../text/index.ts';
import { useHasScreen } from './screen-list.ts';
import classes from './top-links.module.css';

export interface TopLink {
  name: 'upgrade' | 'support' | 'launchpad' | 'admin' | 'login' | 'register';
  /** An address of the console, or one outside, which opens in a new window. */
  to: string;
  isExternal: boolean;
  isActive: boolean;
}

const registerPages = ['/register', '/register-complete', '/register-confirm'];

/** Paths where the section Admin is the active one (NAV-003). */
const adminPages = [
  '/home',
  '/apps',
  '/admins',
  '/users',
  '/roles',
  '/services',
  '/schema',
  '/data',
  '/file-manager',
  '/scripts',
  '/config',
  '/package-manager',
  '/apidocs',
  '/downloads',
  '/limits',
];

const isUnder = (path: string, roots: string[]) => roots.some((root) => path === root || path.startsWith(`${root}/`));

/**
 * The links of the top bar, in order (NAV-011…016, OPEN-027). `exists` says which addresses exist yet;
 * `links` are those an operator set: absent means no link.
 */
export const topLinks = (
  viewer: Viewer,
  path: string,
  links: Record<string, string | null>,
  exists: (path: string) => boolean,
): TopLink[] => {
  const { session, environment } = viewer;
  const externalLink = (name: 'upgrade' | 'support', to: string | null | undefined): TopLink[] =>
    to ? [{ name, to, isExternal: true, isActive: false }] : [];
  const internalLink = (name: TopLink['name'], to: string, isShown: boolean, isActive: boolean): TopLink[] =>
    isShown && exists(to) ? [{ name, to, isExternal: false, isActive }] : [];
  return [
    ...externalLink('upgrade', upgradeAddress(environment, links)),
    ...externalLink('support', links.support),
    ...internalLink('launchpad', '/launchpad', (environment.apps ?? []).length > 0, isUnder(path, ['/launchpad'])),
    ...internalLink('admin', '/home', !!session && mayUseAdminApp(environment), isUnder(path, adminPages)),
    ...internalLink('login', '/login', !session, path === '/login'),
    ...internalLink(
      'register',
      '/register',
      !session && environment.authentication.allow_open_registration,
      isUnder(path, registerPages),
    ),
  ];
};

/** The links themselves, as a row; in the drawer of a phone as a column. */
export const TopLinks = ({ isColumn = false }: { isColumn?: boolean }) => {
  const t = useText('session');
  const { pathname } = useLocation();
  const { links } = useConsoleSettings();
  const shown = topLinks(useViewer(), pathname, links, useHasScreen());
  if (shown.length === 0) return null;
  return (
    <nav className={classes.links} data-column={isColumn || undefined} aria-label={t('top.label')}>
      {shown.map(({ name, to, isExternal: isOutside, isActive }) =>
        isOutside ? (
          <a key={name} href={to} target="_blank" rel="noopener noreferrer" className={classes.link}>
            {t(`top.${name}`)}
            <IconArrowUpRight className={classes.out} aria-hidden />
          </a>
        ) : (
          <Link key={name} to={to} className={classes.link} aria-current={isActive ? 'page' : undefined}>
            {t(`top.${name}`)}
          </Link>
        ),
      )}
    </nav>
  );
};
