// A cell that is being edited: an input for its type, in its place (TBL-012).
import type { FieldDescription } from '@sluice/contract';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import { fixedChoices, textToDraft } from '../../values/check.ts';
import { type Draft, inputKind, isNumeric, valueText } from '../../values/values.ts';
import { fromPickerValue, type PickerKind, pickerKind, toPickerValue } from './cell-dates.ts';
import classes from './cell-editor.module.css';
import { useOverlayPlacement } from './cell-note.tsx';
import type { AfterEdit } from './use-cells.ts';

interface CellEditorProps {
  field: FieldDescription;
  draft: Draft;
  /** What a new value begins with; null continues with the draft. */
  initialText: string | null;
  onCommit: (draft: Draft, after: AfterEdit | null) => void;
  onCancel: () => void;
}

export function CellEditor(props: CellEditorProps) {
  const { field, draft, initialText } = props;
  if (inputKind(field.type) === 'boolean') return <ChoiceEditor {...props} values={[true, false]} />;
  const choices = fixedChoices(field);
  if (choices) return <ChoiceEditor {...props} values={choices} />;
  // A first letter was typed already: the browser's own pickers could not take it.
  const picker = initialText === null ? pickerKind(field.type, draft) : null;
  if (picker) return <DateEditor {...props} kind={picker} />;
  return <TextEditor {...props} />;
}

/** Whether a key ends the editing of a cell, and what comes after. */
function afterKey(event: KeyboardEvent, isArea: boolean, isNew: boolean): AfterEdit | null {
  const isMod = event.ctrlKey || event.metaKey;
  if (event.key === 'Tab') return event.shiftKey ? 'back' : 'next';
  if (isMod && event.key.toLowerCase() === 's') return 'save';
  if (event.key === 'Enter') {
    if (isArea && (event.shiftKey || event.altKey)) return null;
    return event.shiftKey ? 'up' : 'down';
  }
  // After editing was begun by typing, the arrows end it, as in a spreadsheet.
  if (!isNew || isMod || event.shiftKey) return null;
  return event.key === 'ArrowDown' ? 'down' : event.key === 'ArrowUp' ? 'up' : null;
}

interface EditEndOptions {
  value: () => Draft;
  isArea?: boolean;
  isNew?: boolean;
}

/** Ends the editing once: by a key, by leaving the input, or without a change. */
function useEditEnd(
  { field, onCommit, onCancel }: CellEditorProps,
  { value, isArea = false, isNew = false }: EditEndOptions,
) {
  const isDone = useRef(false);
  const end = (act: () => void) => {
    if (isDone.current) return;
    isDone.current = true;
    act();
  };
  return {
    end,
    onBlur: () => end(() => onCommit(value(), null)),
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.nativeEvent.isComposing) return;
      const isNull = event.key === 'Backspace' && (event.ctrlKey || event.metaKey) && field.allow_null;
      const after = afterKey(event, isArea, isNew);
      if (event.key === 'Escape') end(onCancel);
      else if (isNull) end(() => onCommit(null, 'stay'));
      else if (after) end(() => onCommit(value(), after));
      else return;
      event.preventDefault();
    },
  };
}

/** Longer texts are edited in several lines. */
const multilineFrom = 60;

