import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './plan.module.css';

interface FoldProps {
  head: ReactNode;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A line that unfolds; what is in it is made when it is seen. */
export function Fold({ head, isOpen, onToggle, children }: FoldProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onToggle(!isOpen)}
      >
        <IconChevronRight className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        {head}
      </button>
      {isOpen ? (
        <div id={id} className={classes.unfolded}>
          {children}
        </div>
      ) : null}
    </>
  );
}
