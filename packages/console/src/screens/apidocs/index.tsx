// API docs: what each service offers the person, from its document (document.ts): operations and schemas with search, and a form
// for each call (call.ts, try-call.tsx). Addresses name the service, the operation and the schema.
import { Navigate, Route, Routes, useParams } from 'react-router';
import { OperationPage } from './operation.tsx';
import { SchemaPage } from './schema.tsx';
import { ServiceList } from './service-list.tsx';
import { ServicePage } from './service-page.tsx';

/** `/apidocs` (NAV-033, DOC-001). */
export const ApiDocsScreen = () => <Docs base="/apidocs" />;

/** `/df-api-docs-ui/dist/index.html?admin_app=1`: the same alone, where older clients look for it (OPEN-209). */
export const EmbeddedApiDocs = () => <Docs base="/df-api-docs-ui" />;

const Docs = ({ base }: { base: string }) => (
  <Routes>
    <Route index element={<ServiceList base={base} />} />
    <Route path="dist/*" element={<Navigate to={base} replace />} />
    <Route path="index.html" element={<Navigate to={base} replace />} />
    <Route path=":service" element={<InService base={base} page={ServicePage} />} />
    <Route path=":service/call/:name" element={<InService base={base} page={OperationPage} />} />
    <Route path=":service/schema/:name" element={<InService base={base} page={SchemaPage} />} />
    <Route path="*" element={<Navigate to={base} replace />} />
  </Routes>
);

function InService({ base, page: Shown }: { base: string; page: typeof OperationPage | typeof ServicePage }) {
  const { service = '', name = '' } = useParams();
  return <Shown key={`${service}/${name}`} base={base} service={service} name={name} />;
}
