// A stored secret goes only where it was given for: when what leads to whoever gets it changes (`destination` of a config
// field), it must come with the call anew. The mask, or nothing, keeps it only as long as it goes where it went.
import { type ConfigFields, type ItemField, secretMask } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import { type Invalid, isEmpty, shown } from '../../resource/fields.ts';
import type { Stored, StoredConfig } from './config.ts';

/** Whether a secret is to stay what it is. */
export const isMasked = ({ secret }: Pick<ItemField, 'secret'>, given: unknown) =>
  secret === true && given === secretMask;

/** The stored row that a row of a list means. */
export const rowBefore = (before: unknown, { id }: Stored): Stored => rowsOf(before).find((row) => row.id === id) ?? {};

interface Merge {
  fields: ConfigFields;
  /** What was sent, and what is kept of the stored configuration where nothing was. */
  sent: Stored;
  kept: Stored;
  /** What is to be stored. */
  merged: Stored;
  stored: StoredConfig;
}

/** Names every secret that would be kept although it would go elsewhere. */
export function requireSecrets(
  { fields, sent, kept, merged, stored }: Merge,
  secrets: Secrets,
  invalid: Invalid,
): void {
  const moved = movedField(destinations(stored.fields, stored.config, secrets), destinations(fields, merged, secrets));
  const required = (name: string, field: string, at = name) =>
    invalid(at, `The ${shown(name)} field is required when ${shown(field)} changes.`);
  for (const [name, { items, ...field }] of Object.entries(fields)) {
    const isSent = sent[name] !== undefined && !isMasked(field, sent[name]);
    if (moved && field.secret && !isSent && !isEmpty(kept[name])) required(name, moved);
    if (!Array.isArray(items)) continue;
    const secretItems = (items as ItemField[]).filter((item) => item.secret);
    const holds = (row: Stored) => secretItems.some((item) => !isEmpty(row[item.name]));
    if (moved && !isSent && rowsOf(kept[name]).some(holds)) required(name, moved);
    for (const [at, row] of rowsOf(isSent ? sent[name] : undefined).entries()) {
      const before = rowBefore(kept[name], row);
      const now = rowsOf(merged[name])[at] ?? {};
      const parts = Object.fromEntries(items.map((item: ItemField) => [item.name, item]));
      const field = moved ?? movedField(destinations(parts, before, secrets), destinations(parts, now, secrets));
      for (const item of secretItems)
        if (field && isMasked(item, row[item.name]) && !isEmpty(before[item.name])) required(item.name, field, name);
    }
  }
}

const rowsOf = (value: unknown): Stored[] => (Array.isArray(value) ? value.filter(isRecord) : []);

interface Destination {
  field: string;
  value: string;
}

/** What of a configuration leads its secrets somewhere, by field and, in maps, key. */
function destinations(fields: Record<string, Leading>, config: Stored, secrets: Secrets): Map<string, Destination> {
  const found = new Map<string, Destination>();
  for (const [name, field] of Object.entries(fields)) {
    const { destination } = field;
    const value = config[name];
    if (destination === true) found.set(name, { field: name, value: textOf(field, value, secrets) });
    for (const key of Array.isArray(destination) ? destination : [])
      found.set(`${name} ${key}`, { field: name, value: plain(isRecord(value) ? value[key] : undefined) });
  }
  return found;
}

type Leading = Pick<ConfigFields[string], 'destination' | 'usual' | 'secret' | 'default'>;

/** A value as it is compared: numbers as their text, unset ones as what they stand for. */
function textOf({ secret, default: unset, usual }: Leading, value: unknown, secrets: Secrets): string {
  const text = secret && typeof value === 'string' && value !== '' ? secrets.decrypt(value) : value;
  return plain(text) || plain(unset ?? usual);
}

const plain = (value: unknown): string =>
  isEmpty(value) ? '' : (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();

/** The first field that leads elsewhere than before. A field that only one of two types has is unset in the other. */
function movedField(before: Map<string, Destination>, now: Map<string, Destination>): string | undefined {
  const key = [...now.keys(), ...before.keys()].find(
    (name) => (now.get(name)?.value ?? '') !== (before.get(name)?.value ?? ''),
  );
  return key === undefined ? undefined : (now.get(key) ?? before.get(key))?.field;
}
