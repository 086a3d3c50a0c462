// Files that are dragged inside the manager: what a browser hands over of a drag can only be read when it is dropped.
import { type DragEvent, useMemo } from 'react';
import { type FileItem, type FolderDrop, isWithin, parentOf } from '../../../files/index.ts';
import { createStore } from '../../../ui/index.ts';
import { droppedFiles, hasFiles } from '../upload/drop.ts';
import type { FolderWork } from '../use-folder-work.ts';

interface Dragged {
  service: string;
  items: readonly FileItem[];
}

export const dragged = createStore<Dragged | null>(null);

/** Ctrl or Alt (on a Mac) copies instead of moving, as everywhere. */
const isCopy = (event: DragEvent) => event.ctrlKey || event.altKey;

/** What happens when something is dropped on a folder: files from outside are uploaded, those from inside moved or copied. */
export function useDropping(service: string, work: FolderWork): FolderDrop {
  return useMemo(
    () => ({
      accepts: (event, folder) => {
        if (hasFiles(event.dataTransfer)) {
          event.dataTransfer.dropEffect = 'copy';
          return true;
        }
        const inside = dragged.get();
        if (inside?.service !== service) return false;
        event.dataTransfer.dropEffect = isCopy(event) ? 'copy' : 'move';
        return inside.items.every(
          (item) =>
            !(item.isFolder && isWithin(folder, item.path)) && (isCopy(event) || parentOf(item.path) !== folder),
        );
      },
      drop: (event, folder) => {
        const inside = dragged.get();
        dragged.set(null);
        if (hasFiles(event.dataTransfer)) void work.upload(folder, droppedFiles(event.dataTransfer));
        else if (inside?.service === service) void work.actions.transfer(inside.items, folder, !isCopy(event));
      },
    }),
    [service, work],
  );
}
