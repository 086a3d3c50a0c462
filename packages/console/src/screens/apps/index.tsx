// Apps: the programs that use the platform, each with a key, a default role and a place (APP-001). record.ts decides, the rest draws.
import { Route, Routes, useParams } from 'react-router';
import { AppEditor } from './editor.tsx';
import { AppsList } from './list.tsx';

export const AppsScreen = () => (
  <Routes>
    <Route index element={<AppsList />} />
    <Route path=":id/:tab?" element={<Opened />} />
  </Routes>
);

function Opened() {
  const { id = 'create', tab = 'info' } = useParams();
  return <AppEditor key={id} id={id === 'create' ? null : id} tab={tab} />;
}
