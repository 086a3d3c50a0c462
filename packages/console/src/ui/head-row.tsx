import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './head-row.module.css';

interface HeadRowProps {
  /** `page` heads a page or a pane, `text` has lines of text at the left, `part` heads a piece of a page. */
  kind?: 'page' | 'text' | 'part';
  /** Stands at the right, or below where there is no room. */
  actions?: ReactNode;
  /** The heading. */
  children: ReactNode;
}

/** A heading at the left, and what one can do at the right. */
export const HeadRow = ({ kind = 'part', actions, children }: HeadRowProps) => {
  const Row = kind === 'page' ? 'header' : 'div';
  return (
    <Row className={classes.row} data-kind={kind}>
      {children}
      {actions && <Group gap="xs">{actions}</Group>}
    </Row>
  );
};
