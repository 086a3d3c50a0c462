import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { currentToken } from '../api/index.ts';
import { text } from '../text/index.ts';
import { confirm } from '../ui/index.ts';

/**
 * Asks before unsaved changes are left, by a link, the back button or the browser itself. Addresses below
 * `home` belong to the same form. A session that ended may always go: the draft stays.
 */
export function useLeaveGuard(
  isDirty: boolean,
  hasUnsavedChanges: () => boolean,
  home: string,
  onLeave: () => void,
): void {
  const blocker = useBlocker(
    // Runs when someone leaves, which may be before the last change was rendered.
    ({ nextLocation: { pathname } }) =>
      hasUnsavedChanges() && currentToken() !== null && pathname !== home && !pathname.startsWith(`${home}/`),
  );
  const isAsking = useRef(false);
  const leave = useRef(onLeave);
  leave.current = onLeave;

  useEffect(() => {
    if (blocker.state !== 'blocked' || isAsking.current) return;
    isAsking.current = true;
    void confirm({
      message: text('editor:leave'),
      impact: text('editor:leaveHint'),
      confirmLabel: text('editor:leaveYes'),
      cancelLabel: text('editor:leaveNo'),
      danger: true,
    }).then((isSure) => {
      isAsking.current = false;
      if (!isSure) return blocker.reset();
      leave.current();
      blocker.proceed();
    });
  }, [blocker]);

  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
}
