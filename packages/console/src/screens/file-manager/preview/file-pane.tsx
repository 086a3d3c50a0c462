import { Button, Text } from '@mantine/core';
import { IconDownload, IconWorld } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { connection } from '../../../api/index.ts';
import { SidePane } from '../../../database/index.ts';
import {
  type FileItem,
  type FileService,
  kindOf,
  nameOf,
  parentOf,
  publicAddress,
  useSizeText,
} from '../../../files/index.ts';
import { useText } from '../../../text/index.ts';
import { CopyButton, DateText, Failed, Loading } from '../../../ui/index.ts';
import type { PublicPaths } from '../actions/public-paths.ts';
import type { FolderWork } from '../use-folder-work.ts';
import { isText, useBlobAddress, useContent, useFileItem, whyHidden } from './content.ts';
import classes from './preview.module.css';
import { TextFile } from './text-file.tsx';

interface FilePaneProps {
  service: FileService;
  path: string;
  publicPaths: PublicPaths;
  work: FolderWork;
  onClose: () => void;
}

/** The pane of a file: what it holds, and what the server says of it. */
export function FilePane(props: FilePaneProps) {
  const { service, path, onClose } = props;
  const { data: item, error, refetch } = useFileItem(service.name, path);
  const content = useContent(service.name, path, item !== undefined && whyHidden(item) === null);
  const name = nameOf(path);
  if (!item)
    return (
      <SidePane title={name} onClose={onClose} onSave={null} actions={null}>
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading shape="form" count={3} />}
      </SidePane>
    );
  if (isText(kindOf(item)) && content.data && whyHidden(item) === null)
    return (
      <TextFile
        key={`${path} ${content.dataUpdatedAt}`}
        service={service.name}
        item={item}
        content={content.data}
        note={<Facts item={item} {...props} />}
        buttons={<DownloadButton item={item} work={props.work} />}
        work={props.work}
        onClose={onClose}
      />
    );
  return (
    <SidePane
      title={name}
      note={<Facts item={item} {...props} />}
      onClose={onClose}
      onSave={null}
      actions={<DownloadButton item={item} work={props.work} />}
    >
      {content.error ? (
        <Failed error={content.error} onRetry={() => void content.refetch()} />
      ) : (
        <Preview item={item} blob={content.data?.blob} />
      )}
    </SidePane>
  );
}

function DownloadButton({ item, work }: { item: FileItem; work: FolderWork }) {
  const t = useText('files');
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload className={classes.smallIcon} aria-hidden />}
      onClick={() => void work.actions.download([item], parentOf(item.path))}
    >
      {t('download')}
    </Button>
  );
}

/** Size, type and date; the public address where there is one. */
function Facts({ item, service, publicPaths }: FilePaneProps & { item: FileItem }) {
  const t = useText('files');
  const sizeText = useSizeText();
  const address = publicAddress(connection.get().base || location.origin, service.name, item.path);
  return (
    <div className={classes.facts}>
      <span>
        {[sizeText(item.size), item.contentType].filter(Boolean).join(' · ')}
        {item.modified === null ? null : (
          <>
            {' · '}
            <DateText value={new Date(item.modified).toISOString()} />
          </>
        )}
      </span>
      {publicPaths.isPublic(item.path) ? (
        <span className={classes.public}>
          <IconWorld className={classes.smallIcon} aria-hidden stroke={1.6} />
          <a href={address} target="_blank" rel="noopener noreferrer">
            {address}
          </a>
          <CopyButton value={address} thing={t('link.thing')} />
        </span>
      ) : null}
    </div>
  );
}

function Preview({ item, blob }: { item: FileItem; blob: Blob | undefined }) {
  const t = useText('files');
  const address = useBlobAddress(blob, item);
  const [isBroken, setBroken] = useState(false);
  const hidden = whyHidden(item);
  const kind = kindOf(item);
  if (hidden) return <NoPreview>{t(`preview.hidden.${hidden}`)}</NoPreview>;
  if (isBroken) return <NoPreview>{t('preview.broken')}</NoPreview>;
  if (!address) return <Loading shape="form" count={2} />;
  const onError = () => setBroken(true);
  switch (kind) {
    case 'image':
      return (
        <div className={classes.stage}>
          <img src={address} alt={item.name} className={classes.picture} onError={onError} />
        </div>
      );
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: what someone stored has none.
      return <video src={address} controls className={classes.picture} onError={onError} aria-label={item.name} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: what someone stored has none.
      return <audio src={address} controls className={classes.audio} onError={onError} aria-label={item.name} />;
    default:
      return <iframe src={address} title={item.name} className={classes.document} />;
  }
}

const NoPreview = ({ children }: { children: ReactNode }) => (
  <Text className={classes.none!} role="status">
    {children}
  </Text>
);
