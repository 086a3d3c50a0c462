import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { iconOfType } from '../../ui/service-type-icon.tsx';

interface FoundService extends Record<string, unknown> {
  id: number;
  name: string;
  label: string | null;
  type: string;
}

const maxFound = 20;

/** Services whose name or label has the words, for the palette; and the way to make one. */
export const servicesPalette = async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const services = await findRecords<FoundService>('service', searchText, {
    fields: 'id,name,label,type',
    search: ['name', 'label'],
    limit: maxFound,
    signal,
  });
  // A person who may not read services has nothing to jump to there.
  if (!services) return [];
  return [
    ...services.map(({ id, name, label, type }) => ({
      group: 'services' as const,
      label: label || name,
      note: label && label !== name ? `${name} · ${type}` : type,
      to: `/services/${id}`,
      icon: iconOfType(type),
    })),
    { group: 'actions', label: text('frame:palette.createService'), to: '/services/create' },
  ];
};
