import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { text } from '../text/index.ts';
import { notify } from '../ui/index.ts';
import { type Column, column, type Row } from './column.tsx';
import classes from './list.module.css';
import type { RowAction } from './row-menu.tsx';
import type { ListController } from './use-list-controller.ts';

/** On or off: a dot and a word, so that it does not speak by colour alone. */
export function ActiveCell({ value, on, off }: { value: unknown; on?: string; off?: string }) {
  return (
    <span className={classes.active} data-on={value ? true : undefined}>
      {value ? (on ?? text('common:yes')) : (off ?? text('common:no'))}
    </span>
  );
}

/** The column `is_active`, at the edge of a phone's card. */
export const activeColumn = (label: string): Column =>
  column('is_active', { label, width: 104, cell: (row) => <ActiveCell value={row.is_active} />, card: 'edge' });

/** Switches a record on or off from its row, and reports it with the text of `updated`. */
export const switchActive = (
  list: Pick<ListController, 'update'>,
  updated: (row: Row) => string,
  isOffered?: (row: Row) => boolean,
): RowAction => ({
  label: (row) => text(row.is_active ? 'list:deactivate' : 'list:activate'),
  icon: (row) =>
    row.is_active ? (
      <IconPlayerPause className={classes.icon} aria-hidden />
    ) : (
      <IconPlayerPlay className={classes.icon} aria-hidden />
    ),
  ...(isOffered ? { isOffered } : {}),
  run: async (row) => {
    if (await list.update(Number(row.id), { is_active: !row.is_active })) notify.success(updated(row));
  },
});
