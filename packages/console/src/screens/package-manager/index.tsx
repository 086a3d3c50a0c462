// Packages: parts of this instance as a file, and such files taken in (PKG-001). manifest.ts knows what can be exported, content.ts
// what was chosen of it, companions.ts what goes with it; use-export.ts and use-import.ts do it, the rest draws.
import { useEffect } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { isForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { Failed, Loading, notify, Page } from '../../ui/index.ts';
import { base, importAddress } from './address.ts';
import { ExportTab } from './export-tab.tsx';
import { ImportTab } from './import-tab.tsx';
import { useLoaded, usePackagesForbidden } from './sources.ts';
import { useExport } from './use-export.ts';
import { useImport } from './use-import.ts';

export const PackagesScreen = () => (
  <Routes>
    <Route path=":tab?" element={<Packages />} />
    <Route path="*" element={<Navigate to={base} replace />} />
  </Routes>
);

/** Both tabs: what was typed in one stays while one looks at the other (OPEN-211). */
function Packages() {
  const t = useText('packages');
  const { tab } = useParams();
  const { data: loaded, error, retry } = useLoaded();
  const exporting = useExport();
  const importing = useImport();
  const isRefused = usePackagesForbidden(error);
  const hasFailed = error !== null && !isForbidden(error);
  useEffect(() => {
    if (hasFailed) notify.error(t('title'), t('loadFailed'));
  }, [hasFailed, t]);
  if (tab !== undefined && tab !== 'import') return <Navigate to={base} replace />;
  return (
    <Page
      title={t('title')}
      tabs={[
        { label: t('tabs.export'), to: base, end: true },
        { label: t('tabs.import'), to: importAddress },
      ]}
    >
      {isRefused ? null : tab === 'import' ? (
        <ImportTab importing={importing} />
      ) : loaded ? (
        <ExportTab exporting={exporting} loaded={loaded} />
      ) : error ? (
        <Failed error={error} title={t('loadFailed')} onRetry={retry} />
      ) : (
        <Loading shape="form" />
      )}
    </Page>
  );
}
