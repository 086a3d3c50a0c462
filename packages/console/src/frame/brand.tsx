import { useText } from '../text/index.ts';
import classes from './brand.module.css';

/** The mark and the name. */
export const Brand = () => {
  const t = useText('common');
  return (
    <span className={classes.brand}>
      <svg viewBox="0 0 32 32" className={classes.mark} aria-hidden="true">
        <rect width="32" height="32" rx="7" className={classes.ground} />
        <path d="M7 11.5c3 0 3 2 6 2s3-2 6-2 3 2 6 2" className={classes.wave} />
        <path d="M7 20.5c3 0 3 2 6 2s3-2 6-2 3 2 6 2" className={classes.wave} opacity=".55" />
      </svg>
      <span className={classes.name}>{t('product')}</span>
    </span>
  );
};
