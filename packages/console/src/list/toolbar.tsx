import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useText } from '../text/index.ts';
import { SearchInput, ToolButton } from '../ui/index.ts';
import classes from './list.module.css';
import { Pager } from './pager.tsx';
import type { ListController } from './use-list-controller.ts';

interface ListToolbarProps {
  list: ListController;
  /** What the list holds, as in "Filter services". */
  things: string;
  hasFilter: boolean;
  /** Deletes the rows ticked; absent where that is among `bulkActions`. */
  onDelete?: () => void;
  /** What else can be done with the rows ticked. */
  bulkActions: ReactNode;
  menu?: ReactNode;
}

/** The row above the records: filter and paging, or what can be done with those ticked. */
export function ListToolbar({ list, things, hasFilter, onDelete, bulkActions, menu }: ListToolbarProps) {
  const t = useText('list');
  const box = useRef<HTMLInputElement>(null);
  const { filter, selection } = list;
  useHotkeys([['/', () => box.current?.focus()]]);

  if (selection.ids.size > 0) {
    return (
      <div className={classes.toolbar} data-bulk>
        <strong role="status">{t('selected', { count: selection.ids.size })}</strong>
        {onDelete ? (
          <Button
            variant="default"
            size="xs"
            className={classes.dangerItem ?? ''}
            leftSection={<IconTrash className={classes.icon} aria-hidden />}
            loading={list.isBusy}
            onClick={onDelete}
          >
            {t('delete')}
          </Button>
        ) : null}
        {bulkActions}
        <span className={classes.space} />
        <ActionIcon aria-label={t('clearSelection')} title={t('clearSelection')} onClick={list.clearSelection}>
          <IconX className={classes.icon} aria-hidden />
        </ActionIcon>
      </div>
    );
  }
  return (
    <div className={classes.toolbar}>
      {hasFilter ? (
        <SearchInput
          ref={box}
          className={classes.filter ?? ''}
          label={t('filter', { things })}
          value={filter.text}
          onChange={filter.set}
          clearLabel={t('clearFilter')}
          onClear={filter.clear}
          onKeyDown={(event) => {
            if (event.key === 'Enter') filter.applyNow();
            if (event.key === 'Escape' && filter.text) {
              event.stopPropagation();
              filter.clear();
            }
          }}
          aria-keyshortcuts="/"
        />
      ) : null}
      {list.isLoading ? null : <Pager list={list} />}
      <ToolButton label={t('refresh')} icon={IconRefresh} onClick={() => void list.refresh()} />
      {menu}
    </div>
  );
}
