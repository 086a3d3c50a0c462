import { ApiError, api, type QueryValue } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { likeFilter } from '../../list/place.ts';
import { text } from '../../text/index.ts';

interface FoundApp {
  id: number;
  name: string;
}

const most = 20;

/** Apps whose name has the words, for the palette; and the way to make one. */
export const appsPalette = async (words: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const query: Record<string, QueryValue> = {
    fields: 'id,name',
    limit: most,
    order: 'name asc',
    filter: likeFilter(['name'], words),
  };
  try {
    const { resource = [] } = await api.get<{ resource?: FoundApp[] }>('system/app', { query, signal });
    return [
      ...resource.map(({ id, name }) => ({
        group: 'records' as const,
        label: name,
        note: text('apps:palette.note'),
        to: `/apps/${id}`,
      })),
      { group: 'actions', label: text('apps:palette.create'), to: '/apps/create' },
    ];
  } catch (error) {
    // Whoever may not read apps has nothing to jump to there.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  }
};
