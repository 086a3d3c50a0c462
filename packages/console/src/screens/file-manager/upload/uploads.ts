// The one queue of uploads of this tab.
import { api, currentSession, queryClient } from '../../../api/index.ts';
import { sessionState } from '../../../api/session-state.ts';
import {
  type FileItem,
  filePath,
  folderKey,
  nameOf,
  parentOf,
  readItems,
  refreshService,
} from '../../../files/index.ts';
import { text } from '../../../text/index.ts';
import { createStore, notify } from '../../../ui/index.ts';
import { makeMissingFolder } from '../actions/calls.ts';
import { createUploads, totalsOf, type Upload } from './queue.ts';

/** Whether the list of uploads is in sight, which says what a message would. */
export const isShown = createStore(false);

/** A file that has arrived is shown at once: the folder, which may hold ten thousand, is read again when all have. */
function showStored({ service, path, file }: Upload): void {
  queryClient.setQueryData<FileItem[]>(folderKey(service, parentOf(path)), (items) => {
    if (!items) return items;
    const stored: FileItem = {
      ...{ path, name: nameOf(path), isFolder: false },
      ...{ size: file.size, modified: Date.now(), contentType: file.type },
    };
    return [...items.filter((item) => item.path !== path), stored];
  });
}

export const uploads = createUploads({
  send: (upload, options) =>
    api.upload(filePath(upload.service, upload.path), {
      ...options,
      body: upload.file,
      query: { check_exist: upload.replaces ? undefined : true },
    }),
  makeFolder: makeMissingFolder,
  namesIn: async (service, folder) =>
    (await readItems(service, folder, {}, new AbortController().signal)).map(({ name }) => name),
  onStored: showStored,
  onSettled: (all) => {
    const { done } = totalsOf(all);
    for (const service of new Set(all.map((upload) => upload.service))) void refreshService(queryClient, service);
    if (done > 0 && !isShown.get()) notify.success(text('files:uploads.stored', { count: done }));
  },
});

// A page that is closed stops what is under way.
window.addEventListener('beforeunload', (event) => {
  if (uploads.queue.get().uploads.some(({ state }) => state === 'sending' || state === 'waiting'))
    event.preventDefault();
});

let owner = currentSession()?.id;
sessionState.subscribe(() => {
  const person = currentSession()?.id;
  if (person !== owner) uploads.forget();
  owner = person;
});
