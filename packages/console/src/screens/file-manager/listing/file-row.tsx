// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which those of a table cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row has the focus, its cells have none.
import { Menu } from '@mantine/core';
import { IconDots, IconWorld } from '@tabler/icons-react';
import { type DragEvent, type MouseEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { FileIcon, type FileItem, parentOf } from '../../../files/index.ts';
import { Tick } from '../../../list/tick.tsx';
import { text } from '../../../text/index.ts';
import { DateText } from '../../../ui/index.ts';
import classes from './listing.module.css';

export interface RowHandlers {
  select: (item: FileItem, event: MouseEvent) => void;
  tick: (item: FileItem, isRange: boolean) => void;
  open: (item: FileItem) => void;
  menuOf: (item: FileItem, isOpen: (isOpen: boolean) => void) => ReactNode;
  setMenu: (path: string | null) => void;
  dragStart: (item: FileItem, event: DragEvent) => void;
  dragEnd: () => void;
  accepts: (event: DragEvent, folder: string) => boolean;
  drop: (event: DragEvent, folder: string) => void;
}

interface FileRowProps {
  item: FileItem;
  index: number;
  top: number;
  /** Where its name leads. */
  href: string;
  isSelected: boolean;
  isCut: boolean;
  /** Whether Tab comes to this row. */
  isCurrent: boolean;
  isPublic: boolean;
  hasMenu: boolean;
  sizeText: string;
  /** The folder it is in, where a search shows several. */
  place: string | null;
  on: RowHandlers;
}

/** A file or a folder. Rendered again only when something of it changes. */
export const FileRow = memo(function FileRow({ item, index, top, on, ...state }: FileRowProps) {
  const [isTarget, setTarget] = useState(false);
  const over = (event: DragEvent) => {
    if (!item.isFolder || !on.accepts(event, item.path)) return;
    event.preventDefault();
    event.stopPropagation();
    setTarget(true);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={state.isSelected}
      tabIndex={state.isCurrent ? 0 : -1}
      data-path={item.path}
      data-cut={state.isCut || undefined}
      data-target={isTarget || undefined}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      draggable
      onClick={(event) => on.select(item, event)}
      onDoubleClick={() => on.open(item)}
      onContextMenu={(event) => {
        event.preventDefault();
        on.setMenu(item.path);
      }}
      onDragStart={(event) => on.dragStart(item, event)}
      onDragEnd={on.dragEnd}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        if (!item.isFolder || !on.accepts(event, item.path)) return;
        event.preventDefault();
        event.stopPropagation();
        on.drop(event, item.path);
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box inside acts; this keeps the row from being selected alone. */}
      <span role="gridcell" className={classes.tick} onClick={(event) => event.stopPropagation()}>
        <Tick
          label={text('files:select', { name: item.name })}
          isTicked={state.isSelected}
          onChange={(event) => on.tick(item, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
        />
      </span>
      <span role="gridcell" className={classes.name}>
        <FileIcon item={item} />
        <span className={classes.words}>
          <a
            href={state.href}
            className={classes.opener}
            tabIndex={-1}
            draggable={false}
            title={item.name}
            onClick={(event) => {
              // With a key held it is a click on the row, or one for another tab.
              if (event.button !== 0 || event.shiftKey || event.metaKey || event.ctrlKey) {
                event.preventDefault();
                return;
              }
              event.preventDefault();
              event.stopPropagation();
              on.open(item);
            }}
          >
            {item.name}
          </a>
          <span className={classes.below} data-place={state.place !== null || undefined}>
            {state.place ?? <Below item={item} sizeText={state.sizeText} />}
          </span>
        </span>
        {state.isPublic ? (
          <span className={classes.publicMark} title={text('files:public.mark')}>
            <IconWorld className={classes.smallIcon} aria-label={text('files:public.mark')} role="img" stroke={1.6} />
          </span>
        ) : null}
      </span>
      <span role="gridcell" className={`${classes.cell} ${classes.number}`}>
        {state.sizeText}
      </span>
      <span role="gridcell" className={`${classes.cell} ${classes.type}`} title={item.contentType || undefined}>
        {item.isFolder ? text('files:folder') : item.contentType}
      </span>
      <span role="gridcell" className={`${classes.cell} ${classes.modified}`}>
        {item.modified === null ? '' : <DateText value={new Date(item.modified).toISOString()} />}
      </span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button inside acts; this keeps the row from being selected. */}
      <span
        role="gridcell"
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {state.hasMenu ? (
          <RowMenu item={item} on={on} />
        ) : (
          <MenuButton name={item.name} onClick={() => on.setMenu(item.path)} />
        )}
      </span>
    </div>
  );
});

function Below({ item, sizeText }: { item: FileItem; sizeText: string }) {
  return (
    <>
      {item.isFolder ? text('files:folder') : sizeText}
      {item.modified === null ? null : (
        <>
          {' · '}
          <DateText value={new Date(item.modified).toISOString()} />
        </>
      )}
    </>
  );
}

const MenuButton = ({ name, ...props }: { name: string; onClick?: () => void; ref?: React.Ref<HTMLButtonElement> }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-haspopup="menu"
    aria-expanded={false}
    {...props}
    className={classes.menuButton}
    aria-label={text('files:actionsOf', { name })}
  >
    <IconDots className={classes.icon} aria-hidden />
  </button>
);

/** The menu of a row, made when it is asked for. */
function RowMenu({ item, on }: { item: FileItem; on: RowHandlers }) {
  const [isOpen, setOpen] = useState(false);
  const isLeaving = useRef(false);
  useEffect(() => setOpen(true), []);
  const change = (next: boolean) => {
    setOpen(next);
    if (!next && !isLeaving.current) {
      isLeaving.current = true;
      on.setMenu(null);
    }
  };
  return (
    <Menu
      opened={isOpen}
      onChange={change}
      position="bottom-end"
      portalProps={{ target: '#content' }}
      returnFocus={false}
    >
      <Menu.Target>
        <MenuButton name={item.name} />
      </Menu.Target>
      <Menu.Dropdown aria-label={text('files:actionsOf', { name: item.name })}>{on.menuOf(item, change)}</Menu.Dropdown>
    </Menu>
  );
}

/** The folder a found item is in, relative to where the search began. */
export const placeOf = (item: FileItem, folder: string): string => {
  const parent = parentOf(item.path);
  return parent === folder ? text('files:search.here') : parent.slice(folder === '' ? 0 : folder.length + 1);
};
