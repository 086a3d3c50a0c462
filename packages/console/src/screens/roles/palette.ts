import { ApiError, api, type QueryValue } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { likeFilter } from '../../list/index.ts';
import { text } from '../../text/index.ts';

const most = 20;

/** Roles whose name has the words, for the palette; and the way to make one. */
export const rolesPalette = async (words: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const query: Record<string, QueryValue> = { fields: 'id,name', limit: most, order: 'name asc' };
  const filter = likeFilter(['name'], words);
  if (filter) query.filter = filter;
  const create: PaletteEntry = { group: 'actions', label: text('roles:palette.create'), to: '/roles/create' };
  try {
    const { resource } = await api.get<{ resource: { id: number; name: string }[] }>('system/role', { query, signal });
    const found = resource.map(({ id, name }) => ({
      group: 'records' as const,
      label: name,
      note: text('roles:thing'),
      to: `/roles/${id}`,
    }));
    return [...found, create];
  } catch (error) {
    // Whoever may not read roles has nothing to jump to there.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  }
};
