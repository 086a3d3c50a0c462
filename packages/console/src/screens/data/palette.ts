import { queryClient } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { tableAddress } from './place/place.ts';
import { servicesQuery, tablesQuery } from './place/sources.ts';

/** How many tables the palette is given of each service. */
const most = 20;

/** The tables one can jump to: those whose name has every typed word. A service that does not answer offers none. */
export async function dataPalette(typed: string): Promise<PaletteEntry[]> {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
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
        .slice(0, most)
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
