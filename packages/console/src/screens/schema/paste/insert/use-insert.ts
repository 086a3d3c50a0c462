import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../api/index.ts';
import {
  type InsertPosition,
  type InsertResult,
  type InsertSource,
  insertRows,
  locate,
  startPosition,
} from './insert.ts';

/** `lost`: the number of records in the table does not tell which are in. */
export type InsertState =
  | (InsertPosition & { end: null | 'lost' })
  | InsertResult
  | (InsertPosition & { end: 'unsure'; error: ApiError });

export interface InsertController {
  /** Null until it begins. `end` is null while it runs. */
  state: InsertState | null;
  isStopping: boolean;
  start: (source: InsertSource) => Promise<void>;
  /** Ends it behind the batch that is under way. */
  stop: () => void;
  /** Goes on where it ended; what is not certain is found out first. */
  goOn: () => Promise<void>;
}

/** The insertion of records, which can be stopped and gone on with. Leaving the page stops it. */
export function useInsert(): InsertController {
  const [state, setState] = useState<InsertState | null>(null);
  const [isStopping, setStopping] = useState(false);
  const source = useRef<InsertSource | null>(null);
  const isStopped = useRef(false);
  const isRunning = useRef(false);
  const leavesOutRefused = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  const run = async (from: InsertPosition) => {
    const result = await insertRows(source.current!, from, {
      leavesOutRefused: leavesOutRefused.current,
      isStopped: () => isStopped.current,
      onProgress: (position) => setState({ ...position, end: null }),
    });
    setState(result);
  };
  /** One at a time, however often it is asked for. */
  const alone = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    isStopped.current = false;
    setStopping(false);
    try {
      await work();
    } finally {
      isRunning.current = false;
      setStopping(false);
    }
  };
  const goOnFrom = async (ended: InsertState) => {
    const { next, inserted, failed } = ended;
    setState({ next, inserted, failed, end: null });
    if (ended.end === 'refused') leavesOutRefused.current = true;
    if (ended.end !== 'unsure') return run({ next, inserted, failed });
    try {
      const position = await locate(source.current!, { next, inserted, failed });
      if (!position) return setState({ next, inserted, failed, end: 'lost' });
      await run(position);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ next, inserted, failed, end: 'unsure', error });
    }
  };
  return {
    state,
    isStopping,
    start: (newSource) =>
      alone(async () => {
        source.current = newSource;
        setState({ ...startPosition, end: null });
        await run(startPosition);
      }),
    stop: () => {
      isStopped.current = true;
      setStopping(true);
    },
    goOn: () => alone(async () => (state && state.end !== 'lost' ? goOnFrom(state) : undefined)),
  };
}
