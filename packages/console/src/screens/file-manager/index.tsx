// Files: what is in the file services (FIL-001, FIL-002). The rooms:
//   listing/   the files of a folder: order, selection, keys, the grid
//   upload/    the queue of uploads, drops, and how far they are
//   actions/   what can be done with files: calls, questions, public paths, downloads
//   preview/   the pane of a file: pictures, media, texts and their editor
// browser.tsx puts them together; what other screens show of file services is in files/.
import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { useSession } from '../../api/index.ts';
import { type FileService, useFileServices } from '../../files/index.ts';
import { useHasScreen } from '../../frame/screen-list.ts';
import { useText } from '../../text/index.ts';
import { Empty, Failed, Loading, Page } from '../../ui/index.ts';
import { placeOfOldAddress } from './address.ts';
import { Browser } from './browser.tsx';

/** `/file-manager`: the manager in the console (NAV-034). */
export const FileManagerScreen = () => <Manager base="/file-manager" />;

/** `/filemanager/index.html?path=/&allowroot=true`: the same alone, as clients embed it and the Launchpad opens it (OPEN-210). */
export const EmbeddedFileManager = () => <Manager base="/filemanager" />;

function Manager({ base }: { base: string }) {
  const t = useText('files');
  const { data: services, error, refetch } = useFileServices();
  if (!services)
    return (
      <Page title={t('title')}>
        {error ? (
          <Failed error={error} title={t('servicesFailed')} onRetry={() => void refetch()} />
        ) : (
          <Loading shape="rows" />
        )}
      </Page>
    );
  if (services.length === 0) return <NoServices />;
  return (
    <Routes>
      <Route index element={<First base={base} services={services} />} />
      <Route path="index.html" element={<First base={base} services={services} />} />
      <Route path=":service" element={<Browser base={base} services={services} />} />
      <Route path="*" element={<Navigate to={base} replace />} />
    </Routes>
  );
}

/** The folder an older address names, or the root of the first service. */
function First({ base, services }: { base: string; services: readonly FileService[] }) {
  const { search } = useLocation();
  const { service, folder, root } = placeOfOldAddress(
    search,
    services.map(({ name }) => name),
  );
  const query = new URLSearchParams();
  if (folder !== '') query.set('path', `${folder}/`);
  if (root !== '') query.set('root', `${root}/`);
  const text = query.toString();
  return <Navigate to={`${base}/${encodeURIComponent(service)}${text && `?${text}`}`} replace />;
}

function NoServices() {
  const t = useText('files');
  const hasScreen = useHasScreen();
  const isAdmin = useSession()?.is_sys_admin === true;
  return (
    <Page title={t('title')}>
      <Empty
        icon={IconFolderPlus}
        title={t('noServices.title')}
        text={t(isAdmin ? 'noServices.text' : 'noServices.textForPeople')}
        action={
          isAdmin && hasScreen('/services') ? (
            <Button component={Link} to="/services/create">
              {t('noServices.create')}
            </Button>
          ) : null
        }
      />
    </Page>
  );
}
