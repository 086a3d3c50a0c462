// What an entry tells of a record: its fields before and after, one line each. Pure.

import { jsonText } from './json-text.ts';

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
  isChanged: boolean;
}

type Values = Record<string, unknown>;

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was noted, as an object; older notes may be text. */
export const parseValues = (value: unknown): Values | null => {
  if (isPlain(value)) return value;
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isPlain(parsed) ? parsed : null;
  } catch {
    return null;
  }
};

/** The fields of both sides, parts of an object by themselves; those that changed first. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [beforeValues, afterValues] = [parseValues(before), parseValues(after)];
  const changes = compare('', beforeValues ?? {}, afterValues ?? {}).map((change) => ({
    ...change,
    // Of a new or a deleted record there is one side only, and nothing to compare.
    isChanged: beforeValues !== null && afterValues !== null && change.isChanged,
  }));
  return changes.sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

function compare(within: string, before: Values, after: Values): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [oldValue, newValue] = [before[name], after[name]];
    const field = within === '' ? name : `${within}.${name}`;
    if (
      (isPlain(oldValue) && (isPlain(newValue) || newValue === undefined)) ||
      (oldValue === undefined && isPlain(newValue))
    ) {
      const innerChanges = compare(field, isPlain(oldValue) ? oldValue : {}, isPlain(newValue) ? newValue : {});
      if (innerChanges.length > 0) return innerChanges;
    }
    return [
      {
        field,
        before: oldValue,
        after: newValue,
        isChanged: JSON.stringify(oldValue ?? null) !== JSON.stringify(newValue ?? null),
      },
    ];
  });
}

/** A value as it is read; undefined where there was none. */
export const valueText = (value: unknown): string | undefined => (value === undefined ? undefined : jsonText(value, 2));
