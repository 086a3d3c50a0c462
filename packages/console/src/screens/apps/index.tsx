// Apps: the programs that use the platform, each with a key, a default role and a place (APP-001). record.ts decides, import/ takes
// packages of apps in, export/ makes them, the rest draws.
import { Route, Routes } from 'react-router';
import { SectionRoutes } from '../../editor/index.ts';
import { AppEditor } from './editor.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { AppsList } from './list.tsx';

export const AppsScreen = () => (
  <Routes>
    <Route path="import" element={<ImportTab />} />
    <Route
      path="*"
      element={<SectionRoutes list={<AppsList />} firstTab="info" editor={(route) => <AppEditor {...route} />} />}
    />
  </Routes>
);
