import { ApiError, api } from '../../api/index.ts';
import type { PaletteEntry } from '../../frame/screen.ts';
import { likeFilter } from '../../list/place.ts';
import { text } from '../../text/index.ts';
import { baseOf, type PeopleKind } from './person.ts';

interface FoundPerson {
  id: number;
  name: string;
  email: string;
}

const most = 20;
const fields = ['first_name', 'last_name', 'name', 'email'];

/** People whose name or address has the words, for the palette; and the way to make one. */
export const peoplePalette =
  (kind: PeopleKind) =>
  async (words: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
    const query = { fields: 'id,name,email', limit: most, order: 'name asc', filter: likeFilter(fields, words) };
    try {
      const { resource } = await api.get<{ resource: FoundPerson[] }>(`system/${kind}`, { query, signal });
      return [
        ...resource.map(({ id, name, email }) => ({
          group: 'records' as const,
          label: name,
          note: `${text(`people:${kind}.thing`)} · ${email}`,
          to: `${baseOf[kind]}/${id}`,
        })),
        { group: 'actions', label: text(`people:${kind}.createAction`), to: `${baseOf[kind]}/create` },
      ];
    } catch (error) {
      // Whoever may not read people has nothing to jump to there.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return [];
      throw error;
    }
  };
