import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { currentToken } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { confirm } from '../../../ui/index.ts';
import type { LocationParts } from '../address/grid-host.ts';

/** Asks before unsaved records are lost (TBL-014…016, TBL-038). */
export const confirmDiscard = (): Promise<boolean> =>
  confirm({
    message: text('data:confirmUnsaved'),
    confirmLabel: text('data:confirmUnsavedYes'),
    cancelLabel: text('data:confirmUnsavedNo'),
    danger: true,
  });

/** What a table would lose by a navigation: all its edits, or only the new record of the pane. */
export type Loss = 'all' | 'newRecord' | null;

interface GuardedEdits {
  lossBetween: (from: LocationParts, to: LocationParts) => Loss;
  discard: (loss: Loss) => void;
}

const GuardContext = createContext<Set<GuardedEdits>>(new Set());

/**
 * Asks before edits are lost. Everything one opens has an address, so one guard sees every navigation, the back button included. A
 * router allows one blocker, so tables that are shown together share it. Without a session nothing is asked.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [guarded] = useState(() => new Set<GuardedEdits>());
  const from = useRef<LocationParts>({ pathname: '', search: '' });
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    from.current = currentLocation;
    return currentToken() !== null && [...guarded].some((edits) => edits.lossBetween(currentLocation, nextLocation));
  });
  const promptedLocation = useRef<unknown>(null);
  useEffect(() => {
    // Discarding renders the page again before it is left: one question for each navigation is enough.
    if (blocker.state !== 'blocked' || promptedLocation.current === blocker.location) return;
    const { location } = blocker;
    promptedLocation.current = location;
    void confirmDiscard().then((isSure) => {
      if (promptedLocation.current !== location) return;
      if (!isSure) return blocker.reset();
      for (const edits of guarded) edits.discard(edits.lossBetween(from.current, location));
      blocker.proceed();
    });
  });
  return <GuardContext value={guarded}>{children}</GuardContext>;
}

/** Registers the edits of a table with the guard; while `isDirty`, the browser also asks before the page is closed. */
export function useUnsavedGuard(edits: GuardedEdits, isDirty: boolean): void {
  const guarded = useContext(GuardContext);
  const latest = useRef(edits);
  latest.current = edits;
  useEffect(() => {
    const registration: GuardedEdits = {
      lossBetween: (from, to) => latest.current.lossBetween(from, to),
      discard: (loss) => latest.current.discard(loss),
    };
    guarded.add(registration);
    return () => {
      guarded.delete(registration);
    };
  }, [guarded]);

  useEffect(() => {
    if (!isDirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isDirty]);
}
