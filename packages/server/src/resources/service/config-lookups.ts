// Global lookup keys in the configurations of services (contract/sessions-and-accounts.md §10): `{name}` in a text stands for
// the value of the key, private ones included, put in when the service is opened. The configuration stays as it was written.
//
// Who says what a name stands for says where the secrets of a service go, and who writes a name gets to see a private value.
// So both are for administrators: configurations with names, and the keys that they name.
import { type ConfigFields, type Failure, fail, fillBraces, type ItemField, namesInBraces } from '@sluice/contract';
import { nameInModifier, withModifiers } from '../../access/modifiers.ts';
import type { Secrets } from '../../identity/keys.ts';
import type { RecordContext } from '../../resource/resource.ts';
import type { ServiceRow } from '../../service/registry.ts';
import type { ServiceType } from '../../service/service.ts';
import { type Db, lookupOwner } from '../../store/index.ts';
import { type ConfigValues, decryptConfig, parseConfig } from './config.ts';

/** Characters that lookups may put into one configuration. */
const maxFilled = 1024 * 1024;
/** Names that are looked up in one query. */
const namesPerQuery = 500;

type Fields = Record<string, Pick<ConfigFields[string], 'items' | 'literal' | 'filledByCall' | 'secret'>>;
type TextChange = (text: string, isSecret: boolean) => string;

/** A configuration with every text changed by `change`, but for those with braces of their own, and maybe those filled by calls. */
function mapTexts(fields: Fields, config: ConfigValues, change: TextChange, skipsByCall = false): ConfigValues {
  const mapValue = (value: unknown, isSecret: boolean): unknown => {
    if (typeof value === 'string') return change(value, isSecret);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => mapValue(item, isSecret));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValue(item, isSecret)]));
  };
  const mapField = ([name, value]: [string, unknown]): [string, unknown] => {
    const { items, literal, filledByCall, secret = false } = fields[name] ?? {};
    if (literal || (skipsByCall && filledByCall)) return [name, value];
    if (!Array.isArray(items) || !Array.isArray(value)) return [name, mapValue(value, secret)];
    const itemFields = Object.fromEntries(items.map((item: ItemField) => [item.name, item]));
    return [name, value.map((row: ConfigValues) => mapTexts(itemFields, row, change))];
  };
  return Object.fromEntries(Object.entries(config).map(mapField));
}

/** The names of lookup keys in a configuration with its secrets in clear; each once. */
export function namesInConfig(
  fields: ConfigFields | null,
  config: ConfigValues,
  { skipsSecrets = false, skipsByCall = false }: { skipsSecrets?: boolean; skipsByCall?: boolean } = {},
): string[] {
  const names = new Set<string>();
  const collect: TextChange = (text, isSecret) => {
    if (isSecret && skipsSecrets) return text;
    for (const name of namesInBraces(text)) names.add(nameInModifier(name));
    return text;
  };
  mapTexts(fields ?? {}, config, collect, skipsByCall);
  return [...names];
}

/** The value of a global key, in clear. */
interface KeyValue {
  value: string;
  isPrivate: boolean;
}
export type KeyValues = ReadonlyMap<string, KeyValue>;

/** The global keys of these names, private ones included: for opening services, never for an answer. */
export async function loadConfigLookups(db: Db, secrets: Secrets, names: readonly string[]): Promise<KeyValues> {
  const values = new Map<string, KeyValue>();
  for (let from = 0; from < names.length; from += namesPerQuery) {
    const rows = await db
      .selectFrom('lookup')
      .select(['name', 'value', 'private'])
      .where('owner', '=', lookupOwner({}))
      .where('name', 'in', names.slice(from, from + namesPerQuery))
      .execute();
    for (const { name, value, private: isPrivate } of rows)
      values.set(name, { value: isPrivate ? decryptValue(value, secrets) : (value ?? ''), isPrivate: isPrivate === 1 });
  }
  return values;
}

const decryptValue = (value: string | null, secrets: Secrets) => (value ? secrets.decrypt(value) : '');

/** A configuration with its lookups put in; one that cannot be filled is as it was, with the failure that says why. */
export interface FilledConfig {
  config: ConfigValues;
  /** Absent where it names no key. */
  lookups?: ServiceRow['lookups'];
}

/** Puts the values of keys into the configuration of a service. What was put in is not looked at again. */
export function fillConfigLookups(
  { config, name: service, fields }: { config: ConfigValues; name: string; fields: ConfigFields | null },
  values: KeyValues,
): FilledConfig {
  const names = namesInConfig(fields, config, { skipsByCall: true });
  if (names.length === 0) return { config };
  // Passwords have braces that mean nothing: there a name without a key stays as it is.
  const unknown = namesInConfig(fields, config, { skipsSecrets: true, skipsByCall: true }).find(
    (name) => !values.has(name),
  );
  const privateValues = names.flatMap((name) => (values.get(name)?.isPrivate ? [values.get(name)?.value ?? ''] : []));
  const failed = (problem: () => Failure): FilledConfig => ({ config, lookups: { problem, privateValues } });
  if (unknown !== undefined) return failed(() => fail('service.lookupUnknown', { service, name: unknown }));
  let filled = 0;
  const lookUp = withModifiers((name) => values.get(name.trim())?.value);
  const fill: TextChange = (text) =>
    fillBraces(text, (name) => {
      const value = filled > maxFilled ? undefined : lookUp(name);
      filled += value?.length ?? 0;
      return value;
    });
  const filledConfig = mapTexts(fields ?? {}, config, fill, true);
  if (filled > maxFilled) return failed(() => fail('service.lookupsTooLong', { service, limit: maxFilled }));
  return { config: filledConfig, lookups: { privateValues } };
}

/** Refuses what callers who are no administrators may not do: to change a configuration that names lookup keys. */
export function authorizeLookupNames(
  isAdmin: boolean | undefined,
  type: ServiceType,
  { before, after }: { before: ConfigValues; after: ConfigValues },
): void {
  const [name] = isAdmin ? [] : namesInConfig(type.config, after);
  if (name !== undefined && JSON.stringify(before) !== JSON.stringify(after))
    throw fail('service.lookupName', { name });
}

/** Refuses a change of a global key that the configuration of a service names, unless an administrator makes it. */
export async function protectConfigLookups(
  { actor, db }: Pick<RecordContext, 'actor' | 'db'>,
  names: readonly unknown[],
  { types, secrets }: { types: () => ServiceType[]; secrets: Secrets },
): Promise<void> {
  if (actor.caller.user?.isAdmin) return;
  const rows = await db.selectFrom('service').select(['type', 'config']).execute();
  for (const row of rows) {
    const fields = types().find(({ name }) => name === row.type)?.config ?? null;
    const used = namesInConfig(fields, decryptConfig(fields, parseConfig(row.config), secrets));
    const name = names.find((text) => used.includes(String(text)));
    if (name !== undefined) throw fail('lookup.ofConfig', { name: String(name) });
  }
}
