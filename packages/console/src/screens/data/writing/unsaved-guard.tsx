import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { currentToken } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { confirm } from '../../../ui/index.ts';
import type { Spot } from '../place/site.ts';

/** Asks before unsaved records are lost (TBL-014…016, TBL-038). */
export const mayDiscard = (): Promise<boolean> =>
  confirm({
    message: text('data:confirmUnsaved'),
    confirmLabel: text('data:confirmUnsavedYes'),
    cancelLabel: text('data:confirmUnsavedNo'),
  });

/** What a table would lose on a way: its changed records too, or only the new one that is being filled in. */
export type Loss = 'all' | 'fresh' | null;

interface Keeper {
  loses: (from: Spot, to: Spot) => Loss;
  giveUp: (loss: Loss) => void;
}

const Keepers = createContext<Set<Keeper>>(new Set());

/**
 * Asks before what was typed is lost. Every way there is an address, so one guard sees them all, the back button included; a router
 * has room for one, so tables that are shown together share it. Without a session it lets go.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [keepers] = useState(() => new Set<Keeper>());
  const from = useRef<Spot>({ pathname: '', search: '' });
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    from.current = currentLocation;
    return currentToken() !== null && [...keepers].some((keeper) => keeper.loses(currentLocation, nextLocation));
  });
  const askedFor = useRef<unknown>(null);
  useEffect(() => {
    // What is given up draws the page again before it is left: one question for each way out is enough.
    if (blocker.state !== 'blocked' || askedFor.current === blocker.location) return;
    const { location } = blocker;
    askedFor.current = location;
    void mayDiscard().then((isSure) => {
      if (askedFor.current !== location) return;
      if (!isSure) return blocker.reset();
      for (const keeper of keepers) keeper.giveUp(keeper.loses(from.current, location));
      blocker.proceed();
    });
  });
  return <Keepers value={keepers}>{children}</Keepers>;
}

/** Has the guard around ask for what this table holds; `isDirty`: the browser asks before the page itself goes. */
export function useKeeper(keeper: Keeper, isDirty: boolean): void {
  const keepers = useContext(Keepers);
  const latest = useRef(keeper);
  latest.current = keeper;
  useEffect(() => {
    const mine: Keeper = {
      loses: (from, to) => latest.current.loses(from, to),
      giveUp: (loss) => latest.current.giveUp(loss),
    };
    keepers.add(mine);
    return () => {
      keepers.delete(mine);
    };
  }, [keepers]);

  useEffect(() => {
    if (!isDirty) return;
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', keep);
    return () => window.removeEventListener('beforeunload', keep);
  }, [isDirty]);
}
