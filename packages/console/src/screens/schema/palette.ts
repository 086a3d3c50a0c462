import { queryClient } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { text } from '../../text/index.ts';
import { makeAddress, tableAddress } from './address/addresses.ts';
import { servicesQuery, tablesQuery } from './address/sources.ts';

/** The most tables of one service that the palette offers. */
const maxTablesPerService = 20;

/**
 * The tables one can edit, and the ways to new ones: those that have every word of the search. A service that does not answer
 * offers no tables.
 */
export async function schemaPalette(search: string): Promise<PaletteEntry[]> {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  // Opening the palette reads no schema; looking for something does.
  if (words.length === 0) return [];
  const hasWords = ({ label, note }: PaletteEntry): boolean =>
    words.every((word) => `${label} ${note}`.toLocaleLowerCase().includes(word));

  const services = await queryClient.fetchQuery(servicesQuery);
  const lists = await Promise.allSettled(
    services.map(async ({ name: service, label }) => {
      const tables = await queryClient.fetchQuery({ ...tablesQuery(service), retry: false });
      const note = text('schema:palette.note', { service: label || service });
      return tables
        .map(({ name }) => ({
          group: 'tables' as const,
          label: text('schema:palette.editTable', { table: name }),
          note,
          to: tableAddress(service, name),
        }))
        .filter(hasWords)
        .slice(0, maxTablesPerService);
    }),
  );
  const actions = services.flatMap(({ name: service, label }): PaletteEntry[] => {
    const names = { service: label || service };
    const note = text('schema:palette.note', names);
    return [
      {
        group: 'actions',
        label: text('schema:palette.createTable', names),
        note: text('schema:title'),
        to: makeAddress(service, 'table'),
      },
      { group: 'actions', label: text('schema:palette.uploadJson'), note, to: makeAddress(service, 'upload') },
    ];
  });
  return [...lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : [])), ...actions.filter(hasWords)];
}
