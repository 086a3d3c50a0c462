import { Switch } from '@mantine/core';
import {
  IconClipboard,
  IconCopy,
  IconCut,
  IconDownload,
  IconFolderSymlink,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { FileItem } from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import { SearchInput, ToolButton } from '../../ui/index.ts';
import type { FileAddress } from './address.ts';
import classes from './file-manager.module.css';
import type { ItemActions } from './item-menu.tsx';

interface ToolbarProps {
  address: FileAddress;
  selected: readonly FileItem[];
  isFetching: boolean;
  actions: ItemActions & { clear: () => void };
  onCut: () => void;
  onCopy: () => void;
  /** What is cut or copied and can be put here. */
  paste: { count: number; run: () => void } | null;
  onRefresh: () => void;
  /** The keyboard goes on to the files. */
  onEnter: () => void;
}

/** Search above the files; what can be done with those that are selected. */
export function Toolbar({ address, selected, isFetching, actions, paste, onEnter, ...on }: ToolbarProps) {
  const t = useText('files');
  const [first] = selected;
  return (
    <div
      className={classes.toolbar}
      data-bulk={selected.length > 0 || undefined}
      role="toolbar"
      aria-label={t('toolbar')}
    >
      {first ? (
        <>
          <span className={classes.selectedCount} role="status">
            {t('selected', { count: selected.length })}
          </span>
          <ToolButton
            label={t(selected.length > 1 ? 'downloadZip' : 'download')}
            icon={IconDownload}
            onClick={() => actions.download(first)}
          />
          {selected.length === 1 ? (
            <ToolButton label={t('rename.open')} icon={IconPencil} onClick={() => actions.rename(first)} />
          ) : null}
          <ToolButton label={t('move.open')} icon={IconFolderSymlink} onClick={() => actions.move(first)} />
          <ToolButton
            label={t('clipboard.cutButton')}
            word={null}
            icon={IconCut}
            aria-keyshortcuts="Control+X Meta+X"
            onClick={on.onCut}
          />
          <ToolButton
            label={t('clipboard.copyButton')}
            word={null}
            icon={IconCopy}
            aria-keyshortcuts="Control+C Meta+C"
            onClick={on.onCopy}
          />
          <ToolButton
            label={t('delete.open')}
            icon={IconTrash}
            onClick={() => actions.remove(first)}
            className={classes.danger ?? ''}
          />
          <span className={classes.space} />
          <ToolButton label={t('clear')} word={null} icon={IconX} onClick={actions.clear} />
        </>
      ) : (
        <>
          <Search address={address} onEnter={onEnter} />
          <span className={classes.space} />
          {paste ? (
            <ToolButton
              label={t('clipboard.paste', { count: paste.count })}
              icon={IconClipboard}
              aria-keyshortcuts="Control+V Meta+V"
              onClick={paste.run}
            />
          ) : null}
          <ToolButton label={t('refresh')} word={null} icon={IconRefresh} loading={isFetching} onClick={on.onRefresh} />
        </>
      )}
    </div>
  );
}

/** How long typing rests before the address follows, in milliseconds; below the folder the server is asked. */
const rest = 250;

function Search({ address, onEnter }: { address: FileAddress; onEnter: () => void }) {
  const t = useText('files');
  const navigate = useNavigate();
  const [typed, setTyped] = useState(address.search);
  const latest = useRef(address);
  latest.current = address;
  useEffect(() => setTyped(address.search), [address.search]);
  useEffect(() => {
    const timer = setTimeout(() => {
      // As the address is by then: the switch beside may have changed it.
      const { search, isDeep, to, file } = latest.current;
      if (typed.trim() !== search) navigate(to({ search: typed.trim(), isDeep, file }), { replace: true });
    }, rest);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') onEnter();
    else if (event.key === 'Escape' && typed !== '') setTyped('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <SearchInput
        className={classes.search!}
        label={t('search.label')}
        value={typed}
        onChange={setTyped}
        clearLabel={t('search.clear')}
        onKeyDown={onKeyDown}
        data-filter
      />
      <Switch
        label={t('search.below')}
        checked={address.isDeep}
        disabled={typed.trim() === ''}
        onChange={({ currentTarget }) =>
          navigate(address.to({ search: typed.trim(), isDeep: currentTarget.checked }), { replace: true })
        }
      />
    </>
  );
}
