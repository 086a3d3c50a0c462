// The calls that change files and folders. A list of items is sent in parts; what could not be done comes back, item by item.
import { api } from '../../../api/index.ts';
import { type FileItem, filePath, folderPath, joinPath, nameOf, parentOf } from '../../../files/index.ts';
import { serverText } from '../../../text/index.ts';

/** Items of one call: long work shows how far it is, and can be stopped in between. */
const batch = 50;

export interface ItemFailure {
  item: FileItem;
  message: string;
  /** Something of that name is there already. */
  isTaken: boolean;
}

export interface Progress {
  signal: AbortSignal;
  onDone: (count: number) => void;
}

interface ItemAnswer {
  error?: { message?: string };
}

async function sendItems(
  items: readonly FileItem[],
  { signal, onDone }: Progress,
  send: (part: readonly FileItem[]) => Promise<{ resource: ItemAnswer[] }>,
): Promise<ItemFailure[]> {
  const failures: ItemFailure[] = [];
  for (let from = 0; from < items.length; from += batch) {
    signal.throwIfAborted();
    const part = items.slice(from, from + batch);
    const { resource } = await send(part);
    resource.forEach(({ error }, index) => {
      const item = part[index];
      if (!error || !item) return;
      const message = error.message ?? '';
      failures.push({ item, message: serverText(message), isTaken: /already exists\.$/.test(message) });
    });
    onDone(Math.min(items.length, from + batch));
  }
  return failures;
}

const wireType = ({ isFolder }: FileItem) => (isFolder ? 'folder' : 'file');
const wirePath = ({ path, isFolder }: FileItem) => (isFolder ? `${path}/` : path);

/** Copies or moves items into a folder, under their own names or others. */
export const transferItems = (
  service: string,
  items: readonly FileItem[],
  folder: string,
  {
    isMove,
    nameFor = ({ name }) => name,
    ...progress
  }: Progress & { isMove: boolean; nameFor?: (item: FileItem) => string },
): Promise<ItemFailure[]> =>
  sendItems(items, progress, (part) =>
    api.post(folderPath(service, folder), {
      body: {
        resource: part.map((item) => ({
          type: wireType(item),
          name: nameFor(item),
          source_path: wirePath(item),
          ...(isMove ? { delete_source: true } : {}),
        })),
      },
      signal: progress.signal,
    }),
  );

export const deleteItems = (
  service: string,
  folder: string,
  items: readonly FileItem[],
  progress: Progress,
): Promise<ItemFailure[]> =>
  sendItems(items, progress, (part) =>
    api.delete(folderPath(service, folder), {
      query: { force: true },
      body: { resource: part.map((item) => ({ type: wireType(item), path: wirePath(item) })) },
      signal: progress.signal,
    }),
  );

/** Gives a file or a folder another name. Throws what the server says of it. */
export async function renameItem(service: string, item: FileItem, name: string): Promise<void> {
  const [failure] = await transferItems(service, [item], parentOf(item.path), {
    isMove: true,
    nameFor: () => name,
    signal: new AbortController().signal,
    onDone: () => {},
  });
  if (failure) throw new Error(failure.message);
}

export const makeFolder = (service: string, folder: string): Promise<unknown> => api.post(folderPath(service, folder));

/** A folder that is there already is as good. */
export const makeMissingFolder = async (service: string, folder: string): Promise<void> => {
  try {
    await makeFolder(service, folder);
  } catch (error) {
    if (!/^Folder '.*' already exists\.$/s.test((error as { original?: string }).original ?? '')) throw error;
  }
};

/** An empty file, never in place of one that is there. */
export const makeFile = (service: string, path: string): Promise<unknown> =>
  api.post(filePath(service, path), {
    query: { check_exist: true },
    body: '',
    headers: { 'Content-Type': 'application/octet-stream' },
  });

export const pathIn = (folder: string, item: Pick<FileItem, 'path'>): string => joinPath(folder, nameOf(item.path));
