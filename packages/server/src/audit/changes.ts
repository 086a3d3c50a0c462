// A record's fields as the audit keeps them: whole, or those that differ; secrets and credentials as the mask.
import { isDeepStrictEqual } from 'node:util';
import { type ResourceDefinition, type ResourceField, secretMask } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';
import { isEmpty } from '../resource/fields.ts';
import type { StoredRow, WireRecord } from '../resource/resource.ts';

/** A record with its row, and as the wire shows it. */
interface Shown {
  row: StoredRow;
  record: WireRecord;
}

interface Audited {
  definition: ResourceDefinition;
  credentials?: string[];
}

type Fields = Record<string, unknown>;

/** Every stored field of a record. */
export function whole(of: Audited, shown: Shown): Fields {
  const fields = Object.entries(of.definition.fields).filter(([, { rules }]) => !rules.computed);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = shownValue(of, name, field, shown);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The stamps of a write: the entry itself says when and by whom. */
const stampsOfWrites = new Set(['last_modified_date', 'last_modified_by_id']);

/** The fields two states of a record differ in, before and after; undefined when none does. */
export function differences(of: Audited, before: Shown, after: Shown): { before: Fields; after: Fields } | undefined {
  const found = { before: {} as Fields, after: {} as Fields };
  for (const [name, field] of Object.entries(of.definition.fields)) {
    if (field.rules.computed || stampsOfWrites.has(name) || isSameValue(before.row[name], after.row[name])) continue;
    const values: Pair = [shownValue(of, name, field, before), shownValue(of, name, field, after)];
    const [old, now] =
      field.kind === 'json' && values.every(isRecord)
        ? narrowed(values as [Fields, Fields], [parsed(before.row[name]), parsed(after.row[name])])
        : alikeMasked(values);
    if (!isTold([old, now])) continue;
    found.before[name] = old ?? null;
    found.after[name] = now ?? null;
  }
  return Object.keys(found.after).length > 0 ? found : undefined;
}

type Pair = [unknown, unknown];

/** Whether two values of a column are one; engines answer numbers as numbers or as text. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  isNull(one) || isNull(other) ? isNull(one) && isNull(other) : String(one) === String(other);

const isNull = (value: unknown) => value === null || value === undefined;

function shownValue({ credentials }: Audited, name: string, { rules }: ResourceField, { row, record }: Shown): unknown {
  if (!rules.writeOnly && !credentials?.includes(name)) return record[name];
  return isEmpty(row[name]) ? (row[name] ?? null) : secretMask;
}

/** What is stored may differ where the wire shows the same: a secret, which is told, or a default that is now written out. */
const isTold = ([before, after]: Pair): boolean =>
  !isDeepStrictEqual(before, after) || JSON.stringify(after ?? null).includes(secretMask);

/** Of two objects the keys that differ. */
function narrowed([before, after]: [Fields, Fields], [stored, storedAfter]: [Fields, Fields]): Pair {
  const isOther = (key: string) =>
    !isDeepStrictEqual(stored[key], storedAfter[key]) && isTold([before[key], after[key]]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isOther);
  const pairs = keys.map((key) => [key, alikeMasked([before[key], after[key]])] as const);
  const side = (at: 0 | 1) =>
    Object.fromEntries(pairs.flatMap(([key, pair]) => (pair[at] === undefined ? [] : [[key, pair[at]]])));
  return [side(0), side(1)];
}

/** What is a secret on one side stays one on the other: what just became private was the same text before. */
const alikeMasked = (values: Pair): Pair =>
  values.includes(secretMask) ? (values.map((it) => (isEmpty(it) ? it : secretMask)) as Pair) : values;

function parsed(text: unknown): Fields {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isRecord(value) ? value : {};
}
