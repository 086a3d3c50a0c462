// Pointers on the drawing: panning and pinching, moving a box, drawing a line from a field to another table.
import { type PointerEvent, useRef, useState } from 'react';
import type { Point } from './boxes.ts';
import type { ViewportControl } from './use-viewport.ts';
import { type Viewport, zoomAt } from './viewport.ts';

/** Pixels a pointer may tremble in a click. */
const tremble = 4;

/** A part of the drawing: a table, perhaps one of its fields. */
export interface Spot {
  table: string;
  field: string | null;
  isHandle: boolean;
}

export function spotOf(target: EventTarget | null): Spot | null {
  if (!(target instanceof Element)) return null;
  const table = target.closest<SVGElement>('[data-table]')?.dataset.table;
  if (table === undefined) return null;
  const field = target.closest<SVGElement>('[data-field]')?.dataset.field ?? null;
  return { table, field, isHandle: target.closest('[data-handle]') !== null };
}

type Gesture =
  | { kind: 'pan'; view: Viewport; start: Point }
  | { kind: 'pinch'; view: Viewport; start: Point; distance: number }
  | { kind: 'move'; table: string; place: Point; start: Point }
  | { kind: 'connect'; from: Spot; start: Point };

/** A line that is being drawn; its end in units of the drawing. */
export interface Draft {
  from: Spot;
  end: Point;
}

interface UsePointersOptions {
  viewport: ViewportControl;
  placeOf: (table: string) => Point | undefined;
  selected: string | null;
  move: (table: string, place: Point) => void;
  onConnect: (from: Spot, to: Spot) => void;
}

export function usePointers({ viewport, placeOf, selected, move, onConnect }: UsePointersOptions) {
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<Gesture | null>(null);
  const hasMoved = useRef(false);
  const [draft, setDraft] = useState<Draft | null>(null);
  const { view, setView } = viewport;

  const pointOf = (event: PointerEvent<Element>): Point => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const pinchOf = (): Gesture => {
    const [first, second] = [...pointers.current.values()] as [Point, Point];
    const start = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
    return { kind: 'pinch', view, start, distance: Math.hypot(first.x - second.x, first.y - second.y) };
  };

  const onPointerDown = (event: PointerEvent<Element>) => {
    if (event.button !== 0 && event.button !== 1) return;
    const start = pointOf(event);
    pointers.current.set(event.pointerId, start);
    if (pointers.current.size === 2) {
      gesture.current = pinchOf();
      hasMoved.current = true;
      setDraft(null);
      return;
    }
    hasMoved.current = false;
    const spot = event.button === 0 ? spotOf(event.target) : null;
    const place = spot ? placeOf(spot.table) : undefined;
    // A finger moves the box that is selected; on others it moves the drawing, which they may fill.
    const mayMove = event.pointerType !== 'touch' || spot?.table === selected;
    if (spot?.isHandle) gesture.current = { kind: 'connect', from: spot, start };
    else if (spot && place && mayMove) gesture.current = { kind: 'move', table: spot.table, place, start };
    else gesture.current = { kind: 'pan', view, start };
  };

  const onPointerMove = (event: PointerEvent<Element>) => {
    const current = gesture.current;
    if (!current || !pointers.current.has(event.pointerId)) return;
    const point = pointOf(event);
    pointers.current.set(event.pointerId, point);
    const [dx, dy] = [point.x - current.start.x, point.y - current.start.y];
    if (!hasMoved.current && Math.hypot(dx, dy) < tremble) return;
    if (!hasMoved.current) {
      hasMoved.current = true;
      event.currentTarget.setPointerCapture?.(event.pointerId);
    }
    if (current.kind === 'pan') setView({ ...current.view, x: current.view.x + dx, y: current.view.y + dy });
    else if (current.kind === 'move')
      move(current.table, { x: current.place.x + dx / view.zoom, y: current.place.y + dy / view.zoom });
    else if (current.kind === 'connect')
      setDraft({ from: current.from, end: { x: (point.x - view.x) / view.zoom, y: (point.y - view.y) / view.zoom } });
    else if (pointers.current.size >= 2) {
      const now = pinchOf() as Extract<Gesture, { kind: 'pinch' }>;
      const zoomed = zoomAt(current.view, (current.view.zoom * now.distance) / current.distance, current.start);
      setView({ ...zoomed, x: zoomed.x + now.start.x - current.start.x, y: zoomed.y + now.start.y - current.start.y });
    }
  };

  const onPointerUp = (event: PointerEvent<Element>) => {
    pointers.current.delete(event.pointerId);
    const current = gesture.current;
    gesture.current = null;
    setDraft(null);
    if (event.type === 'pointercancel') return;
    if (current?.kind === 'connect' && hasMoved.current) {
      const target = spotOf(document.elementFromPoint(event.clientX, event.clientY));
      if (target) onConnect(current.from, target);
    }
    const [rest] = pointers.current.values();
    if (rest) gesture.current = { kind: 'pan', view, start: rest };
  };

  return {
    draft,
    /** Whether the click that follows only ends a gesture. */
    wasGesture: () => hasMoved.current,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}
