import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { FormValues } from '../source.ts';

/** Shows what is wrong beside the fields, and focuses the first of them. */
export const showFieldErrors = <F extends FormValues>(form: UseFormReturnType<F>, errors: FormErrors): void => {
  form.setErrors(errors);
  requestAnimationFrame(focusFirstError);
};

const focusFirstError = () =>
  document.querySelector<HTMLElement>('main [aria-invalid="true"], form [aria-invalid="true"]')?.focus();
