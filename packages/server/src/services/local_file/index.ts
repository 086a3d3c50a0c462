// Folders of this machine as file services. Where a container may lie is decided in container.ts; the calls are the same for
// every file service (server/src/storage).
import { fileType, pathFields } from '../../storage/index.ts';
import { checkContainer, openContainer } from './container.ts';
import { openLocalStorage } from './local-storage.ts';

/** Files of this machine; `uploadLimit` in bytes. */
export const localFile = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'local_file',
    label: 'Local File Storage',
    description: 'File service supporting the local file system.',
    config: pathFields({
      label: 'Root Folder',
      description:
        'A name or a relative path, kept with the data of this instance and made when it is first used, or an absolute path outside the data folder.',
    }),
    check: ({ container }) => checkContainer(container ?? ''),
    address: ({ container }) => container?.trim() || undefined,
    async test({ container }, { dataFolder }) {
      await openContainer(container ?? '', dataFolder);
    },
    open: async ({ container }, { dataFolder }) => openLocalStorage(await openContainer(container ?? '', dataFolder)),
  });
