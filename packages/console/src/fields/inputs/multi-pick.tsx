import { Checkbox } from '@mantine/core';
import type { PickValue } from '@sluice/contract';
import type { CSSProperties } from 'react';
import { useText } from '../../text/index.ts';
import type { FieldProps } from './field.ts';
import { FieldGroup } from './field-group.tsx';
import classes from './fields.module.css';

type Name = PickValue['name'];

interface MultiPickProps extends FieldProps<Name[]> {
  options: readonly PickValue[];
  legend?: string;
  columns?: number;
}

/** Any of several choices: check boxes in columns (three when absent, NAV-045) with "Select All". */
export function MultiPick({
  label,
  legend,
  description,
  error,
  required,
  disabled,
  value,
  onChange,
  options,
  columns = 3,
}: MultiPickProps) {
  const t = useText('fields');
  const selected = new Set(value);
  const isAll = options.length > 0 && options.every((option) => selected.has(option.name));
  const isSome = options.some((option) => selected.has(option.name));
  // What is selected but no longer offered stays.
  const unlisted = value.filter((name) => !options.some((option) => option.name === name));
  const selectNames = (names: ReadonlySet<Name>) =>
    onChange([...unlisted, ...options.map((option) => option.name).filter((name) => names.has(name))]);
  const toggle = (name: Name) => {
    const next = new Set(selected);
    if (!next.delete(name)) next.add(name);
    selectNames(next);
  };
  return (
    <FieldGroup
      label={legend ? `${label}: ${legend}` : label}
      description={description}
      error={error}
      required={required}
      disabled={disabled ?? false}
    >
      <Checkbox
        mb="xs"
        label={t('selectAll')}
        checked={isAll}
        indeterminate={isSome && !isAll}
        onChange={() => selectNames(new Set(isAll ? [] : options.map((option) => option.name)))}
      />
      <div className={classes.picks} style={{ '--columns': columns } as CSSProperties}>
        {options.map((option) => (
          <Checkbox
            key={String(option.name)}
            label={option.label || String(option.name)}
            checked={selected.has(option.name)}
            onChange={() => toggle(option.name)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
