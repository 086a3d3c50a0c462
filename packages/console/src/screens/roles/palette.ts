import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';

const maxFound = 20;

/** Roles whose name has the words, for the palette; and the way to make one. */
export const rolesPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const roles = await findRecords<{ id: number; name: string }>('role', searchText, {
    fields: 'id,name',
    search: ['name'],
    limit: maxFound,
    signal,
  });
  // A person who may not read roles has nothing to jump to there.
  if (!roles) return [];
  return [
    ...roles.map(({ id, name }) => ({
      group: 'records' as const,
      label: name,
      note: text('roles:thing'),
      to: `/roles/${id}`,
    })),
    { group: 'actions', label: text('roles:palette.create'), to: '/roles/create' },
  ];
};
