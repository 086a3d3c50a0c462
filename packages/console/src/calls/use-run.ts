import { useEffect, useRef, useState } from 'react';
import { describeError } from '../ui/index.ts';

/** Something that is done when it is asked for: what came of it last, or why nothing did. It is broken off with the component. */
export function useRun<T extends object>(work: (signal: AbortSignal) => Promise<T>) {
  const [outcome, setOutcome] = useState<T | { problem: string } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    try {
      setOutcome(await work(controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      setOutcome({ problem: describeError(error).messages.join(' ') });
    }
    setRunning(false);
  };
  return { outcome, isRunning, run };
}
