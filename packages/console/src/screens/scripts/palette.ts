import { IconCode } from '@tabler/icons-react';
import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { listAddress, scriptAddress } from './address.ts';

const maxFound = 20;

/** Scripts whose name has the words, for the palette; and the way to all of them. */
export const scriptsPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const scripts = await findRecords<{ name: string; type: string }>('event_script', searchText, {
    fields: 'name,type',
    search: ['name'],
    limit: maxFound,
    signal,
  });
  if (!scripts) return [];
  return [
    ...scripts.map(({ name, type }) => ({
      group: 'records' as const,
      label: name,
      note: `${text('scripts:thing')} · ${type}`,
      to: scriptAddress(name),
      icon: IconCode,
    })),
    { group: 'actions', label: text('scripts:palette.all'), to: listAddress },
  ];
};
