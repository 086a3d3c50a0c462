import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconDownload,
  IconFolderOpen,
  IconFolderSymlink,
  IconLink,
  IconPencil,
  IconTrash,
  IconWorld,
  IconWorldOff,
  IconWorldShare,
} from '@tabler/icons-react';
import { connection } from '../../api/index.ts';
import { apiAddress } from '../../api/send.ts';
import { type FileItem, filePath, folderPath, publicAddress } from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import { copyText, notify } from '../../ui/index.ts';
import type { PublicPaths } from './actions/public-paths.ts';
import classes from './file-manager.module.css';

export interface ItemActions {
  open: (item: FileItem) => void;
  rename: (item: FileItem) => void;
  move: (item: FileItem) => void;
  copy: (item: FileItem) => void;
  download: (item: FileItem) => void;
  remove: (item: FileItem) => void;
}

interface ItemMenuProps {
  item: FileItem;
  service: string;
  publicPaths: PublicPaths;
  actions: ItemActions;
  /** How many are selected with it. */
  count: number;
}

/** What one can do with a file or folder, and with those selected beside it. */
export function ItemMenu({ item, service, publicPaths, actions, count }: ItemMenuProps) {
  const t = useText('files');
  const icon = (Icon: typeof IconCopy) => <Icon className={classes.icon} aria-hidden stroke={1.6} />;
  const isPublic = publicPaths.isPublic(item.path);
  const isListed = publicPaths.isListed(item.path);
  const copyLink = async (address: string) => {
    if (await copyText(address)) notify.success(t('link.copied'));
    else notify.error(t('title'), address);
  };
  const apiPath = item.isFolder ? folderPath(service, item.path) : filePath(service, item.path);
  return (
    <>
      {count > 1 ? <Menu.Label>{t('selected', { count })}</Menu.Label> : null}
      <Menu.Item leftSection={icon(IconFolderOpen)} onClick={() => actions.open(item)}>
        {t('open')}
      </Menu.Item>
      <Menu.Item leftSection={icon(IconDownload)} onClick={() => actions.download(item)}>
        {t(item.isFolder || count > 1 ? 'downloadZip' : 'download')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={icon(IconPencil)} onClick={() => actions.rename(item)}>
        {t('rename.open')}
      </Menu.Item>
      <Menu.Item leftSection={icon(IconFolderSymlink)} onClick={() => actions.move(item)}>
        {t('move.open')}
      </Menu.Item>
      <Menu.Item leftSection={icon(IconCopy)} onClick={() => actions.copy(item)}>
        {t('copy.open')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={icon(IconLink)} onClick={() => void copyLink(`${apiAddress()}/${apiPath}`)}>
        {t('link.api')}
      </Menu.Item>
      {isPublic && !item.isFolder ? (
        <Menu.Item
          leftSection={icon(IconWorldShare)}
          onClick={() => void copyLink(publicAddress(connection.get().base || location.origin, service, item.path))}
        >
          {t('link.public')}
        </Menu.Item>
      ) : null}
      {publicPaths.mayChange && (isListed || !isPublic) ? (
        <Menu.Item
          leftSection={icon(isListed ? IconWorldOff : IconWorld)}
          onClick={() => void publicPaths.setPublic(item, !isListed)}
        >
          {t(isListed ? 'public.stopOpen' : 'public.makeOpen')}
        </Menu.Item>
      ) : null}
      <Menu.Divider />
      <Menu.Item
        leftSection={icon(IconTrash)}
        className={classes.dangerItem ?? ''}
        onClick={() => actions.remove(item)}
      >
        {t('delete.open')}
      </Menu.Item>
    </>
  );
}
