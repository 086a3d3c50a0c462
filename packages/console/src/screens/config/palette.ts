import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { flushCache } from './flush.ts';
import { type SectionName, sectionAddress } from './sections.ts';

const maxFound = 10;
const tabs = ['environment', 'cache', 'cors', 'emailTemplate', 'lookup'] as const satisfies SectionName[];

/** The tabs of Config, rules, templates and keys whose name has the words, and flushing the cache, for the palette. */
export const configPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const entries = await Promise.all([
    findEntries(
      { resource: 'cors', section: 'cors', thing: text('config:cors.thing'), nameField: 'path' },
      searchText,
      signal,
    ),
    findEntries(
      { resource: 'email_template', section: 'emailTemplate', thing: text('config:template.thing') },
      searchText,
      signal,
    ),
    findEntries({ resource: 'lookup', section: 'lookup', thing: text('config:lookup.thing') }, searchText, signal),
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

interface EntryKind {
  resource: string;
  section: SectionName;
  thing: string;
  nameField?: string;
}

async function findEntries(
  { resource, section, thing, nameField = 'name' }: EntryKind,
  searchText: string,
  signal: AbortSignal,
): Promise<PaletteEntry[]> {
  // Without words there would be no reason to show these and not others.
  if (searchText === '') return [];
  const records = await findRecords<{ id: number } & Record<string, unknown>>(resource, searchText, {
    fields: `id,${nameField}`,
    search: [nameField],
    order: `${nameField} asc`,
    limit: maxFound,
    signal,
  });
  // A person who may not read them has nothing to jump to there.
  return (records ?? []).map((record) => ({
    group: 'records' as const,
    label: String(record[nameField]),
    note: thing,
    to: `${sectionAddress(section)}/${record.id}`,
  }));
}
