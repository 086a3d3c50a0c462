import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import type { Row } from './column.tsx';
import classes from './list.module.css';

/** Something one can do with a row besides opening and deleting it. */
export interface RowAction {
  label: (row: Row) => string;
  icon: (row: Row) => ReactNode;
  run: (row: Row) => void;
  /** Offered for this row; always when absent. */
  isOffered?: (row: Row) => boolean;
}

interface RowMenuProps {
  row: Row;
  name: string;
  to: string;
  state: unknown;
  actions: readonly RowAction[];
  /** Absent when the row may not be deleted. */
  onDelete: (() => void) | undefined;
}

/** What can be done with one row. */
export function RowMenu({ row, name, to, state, actions, onDelete }: RowMenuProps) {
  const t = useText('list');
  return (
    <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <ActionIcon aria-label={t('actions', { name })} className={classes.rowMenu ?? ''} data-row-part>
          <IconDots className={classes.icon} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('actions', { name })}>
        <Menu.Item
          component={Link}
          to={to}
          state={state}
          leftSection={<IconPencil className={classes.icon} aria-hidden />}
        >
          {t('edit')}
        </Menu.Item>
        {actions
          .filter((action) => action.isOffered?.(row) ?? true)
          .map((action) => (
            <Menu.Item key={action.label(row)} leftSection={action.icon(row)} onClick={() => action.run(row)}>
              {action.label(row)}
            </Menu.Item>
          ))}
        {onDelete ? (
          <Menu.Item
            leftSection={<IconTrash className={classes.icon} aria-hidden />}
            className={classes.dangerItem ?? ''}
            onClick={onDelete}
          >
            {t('delete')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
