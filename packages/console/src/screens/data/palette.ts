import { queryClient } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { tableAddress } from './address/grid-state.ts';
import { servicesQuery, tablesQuery } from './address/sources.ts';

/** The most tables of one service that the palette offers. */
const maxTablesPerService = 20;

/** The tables one can jump to: those whose name contains every word of the search. A service that does not answer offers none. */
export async function dataPalette(search: string): Promise<PaletteEntry[]> {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  // Opening the palette reads no schema; looking for something does.
  if (words.length === 0) return [];
  const services = await queryClient.fetchQuery(servicesQuery);
  const lists = await Promise.allSettled(
    services.map(async ({ name: service, label }) => {
      const tables = await queryClient.fetchQuery({ ...tablesQuery(service), retry: false });
      return tables
        .filter((table) =>
          words.every((word) => `${table.name} ${table.label} ${service} ${label}`.toLocaleLowerCase().includes(word)),
        )
        .slice(0, maxTablesPerService)
        .map(({ name }) => ({
          group: 'tables' as const,
          label: name,
          note: label || service,
          to: tableAddress(service, name),
        }));
    }),
  );
  return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
}
