// Rows as the records an actor gets: the selected fields, computed ones, and relations, one IN query for each
// (contract/system-resources.md §0).
import { fail, type ResourceRelation } from '@sluice/contract';
import { isSameValue } from '../audit/index.ts';
import { type ListQuery, parseCommaList } from '../call/list-query.ts';
import type { RecordInput } from '../call/payload.ts';
import { computedFields, readInput, toColumn, toRecord, visibleFields } from '../resource/fields.ts';
import type { RecordContext, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import { requireRelated, requireVerb } from './access.ts';
import { countAnswered, readPiecesBy } from './pieces.ts';
import { idOf, isInScope } from './rows.ts';

/** What of a record is answered. */
export interface Projection {
  fields: string[];
  relations: string[];
}

/** What a request selects of each record. */
export type Selection = Pick<ListQuery, 'fields' | 'related'>;

/** The relations a request names. Unknown ones are refused even when there is nothing to read. */
export function selectedRelations({ definition }: ServedResource, names: string[], context: RecordContext): string[] {
  for (const name of names) {
    const relation = Object.hasOwn(definition.relations, name) ? definition.relations[name] : undefined;
    if (!relation) throw fail('record.unknownRelation', { name });
    if (relation.isComputed) requireVerb(context, relation.resource, 'GET');
    else requireRelated(context, definition.name, context.resourceOf(relation.resource), 'GET');
  }
  return [...new Set(names)];
}

/** The fields a request names, `fallback` where it names none; unknown names are left out. */
export function selectedFields(
  { definition, dependentFields }: ServedResource,
  fields: Selection['fields'],
  fallback: string[],
) {
  const names = typeof fields === 'string' ? parseCommaList(fields) : fields;
  if (names === undefined || names.length === 0) return fallback;
  const visible = visibleFields(definition);
  if (names.includes('*')) return visible;
  const selected = new Set(dependentFields ? dependentFields(names) : names);
  return visible.filter((field) => selected.has(field));
}

/** What a read answers: everything where nothing is selected. */
export const readProjection = (resource: ServedResource, selection: Selection, context: RecordContext): Projection => ({
  fields: selectedFields(resource, selection.fields, visibleFields(resource.definition)),
  relations: selectedRelations(resource, selection.related, context),
});

/** Records as they are answered. Computed fields come along whatever was selected. */
export async function serializeRows(
  resource: ServedResource,
  rows: StoredRow[],
  { fields, relations }: Projection,
  context: RecordContext,
): Promise<WireRecord[]> {
  const { definition } = resource;
  countAnswered(rows, context);
  const serialized = rows.map((row) => ({ row, record: toRecord(definition, row) }));
  if (serialized.length > 0) await resource.serialize?.(serialized, context);
  const selected = new Set([...fields, ...computedFields(definition)]);
  const records = serialized.map(({ record }) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => selected.has(name))),
  );
  for (const name of relations) {
    const relatedOf = await readRelation(resource, definition.relations[name] as ResourceRelation, rows, context);
    records.forEach((record, index) => {
      record[name] = relatedOf(rows[index] as StoredRow);
    });
  }
  return records;
}

/**
 * What the writer of a record knows of it: the identifier and the fields that are stored as they were sent. Not what was
 * completed or merged or stayed as it was, nor computed fields, nor credentials.
 */
export function withholdRecord(
  { definition, credentials = [] }: ServedResource,
  record: WireRecord,
  row: StoredRow,
  input: RecordInput,
): WireRecord {
  const { identifier: key, fields } = definition;
  const values = readInput(definition, input, () => {});
  const isKnown = (name: string) =>
    Object.hasOwn(values, name) &&
    !credentials.includes(name) &&
    isSameValue(toColumn(fields[name]!, values[name]), row[name]);
  const knownFields = Object.entries(record).filter(([name]) => name === key || isKnown(name));
  return { [key]: row[key], ...Object.fromEntries(knownFields) };
}

/** Reads a relation of all rows at once; answers what belongs to one of them. */
async function readRelation(
  resource: ServedResource,
  relation: ResourceRelation,
  rows: StoredRow[],
  context: RecordContext,
): Promise<(row: StoredRow) => unknown> {
  if (relation.isComputed) return resource.computeRelation!(rows, context);
  const target = context.resourceOf(relation.resource);
  const key = resource.definition.identifier;
  // The creator of a record may be an administrator: callers who may only read users do not see them this way.
  const seesAll = context.actor.caller.user?.isAdmin === true;
  const projection = { fields: visibleFields(target.definition), relations: [] };
  const read = async (column: string, values: unknown[]): Promise<[StoredRow, WireRecord][]> => {
    const pairs: [StoredRow, WireRecord][] = [];
    for await (const piece of readPiecesBy(target, column, values, context)) {
      const visible = seesAll ? piece : piece.filter((row) => isInScope(target, row));
      const records = await serializeRows(target, visible, projection, context);
      for (const [index, row] of visible.entries()) pairs.push([row, records[index] as WireRecord]);
    }
    return pairs;
  };
  /** The records by their identifiers. One that several rows lead to is answered with each of them. */
  const byId = (pairs: [StoredRow, WireRecord][]) => {
    const found = new Map(pairs.map(([row, record]) => [idOf(target, row), { row, record }]));
    return (id: unknown): WireRecord[] => {
      const pair = found.get(id as never);
      if (pair) countAnswered([pair.row], context);
      return pair ? [pair.record] : [];
    };
  };
  if (relation.kind === 'belongs_to') {
    const recordOf = byId(await read(target.definition.identifier, valuesOf(rows, relation.field)));
    return (row) => recordOf(row[relation.field])[0] ?? null;
  }
  if (relation.through) {
    const { resource: through, ref } = relation.through;
    const links: StoredRow[] = [];
    for await (const piece of readPiecesBy(context.resourceOf(through), relation.field, valuesOf(rows, key), context))
      for (const link of piece) links.push(link);
    const recordOf = byId(await read(target.definition.identifier, valuesOf(links, ref)));
    const linkedIds = groupPairs(links.map((link) => [link[relation.field], link[ref]]));
    return (row) => [...new Set(linkedIds.get(row[key]))].flatMap(recordOf);
  }
  const pairs = await read(relation.field, valuesOf(rows, key));
  const byOwner = groupPairs(pairs.map(([row, record]) => [row[relation.field], record]));
  return (row) => {
    const records = byOwner.get(row[key]) ?? [];
    return relation.kind === 'has_one' ? (records[0] ?? null) : records;
  };
}

function groupPairs<T>(pairs: [unknown, T][]): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

const valuesOf = (rows: StoredRow[], field: string): unknown[] => [
  ...new Set(rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined)),
];
