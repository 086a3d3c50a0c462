// Files that were cut or copied, to be put into another folder of their service.
import type { FileItem } from '../../../files/index.ts';
import { createStore, useStore } from '../../../ui/index.ts';

interface Clip {
  service: string;
  items: readonly FileItem[];
  isMove: boolean;
}

export const clipboard = createStore<Clip | null>(null);
export const useClipboard = () => useStore(clipboard);
