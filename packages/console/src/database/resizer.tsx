// The edge of the picker or of the pane, which moves by pointer and by keys (SCH-009).
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../api/index.ts';
import { useText } from '../text/index.ts';
import classes from './resizer.module.css';

interface Panel {
  label: 'resizePicker' | 'resizePane';
  /** Rem. */
  min: number;
  max: number;
  initial: number;
  /** Whether it becomes wider to the right or to the left. */
  growsTo: 1 | -1;
}

const panels = {
  picker: { label: 'resizePicker', min: 12, max: 30, initial: 15, growsTo: 1 },
  pane: { label: 'resizePane', min: 22, max: 60, initial: 30, growsTo: -1 },
} satisfies Record<string, Panel>;

/** Rem that what is in the middle keeps. */
const minMiddle = 20;
const step = 1;
const largeStep = 4;

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** The widest that a panel can be, in rem. One that lies above the middle covers it no more than it does at first. */
export const widestOf = ({ min, max, initial }: Omit<Panel, 'label' | 'growsTo'>, room: number, isAbove: boolean) =>
  clamp(isAbove ? Math.max(initial, room - minMiddle) : room - minMiddle, min, max);

/** The width that is kept; none that makes no sense. */
const readWidth = (key: string): number | null => {
  const width = Number.parseFloat(localStorage.getItem(key) ?? '');
  return Number.isFinite(width) ? width : null;
};

const remSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/**
 * A handle at the edge of the element it is put into, whose width it sets as `--panel-width`. Keeps it for each person in this
 * browser; a double click goes back to the first width.
 */
export function Resizer({ panel: name }: { panel: keyof typeof panels }) {
  const t = useText('database');
  const panel: Panel = panels[name];
  const { min, initial, growsTo } = panel;
  const key = `sluice.database.${name}.${useSession()?.id ?? 'anyone'}`;
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; width: number } | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [chosen, setChosen] = useState(() => readWidth(key) ?? initial);
  const [widest, setWidest] = useState(panel.max);
  const width = clamp(chosen, min, widest);

  useLayoutEffect(() => {
    const element = handle.current?.parentElement;
    const around = element?.parentElement;
    if (!element || !around) return;
    const measure = () => {
      const isAbove = getComputedStyle(element).position === 'absolute';
      setWidest(widestOf(panel, around.clientWidth / remSize(), isAbove));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  }, [panel]);
  useLayoutEffect(() => {
    handle.current?.parentElement?.style.setProperty('--panel-width', `${width}rem`);
  }, [width]);

  const keep = (next: number) => {
    const kept = clamp(next, min, widest);
    setChosen(kept);
    localStorage.setItem(key, String(kept));
  };
  const reset = () => {
    setChosen(initial);
    localStorage.removeItem(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = (event.shiftKey ? largeStep : step) * growsTo;
    const next = { ArrowRight: width + by, ArrowLeft: width - by, Home: min, End: widest }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    keep(next);
  };
  const widthAt = ({ clientX }: PointerEvent): number | null =>
    drag.current && clamp(drag.current.width + ((clientX - drag.current.x) / remSize()) * growsTo, min, widest);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width };
    setDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const next = widthAt(event);
    if (next !== null) setChosen(next);
  };
  const endDrag = (event: PointerEvent) => {
    const next = widthAt(event);
    // A click moves nothing, and keeps nothing.
    if (next !== null && next !== drag.current?.width) keep(next);
    drag.current = null;
    setDragging(false);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={handle}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t(panel.label)}
      aria-valuenow={Math.round(width)}
      aria-valuemin={min}
      aria-valuemax={Math.round(widest)}
      className={classes.handle}
      data-panel={name}
      data-dragging={isDragging || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onDoubleClick={reset}
    />
  );
}
