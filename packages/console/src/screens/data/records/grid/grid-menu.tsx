// The context menu of the selected cells, opened by the right mouse button or the keyboard's menu key.
import { Menu } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { Link } from 'react-router';
import { useText } from '../../../../text/index.ts';
import { filterKind, filterText } from '../../address/filter.ts';
import { useSchemaAddress } from '../../address/schema-address.ts';
import type { TableState } from '../../table/use-table.ts';
import { valueText } from '../../values/values.ts';
import { cellValue, rowDraftOf } from '../cells/cells.ts';
import type { Cells } from '../cells/use-cells.ts';
import type { useClipboard } from '../clipboard/use-clipboard.ts';

export interface MenuPosition {
  x: number;
  y: number;
}

interface GridMenuProps {
  position: MenuPosition | null;
  onClose: () => void;
  state: TableState;
  cells: Cells;
  clipboard: ReturnType<typeof useClipboard>;
  fields: readonly FieldDescription[];
}

export function GridMenu({ position, onClose, state, cells, clipboard, fields }: GridMenuProps) {
  const t = useText('data');
  const schemaAddress = useSchemaAddress(state.service);
  if (!position) return null;
  const { active } = cells.range;
  const node = state.rowNodeAt(active.row);
  const field = fields[active.column];
  const id = node?.isNew ? node.id : null;
  const filter = node && field ? valueFilter(field, cellValue(node, rowDraftOf(state, node), field.name)) : null;
  const key = node?.key;
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={0}
      returnFocus={false}
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Menu.Target>
        <span style={{ position: 'fixed', insetInlineStart: position.x, insetBlockStart: position.y }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('grid.menu')}>
        <Menu.Item onClick={() => cells.startEdit(active, null)}>{t('grid.edit')}</Menu.Item>
        {key ? <Menu.Item onClick={() => state.openRecord(key)}>{t('grid.openRecord')}</Menu.Item> : null}
        <Menu.Divider />
        <Menu.Item onClick={() => void clipboard.copy(false)}>{t('grid.copy')}</Menu.Item>
        <Menu.Item onClick={() => void clipboard.copy(true)}>{t('grid.copyWithHeads')}</Menu.Item>
        {filter ? <Menu.Item onClick={() => state.addFilter(filter)}>{t('grid.onlyThis')}</Menu.Item> : null}
        {state.hasKey ? (
          <>
            <Menu.Divider />
            <Menu.Item onClick={cells.setNull}>{t('grid.toNull')}</Menu.Item>
            <Menu.Item onClick={cells.revertCells}>{t('grid.takeBack')}</Menu.Item>
          </>
        ) : null}
        {id !== null ? <Menu.Item onClick={() => state.removeNewRows([id])}>{t('grid.dropNew')}</Menu.Item> : null}
        {schemaAddress && field ? (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to={schemaAddress.field(state.table, field.name)}>
              {t('schema.editField')}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The filter for records with this value; null when the field cannot be filtered. */
function valueFilter(field: FieldDescription, value: unknown): string | null {
  if (!filterKind(field)) return null;
  if (value === null || value === undefined) return filterText(field, 'is null', '');
  const literal = typeof value === 'boolean' ? String(value).toUpperCase() : valueText(value);
  return filterText(field, '=', literal);
}
