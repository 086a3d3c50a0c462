import { createContext, useContext } from 'react';
import type { Screen } from './screen.ts';

/** All screens. The console provides the list, so that neither the frame nor a screen imports it. */
export const ScreenList = createContext<readonly Screen[]>([]);

export const useScreens = (): readonly Screen[] => useContext(ScreenList);

/** Whether an address belongs to a screen that exists: what does not exist gets no link. */
type HasScreen = (address: string) => boolean;

export const useHasScreen = (): HasScreen => {
  const screens = useScreens();
  return (address) => screens.some(({ path }) => path === address);
};

/** The address of the editor of a record; null where no screen edits records of its resource. */
export type EditorAddressOf = (resource: string | null, id: string | number | null) => string | null;

export const useEditorAddress = (): EditorAddressOf => {
  const screens = useScreens();
  return (resource, id) => {
    const screen = screens.find(({ edits }) => edits !== undefined && edits === resource);
    return screen && id !== null && id !== '' ? `${screen.path}/${encodeURIComponent(id)}` : null;
  };
};