function TextEditor(props: CellEditorProps) {
  const { field, draft, initialText } = props;
  const t = useText('data');
  const draftText = valueText(draft);
  const [value, setValue] = useState(initialText ?? draftText);
  const inputRef = useOverlayPlacement<HTMLInputElement & HTMLTextAreaElement>();
  const isArea = inputKind(field.type) === 'area' || draftText.includes('\n') || draftText.length > multilineFrom;
  // A null that was not overwritten stays null.
  const result = () => (value === draftText && initialText === null ? draft : textToDraft(field, value));
  const { onBlur, onKeyDown } = useEditEnd(props, { value: result, isArea, isNew: initialText !== null });
  const listId = useId();
  useEffect(() => {
    inputRef.current?.focus({ preventScroll: true });
    if (initialText === null) inputRef.current?.select();
  }, [initialText, inputRef]);
  const kind = inputKind(field.type);
  const inputProps = {
    ref: inputRef,
    className: classes.input,
    'aria-label': field.label || field.name,
    value,
    placeholder: draft === null ? t('null') : '',
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
    onBlur,
    onKeyDown,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (isArea) {
    const isCode = field.type === 'json' || /^(json|jsonb|xml)$/.test(field.db_type ?? '');
    return <textarea {...inputProps} rows={5} title={t('grid.area')} data-area data-code={isCode || undefined} />;
  }
  return (
    <>
      <input
        {...inputProps}
        data-number={isNumeric(field.type) || undefined}
        inputMode={kind === 'integer' ? 'numeric' : kind === 'decimal' ? 'decimal' : 'text'}
        list={field.picklist ? listId : undefined}
      />
      {field.picklist ? (
        <datalist id={listId}>
          {field.picklist.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

function DateEditor(props: CellEditorProps & { kind: PickerKind }) {
  const { field, draft, kind } = props;
  const draftText = toPickerValue(draft);
  const [value, setValue] = useState(draftText);
  const inputRef = useOverlayPlacement<HTMLInputElement>();
  const result = () => (value === draftText ? draft : fromPickerValue(kind, value, draft));
  const { onBlur, onKeyDown } = useEditEnd(props, { value: result });
  useEffect(() => {
    inputRef.current?.focus({ preventScroll: true });
  }, [inputRef]);
  return (
    <input
      ref={inputRef}
      type={kind}
      step={kind === 'date' ? undefined : 1}
      className={classes.input}
      data-wide
      aria-label={field.label || field.name}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    />
  );
}

/** A boolean, or one value of a list: arrows and letters move, Enter and a click choose. */
function ChoiceEditor(props: CellEditorProps & { values: readonly (string | boolean)[] }) {
  const { field, draft, initialText, onCommit, values } = props;
  const t = useText('data');
  const options: { value: string | boolean | null; label: string }[] = [
    ...(field.allow_null ? [{ value: null, label: t('null') }] : []),
    ...values.map((value) => ({ value, label: typeof value === 'boolean' ? t(value ? 'true' : 'false') : value })),
  ];
  const indexOfPrefix = (prefix: string) =>
    options.findIndex(({ label }) => label.toLocaleLowerCase().startsWith(prefix.toLocaleLowerCase()));
  const draftIndex = options.findIndex(({ value }) => value === (draft ?? null));
  const [activeIndex, setActiveIndex] = useState(() =>
    Math.max(0, initialText === null ? draftIndex : indexOfPrefix(initialText)),
  );
  const list = useOverlayPlacement<HTMLDivElement>();
  const id = useId();
  const { end, onBlur, onKeyDown } = useEditEnd(props, { value: () => options[activeIndex]?.value ?? null });
  useEffect(() => {
    list.current?.focus({ preventScroll: true });
  }, [list]);
  useEffect(() => {
    list.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex, list]);
  const onListKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -options.length, End: options.length }[event.key];
    const match = event.key.length === 1 && !event.ctrlKey && !event.metaKey ? indexOfPrefix(event.key) : -1;
    if (!step && match < 0) {
      onKeyDown(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    setActiveIndex(step ? Math.max(0, Math.min(options.length - 1, activeIndex + step)) : match);
  };
  return (
    <div
      ref={list}
      className={classes.choices}
      role="listbox"
      tabIndex={0}
      aria-label={field.label || field.name}
      aria-activedescendant={`${id}-${activeIndex}`}
      onKeyDown={onListKey}
      onBlur={onBlur}
    >
      {options.map(({ value, label }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
        <div
          key={String(value)}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === activeIndex}
          className={classes.choice}
          data-null={value === null || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => end(() => onCommit(value, 'stay'))}
        >
          {label}
        </div>
      ))}
    </div>
  );
}
