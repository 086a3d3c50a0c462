import { type ChangeEvent, useLayoutEffect, useRef } from 'react';
import classes from './list.module.css';

interface TickProps {
  label: string;
  isTicked: boolean;
  /** Of a box that stands for several: some of them are ticked. */
  isPartly?: boolean;
  isDisabled?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** A box to tick a row with. The browser's own: a list has hundreds of them. */
export function Tick({ label, isTicked, isPartly = false, isDisabled, onChange }: TickProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      checked={isTicked}
      disabled={isDisabled}
      onChange={onChange}
    />
  );
}
