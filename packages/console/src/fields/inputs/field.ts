import type { ReactNode } from 'react';

/** What every input of a form takes: the texts around it, its value, and what runs when it changes. */
export interface FieldProps<T> {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  value: T;
  onChange: (value: T) => void;
}

/** What stands around an input, as its library takes it. */
export const labelProps = ({
  label,
  description,
  error,
  required,
  disabled,
}: Omit<FieldProps<unknown>, 'value' | 'onChange'>) => ({
  label,
  description,
  error,
  required: required ?? false,
  disabled: disabled ?? false,
});
