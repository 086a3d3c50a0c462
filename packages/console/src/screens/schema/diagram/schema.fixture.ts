// For the tests of the diagram: a service `shop` whose tables the test describes.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { aField, anId, aRelation as describedRelation, aTable as describedTable } from '../../../database/testing.ts';
import { queryOf } from '../../../list/testing.tsx';
import type { SchemaTable } from '../address/sources.ts';
import { buildModel, type DiagramModel, toDiagramTable } from './model.ts';

export { aField, anId };

export const aReference = (name: string, table: string, changes: Partial<FieldDescription> = {}) =>
  aField(name, { type: 'reference', is_foreign_key: true, ref_table: table, ref_field: 'id', ...changes });

export const aRelation = (changes: Partial<RelationDescription>): RelationDescription =>
  describedRelation(`${changes.ref_table}_by_${changes.field}`, {
    ...{ label: 'Relation', type: 'belongs_to', ref_service_id: 5 },
    ...changes,
  });

export const aTable = (
  name: string,
  field: FieldDescription[] = [anId()],
  related: RelationDescription[] = [],
  changes: Partial<SchemaTable> = {},
): SchemaTable => ({ ...describedTable(name, field), primary_key: ['id'], related, access: 31, ...changes });

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
    const requested = names ?? [decodeURIComponent(path.replace('shop/_schema/', ''))];
    const found = requested.flatMap((name) => tables.find((table) => table.name === name) ?? []);
    if (found.length < requested.length) return refusal(404, 'The table does not exist in the database.');
    return { body: names ? { resource: found } : found[0] };
  });
