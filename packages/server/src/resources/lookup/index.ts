// Lookup keys of the instance, and of people, roles and apps; private values are encrypted and never shown
// (contract/system-resources.md §0, §11).
import { fail, lookup, ownedLookup, publicLookupBounds, secretMask } from '@sluice/contract';
import { sql } from 'kysely';
import type { Secrets } from '../../identity/keys.ts';
import { publicKeyBytes } from '../../identity/lookups.ts';
import { anyTable } from '../../records/rows.ts';
import type {
  RecordChange,
  RecordContext,
  SerializedRecord,
  ServedResource,
  StoredRow,
} from '../../resource/resource.ts';
import { lookupOwner } from '../../store/index.ts';
import { protectLookupName } from '../role/delegation.ts';
import { protectConfigLookups } from '../service/config-lookups.ts';
import type { ServiceParts } from '../service/index.ts';

const ownerFields = ['app_id', 'role_id', 'user_id'];
const noOwner = { app_id: null, role_id: null, user_id: null };

/** Keys of the whole instance, at `system/lookup`: those without an owner. */
export const lookupResource = ({ secrets, types }: Pick<ServiceParts, 'secrets' | 'types'>): ServedResource => ({
  ...lookupRules(secrets, (context, names) => protectConfigLookups(context, names, { secrets, types })),
  definition: lookup,
  isAddressed: true,
  scope: noOwner,
});

/** Keys of a person, a role or an app, written through their owner. */
export const ownedLookupResource = (secrets: Secrets): ServedResource => ({
  ...lookupRules(secrets),
  definition: ownedLookup,
  isAddressed: false,
  naturalKey: 'name',
});

type LookupRules = Pick<ServedResource, 'table' | 'beforeSave' | 'beforeDelete' | 'serialize'>;

/** Refuses to change what these names stand for. */
type ProtectNames = (context: RecordContext, names: string[]) => Promise<void>;

const lookupRules = (secrets: Secrets, protectNames?: ProtectNames): LookupRules => ({
  table: 'lookup',
  async beforeSave(change) {
    for (const owner of ownerFields) if (change.row === undefined && !change.value(owner)) delete change.values[owner];
    await protectMeaning(change, protectNames);
    protectValue(change, secrets);
    change.columns.owner = lookupOwner(Object.fromEntries(ownerFields.map((owner) => [owner, change.value(owner)])));
    await checkName(change);
    deferBoundCheck(change);
  },
  async beforeDelete(row, context) {
    await protectLookupName(context, String(row.name));
    await protectNames?.(context, [String(row.name)]);
  },
  serialize: serializeLookups,
});

/** Few may change a key that record filters use, their own or not, or one that configurations of services name. */
async function protectMeaning(
  { row, values, value, context }: RecordChange,
  protectNames: ProtectNames | undefined,
): Promise<void> {
  const meaningFields = ['name', 'value', 'private', ...ownerFields];
  const stored = (field: string) => (field === 'private' ? row?.private === 1 : row?.[field]);
  const isSame = (field: string) =>
    values[field] === undefined ||
    values[field] === stored(field) ||
    (field === 'value' && values.value === secretMask);
  if (row && meaningFields.every(isSame)) return;
  const names = [...new Set([row?.name, value('name')])].filter(Boolean).map(String);
  for (const name of names) await protectLookupName(context, name);
  await protectNames?.(context, names);
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

/** Checks the bounds of an owner once all of a record is written. What makes it no more passes, stored before or not. */
function deferBoundCheck({ row, value, columns, context }: RecordChange): void {
  const [owner, name] = [String(columns.owner), `lookup keys of ${columns.owner}`];
  const after = { owner, name: value('name'), value: value('value'), private: Number(value('private') ?? 0) };
  const before = row?.owner === owner ? publicBytes(row) : undefined;
  const bytes = publicBytes(after);
  if (bytes === undefined || (before !== undefined && bytes <= before) || context.deferredChecks.has(name)) return;
  context.deferredChecks.set(name, () => checkBounds(owner, context));
}

/** Bytes of name and value of a public key. */
const publicBytes = (row: StoredRow): number | undefined =>
  row.private ? undefined : Buffer.byteLength(`${row.name ?? ''}${row.value ?? ''}`);

/** Two who write keys of one owner come here one after the other, and the second sees what the first has written. */
async function checkBounds(owner: string, { db, store }: RecordContext): Promise<void> {
  const [table, id] = owner.split(' ');
  const locked = table
    ? anyTable(db).selectFrom(table).select('id').where('id', '=', Number(id))
    : anyTable(db).selectFrom('instance').select('name');
  await locked.modifyEnd(store.sql.forUpdate).execute();
  const row = await anyTable(db)
    .selectFrom('lookup')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(${publicKeyBytes}), 0)`.as('sum')])
    .where('owner', '=', owner)
    .where('private', '=', 0)
    .executeTakeFirstOrThrow();
  const [count, sum] = [Number(row.count), Number(row.sum)];
  const { keys, bytes } = publicLookupBounds;
  if (count > keys || sum > bytes) throw fail('lookup.tooMany', { count, sum, keys, bytes });
}

/** Masks private values, and leaves out the owners a key does not have. */
function serializeLookups(records: SerializedRecord[]): void {
  for (const { record } of records) {
    if (record.private === true && record.value) record.value = secretMask;
    for (const owner of ownerFields) if (record[owner] === null) delete record[owner];
  }
}
