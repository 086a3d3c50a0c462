import { queryClient } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { text } from '../../text/index.ts';
import { addressOf } from './address.ts';
import { documentedQuery } from './sources.ts';

/** The documents of services that have every word of the search. */
export async function apiDocsPalette(search: string): Promise<PaletteEntry[]> {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  // Opening the palette asks for nothing; looking for something does.
  if (words.length === 0) return [];
  const note = text('apidocs:title');
  const services = await queryClient.fetchQuery(documentedQuery);
  return services
    .map((service): PaletteEntry => {
      const label = text('apidocs:paletteEntry', { service });
      return { group: 'services', label, note, to: addressOf('/apidocs', service) };
    })
    .filter(({ label }) => words.every((word) => `${label} ${note}`.toLocaleLowerCase().includes(word)));
}
