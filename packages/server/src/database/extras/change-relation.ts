import { isDeepStrictEqual } from 'node:util';
import { fail, type RelationKind, relationKinds } from '@sluice/contract';
import { labelOf } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';
import { wordOf } from '../../call/payload.ts';
import { virtualName } from './extras.ts';
import {
  type Change,
  type Place,
  type Put,
  putOf,
  type RelationRow,
  type StoredExtras,
  type VirtualRow,
} from './rows.ts';
import { aliasOf, descriptionOf, flagOf, lowered, type Sent, textOf, toldText } from './sent.ts';

/**
 * A relation as it is sent. Of one the database has by a foreign key only what is said of it is kept, and it has to be
 * named; a virtual one is what it joins. One that is named and joins something else now is replaced.
 */
export function changedRelation(relation: RecordInput): Change {
  const values = lowered(relation);
  return (stored, place) => {
    const { table } = place;
    const asked = typeof values.name === 'string' ? values.name.trim() : '';
    const isNative = (name: string) =>
      table.description.related.some((it) => it.name.toLowerCase() === name.toLowerCase());
    if (flagOf({ name: asked, values }, 'is_virtual', 0) === 0) {
      if (asked === '') throw fail('schema.noName');
      const native = table.description.related.find((it) => it.name === asked);
      if (!native && !virtualRow(stored, place, asked)) throw fail('table.noRelations', { table: table.name });
      return putRelation({ name: asked, values }, stored, place, asked);
    }
    const row = readVirtual({ name: asked, values }, stored, place);
    const name = virtualName(row, stored);
    if (isNative(name)) throw fail('schema.relationExists', { relation: name, table: table.name });
    const before = [asked, name].flatMap((it) => virtualRow(stored, place, it) ?? []);
    return [
      ...before.filter((it) => !isAlike(it, row)).flatMap((it) => withoutRelation(it, stored, name)),
      ...(before.some((it) => isDeepStrictEqual(it, row))
        ? []
        : [{ in: 'db_virtual_relationship', key: identityOf(row), row } as const]),
      ...putRelation({ name, values }, stored, place, asked),
    ];
  };
}

/** A virtual relation goes; of another only what is said of it. One that is not there is gone already. */
export function dropRelation(name: string): Change {
  return (stored, place) => {
    const row = virtualRow(stored, place, name);
    if (row) return withoutRelation(row, stored);
    const key = { table: place.table.name, relationship: name };
    const isSaid = stored.rows.db_relationship_extras.some((it) => it.table === key.table && it.relationship === name);
    return isSaid ? [{ in: 'db_relationship_extras', key }] : [];
  };
}

/** Takes a relation out with what is said of it, unless one of the same name takes its place. */
export function withoutRelation(row: VirtualRow, stored: StoredExtras, next?: string): Put[] {
  const relationship = virtualName(row, stored);
  return [
    { in: 'db_virtual_relationship', key: identityOf(row) },
    ...(relationship === next
      ? []
      : [{ in: 'db_relationship_extras', key: { table: row.table, relationship } } as const]),
  ];
}

const virtualRow = (stored: StoredExtras, { table }: Place, name: string): VirtualRow | undefined =>
  stored.rows.db_virtual_relationship.find((it) => it.table === table.name && virtualName(it, stored) === name);

/** What a relation joins is what it is; its rules are not. */
const identityOf = ({ ref_on_update, ref_on_delete, ...identity }: VirtualRow) => identity;

const isAlike = (one: VirtualRow, other: VirtualRow): boolean => isDeepStrictEqual(identityOf(one), identityOf(other));

/** What is said of a relation; one that is replaced hands it on. */
function putRelation(sent: Sent, { rows }: StoredExtras, { table }: Place, before: string): Put[] {
  const key = { table: table.name, relationship: sent.name };
  const of = (name: string) =>
    rows.db_relationship_extras.find((it) => it.table === table.name && it.relationship === name);
  const old = of(sent.name);
  const stored = old ?? of(before) ?? nothing;
  const row: RelationRow = {
    ...key,
    alias: aliasOf(sent, stored.alias),
    label: toldText(sent, 'label', stored.label, labelOf(sent.name)),
    description: descriptionOf(sent, stored.description),
    always_fetch: flagOf(sent, 'always_fetch', stored.always_fetch),
    flatten: flagOf(sent, 'flatten', stored.flatten),
    flatten_drop_prefix: flagOf(sent, 'flatten_drop_prefix', stored.flatten_drop_prefix),
  };
  return putOf('db_relationship_extras', key, old, row);
}

const nothing = { alias: null, label: null, description: null, always_fetch: 0, flatten: 0, flatten_drop_prefix: 0 };

// ---- what a virtual relation joins ----

function readVirtual(sent: Sent, stored: StoredExtras, { table }: Place): VirtualRow {
  const type = wordOf(sent.values.type).toLowerCase();
  if (!relationKinds.includes(type as RelationKind)) throw fail('schema.relationType');
  const isThrough = type === 'many_many';
  const row: VirtualRow = {
    table: table.name,
    type,
    field: columnList(sent, 'field'),
    ref_service_id: serviceOf(sent, 'ref_service', stored),
    ref_table: needed(sent, 'ref_table'),
    ref_field: columnList(sent, 'ref_field'),
    ref_on_update: textOf(sent, 'ref_on_update', null, 40),
    ref_on_delete: textOf(sent, 'ref_on_delete', null, 40),
    junction_service_id: isThrough ? serviceOf(sent, 'junction_service', stored) : null,
    junction_table: isThrough ? needed(sent, 'junction_table') : null,
    junction_field: isThrough ? columnList(sent, 'junction_field') : null,
    junction_ref_field: isThrough ? columnList(sent, 'junction_ref_field') : null,
  };
  const aliases = new Set(stored.rows.db_field_extras.flatMap((it) => (it.table === table.name ? [it.alias] : [])));
  const missing = row.field.split(',').find((it) => !table.column(it) && !aliases.has(it));
  if (missing !== undefined) throw fail('schema.relationField', { field: missing, table: table.name });
  return row;
}

function needed(sent: Sent, key: string): string {
  const text = textOf(sent, key, null);
  if (text === null) throw fail('schema.relationElement', { element: key });
  return text;
}

const columnList = (sent: Sent, key: string): string =>
  needed(sent, key)
    .split(',')
    .map((it) => it.trim())
    .join(',');

/** A service by `{key}_id`, or by its name; this one where none is named. */
function serviceOf({ values }: Sent, key: string, { service, names }: StoredExtras): number {
  const [id, name] = [values[`${key}_id`], values[key]];
  if (id !== undefined && id !== null && id !== '') {
    if (Object.hasOwn(names, wordOf(id))) return Number(wordOf(id));
    throw fail('schema.relationService', { service: wordOf(id).slice(0, 40) });
  }
  if (typeof name !== 'string' || name === '') return service;
  const found = Object.entries(names).find(([, it]) => it.toLowerCase() === name.toLowerCase());
  if (!found) throw fail('schema.relationService', { service: name.slice(0, 40) });
  return Number(found[0]);
}
