import type { FieldDescription } from '@sluice/contract';
import { IconMaximize, IconPlus } from '@tabler/icons-react';
import { type MouseEvent, memo } from 'react';
import type { useText } from '../../../../text/index.ts';
import type { LocationParts } from '../../address/grid-host.ts';
import type { RowNode } from '../../table/use-row-nodes.ts';
import { CellValue } from '../../values/cell-value.tsx';
import { type Draft, isNumeric, ownValue } from '../../values/values.ts';
import type { RowDraft } from '../../writing/edits.ts';
import { CellEditor } from '../cells/cell-editor.tsx';
import { CellNote } from '../cells/cell-note.tsx';
import { cellDraft, cellValue, isDirtyCell } from '../cells/cells.ts';
import type { AfterEdit, EditSession, Note } from '../cells/use-cells.ts';
import gridClasses from './grid.module.css';
import { pinnedStyle } from './grid-head.tsx';

/** What rows call. Always the same object, so that only rows that changed are rendered again. */
export interface RowActions {
  toggleRow: (id: string, range: boolean) => void;
  commitEdit: (draft: Draft, after: AfterEdit | null) => void;
  cancelEdit: () => void;
  recordLocation: (key: readonly string[]) => LocationParts;
  openRecord: (key: readonly string[]) => void;
}

interface GridRowProps {
  /** Undefined while it is being read. */
  node: RowNode | undefined;
  index: number;
  fields: readonly FieldDescription[];
  hasSelectionColumn: boolean;
  /** Whether an empty cell fills the width after the last one. */
  hasFiller: boolean;
  rowDraft: RowDraft | undefined;
  isDirty: boolean;
  isSelected: boolean;
  isOpen: boolean;
  /** The column of the active cell, or -1. */
  activeColumn: number;
  /** The first and last selected column, or -1. */
  rangeStart: number;
  rangeEnd: number;
  editSession: EditSession | null;
  note: Note | null;
  actions: RowActions;
  /** The text function of the chosen language: a row that scrolls into view has no time to look it up. */
  t: ReturnType<typeof useText<'data'>>;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { node, index, hasSelectionColumn, hasFiller, rowDraft, isDirty, isSelected, isOpen } = props;
  return (
    <tr
      className={gridClasses.row}
      aria-rowindex={index + 2}
      aria-selected={hasSelectionColumn ? isSelected : undefined}
      aria-busy={node === undefined || undefined}
      data-unsaved={isDirty || node?.isNew || undefined}
      data-wrong={Object.keys(rowDraft?.errors ?? {}).length > 0 || undefined}
      data-open={isOpen || undefined}
    >
      {hasSelectionColumn ? <SelectionCell {...props} /> : null}
      {props.fields.map((field, column) => (
        <Cell key={field.name} {...props} field={field} column={column} />
      ))}
      {hasFiller ? <td aria-hidden /> : null}
    </tr>
  );
});

/** Selects the record, and opens it. */
function SelectionCell({ node, isSelected, rowDraft, actions, t }: GridRowProps) {
  const { id = null, key } = node ?? {};
  if (id === null || !key) {
    return (
      <td className={gridClasses.edge}>
        {node?.isNew ? <IconPlus className={gridClasses.newMark} aria-hidden /> : null}
      </td>
    );
  }
  const record = key.join(' / ');
  const { pathname, search } = actions.recordLocation(key);
  const onClick = (event: MouseEvent) => {
    // With a modifier another tab opens, as with every link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    actions.openRecord(key);
  };
  return (
    <td className={gridClasses.edge} title={rowDraft?.errors['']}>
      <div className={gridClasses.edgeParts}>
        <input
          type="checkbox"
          className={gridClasses.tick}
          aria-label={t('selectRow', { record })}
          tabIndex={-1}
          checked={isSelected}
          onChange={(event) => actions.toggleRow(id, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
        />
        <a
          href={`${pathname}?${search}`}
          className={gridClasses.opener}
          tabIndex={-1}
          aria-label={t('grid.open', { record })}
          title={t('grid.openRecord')}
          onClick={onClick}
        >
          <IconMaximize aria-hidden />
        </a>
      </div>
    </td>
  );
}

interface CellProps extends GridRowProps {
  field: FieldDescription;
  column: number;
}

function Cell({ node, field, column, index, hasSelectionColumn, rowDraft, isDirty, ...rest }: CellProps) {
  const { activeColumn, rangeStart, rangeEnd, editSession, note, t } = rest;
  const error = ownValue(rowDraft?.errors, field.name);
  const isActive = column === activeColumn;
  const isEdited = editSession?.position.column === column;
  const hasNote = note?.position.column === column;
  const isFirst = column === 0;
  return (
    <td
      className={gridClasses.cell}
      data-at={`${index}:${column}`}
      data-pinned={isFirst || undefined}
      data-number={isNumeric(field.type) || undefined}
      data-changed={(node && isDirtyCell(node, rowDraft, field.name)) || undefined}
      data-wrong={error !== undefined || undefined}
      data-chosen={(column >= rangeStart && column <= rangeEnd) || undefined}
      data-raised={isEdited || hasNote || (isActive && error !== undefined) || undefined}
      aria-invalid={error !== undefined || undefined}
      title={error}
      tabIndex={isActive ? 0 : -1}
      style={isFirst ? pinnedStyle(hasSelectionColumn) : undefined}
    >
      {isFirst && node && (isDirty || node.isNew) ? (
        <span className={gridClasses.unseen}>{`${t('unsavedMark')}: `}</span>
      ) : null}
      {isFirst && !node ? <span className={gridClasses.unseen}>{t('grid.rowLoading', { row: index + 1 })}</span> : null}
      {node ? cellContent(node, field, rowDraft, isEdited ? editSession : null, rest.actions) : <LoadingBar />}
      {hasNote ? <CellNote text={note.text} /> : null}
      {error !== undefined && isActive && !hasNote && !isEdited ? <CellNote text={error} isError /> : null}
    </td>
  );
}

/** Stands where a value is still being read. */
const LoadingBar = () => <span className={gridClasses.bar} />;

function cellContent(
  node: RowNode,
  field: FieldDescription,
  rowDraft: RowDraft | undefined,
  editSession: EditSession | null,
  actions: RowActions,
) {
  if (editSession) {
    return (
      <CellEditor
        field={field}
        draft={cellDraft(node, rowDraft, field.name)}
        initialText={editSession.initialText}
        onCommit={actions.commitEdit}
        onCancel={actions.cancelEdit}
      />
    );
  }
  const value = cellValue(node, rowDraft, field.name);
  // The database fills in what a new record does not say.
  return node.isNew && value === undefined ? null : <CellValue field={field} value={value} />;
}
