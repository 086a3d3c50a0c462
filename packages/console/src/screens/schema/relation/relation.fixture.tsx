// For the tests of relations: a service `shop` whose tables are given, another one `crm`, and a page with the pane of one table. It
// answers as the contract says (contract/database-schema.md §1, §4).
import type { RelationDescription, TableDescription } from '@sluice/contract';
import { Route, Routes } from 'react-router';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { aField, anId, aRelation as describedRelation, aTable as describedTable } from '../../../database/testing.ts';
import { openPage } from '../../../list/testing.tsx';
import { useTable } from '../address/sources.ts';
import { useClosePane, usePlace } from '../address/use-place.ts';
import { labelOf } from '../draft/relation.ts';
import { RelationPane } from './relation-pane.tsx';
import { useDeleteRelation } from './use-delete-relation.ts';

export { aField, anId };

/** A virtual relation: every todo has a team. */
export const aRelation = (name: string, changes: Partial<RelationDescription> = {}): RelationDescription =>
  describedRelation(name, {
    ...{ label: labelOf(name), type: 'belongs_to', field: 'team_id', is_virtual: true },
    ...{ ref_service_id: 5, ref_table: 'team' },
    ...changes,
  });

export const aTable = (name: string, changes: Partial<TableDescription> = {}): TableDescription =>
  describedTable(name, changes.field, changes);

const integer = (name: string) => aField(name, { type: 'integer' });

/** Todos of teams and with tags, and towns with a key of two fields; accounts in another service. */
const shopTables = () => [
  aTable('todo', {
    field: [
      anId(),
      aField('name'),
      integer('team_id'),
      aField('country'),
      aField('town_code'),
      integer('owner'),
      aField('total', { type: 'integer', is_virtual: true, is_aggregate: true }),
    ],
    related: [
      aRelation('town_by_country', {
        is_virtual: false,
        field: 'country',
        ref_table: 'town',
        ref_field: 'country',
      }),
    ],
  }),
  aTable('team'),
  aTable('step', { field: [anId(), integer('todo_id'), aField('todo_name')] }),
  aTable('tag'),
  aTable('todo_tag', { field: [anId(), integer('todo_id'), integer('tag_id')] }),
  aTable('town', {
    field: [aField('country', { is_primary_key: true }), aField('code', { is_primary_key: true }), aField('mayor')],
  }),
];
const crmTables = () => [aTable('account', { field: [anId(), integer('todo_id'), aField('mail')] })];

const services = [
  { id: 5, name: 'shop', label: 'Shop', description: null, type: 'sqlite' },
  { id: 6, name: 'crm', label: 'CRM', description: null, type: 'mysql' },
];

/** The name a server makes of what a relation joins. */
const nameOf = (relation: RelationDescription): string => {
  const by = { belongs_to: relation.field, many_many: relation.junction_table ?? '' }[relation.type as string];
  const prefix = relation.ref_service_id === 6 ? 'crm.' : '';
  return `${prefix}${relation.ref_table}_by_${(by ?? relation.ref_field).replaceAll(',', '_')}`;
};

interface FakeSchemaOptions {
  /** The relations of `todo`, beside the one by its foreign key. */
  related?: RelationDescription[];
  access?: number;
  answerFirst?: (call: RecordedCall) => FakeResponse | undefined;
}

/** The instance; its relations change as they are written. */
export function fakeSchema({ related = [], access = 31, answerFirst }: FakeSchemaOptions = {}) {
  const tables = new Map([
    ['shop', shopTables()],
    ['crm', crmTables()],
  ]);
  const [todo] = tables.get('shop') as [TableDescription];
  todo.related.push(...related);
  const calls = fakeInstance((call) => {
    const answer = answerFirst?.(call);
    if (answer) return answer;
    const [path = ''] = call.path.split('?');
    if (path === '') return { body: { services } };
    const [service = '', part, name, kind, relation] = path.split('/').map(decodeURIComponent);
    if (part !== '_schema') return refusal(404, `Resource '${part}' not found.`);
    const names = tables.get(service) ?? [];
    const found = names.find((table) => table.name === name);
    if (!name) return { body: { resource: names.map((table) => ({ name: table.name })) } };
    if (!found) return refusal(404, `Table "${name}" does not exist in the database.`);
    if (!kind) return { body: { ...found, access } };
    if (kind === '_field') return { body: { resource: found.field } };
    if (call.method === 'DELETE') {
      found.related = found.related.filter((each) => each.name !== relation);
      return { body: { success: true } };
    }
    if (call.method === 'GET') return { body: { resource: found.related } };
    const [sent] = (call.body as { resource: RelationDescription[] }).resource;
    const savedName = sent!.is_virtual ? nameOf(sent!) : sent!.name;
    const saved = { ...sent!, name: savedName, label: sent!.label ?? labelOf(savedName) };
    found.related = [...found.related.filter((each) => ![sent!.name, saved.name].includes(each.name)), saved];
    return { body: [[]] };
  });
  return {
    calls,
    related: () => todo.related,
    /** The paths of what was read, without their queries, in order. */
    reads: () => calls.filter(({ method }) => method === 'GET').map(({ path }) => path.split('?')[0]),
    writes: () => calls.filter(({ method, path }) => method !== 'GET' && path.includes('/_related')),
  };
}

/** A table with its relations as a list, and the pane. */
function TablePage() {
  const { service, table, pane } = usePlace();
  const close = useClosePane();
  const deleteRelation = useDeleteRelation();
  const { data } = useTable(service, table);
  if (!data) return null;
  return (
    <main>
      <ul aria-label="relations">
        {data.related.map(({ name }) => (
          <li key={name}>
            {name}
            <button type="button" onClick={() => void deleteRelation(service, table, name)}>
              Delete {name}
            </button>
          </li>
        ))}
      </ul>
      {pane ? (
        <RelationPane key={JSON.stringify(pane)} service={service} table={data} name={pane.name} onClose={close} />
      ) : null}
    </main>
  );
}

const Page = () => (
  <Routes>
    <Route path=":service?/:table?/:part?/:name?" element={<TablePage />} />
  </Routes>
);

export const openRelation = (address: string) => openPage(address, [{ path: '/schema/*', element: <Page /> }]);
