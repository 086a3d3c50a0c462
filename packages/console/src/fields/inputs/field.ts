import type { ReactNode } from 'react';

/** What every input of a form takes: the words around it, its value, and who to tell. */
export interface FieldProps<T> {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  value: T;
  onChange: (value: T) => void;
}
