// What an entry tells of a record: its fields before and after, one line each. Pure.

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
const noted = (value: unknown): Values | null => {
  if (isPlain(value)) return value;
  if (typeof value !== 'string') return null;
  try {
    const read: unknown = JSON.parse(value);
    return isPlain(read) ? read : null;
  } catch {
    return null;
  }
};

/** The fields of both sides, parts of an object by themselves; those that changed first. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [noted(before), noted(after)];
  const found = compare('', was ?? {}, is ?? {}).map((change) => ({
    ...change,
    // Of a new or a deleted record there is one side only, and nothing to compare.
    isChanged: was !== null && is !== null && change.isChanged,
  }));
  return found.sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

function compare(within: string, before: Values, after: Values): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const field = within === '' ? name : `${within}.${name}`;
    if ((isPlain(was) && (isPlain(is) || is === undefined)) || (was === undefined && isPlain(is))) {
      const parts = compare(field, isPlain(was) ? was : {}, isPlain(is) ? is : {});
      if (parts.length > 0) return parts;
    }
    return [{ field, before: was, after: is, isChanged: JSON.stringify(was ?? null) !== JSON.stringify(is ?? null) }];
  });
}

/** A value as it is read; undefined where there was none. */
export const worded = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};
