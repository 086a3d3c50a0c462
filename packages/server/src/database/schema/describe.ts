// Descriptions of tables, their fields and relations (contract/database-schema.md §1–2). Reading only; write.ts
// writes what a service says of them.
import { type FieldDescription, fail, type RelationDescription, type TableDescription } from '@sluice/contract';
import type { Table } from '@sluice/sql';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { listQuery } from '../../call/list-query.ts';
import { type RecordInput, wordOf } from '../../call/payload.ts';
import type { DatabaseParts } from '../parts.ts';

/** `GET {db}/_schema/{table}`. */
export async function readTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await addressedTable(call, name, parts);
  return answer(describedTable(table, parts.context.id, maskOf(call.caller, call.service, call.path)));
}

/** `GET {db}/_schema/{table}/_field`: all fields, or those of `ids`. */
export async function readFields(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table, ids } = await addressedTable(call, name, parts);
  return answer({ resource: fieldsOf(ownDescription(table, parts.context.id), ids?.map(String)) });
}

/** `GET {db}/_schema/{table}/_field/{field}`. */
export async function readField(call: Call, name: string, field: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await addressedTable(call, name, parts);
  return answer(fieldsOf(ownDescription(table, parts.context.id), [field])[0]);
}

/** `GET {db}/_schema/{table}/_related`. */
export async function readRelations(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await addressedTable(call, name, parts);
  return answer({ resource: ownDescription(table, parts.context.id).related });
}

/** `GET {db}/_schema/{table}/_related/{relation}`. */
export async function readRelation(call: Call, name: string, relation: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await addressedTable(call, name, parts);
  const description = ownDescription(table, parts.context.id);
  const found = description.related.find((candidate) => candidate.name === relation);
  if (!found) throw fail('table.noRelations', { table: description.name });
  return answer(found);
}

async function addressedTable(call: Call, name: string, parts: DatabaseParts) {
  const { refresh, ids } = listQuery(call, await call.body());
  return { table: await parts.tables.byRealName(name, { refresh }), ids };
}

/** A description as `_schema` answers it, with the caller's verbs as a mask. */
export const describedTable = (table: Table, serviceId: number, access: number) => ({
  ...ownDescription(table, serviceId),
  access,
});

/** A database does not know which service opened it: relations that stay inside it are given the service's id. */
function ownDescription({ description }: Table, serviceId: number): TableDescription {
  const own = (id: number | null) => id ?? serviceId;
  const related = description.related.map((relation) => ({
    ...relation,
    ref_service_id: own(relation.ref_service_id),
    junction_service_id: relation.junction_table === null ? null : own(relation.junction_service_id),
  }));
  return { ...description, related };
}

/** A description as `meta.schema` shows it: names as the records have them, without aliases. */
export function metaSchema(table: Table, serviceId: number): Record<string, unknown> {
  const { name } = table;
  const description = ownDescription(table, serviceId);
  const plain = <T extends { alias: string | null; name: string }>({ alias, ...rest }: T) => ({
    ...rest,
    name: alias ?? rest.name,
  });
  return {
    ...plain(description),
    name,
    field: description.field.map(plain),
    related: description.related.map(plain),
  };
}

/** One field of a table, by its real name in any case. */
export function describedField({ description }: Table, { name }: RecordInput): unknown {
  const lower = wordOf(name).trim().toLowerCase();
  return description.field.find((it) => it.name.toLowerCase() === lower);
}

/** One relation of a table, by its name, or a virtual one by what it joins. */
export function describedRelation(table: Table, sent: RecordInput, serviceId: number): unknown {
  const { related } = ownDescription(table, serviceId);
  const joins = ({ is_virtual, type, field, ref_table, ref_field }: RelationDescription) =>
    is_virtual &&
    type === sent.type &&
    field === sent.field &&
    ref_table === sent.ref_table &&
    ref_field === sent.ref_field;
  return related.find((it) => it.name === sent.name) ?? related.find(joins);
}

/** Field names are exact here, unlike in records (contract/database-schema.md §7). */
function fieldsOf({ field, name }: TableDescription, names: string[] | undefined): FieldDescription[] {
  const found = names ? field.filter((candidate) => names.includes(candidate.name)) : field;
  if (found.length === 0) throw fail('table.noFields', { table: name });
  return found;
}
