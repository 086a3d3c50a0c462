import { useText } from '../text/index.ts';
import classes from './list.module.css';

/** On or off: a dot and a word, so that it does not speak by colour alone. */
export function ActiveCell({ value, on, off }: { value: unknown; on?: string; off?: string }) {
  const t = useText('common');
  return (
    <span className={classes.active} data-on={value ? true : undefined}>
      {value ? (on ?? t('yes')) : (off ?? t('no'))}
    </span>
  );
}
