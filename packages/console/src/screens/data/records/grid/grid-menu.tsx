// What can be done with the chosen cells, where one pressed: the right button, or the keyboard's menu key.
import { Menu } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { useText } from '../../../../text/index.ts';
import { filterKind, filterText } from '../../place/filter.ts';
import type { TableState } from '../../table/use-table.ts';
import { valueText } from '../../values/values.ts';
import { cellValue, pendingOf } from '../cells/cells.ts';
import type { Cells } from '../cells/use-cells.ts';
import type { useClipboard } from '../clipboard/use-clipboard.ts';

export interface MenuAt {
  x: number;
  y: number;
}

interface GridMenuProps {
  at: MenuAt | null;
  onClose: () => void;
  state: TableState;
  cells: Cells;
  clipboard: ReturnType<typeof useClipboard>;
  fields: readonly FieldDescription[];
}

export function GridMenu({ at, onClose, state, cells, clipboard, fields }: GridMenuProps) {
  const t = useText('data');
  if (!at) return null;
  const { active } = cells.range;
  const line = state.lineAt(active.row);
  const field = fields[active.column];
  const id = line?.isNew ? line.id : null;
  const only = line && field ? onlyThis(field, cellValue(line, pendingOf(state, line), field.name)) : null;
  const key = line?.key;
  return (
    <Menu opened onClose={onClose} position="bottom-start" offset={0} returnFocus={false}>
      <Menu.Target>
        <span style={{ position: 'fixed', insetInlineStart: at.x, insetBlockStart: at.y }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('grid.menu')}>
        <Menu.Item onClick={() => cells.edit(active, null)}>{t('grid.edit')}</Menu.Item>
        {key ? <Menu.Item onClick={() => state.open(key)}>{t('grid.openRecord')}</Menu.Item> : null}
        <Menu.Divider />
        <Menu.Item onClick={() => void clipboard.copy(false)}>{t('grid.copy')}</Menu.Item>
        <Menu.Item onClick={() => void clipboard.copy(true)}>{t('grid.copyWithHeads')}</Menu.Item>
        {only ? <Menu.Item onClick={() => state.addFilter(only)}>{t('grid.onlyThis')}</Menu.Item> : null}
        {state.hasKey ? (
          <>
            <Menu.Divider />
            <Menu.Item onClick={cells.toNull}>{t('grid.toNull')}</Menu.Item>
            <Menu.Item onClick={cells.takeBack}>{t('grid.takeBack')}</Menu.Item>
          </>
        ) : null}
        {id !== null ? <Menu.Item onClick={() => state.dropAdded([id])}>{t('grid.dropNew')}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The filter that leaves records with this value; null when there is none. */
function onlyThis(field: FieldDescription, value: unknown): string | null {
  if (!filterKind(field)) return null;
  if (value === null || value === undefined) return filterText(field, 'is null', '');
  const words = typeof value === 'boolean' ? String(value).toUpperCase() : valueText(value);
  return filterText(field, '=', words);
}
