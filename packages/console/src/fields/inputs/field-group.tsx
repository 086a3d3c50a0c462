import { Fieldset, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './fields.module.css';

interface FieldGroupProps {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  /** May grow past the width of a form, as a table does. */
  wide?: boolean;
  children: ReactNode;
}

/** Several inputs under one label: drawn like a single field, read out as a group. */
export function FieldGroup({ label, description, error, required, disabled, wide, children }: FieldGroupProps) {
  return (
    <Fieldset
      variant="unstyled"
      disabled={disabled ?? false}
      className={classes.fieldGroup ?? ''}
      data-wide={wide || undefined}
      legend={
        <span className={classes.legend}>
          {label}
          {required ? <span className={classes.mark}> *</span> : null}
        </span>
      }
    >
      {children}
      {description ? <Input.Description mt="xs">{description}</Input.Description> : null}
      {error ? <Input.Error mt="xs">{error}</Input.Error> : null}
    </Fieldset>
  );
}
