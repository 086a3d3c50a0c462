import { useLayoutEffect, useRef } from 'react';
import classes from './cell-editor.module.css';

/** Makes an overlay of a cell open towards the side that has room: sets `data-low` and `data-end` at the cell. */
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

/** A note beside a cell. The status below the grid reads it aloud. */
export function CellNote({ text, isError = false }: { text: string; isError?: boolean }) {
  const element = useOverlayPlacement<HTMLSpanElement>();
  return (
    <span ref={element} className={classes.note} data-wrong={isError || undefined}>
      {text}
    </span>
  );
}
