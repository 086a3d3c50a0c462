// For the tests of Schema: a database service `shop` with the tables that a test describes. It answers as the contract says; of
// writes it keeps fields and tables as they are sent.
import { allVerbs, type FieldDescription, type RelationDescription } from '@sluice/contract';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../api/testing.ts';
import {
  aField as describedField,
  anId as describedId,
  aRelation as describedRelation,
  aTable as describedTable,
} from '../../database/testing.ts';
import { openPage } from '../../list/testing.tsx';
import type { SchemaTable } from './address/sources.ts';
import { SchemaScreen } from './index.tsx';

/** A text of the commonest length. */
export const aField = (name: string, changes: Partial<FieldDescription> = {}): FieldDescription =>
  describedField(name, { db_type: 'varchar(255)', length: 255, ...changes });

export const anId = (name?: string) => ({ ...describedId(name), db_type: 'integer' });

export const aRelation = (name: string, changes: Partial<RelationDescription> = {}): RelationDescription =>
  describedRelation(name, { ref_service_id: 5, ...changes });

/** A table as `_schema/{t}` tells it to someone who may do everything with it. */
export const aTable = (
  name: string,
  field: FieldDescription[] = [anId(), aField('name')],
  changes: Partial<SchemaTable> = {},
): SchemaTable => ({ ...describedTable(name, field), access: allVerbs, ...changes });

const services = [
  { id: 1, name: 'system', label: 'System', description: null, type: 'system' },
  { id: 5, name: 'shop', label: 'Shop', description: 'What we sell', type: 'sqlite' },
  { id: 6, name: 'files', label: 'Files', description: null, type: 'local_file' },
  { id: 7, name: 'old', label: 'Old', description: null, type: 'mysql' },
];

interface FakeSchemaOptions {
  /** Is asked first; undefined leaves the call to the instance. A plan is unknown (404) unless it answers one. */
  answerFirst?: (call: RecordedCall) => FakeResponse | undefined | Promise<FakeResponse>;
}

/** The instance; `tables()` are those it holds now. */
export function fakeSchema(described: SchemaTable[], { answerFirst }: FakeSchemaOptions = {}) {
  let tables: SchemaTable[] = structuredClone(described);
  const calls = fakeInstance(async (call) => {
    const response = await answerFirst?.(call);
    if (response) return response;
    const [path = ''] = call.path.split('?');
    if (path === '') return { body: { services, service_types: [] } };
    const [service, part, ...names] = path.split('/').map(decodeURIComponent);
    if (part !== '_schema') return refusal(404, `Resource '${part}' not found for service '${service}'.`);
    if (service === 'old') return { body: { resource: [] } };
    const [name, kind, field] = names.filter(Boolean);
    const sent = (call.body as { resource?: object[] } | undefined)?.resource ?? [];
    if (name === undefined) {
      if (call.method === 'GET')
        return { body: { resource: tables.map(({ name, label, alias }) => ({ name, label, alias })) } };
      const made = sent.map((table) => ({ ...aTable(''), ...table }));
      tables = [...tables.filter((table) => !made.some((one) => one.name === table.name)), ...made];
      return { body: { resource: made } };
    }
    const table = tables.find((one) => one.name === name);
    if (!table) return refusal(404, `Table "${name}" does not exist in the database.`);
    if (call.method === 'GET')
      return {
        body: kind === '_field' ? { resource: table.field } : kind === '_related' ? { resource: table.related } : table,
      };
    if (kind === '_field' && call.method === 'DELETE') table.field = table.field.filter((one) => one.name !== field);
    else if (kind === '_field') table.field = merged(table.field, sent as FieldDescription[], aField(''));
    else if (kind === '_related' && call.method === 'DELETE')
      table.related = table.related.filter((one) => one.name !== field);
    else if (kind === '_related') table.related = merged(table.related, sent as RelationDescription[], aRelation(''));
    else if (call.method === 'DELETE') tables = tables.filter((one) => one !== table);
    else Object.assign(table, call.body);
    return { body: call.method === 'DELETE' ? { success: true } : kind ? [[]] : { name } };
  });
  const isPlan = ({ path }: RecordedCall) => path.split('?')[0]!.endsWith('/_plan');
  return {
    calls,
    tables: () => tables,
    /** What was sent to be done. */
    writes: () => calls.filter((call) => call.method !== 'GET' && !isPlan(call)),
    /** What was asked of changes not done yet. */
    plans: () => calls.filter(isPlan),
  };
}

const merged = <T extends { name: string }>(present: T[], sent: T[], blank: T): T[] => {
  const changed = present.map((one) => ({ ...one, ...sent.find(({ name }) => name === one.name) }));
  const added = sent.filter(({ name }) => !present.some((one) => one.name === name));
  return [...changed, ...added.map((one) => ({ ...blank, ...one }))];
};

/** Opens Schema at an address, signed in by `signIn`. */
export const openSchema = (address: string) => openPage(address, [{ path: '/schema/*', element: <SchemaScreen /> }]);
