// The window onto the drawing: its size, zoom and place; changed by wheel, buttons and keys here, by pointers in use-pointers.ts.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Frame, Size } from './boxes.ts';
import { centred, fitted, revealed, type Viewport, zoomAt } from './viewport.ts';

/** Where there is no layout, as in tests. */
const unknownSize: Size = { width: 1000, height: 700 };

export function useViewport(element: RefObject<Element | null>) {
  const [size, setSize] = useState(unknownSize);
  const [view, setView] = useState<Viewport>({ x: 0, y: 0, zoom: 1 });
  const left = useRef<number | null>(null);

  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () => {
      const box = node.getBoundingClientRect();
      if (box.width > 0 && box.height > 0)
        setSize((old) => (old.width === box.width && old.height === box.height ? old : box));
      // What opens beside the drawing does not move what one looks at.
      const shift = left.current === null ? 0 : box.left - left.current;
      left.current = box.left;
      if (shift !== 0) setView((current) => ({ ...current, x: current.x - shift }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);

  useEffect(() => {
    const node = element.current;
    if (!node) return;
    const onWheel = (event: Event) => {
      const { deltaX, deltaY, deltaMode, clientX, clientY, shiftKey, ctrlKey } = event as WheelEvent;
      event.preventDefault();
      const unit = deltaMode === 1 ? 16 : 1;
      const box = node.getBoundingClientRect();
      const at = { x: clientX - box.left, y: clientY - box.top };
      const isPan = !ctrlKey && (shiftKey || Math.abs(deltaX) > Math.abs(deltaY));
      setView((current) =>
        isPan
          ? { ...current, x: current.x - (deltaX || deltaY) * unit }
          : zoomAt(current, current.zoom * Math.exp(-deltaY * unit * (ctrlKey ? 0.01 : 0.0018)), at),
      );
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => node.removeEventListener('wheel', onWheel);
  }, [element]);

  const middle = { x: size.width / 2, y: size.height / 2 };
  return {
    size,
    view,
    setView,
    zoomBy: (factor: number) => setView((current) => zoomAt(current, current.zoom * factor, middle)),
    zoomTo: (zoom: number) => setView((current) => zoomAt(current, zoom, middle)),
    panBy: (dx: number, dy: number) => setView((current) => ({ ...current, x: current.x + dx, y: current.y + dy })),
    fit: (frame: Frame) => setView(fitted(frame, size)),
    centre: (frame: Frame, zoom: number) => setView(centred(frame, size, zoom)),
    reveal: (frame: Frame, covered = 0) => setView((current) => revealed(current, frame, size, covered)),
  };
}

export type ViewportControl = ReturnType<typeof useViewport>;
