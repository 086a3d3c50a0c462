import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../../text/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import ownClasses from './related.module.css';

/** The record whose related tables are shown. */
export interface Parent {
  state: TableState;
  schema: Schema;
  key: readonly string[];
  record: Row;
}

interface ChildPanelProps {
  title: string;
  /** Whether the relation is declared only: the database has no foreign key for it. */
  isVirtual?: boolean;
  choice: ReactNode;
  /** At the right of the choice. */
  tools?: ReactNode;
  /** Instead of records. */
  text?: string;
  children?: ReactNode;
}

/** The panel of a related table; it takes the focus when it opens. */
export function ChildPanel({ title, isVirtual = false, choice, tools, text, children }: ChildPanelProps) {
  const t = useText('data');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // An open pane has the focus already, and so has the choice that was just made.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={`${classes.panel} ${ownClasses.child}`} aria-label={title}>
      <header className={ownClasses.head}>
        {/* Hidden: those who see the screen read the title in the choice beside it. */}
        <h2 className={ownClasses.hidden} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {isVirtual ? <span className={ownClasses.virtual}>{t('child.virtual')}</span> : null}
        {choice}
        <span className={classes.space} />
        {tools}
      </header>
      {text === undefined ? children : <p className={ownClasses.note}>{text}</p>}
    </section>
  );
}
