// Lookup keys of the instance, and of people, roles and apps; private values are encrypted and never shown
// (contract/system-resources.md §0, §11).
import { fail, lookup, ownedLookup, secretMask } from '@sluice/contract';
import type { Secrets } from '../../identity/keys.ts';
import { anyTable } from '../../records/rows.ts';
import type { Change, SerializedRecord, ServedResource } from '../../resource/resource.ts';
import { lookupOwner } from '../../store/index.ts';
import { requireFreeName } from '../role/delegation.ts';

const owners = ['app_id', 'role_id', 'user_id'];

/** Keys of the whole instance, at `system/lookup`: those without an owner. */
export const lookupResource = (secrets: Secrets): ServedResource => ({
  ...lookupRules(secrets),
  definition: lookup,
  isAddressed: true,
  scope: { app_id: null, role_id: null, user_id: null },
});

/** Keys of a person, a role or an app, written through their owner. */
export const ownedLookupResource = (secrets: Secrets): ServedResource => ({
  ...lookupRules(secrets),
  definition: ownedLookup,
  isAddressed: false,
  naturalKey: 'name',
});

type LookupRules = Pick<ServedResource, 'table' | 'beforeSave' | 'beforeDelete' | 'serialize'>;

const lookupRules = (secrets: Secrets): LookupRules => ({
  table: 'lookup',
  async beforeSave(change) {
    for (const owner of owners) if (change.row === undefined && !change.value(owner)) delete change.values[owner];
    await guardFilters(change);
    protectValue(change, secrets);
    change.columns.owner = lookupOwner(Object.fromEntries(owners.map((owner) => [owner, change.value(owner)])));
    await checkName(change);
  },
  beforeDelete: (row, context) => requireFreeName(context, String(row.name)),
  serialize: hideValues,
});

/** A key that record filters go by is not for everybody to change, whosever it is. */
async function guardFilters({ row, values, value, context }: Change): Promise<void> {
  const counts = ['name', 'value', 'private', ...owners];
  const stored = (field: string) => (field === 'private' ? row?.private === 1 : row?.[field]);
  const isSame = (field: string) =>
    values[field] === undefined ||
    values[field] === stored(field) ||
    (field === 'value' && values.value === secretMask);
  if (row && counts.every(isSame)) return;
  for (const name of new Set([row?.name, value('name')])) if (name) await requireFreeName(context, String(name));
}

/** Encrypts a private value. The mask means unchanged, but a value made public has to be sent anew: it was secret. */
function protectValue({ values, row, value, invalid }: Change, secrets: Secrets): void {
  const isPrivate = value('private') === true || value('private') === 1;
  const wasPrivate = row?.private === 1;
  if (wasPrivate && values.value === secretMask) delete values.value;
  if (wasPrivate && !isPrivate && values.value === undefined && row.value) {
    invalid('value', 'The value field is required.');
    return;
  }
  const text = values.value ?? (isPrivate && !wasPrivate ? row?.value : undefined);
  if (isPrivate && typeof text === 'string' && text !== '') values.value = secrets.encrypt(text);
}

/** Names are told apart for each owner. */
async function checkName({ value, columns, row, context }: Change): Promise<void> {
  const other = await anyTable(context.db)
    .selectFrom('lookup')
    .select('id')
    .where('owner', '=', columns.owner)
    .where('name', '=', value('name'))
    .where('id', '!=', row?.id ?? 0)
    .executeTakeFirst();
  if (other) throw fail('lookup.taken');
}

/** Of the owners only the one it has is shown. */
function hideValues(records: SerializedRecord[]): void {
  for (const { record } of records) {
    if (record.private === true && record.value) record.value = secretMask;
    for (const owner of owners) if (record[owner] === null) delete record[owner];
  }
}
