import type { FieldDescription } from '@sluice/contract';
import { IconMaximize, IconPlus } from '@tabler/icons-react';
import { type MouseEvent, memo } from 'react';
import type { useText } from '../../../../text/index.ts';
import type { Spot } from '../../place/site.ts';
import type { Line } from '../../table/use-lines.ts';
import { CellValue } from '../../values/cell-value.tsx';
import { type Draft, isNumeric } from '../../values/values.ts';
import { CellEditor } from '../cells/cell-editor.tsx';
import { CellNote } from '../cells/cell-note.tsx';
import { cellDraft, cellValue, isChangedCell, type Pending } from '../cells/cells.ts';
import type { After, Editing, Note } from '../cells/use-cells.ts';
import gridClasses from './grid.module.css';
import { pinned } from './grid-head.tsx';

/** What rows call; the same object always, so that only rows that changed are drawn again. */
export interface RowActions {
  tick: (id: string, range: boolean) => void;
  commit: (draft: Draft, after: After | null) => void;
  giveUp: () => void;
  addressOf: (key: readonly string[]) => Spot;
  open: (key: readonly string[]) => void;
}

interface GridRowProps {
  /** Undefined while it is being read. */
  line: Line | undefined;
  index: number;
  fields: readonly FieldDescription[];
  hasEdge: boolean;
  /** Whether an empty cell takes the room after the last one. */
  hasFiller: boolean;
  pending: Pending | undefined;
  isUnsaved: boolean;
  isSelected: boolean;
  isOpen: boolean;
  /** The cell that has the keyboard's place, or -1. */
  activeColumn: number;
  /** The first and last chosen cell, or -1. */
  from: number;
  to: number;
  editing: Editing | null;
  note: Note | null;
  actions: RowActions;
  /** The words of the language chosen: a row that scrolls into sight has no time to ask for them. */
  t: ReturnType<typeof useText<'data'>>;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { line, index, hasEdge, hasFiller, pending, isUnsaved, isSelected, isOpen } = props;
  return (
    <tr
      className={gridClasses.row}
      aria-rowindex={index + 2}
      aria-selected={hasEdge ? isSelected : undefined}
      aria-busy={line === undefined || undefined}
      data-unsaved={isUnsaved || line?.isNew || undefined}
      data-wrong={Object.keys(pending?.errors ?? {}).length > 0 || undefined}
      data-open={isOpen || undefined}
    >
      {hasEdge ? <Edge {...props} /> : null}
      {props.fields.map((field, column) => (
        <Cell key={field.name} {...props} field={field} column={column} />
      ))}
      {hasFiller ? <td aria-hidden /> : null}
    </tr>
  );
});

/** Ticks the record, and opens it. */
function Edge({ line, isSelected, pending, actions, t }: GridRowProps) {
  const { id = null, key } = line ?? {};
  if (id === null || !key) {
    return (
      <td className={gridClasses.edge}>
        {line?.isNew ? <IconPlus className={gridClasses.newMark} aria-hidden /> : null}
      </td>
    );
  }
  const record = key.join(' / ');
  const { pathname, search } = actions.addressOf(key);
  const onClick = (event: MouseEvent) => {
    // A modifier opens another tab, as with every link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    actions.open(key);
  };
  return (
    <td className={gridClasses.edge} title={pending?.errors['']}>
      <div className={gridClasses.edgeParts}>
        <input
          type="checkbox"
          className={gridClasses.tick}
          aria-label={t('selectRow', { record })}
          tabIndex={-1}
          checked={isSelected}
          onChange={(event) => actions.tick(id, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
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

function Cell({ line, field, column, index, hasEdge, pending, isUnsaved, ...rest }: CellProps) {
  const { activeColumn, from, to, editing, note, t } = rest;
  const error = pending?.errors[field.name];
  const isActive = column === activeColumn;
  const isEdited = editing?.at.column === column;
  const hasNote = note?.at.column === column;
  const isFirst = column === 0;
  return (
    <td
      className={gridClasses.cell}
      data-at={`${index}:${column}`}
      data-pinned={isFirst || undefined}
      data-number={isNumeric(field.type) || undefined}
      data-changed={(line && isChangedCell(line, pending, field.name)) || undefined}
      data-wrong={error !== undefined || undefined}
      data-chosen={(column >= from && column <= to) || undefined}
      data-raised={isEdited || hasNote || (isActive && error !== undefined) || undefined}
      aria-invalid={error !== undefined || undefined}
      title={error}
      tabIndex={isActive ? 0 : -1}
      style={isFirst ? pinned(hasEdge) : undefined}
    >
      {isFirst && line && (isUnsaved || line.isNew) ? (
        <span className={gridClasses.unseen}>{`${t('unsavedMark')}: `}</span>
      ) : null}
      {isFirst && !line ? <span className={gridClasses.unseen}>{t('grid.rowLoading', { row: index + 1 })}</span> : null}
      {line ? cellContent(line, field, pending, isEdited ? editing : null, rest.actions) : <Bar />}
      {hasNote ? <CellNote text={note.text} /> : null}
      {error !== undefined && isActive && !hasNote && !isEdited ? <CellNote text={error} isWrong /> : null}
    </td>
  );
}

/** What stands where a value is still being read. */
const Bar = () => <span className={gridClasses.bar} />;

function cellContent(
  line: Line,
  field: FieldDescription,
  pending: Pending | undefined,
  editing: Editing | null,
  actions: RowActions,
) {
  if (editing) {
    return (
      <CellEditor
        field={field}
        draft={cellDraft(line, pending, field.name)}
        typed={editing.typed}
        commit={actions.commit}
        giveUp={actions.giveUp}
      />
    );
  }
  const value = cellValue(line, pending, field.name);
  // What a new record was not given, the database fills in.
  return line.isNew && value === undefined ? null : <CellValue field={field} value={value} />;
}
