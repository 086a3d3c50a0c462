// A record's fields as the audit keeps them: whole, or those that differ; secrets and credentials as the mask.
import { isDeepStrictEqual } from 'node:util';
import { type ResourceDefinition, type ResourceField, secretMask } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';
import { isEmpty } from '../resource/fields.ts';
import type { StoredRow, WireRecord } from '../resource/resource.ts';

/** A record with its row, and as the wire shows it. */
interface RecordState {
  row: StoredRow;
  record: WireRecord;
}

interface AuditedResource {
  definition: ResourceDefinition;
  credentials?: string[];
}

type Fields = Record<string, unknown>;

/** Every stored field of a record. */
export function allFields(resource: AuditedResource, state: RecordState): Fields {
  const fields = Object.entries(resource.definition.fields).filter(([, { rules }]) => !rules.computed);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = auditedValue(resource, name, field, state);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The stamps of a write: the entry itself says when and by whom. */
const writeStamps = new Set(['last_modified_date', 'last_modified_by_id']);

/** The fields in which two states of a record differ, before and after; undefined when there are none. */
export function diffFields(
  resource: AuditedResource,
  before: RecordState,
  after: RecordState,
): { before: Fields; after: Fields } | undefined {
  const changes = { before: {} as Fields, after: {} as Fields };
  for (const [name, field] of Object.entries(resource.definition.fields)) {
    if (field.rules.computed || writeStamps.has(name) || isSameValue(before.row[name], after.row[name])) continue;
    const values: Pair = [auditedValue(resource, name, field, before), auditedValue(resource, name, field, after)];
    const [oldValue, newValue] =
      field.kind === 'json' && values.every(isRecord)
        ? diffKeys(values as [Fields, Fields], [parseFields(before.row[name]), parseFields(after.row[name])])
        : maskBoth(values);
    if (!isReported([oldValue, newValue])) continue;
    changes.before[name] = oldValue ?? null;
    changes.after[name] = newValue ?? null;
  }
  return Object.keys(changes.after).length > 0 ? changes : undefined;
}

type Pair = [unknown, unknown];

/** Whether two values of a column are equal; engines answer numbers as numbers or as text. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  isNull(one) || isNull(other) ? isNull(one) && isNull(other) : String(one) === String(other);

const isNull = (value: unknown) => value === null || value === undefined;

function auditedValue(
  { credentials }: AuditedResource,
  name: string,
  { rules }: ResourceField,
  { row, record }: RecordState,
): unknown {
  if (!rules.writeOnly && !credentials?.includes(name)) return record[name];
  return isEmpty(row[name]) ? (row[name] ?? null) : secretMask;
}

/**
 * What is stored may differ where the wire shows the same: a secret, which is reported, or a default that is now written
 * out, which is not.
 */
const isReported = ([before, after]: Pair): boolean =>
  !isDeepStrictEqual(before, after) || JSON.stringify(after ?? null).includes(secretMask);

/** Two objects, reduced to the keys that differ. */
function diffKeys([before, after]: [Fields, Fields], [stored, storedAfter]: [Fields, Fields]): Pair {
  const isOther = (key: string) =>
    !isDeepStrictEqual(stored[key], storedAfter[key]) && isReported([before[key], after[key]]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isOther);
  const pairs = keys.map((key) => [key, maskBoth([before[key], after[key]])] as const);
  const sideOf = (side: 0 | 1) =>
    Object.fromEntries(pairs.flatMap(([key, pair]) => (pair[side] === undefined ? [] : [[key, pair[side]]])));
  return [sideOf(0), sideOf(1)];
}

/** A secret on one side is masked on the other too: what just became private was the same text before. */
const maskBoth = (values: Pair): Pair =>
  values.includes(secretMask) ? (values.map((value) => (isEmpty(value) ? value : secretMask)) as Pair) : values;

function parseFields(text: unknown): Fields {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isRecord(value) ? value : {};
}
