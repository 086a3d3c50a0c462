import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { flushCache } from './flush.ts';
import { type SectionName, sectionAddress } from './sections.ts';

const maxFound = 10;
const tabs = ['environment', 'cache', 'emailTemplate', 'lookup'] as const satisfies SectionName[];

/** The tabs of Config, templates and keys whose name has the words, and flushing the cache, for the palette. */
export const configPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const entries = await Promise.all([
    findEntries('email_template', 'emailTemplate', searchText, signal),
    findEntries('lookup', 'lookup', searchText, signal),
  ]);
  return [
    ...tabs.map((name) => ({
      group: 'screens' as const,
      label: text(`config:tabs.${name}`),
      note: text('config:title'),
      to: sectionAddress(name),
    })),
    ...entries.flat(),
    { group: 'actions', label: text('config:palette.flush'), run: () => void flushCache() },
  ];
};

async function findEntries(
  resource: string,
  section: 'emailTemplate' | 'lookup',
  searchText: string,
  signal: AbortSignal,
): Promise<PaletteEntry[]> {
  // Without words there would be no reason to show these and not others.
  if (searchText === '') return [];
  const thing = section === 'lookup' ? text('config:lookup.thing') : text('config:template.thing');
  const records = await findRecords<{ id: number; name: string }>(resource, searchText, {
    fields: 'id,name',
    search: ['name'],
    limit: maxFound,
    signal,
  });
  // A person who may not read them has nothing to jump to there.
  return (records ?? []).map(({ id, name }) => ({
    group: 'records' as const,
    label: name,
    note: thing,
    to: `${sectionAddress(section)}/${id}`,
  }));
}
