import { useCallback, useMemo } from 'react';
import { useSizeText } from '../../files/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import type { PublicPaths } from './actions/public-paths.ts';
import { type FileActions, useFileActions } from './actions/use-actions.ts';
import type { FileAddress } from './address.ts';
import { type Dropped, maxFiles } from './upload/drop.ts';
import { uploads } from './upload/uploads.ts';

export interface FolderWork {
  actions: FileActions;
  upload: (folder: string, dropped: Promise<Dropped> | Dropped) => Promise<void>;
}

/** What changes the files of a service: actions, and uploads from outside. */
export function useFolderWork({ service }: FileAddress, publicPaths: PublicPaths): FolderWork {
  const sizeText = useSizeText();
  const actions = useFileActions(service, publicPaths.paths, sizeText);
  const { makeFolders } = actions;
  const upload = useCallback(
    async (folder: string, dropped: Promise<Dropped> | Dropped) => {
      try {
        const { files, emptyFolders, isCut } = await dropped;
        if (isCut) notify.error(text('files:title'), text('files:uploads.tooMany', { count: maxFiles }));
        uploads.add(service, folder, files);
        if (emptyFolders.length > 0)
          await makeFolders(emptyFolders.map((path) => (folder === '' ? path : `${folder}/${path}`)));
      } catch (error) {
        notify.error(text('files:title'), error);
      }
    },
    [service, makeFolders],
  );
  return useMemo(() => ({ actions, upload }), [actions, upload]);
}
