// Lookup keys of the instance, and of people, roles and apps; private values are encrypted and never shown
// (contract/system-resources.md §0, §11).
import { fail, lookup, ownedLookup, secretMask } from '@sluice/contract';
import type { Secrets } from '../../identity/keys.ts';
import { anyTable } from '../../records/rows.ts';
import type { RecordChange, SerializedRecord, ServedResource } from '../../resource/resource.ts';
import { lookupOwner } from '../../store/index.ts';
import { protectLookupName } from '../role/delegation.ts';

const ownerFields = ['app_id', 'role_id', 'user_id'];

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
    for (const owner of ownerFields) if (change.row === undefined && !change.value(owner)) delete change.values[owner];
    await protectFilterNames(change);
    protectValue(change, secrets);
    change.columns.owner = lookupOwner(Object.fromEntries(ownerFields.map((owner) => [owner, change.value(owner)])));
    await checkName(change);
  },
  beforeDelete: (row, context) => protectLookupName(context, String(row.name)),
  serialize: serializeLookups,
});

/** Not everybody may change a key that record filters go by, whoever owns it. */
async function protectFilterNames({ row, values, value, context }: RecordChange): Promise<void> {
  const meaningFields = ['name', 'value', 'private', ...ownerFields];
  const stored = (field: string) => (field === 'private' ? row?.private === 1 : row?.[field]);
  const isSame = (field: string) =>
    values[field] === undefined ||
    values[field] === stored(field) ||
    (field === 'value' && values.value === secretMask);
  if (row && meaningFields.every(isSame)) return;
  for (const name of new Set([row?.name, value('name')])) if (name) await protectLookupName(context, String(name));
}

/** Encrypts a private value. The mask means unchanged, but a value made public must be sent again: it was secret. */
function protectValue({ values, row, value, reportInvalid }: RecordChange, secrets: Secrets): void {
  const isPrivate = value('private') === true || value('private') === 1;
  const wasPrivate = row?.private === 1;
  if (wasPrivate && values.value === secretMask) delete values.value;
  if (wasPrivate && !isPrivate && values.value === undefined && row.value) {
    reportInvalid('value', 'The value field is required.');
    return;
  }
  const text = values.value ?? (isPrivate && !wasPrivate ? row?.value : undefined);
  if (isPrivate && typeof text === 'string' && text !== '') values.value = secrets.encrypt(text);
}

/** Each name exists once for each owner. */
async function checkName({ value, columns, row, context }: RecordChange): Promise<void> {
  const other = await anyTable(context.db)
    .selectFrom('lookup')
    .select('id')
    .where('owner', '=', columns.owner)
    .where('name', '=', value('name'))
    .where('id', '!=', row?.id ?? 0)
    .executeTakeFirst();
  if (other) throw fail('lookup.taken');
}

/** Masks private values, and leaves out the owners a key does not have. */
function serializeLookups(records: SerializedRecord[]): void {
  for (const { record } of records) {
    if (record.private === true && record.value) record.value = secretMask;
    for (const owner of ownerFields) if (record[owner] === null) delete record[owner];
  }
}
