import { apiUrl, connection, type QueryValue } from './send.ts';
import { currentToken } from './session-state.ts';

/** The address of a file the browser fetches by itself: a link carries no headers, so key and session go in its query (C-PPL-08). */
export const downloadUrl = (path: string, query: Record<string, QueryValue>): string =>
  apiUrl(path, { ...query, api_key: connection.get().apiKey || undefined, session_token: currentToken() });

/** Has the browser fetch a file; the page stays. */
export function download(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}

/** Bytes as a file of the person who asked for them. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  download(address, name);
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
