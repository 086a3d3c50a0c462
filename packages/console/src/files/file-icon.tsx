import {
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolderFilled,
  IconPhoto,
  type IconProps,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from './files.module.css';
import { type FileKind, kindOf } from './kind.ts';
import type { FileItem } from './sources.ts';

const icons: Record<FileKind, ComponentType<IconProps>> = {
  folder: IconFolderFilled,
  image: IconPhoto,
  video: IconVideo,
  audio: IconFileMusic,
  pdf: IconFileTypePdf,
  archive: IconFileZip,
  code: IconFileCode,
  text: IconFileText,
  other: IconFile,
};

/** What a file is, at a glance; its name stands beside it. */
export function FileIcon({ item }: { item: Pick<FileItem, 'name' | 'isFolder' | 'contentType'> }) {
  const kind = kindOf(item);
  const Icon = icons[kind];
  return <Icon className={classes.fileIcon} data-kind={kind} aria-hidden stroke={1.6} />;
}
