// The audit: who changed what, and who signed in; newest first. Read only. audit-state.ts decides, the rest draws. Beside it the last
// calls that failed (failed-calls.tsx).
import { Route, Routes, useParams } from 'react-router';
import { AuditEntry } from './entry.tsx';
import { FailedCalls } from './failed-calls.tsx';
import { AuditList } from './list.tsx';

export const AuditScreen = () => (
  <Routes>
    <Route index element={<AuditList />} />
    <Route path="failed" element={<FailedCalls />} />
    <Route path=":id" element={<Opened />} />
  </Routes>
);

function Opened() {
  const { id = '' } = useParams();
  return <AuditEntry key={id} id={id} />;
}
