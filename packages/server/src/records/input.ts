// What was sent of one record: read, converted, completed and checked, before anything of it is written
// (contract/system-resources.md §0).
import { fail } from '@sluice/contract';
import { isSameValue } from '../audit/index.ts';
import type { RecordInput } from '../call/payload.ts';
import {
  addDefaults,
  checkRules,
  isEmpty,
  type Messages,
  readInput,
  shown,
  storedFields,
  toColumn,
} from '../resource/fields.ts';
import type { Change, RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { folded } from '../store/index.ts';
import type { WriteContext } from './change.ts';
import { anyTable, findRow } from './rows.ts';

/** What a child brings from its owner: the relation's field and the owner's id. */
export type Owner = Record<string, RecordId>;

/** Reads a record that was sent; throws one failure that names all that is wrong with it. */
export async function readChange(
  resource: ServedResource,
  kind: Change['kind'],
  input: RecordInput,
  prepared: Record<string, unknown>,
  row: StoredRow | undefined,
  context: WriteContext,
  owner: Owner,
): Promise<Pick<Change, 'values' | 'columns'>> {
  const { definition } = resource;
  const messages: Messages = {};
  const invalid = (field: string, message: string) => {
    messages[field] = [...(messages[field] ?? []), message];
  };
  const values = { ...readInput(definition, input, invalid), ...owner };
  if (kind === 'create') addDefaults(definition, values);
  const columns: StoredRow = {};
  const value = (field: string) => (values[field] === undefined ? (row?.[field] ?? null) : values[field]);
  await resource.beforeSave?.({ kind, input, values, columns, row, prepared, context, invalid, value });
  checkRules(definition, values, kind === 'create', invalid);
  await checkUnique(resource, values, row, context, invalid);
  await checkReferences(resource, values, { ...row, ...owner }, context, invalid);
  const all = Object.values(messages).flat();
  if (all.length > 0) throw fail('record.invalid', { messages: all }, { context: messages });
  return { values, columns };
}

/** Without regard to case: services are called in any case, people sign in in any. */
async function checkUnique(
  { definition, table }: ServedResource,
  values: StoredRow,
  row: StoredRow | undefined,
  { db }: RecordContext,
  invalid: Change['invalid'],
): Promise<void> {
  for (const [name, { rules }] of Object.entries(definition.fields)) {
    const value = values[name];
    if (!rules.unique || typeof value !== 'string' || value === '') continue;
    let query = anyTable(db)
      .selectFrom(table)
      .select(definition.identifier)
      .where(`${name}_folded`, '=', folded(value));
    if (row) query = query.where(definition.identifier, '!=', row[definition.identifier]);
    if (await query.executeTakeFirst()) invalid(name, `The ${shown(name)} has already been taken.`);
  }
}

/** What is so already needs no look: the store keeps references whole. */
async function checkReferences(
  { definition }: ServedResource,
  values: StoredRow,
  stored: StoredRow,
  context: RecordContext,
  invalid: Change['invalid'],
): Promise<void> {
  for (const { kind, field, resource } of Object.values(definition.relations)) {
    const value = values[field];
    if (kind !== 'belongs_to' || isEmpty(value) || definition.fields[field]?.rules.readOnly) continue;
    if (isSameValue(value, stored[field])) continue;
    if (!(await findRow(context.db, context.resourceOf(resource), Number(value))))
      invalid(field, `The selected ${shown(field)} is invalid.`);
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
