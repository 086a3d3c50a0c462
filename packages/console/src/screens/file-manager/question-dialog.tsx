import { type FileItem, type FileService, joinPath, PlacePicker, parentOf } from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import { makeFile, makeFolder, renameItem } from './actions/calls.ts';
import { NameDialog } from './actions/name-dialog.tsx';
import type { FolderWork } from './use-folder-work.ts';

/** What is asked for in a dialog. */
export type Question =
  | { kind: 'newFolder' | 'newFile' }
  | { kind: 'rename'; item: FileItem }
  | { kind: 'move' | 'copy'; items: readonly FileItem[] };

interface QuestionDialogProps {
  question: Question;
  service: FileService;
  label: string;
  folder: string;
  roots: readonly string[];
  names: readonly string[];
  work: FolderWork;
  onMade: (path: string, isFile: boolean) => void;
  onClose: () => void;
}

/** Asks for a name or a place, and does what it was asked for. */
export function QuestionDialog({
  question,
  service,
  label,
  folder,
  roots,
  names,
  work,
  onMade,
  onClose,
}: QuestionDialogProps) {
  const t = useText('files');
  const { actions } = work;
  if (question.kind === 'move' || question.kind === 'copy') {
    const isMove = question.kind === 'move';
    const { items } = question;
    return (
      <PlacePicker
        service={service.name}
        serviceLabel={label}
        roots={roots}
        title={t(isMove ? 'move.title' : 'copy.title', { count: items.length, name: items[0]?.name ?? '' })}
        folder={folder}
        picks="folder"
        chooseLabel={t(isMove ? 'move.here' : 'copy.here')}
        problemOf={(target) => {
          if (isMove && items.every(({ path }) => parentOf(path) === target)) return t('move.same');
          return items.some((item) => item.isFolder && (target === item.path || target.startsWith(`${item.path}/`)))
            ? t('move.intoItself')
            : null;
        }}
        onChoose={({ folder: target }) => {
          onClose();
          void actions.transfer(items, target, isMove);
        }}
        onClose={onClose}
      />
    );
  }
  if (question.kind === 'rename') {
    const { item } = question;
    const inFolder = parentOf(item.path);
    return (
      <NameDialog
        title={t('rename.title', { name: item.name })}
        label={t('rename.name')}
        name={item.name}
        actionLabel={t('rename.button')}
        hint={item.isFolder ? t('rename.folderHint') : undefined}
        taken={inFolder === folder ? names : []}
        onSave={async (name) => {
          await renameItem(service.name, item, name);
          await actions.refresh();
          onMade(joinPath(inFolder, name), false);
        }}
        onClose={onClose}
      />
    );
  }
  const isFolder = question.kind === 'newFolder';
  return (
    <NameDialog
      title={t(isFolder ? 'newFolder.title' : 'newFile.title')}
      label={t(isFolder ? 'newFolder.name' : 'newFile.name')}
      name=""
      actionLabel={t('new.create')}
      taken={names}
      onSave={async (name) => {
        const path = joinPath(folder, name);
        if (isFolder) await makeFolder(service.name, path);
        else await makeFile(service.name, path);
        await actions.refresh();
        onMade(path, !isFolder);
      }}
      onClose={onClose}
    />
  );
}
