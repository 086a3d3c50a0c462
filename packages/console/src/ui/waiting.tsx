import { Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import { motion } from '../theme/tokens.ts';
import classes from './waiting.module.css';

interface WaitingProps {
  isWaiting: boolean;
  /** What is going on, for those who do not see it. */
  label?: string;
  children: ReactNode;
}

/** Covers a form while its request runs (SES-035): nothing in it can be used, and after 150 ms it says so. */
export const Waiting = ({ isWaiting, label, children }: WaitingProps) => {
  const t = useText('common');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isWaiting) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), motion.skeletonDelay);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return (
    <div className={classes.host} aria-busy={isWaiting}>
      <div className={classes.content} inert={isWaiting}>
        {children}
      </div>
      {isShown && (
        <div className={classes.mask} role="status">
          <Loader aria-hidden />
          <span className={classes.label}>{label ?? t('working')}</span>
        </div>
      )}
    </div>
  );
};
