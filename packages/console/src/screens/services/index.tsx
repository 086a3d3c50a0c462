// Services: databases, files, mail and remote APIs, opened to apps (SVC-001). types.ts and record.ts decide, the rest draws.
import { SectionRoutes } from '../../editor/index.ts';
import { ServiceEditor } from './editor.tsx';
import { ServicesList } from './list.tsx';

export const ServicesScreen = () => (
  <SectionRoutes list={<ServicesList />} firstTab="info" editor={(route) => <ServiceEditor {...route} />} />
);
