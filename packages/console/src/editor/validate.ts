// What is wrong with a form before anything is sent. What the declaration of a resource says counts without being repeated here.
import { type FieldRules, type ResourceField, resources } from '@sluice/contract';
import { text } from '../text/index.ts';
import type { FormValues } from './source.ts';

/** What is wrong with a field besides its absence; nothing when null or false. */
type Problem = string | null | false;

/** What a screen says of a field. One without a label may be empty. */
export type FieldCheck =
  | {
      /** As it stands beside the input. */
      label: string;
      /** Whether it has to be filled in; as the resource declares it when absent. */
      required?: boolean;
      problem?: Problem;
    }
  | { label?: undefined; problem: Problem };

/** The declared rules of a field; none for a field the resource does not have. */
export function declaredRules(resource: string, field: string): FieldRules {
  const fields: Record<string, ResourceField> = Object.hasOwn(resources, resource)
    ? resources[resource as keyof typeof resources].fields
    : {};
  return Object.hasOwn(fields, field) ? (fields[field] as ResourceField).rules : {};
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Messages by field name: "Name is required." for what is missing, else the problem the screen has found. */
export function validateForm<F extends FormValues>(
  resource: string,
  form: F,
  checks: Partial<Record<keyof F & string, FieldCheck>>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [field, check] of Object.entries(checks as Record<string, FieldCheck>)) {
    const { label, problem } = check;
    if (label !== undefined && (check.required ?? declaredRules(resource, field).required) && isBlank(form[field]))
      errors[field] = text('editor:required', { label });
    else if (problem) errors[field] = problem;
  }
  return errors;
}
