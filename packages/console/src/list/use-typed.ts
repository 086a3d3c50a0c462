import { useEffect, useRef, useState } from 'react';

/** How long a filter waits for more typing, in milliseconds. */
export const filterPause = 1000;

/** A text that filters: applied after a pause or at once, and following the address when that changes by itself. */
export function useTyped(applied: string, apply: (text: string) => void) {
  const [text, setText] = useState(applied);
  const told = useRef(applied);
  const current = useRef(apply);
  current.current = apply;

  useEffect(() => {
    if (applied === told.current) return;
    told.current = applied;
    setText(applied);
  }, [applied]);

  const now = (words: string) => {
    const wanted = words.trim();
    if (wanted === told.current) return;
    told.current = wanted;
    current.current(wanted);
  };
  const nowRef = useRef(now);
  nowRef.current = now;
  useEffect(() => {
    const timer = setTimeout(() => nowRef.current(text), filterPause);
    return () => clearTimeout(timer);
  }, [text]);

  return {
    text,
    set: setText,
    /** What is there now, or the words given: those of an option, before they are. */
    applyNow: (words: string = text) => now(words),
    clear: () => {
      setText('');
      now('');
    },
  };
}
