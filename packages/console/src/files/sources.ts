// What is read of file services: which there are, and what is in a folder.
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import type { Grant } from './access.ts';
import { folderPath, nameOf, trimSlashes } from './paths.ts';

/** A file service as `GET /` tells it. */
export interface FileService {
  id: number;
  name: string;
  label: string;
  description: string | null;
  type: string;
  /** Absent where a server does not tell. */
  access?: readonly Grant[];
}

export interface FileItem {
  /** Below the container, without a slash at the end. */
  path: string;
  name: string;
  isFolder: boolean;
  /** Bytes of a file; null where the storage does not tell. */
  size: number | null;
  /** Milliseconds. */
  modified: number | null;
  contentType: string;
}

interface WireItem {
  path: string;
  type: 'file' | 'folder';
  last_modified?: string | null;
  content_length?: number | null;
  content_type?: string | null;
}

export function itemOf({ path: wirePath, type, last_modified, content_length, content_type }: WireItem): FileItem {
  const path = trimSlashes(wirePath);
  const modified = Date.parse(last_modified ?? '');
  return {
    path,
    name: nameOf(path),
    isFolder: type === 'folder',
    size: type === 'folder' ? null : (content_length ?? null),
    modified: Number.isNaN(modified) ? null : modified,
    contentType: content_type ?? '',
  };
}

/** The file services the person may use, in the server's order. */
export const fileServicesQuery = {
  queryKey: ['files', 'services'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FileService[]> => {
    const query = { group: 'File', include_access: true };
    return (await api.get<{ services: FileService[] }>('', { query, signal })).services;
  },
  staleTime: 60_000,
};

export const useFileServices = () => useQuery(fileServicesQuery);

const serviceKey = (service: string) => ['files', 'of', service];
export const folderKey = (service: string, folder: string) => [...serviceKey(service), 'folder', folder];

/** What is directly in a folder. */
export const folderQuery = (service: string, folder: string) => ({
  queryKey: folderKey(service, folder),
  queryFn: ({ signal }: { signal: AbortSignal }) => readItems(service, folder, {}, signal),
});

/** The folders directly in a folder. */
export const subfoldersQuery = (service: string, folder: string) => ({
  queryKey: [...serviceKey(service), 'subfolders', folder],
  queryFn: ({ signal }: { signal: AbortSignal }) => readItems(service, folder, { include_files: false }, signal),
  staleTime: 10_000,
});

/** Everything below a folder whose name holds some words. */
export const searchQuery = (service: string, folder: string, words: string) => ({
  queryKey: [...serviceKey(service), 'search', folder, words],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    readItems(service, folder, { full_tree: true, search: words }, signal),
});

export async function readItems(
  service: string,
  folder: string,
  query: Record<string, string | boolean>,
  signal: AbortSignal,
): Promise<FileItem[]> {
  const { resource } = await api.get<{ resource: WireItem[] }>(folderPath(service, folder), { query, signal });
  return resource.map(itemOf);
}

export const useFolder = (service: string, folder: string, enabled = true) =>
  useQuery({ ...folderQuery(service, folder), enabled: enabled && service !== '' });

/** Everything read of a service is read again when it is shown. */
export const refreshService = (client: QueryClient, service: string): Promise<void> =>
  client.invalidateQueries({ queryKey: serviceKey(service) });
