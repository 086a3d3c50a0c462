import { Alert } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type FileItem,
  type FileService,
  type FolderDrop,
  nameOf,
  parentOf,
  searchQuery,
  useFolder,
} from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import { Empty, Failed, Loading, NoMatch, NotAllowed, notify, Page } from '../../ui/index.ts';
import type { PublicPaths } from './actions/public-paths.ts';
import { AddButtons } from './add-buttons.tsx';
import type { FileAddress } from './address.ts';
import { Crumbs } from './crumbs.tsx';
import classes from './file-manager.module.css';
import { ItemMenu } from './item-menu.tsx';
import { clipboard, useClipboard } from './listing/clipboard.ts';
import { dragged } from './listing/dragging.ts';
import { FileGrid, type GridHandle } from './listing/file-grid.tsx';
import type { RowHandlers } from './listing/file-row.tsx';
import { type GridAction, gridAction } from './listing/grid-keys.ts';
import { matchItems, sortItems } from './listing/order.ts';
import { click, type FileSelection, goTo, keepShown, noSelection, selectAll, toggle } from './listing/selection.ts';
import { useStableHandlers } from './listing/use-stable-handlers.ts';
import { ProblemBar, WorkBar } from './notices.tsx';
import { type Question, QuestionDialog } from './question-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { chosenFiles, hasFiles } from './upload/drop.ts';
import { Transfers } from './upload/transfers.tsx';
import type { FolderWork } from './use-folder-work.ts';

interface FolderViewProps {
  service: FileService;
  address: FileAddress;
  roots: readonly string[];
  publicPaths: PublicPaths;
  work: FolderWork;
  dropping: FolderDrop;
}

const nothing: readonly FileItem[] = [];

