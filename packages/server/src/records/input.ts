// The input of one record: read, converted, completed and checked before anything of it is written
// (contract/system-resources.md §0).
import { fail } from '@sluice/contract';
import { isSameValue } from '../audit/index.ts';
import type { RecordInput } from '../call/payload.ts';
import {
  addDefaults,
  checkLengths,
  checkRules,
  fieldLabel,
  isEmpty,
  readInput,
  storedFields,
  toColumn,
  type ValidationMessages,
} from '../resource/fields.ts';
import type { RecordChange, RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { folded } from '../store/index.ts';
import type { WriteContext } from './change.ts';
import { anyTable, findRow } from './rows.ts';

/** What a nested record gets from its owner: the field of the relation and the owner's id. */
export type OwnerReference = Record<string, RecordId>;

/** Reads the input of a record; throws one failure that names everything that is wrong with it. */
export async function readChange(
  resource: ServedResource,
  kind: RecordChange['kind'],
  input: RecordInput,
  prepared: Record<string, unknown>,
  row: StoredRow | undefined,
  context: WriteContext,
  owner: OwnerReference,
): Promise<Pick<RecordChange, 'values' | 'columns'>> {
  const { definition } = resource;
  const messages: ValidationMessages = {};
  const reportInvalid = (field: string, message: string) => {
    messages[field] = [...(messages[field] ?? []), message];
  };
  const values = { ...readInput(definition, input, reportInvalid), ...owner };
  if (checkLengths(definition, values, row, reportInvalid)) throwInvalid(messages);
  if (kind === 'create') addDefaults(definition, values);
  const columns: StoredRow = {};
  const value = (field: string) => (values[field] === undefined ? (row?.[field] ?? null) : values[field]);
  await resource.beforeSave?.({ kind, input, values, columns, row, prepared, context, reportInvalid, value });
  checkRules(definition, values, kind === 'create', reportInvalid, row);
  await checkUnique(resource, values, row, context, reportInvalid);
  await checkReferences(resource, values, { ...row, ...owner }, context, reportInvalid);
  throwInvalid(messages);
  return { values, columns };
}

function throwInvalid(messages: ValidationMessages): void {
  const all = Object.values(messages).flat();
  if (all.length > 0) throw fail('record.invalid', { messages: all }, { context: messages });
}

/** Case does not count: services are called, and people sign in, in any case. */
async function checkUnique(
  { definition, table }: ServedResource,
  values: StoredRow,
  row: StoredRow | undefined,
  { db }: RecordContext,
  reportInvalid: RecordChange['reportInvalid'],
): Promise<void> {
  for (const [name, { rules }] of Object.entries(definition.fields)) {
    const value = values[name];
    if (!rules.unique || typeof value !== 'string' || value === '') continue;
    let query = anyTable(db)
      .selectFrom(table)
      .select(definition.identifier)
      .where(`${name}_folded`, '=', folded(value));
    if (row) query = query.where(definition.identifier, '!=', row[definition.identifier]);
    if (await query.executeTakeFirst()) reportInvalid(name, `The ${fieldLabel(name)} has already been taken.`);
  }
}

/** An unchanged reference is not checked: the store keeps references intact. */
async function checkReferences(
  { definition }: ServedResource,
  values: StoredRow,
  stored: StoredRow,
  context: RecordContext,
  reportInvalid: RecordChange['reportInvalid'],
): Promise<void> {
  for (const { kind, field, resource } of Object.values(definition.relations)) {
    const value = values[field];
    if (kind !== 'belongs_to' || isEmpty(value) || definition.fields[field]?.rules.readOnly) continue;
    if (isSameValue(value, stored[field])) continue;
    if (!(await findRow(context.db, context.resourceOf(resource), Number(value))))
      reportInvalid(field, `The selected ${fieldLabel(field)} is invalid.`);
  }
}

/** Values of fields as the columns that hold them. */
export function columnsOf({ definition }: ServedResource, values: StoredRow): StoredRow {
  const columns: StoredRow = {};
  for (const [name, field] of storedFields(definition))
    if (values[name] !== undefined && !(field.rules.writeOnly && isEmpty(values[name])))
      columns[name] = toColumn(field, values[name]);
  return columns;
}
