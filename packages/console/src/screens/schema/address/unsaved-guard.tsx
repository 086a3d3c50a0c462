import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { currentToken } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { confirm } from '../../../ui/index.ts';
import type { LocationParts } from './use-place.ts';

interface Guarded {
  isLostAt: (next: LocationParts) => boolean;
  letPass: () => void;
}

const GuardContext = createContext<Set<Guarded>>(new Set());

/** Asks before something unsaved is lost. */
export const confirmLeave = (): Promise<boolean> =>
  confirm({
    message: text('schema:confirmUnsaved'),
    confirmLabel: text('schema:leave'),
    cancelLabel: text('schema:stay'),
    danger: true,
  });

/**
 * Asks before unsaved changes are left by a navigation. A router allows one blocker, so all forms of Schema share it. Without a
 * session nothing is asked.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [guarded] = useState(() => new Set<Guarded>());
  const blocker = useBlocker(
    ({ nextLocation }) => currentToken() !== null && [...guarded].some(({ isLostAt }) => isLostAt(nextLocation)),
  );
  const asked = useRef<unknown>(null);
  useEffect(() => {
    if (blocker.state !== 'blocked' || asked.current === blocker.location) return;
    const { location } = blocker;
    asked.current = location;
    void confirmLeave().then((isSure) => {
      if (asked.current !== location) return;
      if (isSure) blocker.proceed();
      else blocker.reset();
    });
  });
  return <GuardContext value={guarded}>{children}</GuardContext>;
}

/**
 * Guards a form: while `isDirty`, a navigation to an address where `isLostAt` holds is asked about, and the closing of the page.
 * Returns a function that lets the next navigation pass, for what has just been saved or is dropped on purpose.
 */
export function useUnsavedGuard(isDirty: boolean, isLostAt: (next: LocationParts) => boolean): () => void {
  const guarded = useContext(GuardContext);
  const latest = useRef({ isDirty, isLostAt });
  latest.current = { isDirty, isLostAt };
  const letPass = useCallback(() => {
    latest.current = { ...latest.current, isDirty: false };
  }, []);
  useEffect(() => {
    const registration: Guarded = {
      isLostAt: (next) => latest.current.isDirty && latest.current.isLostAt(next),
      letPass,
    };
    guarded.add(registration);
    return () => {
      guarded.delete(registration);
    };
  }, [guarded, letPass]);
  useEffect(() => {
    if (!isDirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isDirty]);
  return letPass;
}

/** Lets the next navigation pass every guard, for what is dropped on purpose from outside its form. */
export function useLetAllPass(): () => void {
  const guarded = useContext(GuardContext);
  return () => {
    for (const { letPass } of guarded) letPass();
  };
}
