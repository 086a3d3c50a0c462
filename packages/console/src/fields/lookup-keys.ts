// The lookup keys of a person, a role or an app: as an editor holds them, what is wrong with them, and how they are sent. Pure.
import { secretMask } from '@sluice/contract';

export type LookupOwner = 'user_id' | 'role_id' | 'app_id';

/** One lookup key in a form; on the server already when it has an id. */
export interface LookupKey extends Record<string, unknown> {
  id?: number;
  name: string;
  value: string | null;
  private: boolean;
}

/** What the flag of the family's later versions is called; ours ignores it (PPL-030, PPL-031, OPEN-093). */
type LegacyUpdateFlag = 'allow_admin_update' | 'allow_user_update';

/** A new row (PPL-030). */
export const newLookupKey: LookupKey = { name: '', value: '', private: false };

/** The keys of a loaded record; what is no list counts as none. */
export const lookupKeysOf = (related: unknown): LookupKey[] => (Array.isArray(related) ? related : []);

/** Whether a key is marked for removal: its owner field is cleared (PPL-033). */
export const isRemoved = (key: LookupKey, ownerField: LookupOwner): boolean =>
  ownerField in key && key[ownerField] === null;

/** The list without one of its keys: one the server knows is marked, a new one is dropped (PPL-033, PPL-034). */
export const removeLookupKey = (keys: readonly LookupKey[], index: number, ownerField: LookupOwner): LookupKey[] =>
  keys[index]?.id === undefined
    ? keys.filter((_, otherIndex) => otherIndex !== index)
    : keys.with(index, { ...(keys[index] as LookupKey), [ownerField]: null });

/** The key with another privacy. A stored secret does not become readable: it has to be typed again. */
export const withPrivate = (key: LookupKey, isPrivate: boolean): LookupKey => ({
  ...key,
  private: isPrivate,
  value: !isPrivate && key.value === secretMask ? '' : key.value,
});

export type LookupProblem = 'nameMissing' | 'valueMissing' | 'notUnique';

/** What is wrong with each key, by its place in the list; names are unique within the owner (PPL-032, OPEN-092). */
export function lookupProblems(
  keys: readonly LookupKey[],
  ownerField: LookupOwner,
): { index: number; field: 'name' | 'value'; problem: LookupProblem }[] {
  const remaining = keys.map((key, index) => ({ key, index })).filter(({ key }) => !isRemoved(key, ownerField));
  const counts = new Map<string, number>();
  for (const { key } of remaining) counts.set(key.name.trim(), (counts.get(key.name.trim()) ?? 0) + 1);
  return remaining.flatMap(({ key, index }) => {
    const name = key.name.trim();
    const problems: ReturnType<typeof lookupProblems> = [];
    if (name === '') problems.push({ index, field: 'name', problem: 'nameMissing' });
    else if ((counts.get(name) ?? 0) > 1) problems.push({ index, field: 'name', problem: 'notUnique' });
    // A key that was stored without a value stays as it is.
    if (key.value === '') problems.push({ index, field: 'value', problem: 'valueMissing' });
    return problems;
  });
}

/** The keys as a save sends them: every one of them, those marked for removal too. */
export const lookupKeysToRecord = (
  keys: readonly LookupKey[],
  flag: LegacyUpdateFlag = 'allow_user_update',
): Record<string, unknown>[] =>
  keys.map((key) => ({ ...(key.id === undefined ? { [flag]: false } : {}), ...key, name: key.name.trim() }));

/** The keys as a draft keeps them: without what was typed as a secret. */
export const lookupKeysToDraft = (keys: readonly LookupKey[]): LookupKey[] =>
  keys.map((key) => (key.private && key.value !== secretMask ? { ...key, value: '' } : key));
