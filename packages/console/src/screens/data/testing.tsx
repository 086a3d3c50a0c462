// For the tests of Data: a database service `shop` with one table that the test describes. It answers as the contract says.
import type { FieldDescription } from '@sluice/contract';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../api/testing.ts';
import { aField, anId } from '../../database/testing.ts';
import type { Screen } from '../../frame/screen.ts';
import { ScreenList } from '../../frame/screen-list.ts';
import { openPage, queryOf } from '../../list/testing.tsx';
import type { Row, Schema } from './address/sources.ts';
import { DataScreen } from './index.tsx';

export { aField, anId, aRelation } from '../../database/testing.ts';

export const aSchema = (field: FieldDescription[], changes: Partial<Schema> = {}): Schema => ({
  name: 'thing',
  label: 'Thing',
  description: null,
  native: [],
  plural: 'Things',
  is_view: false,
  primary_key: field.filter((column) => column.is_primary_key).map((column) => column.name),
  name_field: null,
  field,
  related: [],
  constraints: [],
  ...changes,
});

/** A table most tests can use. */
export const thingFields = [
  anId(),
  aField('name', { required: true, allow_null: false, length: 20 }),
  aField('note', { type: 'text' }),
  aField('price', { type: 'decimal' }),
  aField('is_open', { type: 'boolean', allow_null: false, default: true }),
];

export const thingRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `thing ${String(index + 1).padStart(3, '0')}`,
    note: index % 2 ? '' : null,
    price: index + 0.5,
    is_open: index % 2 === 0,
  }));

interface FakeShopOptions {
  fields?: FieldDescription[];
  schema?: Partial<Schema>;
  /** The rows a filter matches; without it, only filters of the form `name = value` are understood. */
  filterRows?: (rows: Row[], filter: string) => Row[];
  /** Is asked before the table; undefined leaves the call to the table. */
  answerFirst?: (call: RecordedCall) => FakeResponse | undefined;
}

const services = [
  { id: 1, name: 'system', label: 'System', description: null, type: 'system' },
  { id: 5, name: 'shop', label: 'Shop', description: 'What we sell', type: 'sqlite' },
  { id: 6, name: 'files', label: 'Files', description: null, type: 'local_file' },
  { id: 7, name: 'old', label: 'Old', description: null, type: 'mysql' },
];

/** The instance; `rows()` returns what the table holds now. */
export function fakeShop(
  records: Row[],
  { fields = thingFields, schema = {}, filterRows, answerFirst }: FakeShopOptions = {},
) {
  let rows = records.map((row) => ({ ...row }));
  const description = aSchema(fields, schema);
  const isSame = (a: Row, b: Row) => description.primary_key.every((name) => String(a[name]) === String(b[name]));
  const keyOf = (row: Row) => Object.fromEntries(description.primary_key.map((name) => [name, row[name]]));
  const calls = fakeInstance((call) => {
    const answer = answerFirst?.(call);
    if (answer) return answer;
    const [path = ''] = call.path.split('?');
    if (path === '') return { body: { services, service_types: [] } };
    if (path === 'shop/_table/')
      return {
        body: {
          resource: [
            { name: 'thing', label: 'Thing' },
            { name: 'order item', label: 'Order Item' },
          ],
        },
      };
    if (path === 'old/_table/') return { body: { resource: [] } };
    if (path !== 'shop/_table/thing') return refusal(404, `Table "${path}" does not exist in the database.`);
    const sentRows = (call.body as { resource: Row[] } | undefined)?.resource ?? [];
    if (call.method === 'PATCH') {
      for (const change of sentRows) Object.assign(rows.find((row) => isSame(row, change)) ?? {}, change);
      return { body: { resource: sentRows.map(keyOf) } };
    }
    if (call.method === 'DELETE' || call.headers.get('X-HTTP-METHOD') === 'DELETE') {
      rows = rows.filter((row) => !sentRows.some((candidate) => isSame(row, candidate)));
      return { body: { resource: sentRows } };
    }
    if (call.method === 'POST') {
      const createdRows = sentRows.map((row, index) => ({ id: 1000 + index, ...row }));
      rows = [...rows, ...createdRows];
      return { body: { resource: createdRows } };
    }
    const params = queryOf(call);
    const matches = params.filter ? (filterRows?.(rows, params.filter) ?? byKey(rows, params.filter)) : rows;
    const offset = Number(params.offset ?? 0);
    return {
      body: {
        resource: matches.slice(offset, offset + Number(params.limit)).map((row) => ({ ...row })),
        meta: { count: matches.length, schema: description },
      },
    };
  });
  return {
    calls,
    rows: () => rows,
    tableCalls: (method = 'GET') =>
      calls.filter((call) => call.method === method && call.path.startsWith('shop/_table/thing')),
  };
}

const byKey = (rows: Row[], filter: string): Row[] => {
  const [, name = '', value] = /^(\w+) = "?([^"]*)"?$/.exec(filter) ?? [];
  return rows.filter((row) => String(row[name]) === value);
};

const schemaScreen: Screen = { path: '/schema', guard: 'user', frame: 'rail', load: async () => () => null };

export const openData = (address: string) => openPage(address, [{ path: '/data/*', element: <DataScreen /> }]);

/** Data in a console that has the Schema screen. */
export const openDataBesideSchema = (address: string) =>
  openPage(address, [
    {
      path: '/data/*',
      element: (
        <ScreenList value={[schemaScreen]}>
          <DataScreen />
        </ScreenList>
      ),
    },
    { path: '/schema/*', element: <p>Schema is here</p> },
  ]);
