// One field of a record: an input for its type, its name and type above, help and objections below (TBL-012, OPEN-126…128).
import { Autocomplete, Button, Input, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { IconKey, IconLink, IconLock } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { text as say, useText } from '../../text/index.ts';
import { binaryText } from './cell.tsx';
import classes from './data.module.css';
import paneClasses from './pane.module.css';
import { type Draft, emptyIsNull, inputKind, isRequired, type Lock, valueText, wantsArea } from './values.ts';

interface FieldInputProps {
  field: FieldDescription;
  lock: Lock;
  draft: Draft;
  isChanged: boolean;
  isNew: boolean;
  error: string | undefined;
  onChange: (draft: Draft) => void;
}

export function FieldInput(props: FieldInputProps) {
  const { field, lock, draft, isChanged, isNew, error, onChange } = props;
  const t = useText('data');
  const id = useId();
  const isCounted = isNew && field.auto_increment;
  const kind = inputKind(field.type);
  const canBeNull = field.allow_null && lock === null && kind !== 'boolean';
  const hasDefault = field.default !== null && field.default !== undefined;
  const isNull = draft === null || (draft === undefined && !hasDefault);
  const labelProps = { className: paneClasses.fieldLabel, id: `${id}-label` };
  const name = (
    <>
      {field.label || field.name}
      {isRequired(field) && lock === null ? <span className={paneClasses.required}> {t('requiredMark')}</span> : null}
    </>
  );
  return (
    <div className={paneClasses.field} data-changed={isChanged || undefined} data-counted={isCounted || undefined}>
      <div className={paneClasses.fieldHead}>
        {kind === 'boolean' || kind === 'binary' ? (
          <span {...labelProps}>{name}</span>
        ) : (
          <label htmlFor={id} {...labelProps}>
            {name}
          </label>
        )}
        <span className={`${classes.type} ${paneClasses.fieldType}`}>
          {field.is_primary_key ? <IconKey className={classes.tinyIcon} aria-hidden /> : null}
          {field.is_foreign_key ? <IconLink className={classes.tinyIcon} aria-hidden /> : null}
          {field.name} · {field.db_type ?? field.type}
        </span>
        {canBeNull ? (
          <Button
            variant={isNull ? 'light' : 'default'}
            size="compact-xs"
            className={paneClasses.nullSwitch!}
            aria-pressed={isNull}
            aria-label={t('setNull', { field: field.label || field.name })}
            // Empty is something else than nothing only where a text can be empty.
            onClick={() => onChange(isNull && !emptyIsNull(field.type) && kind !== 'binary' ? '' : null)}
          >
            {t('null')}
          </Button>
        ) : null}
      </div>
      <TypedInput {...props} id={id} isCounted={isCounted} />
      <Help field={field} lock={lock} isCounted={isCounted} id={`${id}-help`} />
      {error ? (
        <Input.Error id={`${id}-error`} role="alert">
          {error}
        </Input.Error>
      ) : null}
    </div>
  );
}

/** What stands in an empty input: that there is no value, or what the database will put there. */
function placeholderOf({ field, draft, isNew }: FieldInputProps, isCounted: boolean): string {
  if (isCounted) return '';
  if (draft === null) return say('data:null');
  if (!isNew || draft !== undefined) return '';
  if (field.default !== null && field.default !== undefined) {
    return say('data:byDefault', { value: valueText(field.default) });
  }
  return field.allow_null ? say('data:null') : '';
}

function TypedInput(props: FieldInputProps & { id: string; isCounted: boolean }): ReactNode {
  const { field, lock, draft, id, isCounted, error, onChange, isNew } = props;
  const t = useText('data');
  const kind = inputKind(field.type);
  const value = typeof draft === 'string' ? draft : draft === null || draft === undefined ? '' : String(draft);
  const isLocked = lock !== null;
  const common = {
    id,
    placeholder: placeholderOf(props, isCounted),
    'aria-describedby': `${id}-help${error ? ` ${id}-error` : ''}`,
    'aria-required': isRequired(field) || undefined,
    readOnly: isLocked,
    error: Boolean(error),
  };
  // PostgreSQL's json is told as a string (contract/database-schema.md §5).
  const isCode = field.type === 'json' || /^(json|jsonb|xml|tsvector)$|\[\]$/.test(field.db_type ?? '');
  const monospaced = isCode || kind === 'integer' || kind === 'decimal' || field.type === 'uuid';
  const classNames = { input: `${paneClasses.input} ${monospaced ? classes.mono : ''}` };

  if (kind === 'binary') {
    return (
      <p className={paneClasses.binaryField} id={id}>
        {draft === null || draft === undefined ? t('null') : binaryText(draft)}
      </p>
    );
  }
  if (kind === 'boolean') {
    const options = [
      { value: 'true', label: t('true') },
      { value: 'false', label: t('false') },
      ...(field.allow_null || (isNew && !isRequired(field)) ? [{ value: 'null', label: nullWord(field, isNew) }] : []),
    ];
    const chosen = draft === null || draft === undefined ? 'null' : String(draft);
    return (
      <SegmentedControl
        size="xs"
        aria-labelledby={`${id}-label`}
        data={options}
        // Nothing is chosen while a required one was not given.
        value={options.some((each) => each.value === chosen) ? chosen : ''}
        readOnly={isLocked}
        disabled={isLocked}
        onChange={(next) => onChange(next === 'null' ? (field.allow_null ? null : undefined) : next === 'true')}
        className={paneClasses.boolean!}
      />
    );
  }
  const rules = field.validation ?? {};
  if (field.picklist && 'picklist' in rules) {
    return (
      <Select
        {...common}
        classNames={classNames}
        data={[...new Set([...field.picklist, ...(value ? [value] : [])])]}
        value={value || null}
        onChange={(next) => onChange(next ?? (field.allow_null ? null : ''))}
        searchable={field.picklist.length > 8}
        clearable={field.allow_null}
      />
    );
  }
  if (field.picklist) {
    return <Autocomplete {...common} classNames={classNames} data={field.picklist} value={value} onChange={onChange} />;
  }
  if (wantsArea(field, draft)) {
    return (
      <Textarea
        {...common}
        classNames={classNames}
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
    const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (kind !== 'integer' || !by || isLocked || !/^-?\d+$/.test(value)) return;
    event.preventDefault();
    onChange(String(BigInt(value) + by));
  };
  return (
    <TextInput
      {...common}
      classNames={classNames}
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

const nullWord = (field: FieldDescription, isNew: boolean): string =>
  isNew && field.default !== null && field.default !== undefined
    ? say('data:byDefault', { value: valueText(field.default).toUpperCase() })
    : say('data:null');

/** What one should know before typing. */
function Help({ field, lock, isCounted, id }: { field: FieldDescription; lock: Lock; isCounted: boolean; id: string }) {
  const t = useText('data');
  const words = [
    lock ? t(`lock.${lock}`) : '',
    isCounted && !lock ? t('counted') : '',
    field.ref_table ? t('refersTo', { table: field.ref_table, field: field.ref_field ?? '' }) : '',
    inputKind(field.type) === 'binary' && !lock ? t('binaryHint') : '',
    field.type === 'string' && field.length && !lock ? t('atMost', { count: field.length }) : '',
    field.description ?? '',
  ].filter(Boolean);
  return (
    <p className={paneClasses.help} id={id}>
      {lock ? <IconLock className={classes.tinyIcon} aria-hidden /> : null}
      {words.join(' · ')}
    </p>
  );
}
