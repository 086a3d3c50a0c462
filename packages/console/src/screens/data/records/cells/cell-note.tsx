import { useLayoutEffect, useRef } from 'react';
import classes from './cell-editor.module.css';

/** Has what stands over a cell open towards the side that has room; its parent is told by `data-low` and `data-end`. */
export function useRoom<T extends HTMLElement>() {
  const element = useRef<T>(null);
  useLayoutEffect(() => {
    const cell = element.current?.parentElement;
    const frame = element.current?.closest('[data-frame]')?.getBoundingClientRect();
    const own = element.current?.getBoundingClientRect();
    if (!cell || !frame || !own) return;
    cell.toggleAttribute('data-low', own.bottom > frame.bottom);
    cell.toggleAttribute('data-end', own.right > frame.right);
    return () => {
      cell.removeAttribute('data-low');
      cell.removeAttribute('data-end');
    };
  }, []);
  return element;
}

/** Words beside a cell. The foot of the grid says them aloud. */
export function CellNote({ text, isWrong = false }: { text: string; isWrong?: boolean }) {
  const element = useRoom<HTMLSpanElement>();
  return (
    <span ref={element} className={classes.note} data-wrong={isWrong || undefined}>
      {text}
    </span>
  );
}
