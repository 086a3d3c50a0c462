// The schema of a service as JSON, to be carried to another database.
import type { TableDescription } from '@sluice/contract';
import { download } from '../../../api/index.ts';
import { type Progress, readTables } from '../address/read-tables.ts';

const urlLifetime = 60_000;

/** The descriptions of tables, without those of views: they would become tables. */
export async function readSchema(service: string, names: readonly string[], onProgress: (progress: Progress) => void) {
  const { tables, missing } = await readTables(service, names, { keep: (table) => table, onProgress });
  return { tables: tables.filter((table) => !table.is_view), missing };
}

/** Saves tables as a file that an upload takes. */
export function downloadSchema(service: string, tables: readonly TableDescription[]): void {
  const content = `${JSON.stringify({ resource: tables }, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  download(address, `${service}-schema.json`);
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), urlLifetime);
}