/** A folder: its files, and what can be done with them. */
export function FolderView({ service, address, roots, publicPaths, work, dropping }: FolderViewProps) {
  const t = useText('files');
  const navigate = useNavigate();
  const { folder, search, isDeep, order } = address;
  const label = service.label || service.name;
  const { actions } = work;

  const folderResult = useFolder(service.name, folder);
  const isSearching = isDeep && search !== '';
  const found = useQuery({ ...searchQuery(service.name, folder, search), enabled: isSearching });
  const { data, error, refetch, isFetching } = isSearching ? found : folderResult;
  const items = useMemo(
    () => sortItems(isSearching ? (data ?? nothing) : matchItems(data ?? nothing, search), order),
    [data, isSearching, search, order],
  );
  const shown = useMemo(() => items.map(({ path }) => path), [items]);

  const [stored, setSelection] = useState<FileSelection>(noSelection);
  const selection = useMemo(() => keepShown(stored, shown), [stored, shown]);
  const selected = useMemo(() => items.filter(({ path }) => selection.selected.has(path)), [items, selection]);
  const select = (change: (before: FileSelection) => FileSelection) =>
    setSelection((before) => change(keepShown(before, shown)));

  const [question, setQuestion] = useState<Question | null>(null);
  const isAsking = useRef(false);
  isAsking.current = question !== null;
  const [menuPath, setMenuPath] = useState<string | null>(null);
  const [isTarget, setTarget] = useState(false);
  const grid = useRef<GridHandle>(null);
  const emptyPlace = useRef<HTMLDivElement>(null);
  /** An empty folder had the keyboard: what comes into it takes it over. */
  const wasInEmpty = useRef(false);
  const focusList = (path?: string) => (grid.current ? grid.current.focus(path) : emptyPlace.current?.focus());
  const latestFocusList = useRef(focusList);
  latestFocusList.current = focusList;
  const cut = useClipboard();

  // Where one came from is found again: going up stands on the folder that was left.
  const lastFolder = useRef(folder);
  useEffect(() => {
    const left = lastFolder.current;
    if (left === folder || !data) return;
    lastFolder.current = folder;
    const from = parentOf(left) === folder ? left : (items[0]?.path ?? null);
    setSelection({ ...noSelection, current: from, anchor: from });
    if (isFocusFree()) latestFocusList.current(from ?? undefined);
  }, [folder, data, items]);
  useEffect(() => {
    if (!wasInEmpty.current || items.length === 0) return;
    wasInEmpty.current = false;
    if (isFocusFree()) latestFocusList.current();
  }, [items]);

  const hrefOf = (item: FileItem) =>
    item.isFolder ? address.to({ folder: item.path }) : address.to({ file: item.path, search, isDeep });
  const open = (item: FileItem) => {
    select((before) => ({ ...before, current: item.path, anchor: item.path }));
    navigate(hrefOf(item));
  };
  const canGoUp = folder !== '' && !roots.includes(folder);
  const goUp = () => canGoUp && navigate(address.to({ folder: parentOf(folder) }));
  const closeQuestion = () => {
    setQuestion(null);
    setTimeout(() => isFocusFree() && latestFocusList.current());
  };
  const remove = async (wanted: readonly FileItem[]) => {
    const index = shown.indexOf(wanted[0]?.path ?? '');
    if (await actions.remove(wanted, folder)) {
      const gone = new Set(wanted.map(({ path }) => path));
      const next = shown.slice(index).find((path) => !gone.has(path)) ?? shown.findLast((path) => !gone.has(path));
      setSelection({ ...noSelection, current: next ?? null, anchor: next ?? null });
    }
    setTimeout(() => isFocusFree() && latestFocusList.current());
  };
  const paste = () => {
    const clip = clipboard.get();
    if (clip?.service !== service.name) return;
    if (clip.isMove) clipboard.set(null);
    void actions.transfer(clip.items, folder, clip.isMove);
  };
  const copyToClipboard = (isMove: boolean, wanted: readonly FileItem[]) => {
    if (wanted.length === 0) return;
    clipboard.set({ service: service.name, items: wanted, isMove });
    notify.info(t(isMove ? 'clipboard.cut' : 'clipboard.copied', { count: wanted.length }));
  };
  /** What an action is about: the selection, or the row it was asked for on. */
  const withItem = (item: FileItem) => (selection.selected.has(item.path) ? selected : [item]);

  const onAction = (action: GridAction, index: number, held: { range: boolean; add: boolean }) => {
    const item = items[index];
    switch (action.kind) {
      case 'move': {
        const to = items[action.to];
        if (to) select((before) => goTo(before, to.path, shown, held));
        return;
      }
      case 'open':
        return item && open(item);
      case 'up':
        return void goUp();
      case 'toggle':
        return item && select((before) => toggle(before, item.path));
      case 'all':
        return select((before) => selectAll(before, shown));
      case 'clear':
        return select((before) => ({ ...before, selected: new Set() }));
      case 'rename':
        return item && setQuestion({ kind: 'rename', item });
      case 'delete':
        return void remove(selected.length > 0 ? selected : item ? [item] : []);
      case 'copy':
      case 'cut':
        return copyToClipboard(action.kind === 'cut', selected.length > 0 ? selected : item ? [item] : []);
      case 'paste':
        return paste();
      case 'menu':
        return item && setMenuPath(item.path);
    }
  };

  const itemActions = {
    open,
    rename: (item: FileItem) => setQuestion({ kind: 'rename', item }),
    move: (item: FileItem) => setQuestion({ kind: 'move', items: withItem(item) }),
    copy: (item: FileItem) => setQuestion({ kind: 'copy', items: withItem(item) }),
    download: (item: FileItem) => void actions.download(withItem(item), folder),
    remove: (item: FileItem) => void remove(withItem(item)),
  };
  const rowHandlers: RowHandlers = {
    select: (item, event) =>
      select((before) =>
        click(before, item.path, shown, { range: event.shiftKey, add: event.ctrlKey || event.metaKey }),
      ),
    tick: (item, isRange) =>
      select((before) =>
        isRange ? click(before, item.path, shown, { range: true, add: true }) : toggle(before, item.path),
      ),
    open,
    menuOf: (item) => (
      <ItemMenu
        item={item}
        service={service.name}
        publicPaths={publicPaths}
        actions={itemActions}
        count={withItem(item).length}
      />
    ),
    setMenu: (path) => {
      setMenuPath(path);
      // What the menu opened has the focus instead.
      if (path === null) setTimeout(() => !isAsking.current && isFocusFree() && latestFocusList.current());
    },
    dragStart: (item, event) => {
      const taken = withItem(item);
      if (!selection.selected.has(item.path))
        select((before) => click(before, item.path, shown, { range: false, add: false }));
      event.dataTransfer.setData('text/plain', taken.map(({ path }) => path).join('\n'));
      event.dataTransfer.effectAllowed = 'copyMove';
      dragged.set({ service: service.name, items: taken });
    },
    dragEnd: () => dragged.set(null),
    accepts: dropping.accepts,
    drop: dropping.drop,
  };
  const on = useStableHandlers(rowHandlers);
  const cutPaths = useMemo(
    () => new Set(cut?.isMove && cut.service === service.name ? cut.items.map(({ path }) => path) : []),
    [cut, service.name],
  );

  const onDragOver = (event: DragEvent) => {
    if (!dropping.accepts(event, folder)) return;
    event.preventDefault();
    setTarget(hasFiles(event.dataTransfer));
  };
  const title = folder === '' ? label : nameOf(folder);
  const isForbidden = (error as { status?: number } | null)?.status === 403;
  return (
    <Page
      title={title}
      count={data ? items.length : undefined}
      above={<Crumbs label={label} address={address} roots={roots} dropping={dropping} />}
      actions={
        error && !data ? null : (
          <AddButtons
            onNew={(kind) => setQuestion({ kind })}
            onFiles={(files) => void work.upload(folder, chosenFiles(files))}
          />
        )
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button does the same. */}
      <div
        className={classes.panel}
        data-list
        onDragEnter={onDragOver}
        onDragOver={onDragOver}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setTarget(false);
        }}
        onDrop={(event) => {
          setTarget(false);
          if (!dropping.accepts(event, folder)) return;
          event.preventDefault();
          dropping.drop(event, folder);
        }}
      >
        <Toolbar
          address={address}
          selected={selected}
          isFetching={isFetching && data !== undefined}
          actions={{ ...itemActions, clear: () => select((before) => ({ ...before, selected: new Set() })) }}
          onCut={() => copyToClipboard(true, selected)}
          onCopy={() => copyToClipboard(false, selected)}
          paste={cut?.service === service.name ? { count: cut.items.length, run: paste } : null}
          onRefresh={() => void actions.refresh()}
          onEnter={() => grid.current?.focus()}
        />
        <ProblemBar problem={actions.problem} onDismiss={actions.dismiss} />
        <WorkBar busy={actions.busy} />
        {error && !data ? (
          isForbidden ? (
            <NotAllowed text={error.message} />
          ) : (
            <Failed error={error} onRetry={() => void refetch()} />
          )
        ) : !data ? (
          <Loading count={8} />
        ) : items.length === 0 ? (
          search !== '' ? (
            <NoMatch onClear={() => navigate(address.to({ search: '' }), { replace: true })} />
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a place for the keyboard: one pastes here, and goes up.
            <div
              ref={emptyPlace}
              role="group"
              aria-label={t('listOf', { name: title })}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
              tabIndex={0}
              className={classes.empty}
              onKeyDown={(event) => {
                const action = gridAction(event, -1, 0, 1);
                if (!action || event.target !== event.currentTarget) return;
                event.preventDefault();
                event.stopPropagation();
                wasInEmpty.current = action.kind === 'paste';
                onAction(action, 0, { range: false, add: false });
              }}
            >
              <Empty icon={IconUpload} title={t('empty.title')} text={t('empty.text')} />
            </div>
          )
        ) : (
          <div className={classes.listing}>
            {error ? (
              <Alert color="yellow" radius={0}>
                {t('stale', { reason: error.message })}
              </Alert>
            ) : null}
            <FileGrid
              ref={grid}
              label={t('listOf', { name: title })}
              items={items}
              folder={folder}
              order={order}
              onOrder={(next) => navigate(address.to({ order: next, search, isDeep }), { replace: true })}
              selection={selection}
              onTickAll={() =>
                select((before) =>
                  selection.selected.size === shown.length
                    ? { ...before, selected: new Set() }
                    : selectAll(before, shown),
                )
              }
              cutPaths={cutPaths}
              publicPaths={publicPaths.paths}
              hrefOf={hrefOf}
              showsPlaces={isSearching}
              menuPath={menuPath}
              on={on}
              onAction={onAction}
            />
          </div>
        )}
        <Transfers />
        {isTarget ? (
          <div className={classes.dropHint} aria-hidden>
            <IconUpload className={classes.icon} />
            {t('upload.drop', { name: title })}
          </div>
        ) : null}
      </div>
      {question ? (
        <QuestionDialog
          question={question}
          service={service}
          label={label}
          folder={folder}
          roots={roots}
          names={data?.map(({ name }) => name) ?? []}
          work={work}
          onMade={(path, isFile) => {
            setSelection({ selected: new Set([path]), current: path, anchor: path });
            if (isFile) navigate(address.to({ file: path }));
          }}
          onClose={closeQuestion}
        />
      ) : null}
    </Page>
  );
}

/** Whether the keyboard is nowhere in particular, so that the list may have it. */
const isFocusFree = () => {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.matches('main, [role="grid"]');
};
