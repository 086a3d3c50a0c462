// Dates as databases write them, and as the browser's date inputs accept them. Pure.
import type { SimpleType } from '@sluice/contract';
import type { Draft } from '../../values/values.ts';

export type PickerKind = 'date' | 'time' | 'datetime-local';

const pickerKinds: Partial<Record<SimpleType, PickerKind>> = {
  date: 'date',
  time: 'time',
  datetime: 'datetime-local',
  timestamp: 'datetime-local',
};

const pickerFormats: Record<PickerKind, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(:\d\d)?$/,
  'datetime-local': /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/,
};

/** The input that can show a value without losing a part of it: none for fractions of seconds and zones. */
export function pickerKind(type: SimpleType, draft: Draft): PickerKind | null {
  const kind = pickerKinds[type];
  if (!kind) return null;
  const isEmpty = draft === null || draft === undefined || draft === '';
  return isEmpty || (typeof draft === 'string' && pickerFormats[kind].test(draft)) ? kind : null;
}

export const toPickerValue = (draft: Draft): string => (typeof draft === 'string' ? draft.replace(' ', 'T') : '');

/** The chosen value, written as the one before, seconds included; null when nothing is chosen. */
export function fromPickerValue(kind: PickerKind, value: string, previous: Draft): Draft {
  if (value === '') return null;
  const hasSeconds = kind === 'date' || value.split(':').length === 3;
  const text = hasSeconds ? value : `${value}:00`;
  return typeof previous === 'string' && previous.includes('T') ? text : text.replace('T', ' ');
}
