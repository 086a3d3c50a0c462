import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/index.ts';
import { useText } from '../text/index.ts';
import { describeError, FailedLine, Loading } from '../ui/index.ts';
import { FileIcon } from './file-icon.tsx';
import classes from './files.module.css';
import { FolderTree } from './folder-tree.tsx';
import { folderPath, isWithin, joinPath, nameProblem } from './paths.ts';
import { refreshService, useFolder } from './sources.ts';

export interface ChosenPlace {
  folder: string;
  /** The path of a file; null where a folder is chosen. */
  file: string | null;
}

interface PlacePickerProps {
  service: string;
  serviceLabel: string;
  roots: readonly string[];
  title: string;
  /** Where it begins. */
  folder: string;
  /** Whether a file in the folder is chosen, or the folder itself. */
  picks: 'folder' | 'file';
  chooseLabel: string;
  /** Why a folder cannot be the one. */
  problemOf?: (folder: string) => string | null;
  onChoose: (place: ChosenPlace) => void;
  onClose: () => void;
}

/** A folder or a file of a service, chosen in its tree; a new folder can be made on the way. */
export function PlacePicker(props: PlacePickerProps) {
  const { service, roots, picks, problemOf, onChoose, onClose } = props;
  const t = useText('files');
  const common = useText('common');
  const [folder, setFolder] = useState(roots.some((root) => isWithin(props.folder, root)) ? props.folder : roots[0]!);
  const [file, setFile] = useState<string | null>(null);
  const problem = problemOf?.(folder) ?? null;
  const isReady = problem === null && (picks === 'folder' || file !== null);
  return (
    <Modal opened onClose={onClose} title={props.title} size="lg" closeButtonProps={{ 'aria-label': common('close') }}>
      <Stack gap="sm">
        <div className={classes.picker}>
          <div className={classes.pickerBar}>
            <Text className={classes.pickerPath!} role="status">
              {`${props.serviceLabel}/${folder}`}
            </Text>
            <NewFolder service={service} folder={folder} onMade={setFolder} />
          </div>
          <FolderTree
            service={service}
            label={t('tree.label')}
            roots={roots}
            rootLabel={props.serviceLabel}
            folder={folder}
            onOpen={(path) => {
              setFolder(path);
              setFile(null);
            }}
          />
          {picks === 'file' ? <Files service={service} folder={folder} file={file} onPick={setFile} /> : null}
        </div>
        {problem ? (
          <Text size="sm" c="var(--s-text-soft)">
            {problem}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button disabled={!isReady} onClick={() => onChoose({ folder, file })}>
            {props.chooseLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface FilesProps {
  service: string;
  folder: string;
  file: string | null;
  onPick: (file: string) => void;
}

/** More files than this are found by their name in the file manager. */
const maxShown = 500;

function Files({ service, folder, file, onPick }: FilesProps) {
  const t = useText('files');
  const { data, error, refetch } = useFolder(service, folder);
  const files = data?.filter(({ isFolder }) => !isFolder) ?? [];
  if (error)
    return (
      <div className={classes.pickerFiles}>
        <FailedLine onRetry={() => void refetch()}>{describeError(error).messages.join(' ')}</FailedLine>
      </div>
    );
  if (!data) return <Loading count={3} />;
  return (
    <ul className={classes.pickerFiles} aria-label={t('picker.files')}>
      {files.length === 0 ? <li>{t('picker.noFiles')}</li> : null}
      {files.slice(0, maxShown).map((item) => (
        <li key={item.path}>
          <button
            type="button"
            className={classes.pickerFile}
            aria-pressed={item.path === file}
            onClick={() => onPick(item.path)}
          >
            <FileIcon item={item} />
            {item.name}
          </button>
        </li>
      ))}
      {files.length > maxShown ? <li>{t('picker.more', { count: files.length - maxShown })}</li> : null}
    </ul>
  );
}

interface NewFolderProps {
  service: string;
  folder: string;
  onMade: (folder: string) => void;
}

function NewFolder({ service, folder, onMade }: NewFolderProps) {
  const t = useText('files');
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (name === null)
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconFolderPlus className={classes.smallIcon} aria-hidden />}
        onClick={() => setName('')}
      >
        {t('newFolder.button')}
      </Button>
    );
  const make = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const wrong = nameProblem(name);
    if (wrong) return setProblem(t(wrong));
    try {
      await api.post(folderPath(service, joinPath(folder, name)));
      await refreshService(client, service);
      onMade(joinPath(folder, name));
      setName(null);
    } catch (error) {
      setProblem(describeError(error).messages.join(' '));
    }
  };
  return (
    <form onSubmit={(event) => void make(event)}>
      <TextInput
        size="xs"
        aria-label={t('newFolder.name')}
        placeholder={t('newFolder.name')}
        value={name}
        error={problem}
        autoFocus
        data-autofocus
        autoComplete="off"
        onChange={(event) => {
          setProblem(null);
          setName(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setName(null);
        }}
      />
    </form>
  );
}
