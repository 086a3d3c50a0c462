import { useEffect, useRef } from 'react';
import { matchPath, useBlocker, useLocation } from 'react-router';
import { currentToken } from '../../api/index.ts';
import { isSamePlace } from './place.ts';

interface Guard {
  home: string;
  hasUnsaved: () => boolean;
  isFreshFilled: () => boolean;
  isDirty: boolean;
  ask: () => Promise<boolean>;
  discard: () => void;
  dropFresh: () => void;
}

/**
 * Asks before records are lost: unsaved ones when the page, order, filter or table changes (TBL-014, TBL-015), the new one when its
 * form closes. Every way there is an address, so one guard sees them all, the back button included. Without a session it lets go.
 */
export function useUnsavedGuard({ home, hasUnsaved, isFreshFilled, isDirty, ask, discard, dropFresh }: Guard): void {
  const isInside = (pathname: string) => {
    const [here, there] = [home, pathname].map((each) => matchPath('/data/:service/:table/*', each)?.params);
    return here?.service === there?.service && here?.table === there?.table;
  };
  const isForm = (pathname: string) => matchPath('/data/:service/:table/new', pathname) !== null;
  const { search } = useLocation();
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
    if (currentToken() === null) return false;
    const staysInTable = isInside(to.pathname);
    const isSameList = staysInTable && isSamePlace(new URLSearchParams(from.search), new URLSearchParams(to.search));
    if (hasUnsaved() && !isSameList) return true;
    const leavesForm = isForm(from.pathname) && !(staysInTable && isForm(to.pathname));
    return isFreshFilled() && leavesForm;
  });
  const askedFor = useRef<unknown>(null);
  useEffect(() => {
    // What is given up draws the page again before it is left: one question for each way out is enough.
    if (blocker.state !== 'blocked' || askedFor.current === blocker.location) return;
    const { location } = blocker;
    askedFor.current = location;
    void ask().then((isSure) => {
      if (askedFor.current !== location) return;
      if (!isSure) return blocker.reset();
      // The new record's form may close without touching the others.
      const isSameList =
        isInside(location.pathname) && isSamePlace(new URLSearchParams(search), new URLSearchParams(location.search));
      if (isSameList) dropFresh();
      else discard();
      blocker.proceed();
    });
  });

  useEffect(() => {
    if (!isDirty) return;
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', keep);
    return () => window.removeEventListener('beforeunload', keep);
  }, [isDirty]);
}
