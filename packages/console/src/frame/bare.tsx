import type { ReactNode } from 'react';
import classes from './bare.module.css';
import { Brand } from './brand.tsx';

interface BareProps {
  /** Links at the top right. */
  links?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** A page with one thing to do, in the middle: sign-in, set-up, the start. */
export const Bare = ({ links, footer, children }: BareProps) => (
  <div className={classes.page}>
    <header className={classes.head}>
      <Brand />
      {links}
    </header>
    <main className={classes.middle}>
      <div className={classes.card}>{children}</div>
    </main>
    <footer className={classes.foot}>{footer}</footer>
  </div>
);
