import { Checkbox, VisuallyHidden } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { type MouseEvent, memo } from 'react';
import { useText } from '../../text/index.ts';
import { CellValue } from './cell.tsx';
import type { Edit } from './edits.ts';
import gridClasses from './grid.module.css';
import { pinned } from './grid-head.tsx';
import type { Row } from './sources.ts';
import { isNumeric, toDraft } from './values.ts';

export interface RowActions {
  activate: (row: number, column: number) => void;
  tick: (key: readonly string[], range: boolean) => void;
  open: (key: readonly string[], inNewTab: boolean) => void;
}

interface GridRowProps {
  row: Row;
  /** Null: the record can be neither ticked nor opened. */
  rowKey: readonly string[] | null;
  index: number;
  fields: readonly FieldDescription[];
  hasEdge: boolean;
  /** Whether an empty cell takes the room after the last one. */
  hasFiller: boolean;
  /** The cell that has the keyboard's place, or -1. */
  activeColumn: number;
  edit: Edit | undefined;
  isUnsaved: boolean;
  isSelected: boolean;
  isOpen: boolean;
  actions: RowActions;
}

const areSame = (a: GridRowProps, b: GridRowProps): boolean =>
  (Object.keys(a) as (keyof GridRowProps)[]).every((name) =>
    name === 'rowKey' || name === 'fields' ? JSON.stringify(a[name]) === JSON.stringify(b[name]) : a[name] === b[name],
  );

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, rowKey, index, fields, hasEdge, hasFiller, activeColumn, edit, isUnsaved, isSelected, isOpen, actions } =
    props;
  const t = useText('data');
  const onClick = (event: MouseEvent) => {
    if (!rowKey || isOwnClick(event)) return;
    if (event.shiftKey) actions.tick(rowKey, true);
    // What a browser does with a link: a new tab with the modifier, this one without.
    else actions.open(rowKey, event.metaKey || event.ctrlKey);
  };
  return (
    <tr
      className={gridClasses.row}
      aria-rowindex={index + 2}
      aria-selected={hasEdge ? isSelected : undefined}
      data-unsaved={isUnsaved || undefined}
      data-wrong={Object.keys(edit?.errors ?? {}).length > 0 || undefined}
      data-open={isOpen || undefined}
      data-opens={rowKey !== null || undefined}
      onClick={onClick}
    >
      {hasEdge ? (
        <td className={gridClasses.edge} data-part>
          {rowKey ? (
            <Checkbox
              aria-label={t('selectRow', { record: rowKey.join(' / ') })}
              size="xs"
              tabIndex={-1}
              checked={isSelected}
              onChange={(event) => actions.tick(rowKey, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
            />
          ) : null}
        </td>
      ) : null}
      {fields.map((field, at) => {
        const stored = row[field.name];
        const isDrafted = edit !== undefined && field.name in edit.drafts;
        const value = isDrafted ? edit.drafts[field.name] : stored;
        const isChanged = isDrafted && value !== (toDraft(edit.stored[field.name]) ?? null);
        return (
          <td
            key={field.name}
            className={gridClasses.cell}
            data-at={`${index}:${at}`}
            data-pinned={at === 0 || undefined}
            data-number={isNumeric(field.type) || undefined}
            data-changed={isChanged || undefined}
            tabIndex={at === activeColumn ? 0 : -1}
            style={at === 0 ? pinned(hasEdge) : undefined}
            onFocus={at === activeColumn ? undefined : () => actions.activate(index, at)}
          >
            {at === 0 && isUnsaved ? <VisuallyHidden>{`${t('unsavedMark')}: `}</VisuallyHidden> : null}
            <CellValue field={field} value={value} />
          </td>
        );
      })}
      {hasFiller ? <td aria-hidden /> : null}
    </tr>
  );
}, areSame);

/** Whether a click belongs to something inside the row, or only ended a selection of text. */
const isOwnClick = (event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (event.target as Element).closest('a, button, input, label, [data-part]') !== null ||
  (window.getSelection()?.toString() ?? '') !== '';
