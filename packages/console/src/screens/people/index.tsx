// Admins and Users: people who sign in. The two differ by their resource, their words and the roles users have per app;
// person.ts decides, the rest draws.
import { SectionRoutes } from '../../editor/index.ts';
import { PersonEditor } from './editor.tsx';
import { PeopleList, prefetchPeople } from './list.tsx';
import type { PeopleKind } from './person.ts';

const People = ({ kind }: { kind: PeopleKind }) => (
  <SectionRoutes
    key={kind}
    list={<PeopleList kind={kind} />}
    firstTab="info"
    editor={(route) => <PersonEditor kind={kind} {...route} />}
  />
);

export const AdminsScreen = () => <People kind="admin" />;
export const UsersScreen = () => <People kind="user" />;

/** Only the list begins with people; an editor reads its own. */
export const prefetch = (kind: PeopleKind, below: string, search: URLSearchParams): Promise<unknown> =>
  /^\/?$/.test(below) ? prefetchPeople(kind, search) : Promise.resolve();
