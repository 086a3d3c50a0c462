// For the tests of the diagram: a service `shop` whose tables the test describes.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { queryOf } from '../../../list/testing.tsx';
import type { SchemaTable } from '../address/sources.ts';
import { buildModel, type DiagramModel, toDiagramTable } from './model.ts';

export const aField = (name: string, changes: Partial<FieldDescription> = {}): FieldDescription => ({
  alias: null,
  name,
  label: name,
  description: null,
  native: [],
  type: 'string',
  db_type: null,
  length: null,
  precision: null,
  scale: null,
  default: null,
  required: false,
  allow_null: true,
  fixed_length: false,
  supports_multibyte: false,
  auto_increment: false,
  is_primary_key: false,
  is_unique: false,
  is_index: false,
  is_foreign_key: false,
  ref_table: null,
  ref_field: null,
  ref_on_update: null,
  ref_on_delete: null,
  picklist: null,
  validation: null,
  db_function: null,
  is_virtual: false,
  is_aggregate: false,
  ...changes,
});

export const anId = (name = 'id') => aField(name, { type: 'id', is_primary_key: true, allow_null: false });

export const aReference = (name: string, table: string, changes: Partial<FieldDescription> = {}) =>
  aField(name, { type: 'reference', is_foreign_key: true, ref_table: table, ref_field: 'id', ...changes });

export const aRelation = (changes: Partial<RelationDescription>): RelationDescription => ({
  alias: null,
  name: `${changes.ref_table}_by_${changes.field}`,
  label: 'Relation',
  description: null,
  native: [],
  type: 'belongs_to',
  field: 'id',
  is_virtual: false,
  ref_service_id: 5,
  ref_table: 'thing',
  ref_field: 'id',
  ref_on_update: null,
  ref_on_delete: null,
  junction_service_id: null,
  junction_table: null,
  junction_field: null,
  junction_ref_field: null,
  always_fetch: false,
  flatten: false,
  flatten_drop_prefix: false,
  ...changes,
});

export const aTable = (
  name: string,
  field: FieldDescription[] = [anId()],
  related: RelationDescription[] = [],
  changes: Partial<SchemaTable> = {},
): SchemaTable => ({
  alias: null,
  name,
  label: name,
  description: null,
  native: [],
  plural: `${name}s`,
  is_view: false,
  primary_key: ['id'],
  name_field: null,
  field,
  related,
  constraints: [],
  access: 31,
  ...changes,
});

/** Products in categories, which have parents; order lines of products; and a table on its own. */
export const shopTables = (): SchemaTable[] => [
  aTable(
    'category',
    [anId(), aField('title'), aReference('parent_id', 'category')],
    [
      aRelation({ type: 'has_many', field: 'id', ref_table: 'product', ref_field: 'category_id' }),
      aRelation({ type: 'has_many', field: 'id', ref_table: 'category', ref_field: 'parent_id' }),
    ],
  ),
  aTable('note', [anId(), aField('body')]),
  aTable(
    'order line',
    [anId(), aReference('product_id', 'product', { allow_null: false })],
    [aRelation({ field: 'product_id', ref_table: 'product', ref_field: 'id' })],
  ),
  aTable(
    'product',
    [anId(), aField('title'), aReference('category_id', 'category')],
    [
      aRelation({ field: 'category_id', ref_table: 'category', ref_field: 'id' }),
      aRelation({ type: 'has_many', field: 'id', ref_table: 'order line', ref_field: 'product_id' }),
    ],
    { alias: 'goods' },
  ),
];

export const modelOf = (tables: SchemaTable[]): DiagramModel => buildModel(tables.map(toDiagramTable), 5);

/** The instance; `answerFirst` may answer a call in place of it. */
export const fakeSchema = (
  tables: SchemaTable[],
  answerFirst: (call: RecordedCall) => FakeResponse | undefined | Promise<FakeResponse | undefined> = () => undefined,
) =>
  fakeInstance(async (call) => {
    const answer = await answerFirst(call);
    if (answer) return answer;
    const [path = ''] = call.path.split('?');
    if (path === '')
      return { body: { services: [{ id: 5, name: 'shop', label: 'Shop', description: null, type: 'sqlite' }] } };
    const names = queryOf(call).ids?.split(',');
    if (path === 'shop/_schema' && !names)
      return { body: { resource: tables.map(({ name, label }) => ({ name, label })) } };
    const asked = names ?? [decodeURIComponent(path.replace('shop/_schema/', ''))];
    const found = asked.flatMap((name) => tables.find((table) => table.name === name) ?? []);
    if (found.length < asked.length) return refusal(404, 'The table does not exist in the database.');
    return { body: names ? { resource: found } : found[0] };
  });
