// Roles: what people and apps may do, service by service (ROL-001). access.ts, matching.ts, meaning.ts and warnings.ts
// decide, the rest draws.
import { SectionRoutes } from '../../editor/index.ts';
import { RoleEditor } from './editor.tsx';
import { RolesList } from './list.tsx';

export const RolesScreen = () => (
  <SectionRoutes list={<RolesList />} firstTab="basic" editor={(route) => <RoleEditor {...route} />} />
);
