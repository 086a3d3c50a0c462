import { useEffect, useRef, useState } from 'react';

/** How long a filter waits for more typing, in milliseconds. */
export const filterDelay = 1000;

/** A text that filters: applied after a pause or at once, and following the address when that changes by itself. */
export function useFilterText(applied: string, apply: (text: string) => void) {
  const [text, setText] = useState(applied);
  const lastApplied = useRef(applied);
  const latestApply = useRef(apply);
  latestApply.current = apply;

  useEffect(() => {
    if (applied === lastApplied.current) return;
    lastApplied.current = applied;
    setText(applied);
  }, [applied]);

  const applyWords = (words: string) => {
    const next = words.trim();
    if (next === lastApplied.current) return;
    lastApplied.current = next;
    latestApply.current(next);
  };
  const latestApplyWords = useRef(applyWords);
  latestApplyWords.current = applyWords;
  useEffect(() => {
    const timer = setTimeout(() => latestApplyWords.current(text), filterDelay);
    return () => clearTimeout(timer);
  }, [text]);

  return {
    text,
    set: setText,
    /** Applies the text, or other words: those of an option that was just chosen. */
    applyNow: (words: string = text) => applyWords(words),
    clear: () => {
      setText('');
      applyWords('');
    },
  };
}
