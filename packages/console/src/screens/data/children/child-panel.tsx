import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../../text/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import ownClasses from './related.module.css';

/** What the tables that belong to a record are shown with. */
export interface Parent {
  state: TableState;
  schema: Schema;
  key: readonly string[];
  record: Row;
}

interface ChildPanelProps {
  title: string;
  /** The relation is declared, the database has no foreign key for it. */
  isVirtual?: boolean;
  choice: ReactNode;
  /** Stands at the right of the choice. */
  tools?: ReactNode;
  /** Instead of records. */
  text?: string;
  children?: ReactNode;
}

/** The panel a related table stands in; it has the keyboard when it opens. */
export function ChildPanel({ title, isVirtual = false, choice, tools, text, children }: ChildPanelProps) {
  const t = useText('data');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A pane that is open has it already, and what was chosen keeps it.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={`${classes.panel} ${ownClasses.child}`} aria-label={title}>
      <header className={ownClasses.head}>
        {/* The choice beside it says it already to those who see it. */}
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
