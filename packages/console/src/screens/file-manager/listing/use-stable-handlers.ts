import { useMemo, useRef } from 'react';
import type { RowHandlers } from './file-row.tsx';

/** The same functions as long as the list is there, which call the latest: rows that did not change are not rendered again. */
export function useStableHandlers(handlers: RowHandlers): RowHandlers {
  const latest = useRef(handlers);
  latest.current = handlers;
  return useMemo<RowHandlers>(
    () => ({
      select: (...args) => latest.current.select(...args),
      tick: (...args) => latest.current.tick(...args),
      open: (...args) => latest.current.open(...args),
      menuOf: (...args) => latest.current.menuOf(...args),
      setMenu: (...args) => latest.current.setMenu(...args),
      dragStart: (...args) => latest.current.dragStart(...args),
      dragEnd: () => latest.current.dragEnd(),
      accepts: (...args) => latest.current.accepts(...args),
      drop: (...args) => latest.current.drop(...args),
    }),
    [],
  );
}
