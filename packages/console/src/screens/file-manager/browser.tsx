// One service: its tree, the folder that is shown, what can be done there, and the pane of a file.
import { Select } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { layout } from '../../database/index.ts';
import { type FileService, FolderTree, isWithin, startFolders, trimSlashes } from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import { dropDownProps, Failed, NotAllowed, Page } from '../../ui/index.ts';
import { usePublicPaths } from './actions/public-paths.ts';
import { type FileAddress, useFileAddress } from './address.ts';
import classes from './file-manager.module.css';
import { FolderView } from './folder-view.tsx';
import { dragged, useDropping } from './listing/dragging.ts';
import { FilePane } from './preview/file-pane.tsx';
import { StartFolders } from './start-folders.tsx';
import { useFolderWork } from './use-folder-work.ts';

interface BrowserProps {
  base: string;
  services: readonly FileService[];
}

export function Browser({ base, services }: BrowserProps) {
  const t = useText('files');
  const navigate = useNavigate();
  const address = useFileAddress(base);
  const service = services.find(({ name }) => name === address.service);
  const roots = useMemo(
    () => (address.root !== '' ? [address.root] : startFolders(service?.access)),
    [address.root, service],
  );
  const publicPaths = usePublicPaths(service);
  const work = useFolderWork(address, publicPaths);
  const dropping = useDropping(address.service, work);
  // What is dragged belongs to a service.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another service
  useEffect(() => dragged.set(null), [address.service]);

  if (!service)
    return (
      <Page title={t('title')}>
        <Failed error={t('unknownService', { name: address.service })} onRetry={() => navigate(base)} />
      </Page>
    );
  const label = service.label || service.name;
  const isOutside = !roots.some((root) => isWithin(address.folder, root));
  if (isOutside && roots.length === 1) return <Navigate to={address.to({ folder: roots[0]! })} replace />;
  const picker = (
    <ServicePicker services={services} address={address} onPick={(name) => navigate(address.to({ service: name }))} />
  );
  return (
    <div className={layout.screen} data-view="table" data-pane={address.file !== null || undefined}>
      <aside className={layout.picker} aria-label={t('tree.label')}>
        <div className={classes.pickerHead}>{picker}</div>
        {roots.length > 0 ? (
          <FolderTree
            key={service.name}
            service={service.name}
            label={t('tree.of', { name: label })}
            roots={roots}
            rootLabel={label}
            folder={address.folder}
            onOpen={(folder) => navigate(address.to({ folder }))}
            dropping={dropping}
          />
        ) : null}
      </aside>
      <div className={layout.main}>
        <div className={layout.phonePicker}>{picker}</div>
        {roots.length === 0 ? (
          <Page title={label}>
            <NotAllowed text={t('notAllowed', { name: service.name })} />
          </Page>
        ) : isOutside ? (
          <StartFolders label={label} roots={roots} address={address} />
        ) : (
          <FolderView
            key={service.name}
            service={service}
            address={address}
            roots={roots}
            publicPaths={publicPaths}
            work={work}
            dropping={dropping}
          />
        )}
        {address.file !== null && !isOutside ? (
          <FilePane
            key={address.file}
            service={service}
            path={trimSlashes(address.file)}
            publicPaths={publicPaths}
            work={work}
            onClose={() => navigate(address.to({ search: address.search, isDeep: address.isDeep }))}
          />
        ) : null}
      </div>
    </div>
  );
}

interface ServicePickerProps {
  services: readonly FileService[];
  address: FileAddress;
  onPick: (service: string) => void;
}

function ServicePicker({ services, address, onPick }: ServicePickerProps) {
  const t = useText('files');
  return (
    <Select
      {...dropDownProps}
      aria-label={t('service')}
      // Who is kept to a folder is kept to its service.
      data={services
        .filter(({ name }) => address.root === '' || name === address.service)
        .map(({ name, label }) => ({ value: name, label: label || name }))}
      value={address.service}
      onChange={(name) => name && name !== address.service && onPick(name)}
      allowDeselect={false}
    />
  );
}
