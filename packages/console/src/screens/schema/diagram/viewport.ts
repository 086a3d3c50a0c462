// What part of the drawing is seen: zoom, and which point of it stands at the top left of the window. Pure.
import type { Frame, Point, Size } from './boxes.ts';

export interface Viewport {
  /** Pixels to the right and down where the drawing's 0, 0 stands. */
  x: number;
  y: number;
  zoom: number;
}

export const minZoom = 0.02;
export const maxZoom = 2.5;
/** One press of a button or key. */
export const zoomStep = 1.25;
const margin = 32;

export const clampZoom = (zoom: number): number => Math.min(maxZoom, Math.max(minZoom, zoom));

/** Zooms so that the point of the window at `at` keeps showing what it shows. */
export function zoomAt(view: Viewport, zoom: number, at: Point): Viewport {
  const next = clampZoom(zoom);
  const ratio = next / view.zoom;
  return { zoom: next, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** All of a frame in the middle of the window, never larger than `atMost`. */
export function fitted(frame: Frame, window: Size, atMost = 1): Viewport {
  const fits = Math.min((window.width - 2 * margin) / frame.width, (window.height - 2 * margin) / frame.height);
  return centred(frame, window, clampZoom(Math.min(atMost, Math.max(fits, minZoom))));
}

/** The middle of a frame in the middle of the window. */
export const centred = (frame: Frame, window: Size, zoom: number): Viewport => ({
  zoom,
  x: window.width / 2 - (frame.x + frame.width / 2) * zoom,
  y: window.height / 2 - (frame.y + frame.height / 2) * zoom,
});

/** The part of the drawing that the window shows. */
export const visibleFrame = ({ x, y, zoom }: Viewport, { width, height }: Size): Frame => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

/** Moves as little as needed for a frame to be seen whole; `covered` pixels at the bottom count as hidden. */
export function revealed(view: Viewport, frame: Frame, window: Size, covered = 0): Viewport {
  const shift = (start: number, length: number, room: number) => {
    const hiddenAfter = start + length + margin - room;
    const before = margin - start;
    if (before > 0) return before;
    return hiddenAfter > 0 ? -Math.min(hiddenAfter, start - margin) : 0;
  };
  const dx = shift(frame.x * view.zoom + view.x, frame.width * view.zoom, window.width);
  const dy = shift(frame.y * view.zoom + view.y, frame.height * view.zoom, window.height - covered);
  return dx === 0 && dy === 0 ? view : { ...view, x: view.x + dx, y: view.y + dy };
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The frame nearest in a direction: what lies ahead counts, and double what lies aside. */
export function nearest(from: Frame, others: Iterable<[string, Frame]>, direction: Direction): string | null {
  const middle = ({ x, y, width, height }: Frame): Point => ({ x: x + width / 2, y: y + height / 2 });
  const start = middle(from);
  let best: string | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [name, frame] of others) {
    const end = middle(frame);
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = Math.abs(direction === 'left' || direction === 'right' ? dy : dx);
    if (ahead <= 0 || aside > ahead * 3) continue;
    const cost = ahead + 2 * aside;
    if (cost < bestCost) [best, bestCost] = [name, cost];
  }
  return best;
}
