import { queryClient } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { operationText, text } from '../../text/index.ts';
import { addressOf } from './address.ts';
import { findOperations, readOperations } from './document.ts';
import { documentedQuery, documentQuery } from './sources.ts';

/** The most operations of one service that the palette offers. */
const maxOperations = 20;
/** The most documents that are read for one search: those of large databases are long. */
const maxRead = 3;

/** The documents of services that have every word of the search, and operations of the services that it names. */
export async function apiDocsPalette(search: string): Promise<PaletteEntry[]> {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  // Opening the palette asks for nothing; looking for something does.
  if (words.length === 0) return [];
  const note = text('apidocs:title');
  const services = await queryClient.fetchQuery(documentedQuery);
  const documents = services
    .map((service): PaletteEntry => {
      const label = text('apidocs:paletteEntry', { service });
      return { group: 'services', label, note, to: addressOf('/apidocs', service) };
    })
    .filter(({ label }) => words.every((word) => `${label} ${note}`.toLocaleLowerCase().includes(word)));
  return [...documents, ...(await findInDocuments(services, words))];
}

/** Operations that have the words: of the services among the words, and of those whose document was read before. */
async function findInDocuments(services: string[], words: string[]): Promise<PaletteEntry[]> {
  const isNamed = (service: string) => words.includes(service.toLocaleLowerCase());
  const isRead = (service: string) => queryClient.getQueryData(documentQuery(service).queryKey) !== undefined;
  const named = services.filter(isNamed).slice(0, maxRead);
  const read = services.filter((service) => !isNamed(service) && isRead(service));
  const found = await Promise.allSettled([...named, ...read].map((service) => operationsOf(service, words)));
  // A service that does not answer offers none.
  return found.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
}

async function operationsOf(service: string, words: string[]): Promise<PaletteEntry[]> {
  const document = await queryClient.fetchQuery({ ...documentQuery(service), retry: false, staleTime: 60_000 });
  const others = words.filter((word) => word !== service.toLocaleLowerCase()).join(' ');
  return findOperations(readOperations(document), others, operationText)
    .slice(0, maxOperations)
    .map(({ id, verb, path, summary }) => ({
      group: 'operations',
      label: `${verb} ${path}`,
      note: text('apidocs:paletteOperation', { service, summary: operationText(summary) }),
      to: addressOf('/apidocs', service, 'call', id),
    }));
}
