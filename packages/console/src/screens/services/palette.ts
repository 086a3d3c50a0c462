import { ApiError, api, type QueryValue } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { text } from '../../text/index.ts';

interface FoundService {
  id: number;
  name: string;
  label: string | null;
  type: string;
}

const most = 20;

/** Services whose name or label has the words, for the palette; and the way to make one. */
export const servicesPalette = async (words: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const query: Record<string, QueryValue> = { fields: 'id,name,label,type', limit: most, order: 'name asc' };
  const like = `"%${words.replaceAll('"', '""')}%"`;
  if (words) query.filter = `(name like ${like}) or (label like ${like})`;
  try {
    const { resource } = await api.get<{ resource: FoundService[] }>('system/service', { query, signal });
    return [
      ...resource.map(({ id, name, label, type }) => ({
        group: 'services' as const,
        label: label || name,
        note: label && label !== name ? `${name} · ${type}` : type,
        to: `/services/${id}`,
      })),
      { group: 'actions', label: text('frame:palette.createService'), to: '/services/create' },
    ];
  } catch (error) {
    // Whoever may not read services has nothing to jump to there.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  }
};
