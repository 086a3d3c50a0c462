import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { formatNumber } from '../text/index.ts';
import { useScrollToCurrentTab } from './current-tab.ts';
import { HeadRow } from './head-row.tsx';
import classes from './page.module.css';
import { usePageTitle } from './page-title.ts';

export interface PageTab {
  label: string;
  /** Address of the tab; tabs are links. */
  to: string;
  /** Match this address only, not those below it. */
  end?: boolean;
  /** Of tabs that differ in their query only: whether it is this one. */
  isCurrent?: boolean;
  /** What the link carries along; what the page was opened with when absent, so that tabs of an editor keep the way back. */
  state?: unknown;
}

interface PageProps {
  title: string;
  /** How many there are, beside the title. */
  count?: number | undefined;
  /** Buttons at the right of the title row. */
  actions?: ReactNode;
  /** Stands between the title and the tabs. */
  above?: ReactNode;
  /** Tabs of the section, under the title. */
  tabs?: PageTab[];
  /** `narrow` keeps lines readable (forms, text); `wide` gives lists the whole width. */
  width?: 'narrow' | 'wide';
  children: ReactNode;
}

/** The shell of a screen: title row, tabs, content. It also names the browser's tab. */
export const Page = ({ title, count, actions, above, tabs, width = 'wide', children }: PageProps) => {
  const tabRow = useScrollToCurrentTab(tabs?.length ?? 0);
  const location = useLocation();
  usePageTitle(title);
  return (
    <div className={classes.page} data-width={width}>
      <HeadRow kind="page" actions={actions}>
        <Group gap="sm" align="baseline" wrap="nowrap" className={classes.name}>
          <Title order={1}>{title}</Title>
          {count !== undefined && (
            <Text span c="dimmed" className={classes.count}>
              {formatNumber(count)}
            </Text>
          )}
        </Group>
      </HeadRow>
      {above}
      {tabs && tabs.length > 0 && (
        <nav ref={tabRow} className={classes.tabs} aria-label={title}>
          {tabs.map(({ to, label, end = false, isCurrent, state = location.state }) =>
            isCurrent === undefined ? (
              <NavLink key={to} to={to} state={state} end={end} className={classes.tab!}>
                {label}
              </NavLink>
            ) : (
              <Link
                key={to}
                to={to}
                state={state}
                className={classes.tab!}
                aria-current={isCurrent ? 'page' : undefined}
              >
                {label}
              </Link>
            ),
          )}
        </nav>
      )}
      <div className={classes.body}>{children}</div>
    </div>
  );
};
