// A stored secret is sent only to the target it was entered for. When a field changes that decides the target
// (`destination` of a config field), the secret must be sent again. The mask, or no value, keeps it only while the target
// stays.
import { type ConfigFields, type ItemField, secretMask } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import { fieldLabel, isEmpty, type ReportInvalid } from '../../resource/fields.ts';
import type { ConfigValues, StoredConfig } from './config.ts';

/** Whether a secret is to stay what it is. */
export const isMasked = ({ secret }: Pick<ItemField, 'secret'>, input: unknown) =>
  secret === true && input === secretMask;

/** Finds the stored row that a row of a list means. */
export function storedRowFinder(existing: unknown): (row: ConfigValues) => ConfigValues {
  const rows = new Map(recordsIn(existing).map((row) => [row.id, row]));
  return ({ id }) => rows.get(id) ?? {};
}

interface ConfigMerge {
  fields: ConfigFields;
  input: ConfigValues;
  /** What stays of the stored configuration where the input has nothing. */
  existing: ConfigValues;
  /** What is to be stored. */
  merged: ConfigValues;
  stored: StoredConfig;
}

/** Names every secret that would stay although it would go elsewhere. */
export function requireSecrets(
  { fields, input, existing, merged, stored }: ConfigMerge,
  secrets: Secrets,
  reportInvalid: ReportInvalid,
): void {
  const movedField = findMovedField(
    destinationsOf(stored.fields, stored.values, secrets),
    destinationsOf(fields, merged, secrets),
  );
  const reportRequired = (name: string, destination: string, reportedField = name) =>
    reportInvalid(reportedField, `The ${fieldLabel(name)} field is required when ${fieldLabel(destination)} changes.`);
  for (const [name, { items, ...field }] of Object.entries(fields)) {
    const isReplaced = input[name] !== undefined && !isMasked(field, input[name]);
    if (movedField && field.secret && !isReplaced && !isEmpty(existing[name])) reportRequired(name, movedField);
    if (!Array.isArray(items)) continue;
    const secretItems = (items as ItemField[]).filter((item) => item.secret);
    const hasSecret = (row: ConfigValues) => secretItems.some((item) => !isEmpty(row[item.name]));
    if (movedField && !isReplaced && recordsIn(existing[name]).some(hasSecret)) reportRequired(name, movedField);
    if (secretItems.length === 0 || !isReplaced) continue;
    const findStoredRow = storedRowFinder(existing[name]);
    const mergedRows = recordsIn(merged[name]);
    const itemFields = Object.fromEntries(items.map((item: ItemField) => [item.name, item]));
    for (const [index, row] of recordsIn(input[name]).entries()) {
      const existingRow = findStoredRow(row);
      const mergedRow = mergedRows[index] ?? {};
      const movedInRow =
        movedField ??
        findMovedField(
          destinationsOf(itemFields, existingRow, secrets),
          destinationsOf(itemFields, mergedRow, secrets),
        );
      for (const item of secretItems)
        if (movedInRow && isMasked(item, row[item.name]) && !isEmpty(existingRow[item.name]))
          reportRequired(item.name, movedInRow, name);
    }
  }
}

const recordsIn = (value: unknown): ConfigValues[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Where a field leads. */
interface Destination {
  field: string;
  value: string;
}

/** What of a configuration leads its secrets somewhere, by field and, in maps, key. */
function destinationsOf(
  fields: Record<string, DestinationField>,
  values: ConfigValues,
  secrets: Secrets,
): Map<string, Destination> {
  const destinations = new Map<string, Destination>();
  for (const [name, field] of Object.entries(fields)) {
    const { destination } = field;
    const value = values[name];
    if (destination === true) destinations.set(name, { field: name, value: comparableText(field, value, secrets) });
    for (const key of Array.isArray(destination) ? destination : [])
      destinations.set(`${name} ${key}`, { field: name, value: trimmedText(isRecord(value) ? value[key] : undefined) });
  }
  return destinations;
}

type DestinationField = Pick<ConfigFields[string], 'destination' | 'usual' | 'secret' | 'default'>;

/** A value as it is compared: numbers as their text, unset ones as what they stand for. */
function comparableText(
  { secret, default: defaultValue, usual }: DestinationField,
  value: unknown,
  secrets: Secrets,
): string {
  const text = secret && typeof value === 'string' && value !== '' ? secrets.decrypt(value) : value;
  return trimmedText(text) || trimmedText(defaultValue ?? usual);
}

const trimmedText = (value: unknown): string =>
  isEmpty(value) ? '' : (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();

/** The first field that leads elsewhere than before. A field that only one of two types has is unset in the other. */
function findMovedField(before: Map<string, Destination>, after: Map<string, Destination>): string | undefined {
  const key = [...after.keys(), ...before.keys()].find(
    (name) => (after.get(name)?.value ?? '') !== (before.get(name)?.value ?? ''),
  );
  return key === undefined ? undefined : (after.get(key) ?? before.get(key))?.field;
}
