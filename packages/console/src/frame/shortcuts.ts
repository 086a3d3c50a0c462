import { useEffect } from 'react';

/** Whether keys are named as on a Mac. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const hasDialog = (): boolean => document.querySelector('[role="dialog"]') !== null;

/**
 * The keys that work everywhere: ⌘K or Ctrl K jumps, `?` lists the shortcuts, `/` goes to the filter of the page (the element
 * marked `data-filter`, or its search field).
 */
export const useShortcuts = (open: (panel: 'palette' | 'shortcuts') => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        if (hasDialog()) return;
        event.preventDefault();
        open('palette');
        return;
      }
      if (event.metaKey || event.ctrlKey || isTyping(event.target) || hasDialog()) return;
      if (event.key === '?') {
        event.preventDefault();
        open('shortcuts');
      }
      if (event.key === '/') {
        const filter = document.querySelector<HTMLInputElement>('[data-filter], main input[type="search"]');
        if (!filter) return;
        event.preventDefault();
        filter.focus();
        filter.select?.();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
};
