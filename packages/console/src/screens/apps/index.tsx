// Apps: the programs that use the platform, each with a key, a default role and a place (APP-001). record.ts decides, the rest draws.
import { SectionRoutes } from '../../editor/index.ts';
import { AppEditor } from './editor.tsx';
import { AppsList } from './list.tsx';

export const AppsScreen = () => (
  <SectionRoutes list={<AppsList />} firstTab="info" editor={(route) => <AppEditor {...route} />} />
);
