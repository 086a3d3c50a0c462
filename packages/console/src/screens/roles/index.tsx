// Roles: what people and apps may do, service by service (ROL-001). access.ts, matching.ts, meaning.ts and warnings.ts
// decide, the rest draws.
import { Route, Routes, useParams } from 'react-router';
import { RoleEditor } from './editor.tsx';
import { RolesList } from './list.tsx';

export const RolesScreen = () => (
  <Routes>
    <Route index element={<RolesList />} />
    <Route path=":id/:tab?" element={<Opened />} />
  </Routes>
);

function Opened() {
  const { id = 'create', tab = 'basic' } = useParams();
  return <RoleEditor key={id} id={id === 'create' ? null : id} tab={tab} />;
}
