import { ApiError } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';

const maxFound = 20;

/** Limits whose name has the words, for the palette; and the way to make one. */
export const limitsPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const limits = await findLimits(searchText, signal);
  // Neither for those who may not read limits, nor on a server without any.
  if (!limits) return [];
  return [
    ...limits.map(({ id, name }) => ({
      group: 'records' as const,
      label: name,
      note: text('limits:thing'),
      to: `/limits/${id}`,
    })),
    { group: 'actions', label: text('limits:palette.create'), to: '/limits/create' },
  ];
};

async function findLimits(searchText: string, signal: AbortSignal) {
  try {
    return await findRecords<{ id: number; name: string }>('limit', searchText, {
      fields: 'id,name',
      search: ['name'],
      limit: maxFound,
      signal,
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
