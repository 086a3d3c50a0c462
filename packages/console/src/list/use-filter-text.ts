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

  const applyText = (nextText: string) => {
    const trimmedText = nextText.trim();
    if (trimmedText === lastApplied.current) return;
    lastApplied.current = trimmedText;
    latestApply.current(trimmedText);
  };
  const latestApplyText = useRef(applyText);
  latestApplyText.current = applyText;
  useEffect(() => {
    const timer = setTimeout(() => latestApplyText.current(text), filterDelay);
    return () => clearTimeout(timer);
  }, [text]);

  return {
    text,
    set: setText,
    /** Applies the text, or other words: those of an option that was just chosen. */
    applyNow: (nextText: string = text) => applyText(nextText),
    clear: () => {
      setText('');
      applyText('');
    },
  };
}
