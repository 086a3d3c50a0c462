import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconFile, IconFolder, IconFolderPlus, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useText } from '../../text/index.ts';
import classes from './file-manager.module.css';

interface AddButtonsProps {
  onNew: (kind: 'newFolder' | 'newFile') => void;
  onFiles: (files: FileList) => void;
}

/** What adds to a folder: new folders and files, and uploads. */
export function AddButtons({ onNew, onFiles }: AddButtonsProps) {
  const t = useText('files');
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconFolderPlus className={classes.icon} aria-hidden />}
            rightSection={<IconChevronDown className={classes.smallIcon} aria-hidden />}
          >
            {t('new.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('new.button')}>
          <Menu.Item
            leftSection={<IconFolder className={classes.icon} aria-hidden />}
            onClick={() => onNew('newFolder')}
          >
            {t('newFolder.button')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFile className={classes.icon} aria-hidden />} onClick={() => onNew('newFile')}>
            {t('newFile.button')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
        <Menu.Target>
          <Button
            leftSection={<IconUpload className={classes.icon} aria-hidden />}
            rightSection={<IconChevronDown className={classes.smallIcon} aria-hidden />}
          >
            {t('upload.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('upload.button')}>
          <Menu.Item
            leftSection={<IconFile className={classes.icon} aria-hidden />}
            onClick={() => fileInput.current?.click()}
          >
            {t('upload.files')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFolder className={classes.icon} aria-hidden />}
            onClick={() => folderInput.current?.click()}
          >
            {t('upload.folder')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Inputs fileInput={fileInput} folderInput={folderInput} onFiles={onFiles} />
    </>
  );
}

interface InputsProps {
  fileInput: React.Ref<HTMLInputElement>;
  folderInput: React.Ref<HTMLInputElement>;
  onFiles: (files: FileList) => void;
}

/** What opens the dialogs of the browser; the buttons stand elsewhere. */
function Inputs({ fileInput, folderInput, onFiles }: InputsProps) {
  const t = useText('files');
  const onChange = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    if (currentTarget.files?.length) onFiles(currentTarget.files);
    // The same file may be chosen again.
    currentTarget.value = '';
  };
  return (
    <div hidden>
      <input ref={fileInput} type="file" multiple aria-label={t('upload.files')} onChange={onChange} />
      <input
        ref={folderInput}
        type="file"
        aria-label={t('upload.folder')}
        onChange={onChange}
        {...({ webkitdirectory: '' } as object)}
      />
    </div>
  );
}
