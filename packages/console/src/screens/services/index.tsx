// Services: databases, files, mail and remote APIs, opened to apps (SVC-001). types.ts and record.ts decide, the rest draws.
import { Route, Routes, useParams } from 'react-router';
import { ServiceEditor } from './editor.tsx';
import { ServicesList } from './list.tsx';

export const ServicesScreen = () => (
  <Routes>
    <Route index element={<ServicesList />} />
    <Route path=":id/:tab?" element={<Opened />} />
  </Routes>
);

function Opened() {
  const { id = 'create', tab = 'info' } = useParams();
  return <ServiceEditor key={id} id={id === 'create' ? null : id} tab={tab} />;
}
