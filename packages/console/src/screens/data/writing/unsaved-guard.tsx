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
  });

/** What a table would lose on a way: its changed records too, or only the new one that is being filled in. */
export type Loss = 'all' | 'newRecord' | null;

interface GuardedEdits {
  lossBetween: (from: LocationParts, to: LocationParts) => Loss;
  discard: (loss: Loss) => void;
}

const GuardContext = createContext<Set<GuardedEdits>>(new Set());

/**
 * Asks before what was typed is lost. Every way there is an address, so one guard sees them all, the back button included; a router
 * has room for one, so tables that are shown together share it. Without a session it lets go.
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
    // What is given up draws the page again before it is left: one question for each way out is enough.
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

/** Has the guard around ask for what this table holds; `isDirty`: the browser asks before the page itself goes. */
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
