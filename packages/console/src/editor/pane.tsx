import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { HeadRow } from '../ui/index.ts';
import classes from './editor.module.css';

interface PaneProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** What stands around an editor beside its list: the page's heading is the section's, this one is the record's. */
export const Pane = ({ title, actions, children }: PaneProps) => (
  <section className={classes.pane} aria-label={title}>
    <HeadRow kind="page" actions={actions}>
      <Title order={2} className={classes.paneTitle!}>
        {title}
      </Title>
    </HeadRow>
    {children}
  </section>
);
