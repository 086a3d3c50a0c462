import { mayCreateKeys } from '../../calls/key/permission.ts';
import { openCreateKey } from '../../calls/key/requests.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { importAddress } from './address.ts';

const maxFound = 20;

/** Apps whose name has the words, for the palette; and the way to make one. */
export const appsPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const apps = await findRecords<{ id: number; name: string }>('app', searchText, {
    fields: 'id,name',
    search: ['name'],
    limit: maxFound,
    signal,
  });
  // A person who may not read apps has nothing to jump to there.
  if (!apps) return [];
  return [
    ...apps.map(({ id, name }) => ({
      group: 'records' as const,
      label: name,
      note: text('apps:palette.note'),
      to: `/apps/${id}`,
    })),
    { group: 'actions', label: text('apps:palette.create'), to: '/apps/create' },
    { group: 'actions', label: text('apps:palette.import'), to: importAddress },
    ...((await mayCreateKeys())
      ? [
          { group: 'actions' as const, label: text('calls:key.create'), run: () => void openCreateKey() },
          {
            group: 'actions' as const,
            label: text('calls:agent.create'),
            run: () => void openCreateKey({ purpose: 'agent' }),
          },
        ]
      : []),
  ];
};
