import { useContext, useSyncExternalStore } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from 'react-router';
import { useText } from '../text/index.ts';
import classes from './pending-page.module.css';

/** A line at the top of the window while the next page is loading and the last one is still shown; nothing for the first 150 ms. */
export const PendingPage = () => {
  const t = useText('common');
  const shown = useLocation();
  const { router } = useContext(DataRouterContext)!;
  const wantedLocation = () => router.state.location;
  const wanted = useSyncExternalStore(router.subscribe, wantedLocation, wantedLocation);
  if (wanted.key === shown.key) return null;
  return <div role="progressbar" aria-label={t('loading')} className={classes.line} />;
};
