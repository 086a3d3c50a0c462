import { api, download, downloadUrl } from '../api/index.ts';
import type { TransferFormat } from './transfer.ts';

type Query = Parameters<typeof downloadUrl>[1];

/**
 * Has the browser fetch a file of the records at a path. Its CSV is for a spreadsheet, which runs none of its cells, unless
 * `isExact` asks for what is stored (docs/contract/http-basics.md §6).
 */
export async function exportRecords(
  path: string,
  name: string,
  format: TransferFormat,
  query: Query,
  isExact = false,
): Promise<void> {
  // The browser tells nothing of a download that is refused; this call does, and renews a session that has run out.
  await api.get(path, { query: { ...query, ids: undefined, limit: 1 } });
  const file = `${name}.${format}`;
  const spreadsheet = format === 'csv' && !isExact ? true : undefined;
  download(downloadUrl(path, { ...query, file, spreadsheet }), file);
}
