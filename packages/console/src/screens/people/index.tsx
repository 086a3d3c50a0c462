// Admins and Users: people who sign in. The two differ by their resource, their words and the roles users have per app;
// person.ts decides, the rest draws.
import { Route, Routes, useParams } from 'react-router';
import { PersonEditor } from './editor.tsx';
import { PeopleList } from './list.tsx';
import type { PeopleKind } from './person.ts';

const People = ({ kind }: { kind: PeopleKind }) => (
  <Routes>
    <Route index element={<PeopleList key={kind} kind={kind} />} />
    <Route path=":id/:tab?" element={<Opened kind={kind} />} />
  </Routes>
);

function Opened({ kind }: { kind: PeopleKind }) {
  const { id = 'create', tab = 'info' } = useParams();
  return <PersonEditor key={`${kind} ${id}`} kind={kind} id={id === 'create' ? null : id} tab={tab} />;
}

export const AdminsScreen = () => <People kind="admin" />;
export const UsersScreen = () => <People kind="user" />;
