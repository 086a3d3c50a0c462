// One field of a record: its name and type above, an input for its type, help and errors below.
import { Button, Input } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { IconKey, IconLink, IconLock } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { text, useText } from '../../../text/index.ts';
import type { JointReference, ReferenceTarget } from '../reference/target.ts';
import classes from '../styles/shared.module.css';
import { jsonProblem } from '../values/json.ts';
import { type Draft, inputKind, isJson, isRequired, type Lock, treatsEmptyAsNull } from '../values/values.ts';
import ownClasses from './field-input.module.css';
import { maxFileBytes } from './inputs/bytes.ts';
import { hintsOf } from './inputs/hints.ts';
import { isLabelled, TypedInput } from './inputs/typed-input.tsx';

interface FieldInputProps {
  field: FieldDescription;
  /** What it refers to; null when that is nothing. */
  target: ReferenceTarget | null;
  /** What it refers to together with other fields. */
  joint: readonly JointReference[];
  lock: Lock;
  draft: Draft;
  isChanged: boolean;
  isNew: boolean;
  error: string | undefined;
  onChange: (draft: Draft) => void;
  /** Below the input. */
  children?: ReactNode;
}

export function FieldInput(props: FieldInputProps) {
  const { field, target, joint, lock, draft, isChanged, isNew, error, onChange, children } = props;
  const t = useText('data');
  const id = useId();
  const isAutoIncrement = isNew && field.auto_increment;
  const kind = inputKind(field.type);
  const canBeNull = field.allow_null && lock === null && kind !== 'boolean';
  const hasDefault = field.default !== null && field.default !== undefined;
  const isNull = draft === null || (draft === undefined && !hasDefault);
  // Only a text can be empty without being NULL.
  const canBeEmpty = !treatsEmptyAsNull(field.type) && kind !== 'binary' && !isJson(field);
  const label = field.label || field.name;
  const labelProps = { className: ownClasses.fieldLabel, id: `${id}-label` };
  const problem = error ?? draftProblem(field, draft);
  const name = (
    <>
      {label}
      {isRequired(field) && lock === null ? <span className={ownClasses.required}> {t('requiredMark')}</span> : null}
    </>
  );
  return (
    <div
      className={ownClasses.field}
      data-changed={isChanged || undefined}
      data-counted={isAutoIncrement || undefined}
      data-wrong={problem !== undefined || undefined}
    >
      <div className={ownClasses.fieldHead}>
        {isLabelled(field) ? (
          <label htmlFor={id} {...labelProps}>
            {name}
          </label>
        ) : (
          <span {...labelProps}>{name}</span>
        )}
        <span className={`${classes.type} ${ownClasses.fieldType}`}>
          {field.is_primary_key ? <IconKey className={classes.tinyIcon} aria-hidden /> : null}
          {target || joint.length > 0 ? <IconLink className={classes.tinyIcon} aria-hidden /> : null}
          {field.name} · {field.db_type ?? field.type}
        </span>
        {canBeNull ? (
          <Button
            variant={isNull ? 'light' : 'default'}
            size="compact-xs"
            className={ownClasses.nullSwitch!}
            aria-pressed={isNull}
            aria-label={t('setNull', { field: label })}
            onClick={() => onChange(isNull && canBeEmpty ? '' : null)}
          >
            {t('null')}
          </Button>
        ) : null}
      </div>
      <TypedInput
        field={field}
        target={target}
        draft={draft}
        isLocked={lock !== null}
        isNew={isNew}
        isAutoIncrement={isAutoIncrement}
        isInvalid={problem !== undefined}
        id={id}
        onChange={onChange}
      />
      {children}
      <Help {...{ field, target, joint, lock, isAutoIncrement }} id={`${id}-help`} />
      {problem ? (
        <Input.Error id={`${id}-error`} role="alert">
          {problem}
        </Input.Error>
      ) : null}
    </div>
  );
}

/** An error that can be found before anything is sent. */
function draftProblem(field: FieldDescription, draft: Draft): string | undefined {
  if (!isJson(field) || typeof draft !== 'string' || draft.trim() === '') return undefined;
  const problem = jsonProblem(draft);
  return problem === null ? undefined : text('data:notJson', { problem });
}

interface HelpProps {
  field: FieldDescription;
  target: ReferenceTarget | null;
  joint: readonly JointReference[];
  lock: Lock;
  isAutoIncrement: boolean;
  id: string;
}

/** What one should know before typing. */
function Help({ field, target, joint, lock, isAutoIncrement, id }: HelpProps) {
  const t = useText('data');
  const hints = [
    isAutoIncrement ? t('counted') : '',
    inputKind(field.type) === 'binary'
      ? t('file.atMost', { size: t('megabytes', { size: maxFileBytes / 1024 ** 2 }) })
      : '',
    field.type === 'string' && field.length && !target ? t('atMost', { count: field.length }) : '',
    ...hintsOf(field),
  ];
  const helpTexts = [
    lock ? t(`lock.${lock}`) : '',
    target ? t('refersTo', { table: target.table, field: target.field }) : '',
    ...joint.map(({ table, columns }) =>
      t('reference.together', { table, fields: columns.filter((name) => name !== field.name).join(', ') }),
    ),
    ...(lock ? [] : hints),
    field.description ?? '',
  ].filter(Boolean);
  return (
    <p className={ownClasses.help} id={id}>
      {lock ? <IconLock className={classes.tinyIcon} aria-hidden /> : null}
      {helpTexts.join(' · ')}
    </p>
  );
}
