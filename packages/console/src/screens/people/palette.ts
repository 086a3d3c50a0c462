import type { PaletteEntry } from '../../frame/screen.ts';
import { findRecords } from '../../list/find-records.ts';
import { text } from '../../text/index.ts';
import { baseOf, type PeopleKind } from './person.ts';

const maxFound = 20;
const search = ['first_name', 'last_name', 'name', 'email'];

/** People whose name or address has the words, for the palette; and the way to make one. */
export const peoplePalette =
  (kind: PeopleKind) =>
  async (searchText: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
    const people = await findRecords<{ id: number; name: string; email: string }>(kind, searchText, {
      fields: 'id,name,email',
      search,
      limit: maxFound,
      signal,
    });
    // A person who may not read people has nothing to jump to there.
    if (!people) return [];
    return [
      ...people.map(({ id, name, email }) => ({
        group: 'records' as const,
        label: name,
        note: `${text(`people:${kind}.thing`)} · ${email}`,
        to: `${baseOf[kind]}/${id}`,
      })),
      { group: 'actions', label: text(`people:${kind}.createAction`), to: `${baseOf[kind]}/create` },
    ];
  };
