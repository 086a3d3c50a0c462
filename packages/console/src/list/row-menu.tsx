import { Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { text, useText } from '../text/index.ts';
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

/** What can be done with one row. The menu is made when it is first asked for: a list has hundreds of them. */
export function RowMenu(props: RowMenuProps) {
  const [isOpened, setOpened] = useState(false);
  return isOpened ? <LiveMenu {...props} /> : <MenuButton name={props.name} onClick={() => setOpened(true)} />;
}

const MenuButton = ({ name, ...props }: { name: string } & ComponentProps<'button'>) => (
  <button
    type="button"
    aria-haspopup="menu"
    aria-expanded={false}
    {...props}
    className={classes.rowMenu}
    aria-label={text('list:actions', { name })}
    data-row-part
  >
    <IconDots className={classes.icon} aria-hidden />
  </button>
);

function LiveMenu({ row, name, to, state, actions, onDelete }: RowMenuProps) {
  const t = useText('list');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Opened by the press that asked for it. The button has the focus by then, so that it gets it back.
  useEffect(() => {
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <MenuButton ref={button} name={name} />
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
