import { type DragEvent, useState } from 'react';

/** Props of an element that takes a file which is dropped on it; `data-over` while one is dragged over it. Text passes by. */
export function useFileDrop(take: (file: File | undefined) => void, { disabled = false } = {}) {
  const [isOver, setOver] = useState(false);
  const onDrag = (event: DragEvent, isInside: boolean) => {
    if (disabled || ![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    setOver(isInside);
  };
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => onDrag(event, true),
    onDragLeave: (event: DragEvent) => onDrag(event, false),
    onDrop: (event: DragEvent) => {
      onDrag(event, false);
      if (!disabled) take(event.dataTransfer.files[0]);
    },
  };
}
