// Downloads carry the session in headers, so that no address holds it: the bytes come into the page, which hands them to the browser.
import { api, saveBlob } from '../../../api/index.ts';
import { type FileItem, filePath, folderPath, nameOf } from '../../../files/index.ts';

/** A file as it is, a folder as a zip of all that the person may read of it. */
export async function downloadItem(service: string, item: FileItem, signal: AbortSignal): Promise<void> {
  const blob = await api.get<Blob>(item.isFolder ? folderPath(service, item.path) : filePath(service, item.path), {
    query: item.isFolder ? { zip: true } : { download: true },
    as: 'blob',
    signal,
  });
  saveBlob(blob, item.isFolder ? `${item.name || service}.zip` : item.name);
}

/** Several files and folders of a folder, or of what is below it, as one zip. */
export async function downloadItems(
  service: string,
  folder: string,
  items: readonly FileItem[],
  signal: AbortSignal,
): Promise<void> {
  const blob = await api.post<Blob>(folderPath(service, folder), {
    query: { zip: true },
    headers: { 'X-HTTP-METHOD': 'GET' },
    body: { resource: items.map(({ path, isFolder }) => ({ path, type: isFolder ? 'folder' : 'file' })) },
    as: 'blob',
    signal,
  });
  saveBlob(blob, `${nameOf(folder) || service}.zip`);
}
