// What is wrong with the fields of a form: shown beside them, led to (use-lead-to-error.ts), and gone once the value it is about changes.
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import type { FormValues } from '../source.ts';
import { changedPaths } from './changed-paths.ts';

/**
 * The errors of a form. Keys are paths of its values: `name`, `config.host`. A screen that changes a field as a whole, as that of
 * services changes `config`, need not clear those inside: an error goes with the value at its path.
 */
export function useFieldErrors<F extends FormValues>(form: UseFormReturnType<F>) {
  const [shown, setShown] = useState(0);
  const { values, errors, setErrors } = form;
  /** The values that these errors are about. */
  const base = useRef({ errors, values });
  if (base.current.errors !== errors) base.current = { errors, values };
  useEffect(() => {
    const gone = changedPaths(Object.keys(errors), base.current.values, values);
    if (gone.length > 0)
      setErrors((current) => Object.fromEntries(Object.entries(current).filter(([path]) => !gone.includes(path))));
  }, [values, errors, setErrors]);

  return {
    /** How often errors were shown: each time, the reader is led to the first. */
    shown,
    show: (next: FormErrors): void => {
      setErrors(next);
      setShown((count) => count + 1);
    },
  };
}

export type FieldErrors = ReturnType<typeof useFieldErrors>;
