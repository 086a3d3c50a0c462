// The schema of a service as JSON, to be carried to another database.
import type { TableDescription } from '@sluice/contract';
import { api, download } from '../../../api/index.ts';

/** So many tables are described in one call. */
const sliceSize = 50;
const urlLifetime = 60_000;

/** The descriptions of all tables of a service, without its views: they would become tables. */
export async function readSchema(
  service: string,
  names: readonly string[],
  onProgress: (done: number) => void = () => {},
): Promise<TableDescription[]> {
  const path = `${encodeURIComponent(service)}/_schema`;
  // Names in `ids` are separated by commas.
  const listable = names.filter((name) => !name.includes(','));
  const tables: TableDescription[] = [];
  for (let index = 0; index < listable.length; index += sliceSize) {
    const query = { ids: listable.slice(index, index + sliceSize) };
    const { resource } = await api.get<{ resource: TableDescription[] }>(path, { query });
    tables.push(...resource);
    onProgress(tables.length);
  }
  for (const name of names.filter((name) => name.includes(','))) {
    tables.push(await api.get<TableDescription>(`${path}/${encodeURIComponent(name)}`));
    onProgress(tables.length);
  }
  return tables.filter((table) => !table.is_view);
}

/** Saves tables as a file that an upload takes. */
export function downloadSchema(service: string, tables: readonly TableDescription[]): void {
  const content = `${JSON.stringify({ resource: tables }, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  download(address, `${service}-schema.json`);
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), urlLifetime);
}
