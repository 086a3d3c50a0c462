// A global lookup key as the editor holds it and as it is sent. Pure.
import { secretMask } from '@sluice/contract';
import { formText } from '../../editor/form-text.ts';

/** What a new key is called until it is named (CFG-037). */
export const newLookupName = 'NEW';

export interface LookupForm extends Record<string, unknown> {
  id?: number;
  name: string;
  value: string;
  private: boolean;
  description: string;
  /** A secret is stored: it is not shown, and not made readable either. Never sent. */
  wasSecret: boolean;
}

export const emptyLookup: LookupForm = {
  name: newLookupName,
  value: '',
  private: false,
  description: '',
  wasSecret: false,
};

export const toForm = (record: Record<string, unknown>): LookupForm => ({
  id: Number(record.id),
  name: formText(record.name),
  value: formText(record.value),
  private: record.private === true,
  description: formText(record.description),
  wasSecret: record.private === true && record.value === secretMask,
});

export const toRecord = ({ wasSecret: _ours, ...form }: LookupForm): Record<string, unknown> => ({
  ...form,
  name: form.name.trim(),
});

/** The key with another privacy: a stored secret has to be typed again to become public, and stays stored when the key becomes private again. */
export function withPrivate(form: LookupForm, isPrivate: boolean): LookupForm {
  const next = { ...form, private: isPrivate };
  if (!form.wasSecret) return next;
  if (!isPrivate && form.value === secretMask) return { ...next, value: '' };
  return isPrivate && form.value === '' ? { ...next, value: secretMask } : next;
}

/** A form as it may be kept as a draft: without a typed secret. */
export function toDraft(form: LookupForm): Partial<LookupForm> {
  if (!form.private || form.value === secretMask) return form;
  const { value: _secret, ...rest } = form;
  return rest;
}

/** The default name first, then a missing one (CFG-040, CFG-041, OPEN-082). */
export const nameProblem = (name: string, newName: string): 'isNew' | 'missing' | null => {
  if (name.trim() === newName) return 'isNew';
  return name.trim() === '' ? 'missing' : null;
};
