import { useLayoutEffect, useRef } from 'react';
import classes from './cell-editor.module.css';

/** Has what stands over a cell open towards the side that has room; its parent is told by `data-low` and `data-end`. */
export function useOverlayPlacement<T extends HTMLElement>() {
  const element = useRef<T>(null);
  useLayoutEffect(() => {
    const cell = element.current?.parentElement;
    const viewport = element.current?.closest('[data-frame]')?.getBoundingClientRect();
    const overlay = element.current?.getBoundingClientRect();
    if (!cell || !viewport || !overlay) return;
    cell.toggleAttribute('data-low', overlay.bottom > viewport.bottom);
    cell.toggleAttribute('data-end', overlay.right > viewport.right);
    return () => {
      cell.removeAttribute('data-low');
      cell.removeAttribute('data-end');
    };
  }, []);
  return element;
}

/** Words beside a cell. The foot of the grid says them aloud. */
export function CellNote({ text, isError = false }: { text: string; isError?: boolean }) {
  const element = useOverlayPlacement<HTMLSpanElement>();
  return (
    <span ref={element} className={classes.note} data-wrong={isError || undefined}>
      {text}
    </span>
  );
}
