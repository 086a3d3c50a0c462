// The input of a field for its type (TBL-012, OPEN-127, OPEN-128). The larger ones have files beside it, each with its pure part apart.
import { Autocomplete, InputWrapperContext, MultiSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { type KeyboardEvent, type ReactNode, useContext } from 'react';
import { text, useText } from '../../../../text/index.ts';
import { dropDownProps, SearchSelect } from '../../../../ui/index.ts';
import { ReferenceInput } from '../../reference/reference-input.tsx';
import type { ReferenceTarget } from '../../reference/target.ts';
import classes from '../../styles/shared.module.css';
import { type Draft, inputKind, isJson, isMultiline, isRequired, valueText } from '../../values/values.ts';
import { BinaryInput } from './binary-input.tsx';
import ownClasses from './inputs.module.css';
import { JsonInput } from './json-input.tsx';
import { momentKind } from './moment.ts';
import { MomentInput } from './moment-input.tsx';
import { multiPicklistRules, picklistMode, splitChoices } from './picklist.ts';

export interface TypedInputProps {
  field: FieldDescription;
  /** What it refers to; null when that is nothing. */
  target: ReferenceTarget | null;
  draft: Draft;
  isLocked: boolean;
  isNew: boolean;
  /** Whether the database counts the field up. */
  isAutoIncrement: boolean;
  /** Whether an error is shown for it. */
  isInvalid: boolean;
  /** The id of the input; the ids of its label, help and error begin with it. */
  id: string;
  onChange: (draft: Draft) => void;
}

/** Whether a label can point at the input; other inputs name themselves. */
export const isLabelled = (field: FieldDescription): boolean =>
  !isJson(field) && !['boolean', 'binary'].includes(inputKind(field.type));

export function TypedInput(props: TypedInputProps): ReactNode {
  const { field, target, draft, isLocked, id, isInvalid, onChange } = props;
  const kind = inputKind(field.type);
  const value = typeof draft === 'string' ? draft : draft === null || draft === undefined ? '' : String(draft);
  const name = field.label || field.name;
  const describedBy = `${id}-help${isInvalid ? ` ${id}-error` : ''}`;
  // Arrays of PostgreSQL are described as strings (contract/database-schema.md §5).
  const isCode = /^(xml|tsvector)$|\[\]$/.test(field.db_type ?? '');
  const moment = momentKind(field.type);
  const isMonospaced = isCode || kind === 'integer' || kind === 'decimal' || field.type === 'uuid' || moment !== null;
  const inputProps = {
    id,
    placeholder: placeholderOf(props),
    inputContainer: (input: ReactNode) => <Described by={describedBy}>{input}</Described>,
    'aria-required': isRequired(field) || undefined,
    readOnly: isLocked,
    error: isInvalid,
    classNames: { input: `${ownClasses.input} ${isMonospaced ? classes.mono : ''}` },
  };
  const draftProps = { name, value, onChange, isLocked };

  if (kind === 'binary') return <BinaryInput {...draftProps} id={id} describedBy={describedBy} value={draft} />;
  if (kind === 'boolean') return <BooleanInput {...props} />;
  if (isJson(field)) return <JsonInput {...draftProps} label={name} describedBy={describedBy} />;
  if (target) return <ReferenceInput {...draftProps} field={field} target={target} inputProps={inputProps} />;
  const choice = picklistMode(field);
  if (choice) return <ChoiceInput {...draftProps} field={field} mode={choice} inputProps={inputProps} />;
  if (moment) return <MomentInput {...draftProps} kind={moment} inputProps={inputProps} />;
  if (isMultiline(field, draft)) {
    return (
      <Textarea
        {...inputProps}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        minRows={kind === 'area' ? 2 : 1}
        maxRows={14}
        spellCheck={!isCode}
      />
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (kind !== 'integer' || !step || isLocked || !/^-?\d+$/.test(value)) return;
    event.preventDefault();
    onChange(String(BigInt(value) + step));
  };
  return (
    <TextInput
      {...inputProps}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      inputMode={kind === 'integer' ? 'numeric' : kind === 'decimal' ? 'decimal' : 'text'}
      maxLength={
        kind === 'text' && field.type === 'string' && field.length ? Math.max(field.length, value.length) : undefined
      }
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** An input described by texts outside of it: Mantine overwrites an `aria-describedby` with that of its own wrapper. */
function Described({ by, children }: { by: string; children: ReactNode }) {
  const wrapper = useContext(InputWrapperContext);
  return wrapper && <InputWrapperContext value={{ ...wrapper, describedBy: by }}>{children}</InputWrapperContext>;
}

/** The placeholder of an empty input: NULL, or the default the database will use. */
function placeholderOf({ field, draft, isNew, isAutoIncrement }: TypedInputProps): string {
  if (isAutoIncrement) return '';
  if (draft === null) return text('data:null');
  if (!isNew || draft !== undefined) return '';
  if (hasDefault(field)) return text('data:byDefault', { value: valueText(field.default) });
  return field.allow_null ? text('data:null') : '';
}

const hasDefault = (field: FieldDescription): boolean => field.default !== null && field.default !== undefined;

/** TRUE, FALSE, and NULL where the field allows it. */
function BooleanInput({ field, draft, isLocked, isNew, id, onChange }: TypedInputProps) {
  const t = useText('data');
  const none =
    isNew && hasDefault(field) ? t('byDefault', { value: valueText(field.default).toUpperCase() }) : t('null');
  const options = [
    { value: 'true', label: t('true') },
    { value: 'false', label: t('false') },
    ...(field.allow_null || (isNew && !isRequired(field)) ? [{ value: 'null', label: none }] : []),
  ];
  const selected = draft === null || draft === undefined ? 'null' : String(draft);
  return (
    <SegmentedControl
      size="xs"
      aria-labelledby={`${id}-label`}
      data={options}
      // A required field without a value has nothing selected.
      value={options.some((option) => option.value === selected) ? selected : ''}
      readOnly={isLocked}
      disabled={isLocked}
      onChange={(next) => onChange(next === 'null' ? (field.allow_null ? null : undefined) : next === 'true')}
      className={ownClasses.boolean!}
    />
  );
}

interface ChoiceInputProps {
  field: FieldDescription;
  mode: 'one' | 'several' | 'suggested';
  value: string;
  onChange: (draft: Draft) => void;
  inputProps: { id: string; placeholder: string; readOnly: boolean; error: boolean };
}

/** With more values than this, they can be searched. */
const searchableFrom = 8;

/** The values of a picklist: one of them, several, or any text with them as suggestions. */
function ChoiceInput({ field, mode, value, onChange, inputProps }: ChoiceInputProps) {
  const { classNames: menu, ...menuProps } = dropDownProps;
  const values = field.picklist ?? [];
  const selectProps = { ...menuProps, ...inputProps, classNames: { ...menu, input: ownClasses.input! } };
  if (mode === 'suggested') return <Autocomplete {...selectProps} data={values} value={value} onChange={onChange} />;
  if (mode === 'several') {
    const rules = multiPicklistRules(field.validation?.multi_picklist);
    const selected = splitChoices(value, rules);
    return (
      <MultiSelect
        {...selectProps}
        placeholder={selected.length > 0 ? '' : inputProps.placeholder}
        // A stored value that is no longer in the picklist stays until someone removes it.
        data={[...new Set([...values, ...selected])]}
        value={selected}
        maxValues={rules.max ?? values.length + selected.length}
        onChange={(next) => onChange(next.length === 0 && field.allow_null ? null : next.join(rules.delimiter))}
        searchable={values.length > searchableFrom}
      />
    );
  }
  return (
    <SearchSelect
      {...selectProps}
      data={[...new Set([...values, ...(value ? [value] : [])])]}
      value={value || null}
      onChange={(next) => onChange(next ?? (field.allow_null ? null : ''))}
      searchable={values.length > searchableFrom}
      clearable={field.allow_null}
    />
  );
}
