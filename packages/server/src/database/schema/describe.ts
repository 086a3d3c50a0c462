// Descriptions of tables, their fields and relations (contract/database-schema.md §1–2). Reading only; write.ts
// writes the extras of a service.
import { chain, type FieldDescription, fail, type RelationDescription, type TableDescription } from '@sluice/contract';
import { nameIndex, type Table } from '@sluice/sql';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { type RecordInput, stringifyInput } from '../../call/payload.ts';
import type { DescribeItem } from '../../service/operation.ts';
import type { DatabaseParts } from '../parts.ts';

/** `GET {db}/_schema/{table}`. */
export async function readTable(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await findTable(call, name, parts);
  return answer(describeTable(table, parts.context.id, maskOf(call.caller, call.service, call.path)));
}

/** `GET {db}/_schema/{table}/_field`: all fields, or those of `ids`. */
export async function readFields(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table, ids } = await findTable(call, name, parts);
  return answer({ resource: requireFields(withServiceIds(table, parts.context.id), ids?.map(String)) });
}

/** `GET {db}/_schema/{table}/_field/{field}`. */
export async function readField(call: Call, name: string, field: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await findTable(call, name, parts);
  return answer(requireFields(withServiceIds(table, parts.context.id), [field])[0]);
}

/** `GET {db}/_schema/{table}/_related`. */
export async function readRelations(call: Call, name: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await findTable(call, name, parts);
  return answer({ resource: withServiceIds(table, parts.context.id).related });
}

/** `GET {db}/_schema/{table}/_related/{relation}`. */
export async function readRelation(call: Call, name: string, relation: string, parts: DatabaseParts): Promise<Reply> {
  const { table } = await findTable(call, name, parts);
  const description = withServiceIds(table, parts.context.id);
  const found = description.related.find((candidate) => candidate.name === relation);
  if (!found) throw fail('table.noRelations', { table: description.name });
  return answer(found);
}

async function findTable(call: Call, name: string, parts: DatabaseParts) {
  const { refresh, ids } = readListQuery(call, await call.body());
  return { table: await parts.tables.byRealName(name, { refresh }), ids };
}

/** A description as `_schema` answers it, with the caller's verbs as a mask. */
export const describeTable = (table: Table, serviceId: number, access: number) => ({
  ...withServiceIds(table, serviceId),
  access,
});

/** A database does not know which service opened it: relations within it get the service's id. */
function withServiceIds({ description }: Table, serviceId: number): TableDescription {
  const ownServiceId = (id: number | null) => id ?? serviceId;
  const related = description.related.map((relation) => ({
    ...relation,
    ref_service_id: ownServiceId(relation.ref_service_id),
    junction_service_id: relation.junction_table === null ? null : ownServiceId(relation.junction_service_id),
  }));
  return { ...description, related };
}

/** What describes tables by their API names, for API docs: names as in records and addresses, those of relations too. */
export async function tableDescriber(parts: DatabaseParts): Promise<DescribeItem> {
  const names = new Map((await parts.tables.list()).map(({ name, alias }) => [name, alias ?? name]));
  const { id } = parts.context;
  return (name) =>
    chain(parts.tables.byName(name), (table) => {
      const { related, ...description } = describeForMeta(table, id) as unknown as TableDescription;
      const renamed = related.map((relation) =>
        relation.ref_service_id === id
          ? { ...relation, ref_service_id: null, ref_table: names.get(relation.ref_table) ?? relation.ref_table }
          : relation,
      );
      return { table: { ...description, related: renamed } };
    });
}

/** A description as `meta.schema` shows it: names as the records have them, without aliases. */
export function describeForMeta(table: Table, serviceId: number): Record<string, unknown> {
  const { name } = table;
  const description = withServiceIds(table, serviceId);
  const withoutAlias = <T extends { alias: string | null; name: string }>({ alias, ...rest }: T) => ({
    ...rest,
    name: alias ?? rest.name,
  });
  return {
    ...withoutAlias(description),
    name,
    field: description.field.map(withoutAlias),
    related: description.related.map(withoutAlias),
  };
}

/** One field of a table, by its real name, as written or in any case. */
export function describeField({ description }: Table, { name }: RecordInput): unknown {
  const find = nameIndex(description.field, (field) => field.name);
  return find(stringifyInput(name)) ?? find(stringifyInput(name).trim());
}

/** One relation of a table, by its name, or a virtual one by what it joins. */
export function describeRelation(table: Table, input: RecordInput, serviceId: number): unknown {
  const { related } = withServiceIds(table, serviceId);
  const joins = ({ is_virtual, type, field, ref_table, ref_field }: RelationDescription) =>
    is_virtual &&
    type === input.type &&
    field === input.field &&
    ref_table === input.ref_table &&
    ref_field === input.ref_field;
  return related.find((relation) => relation.name === input.name) ?? related.find(joins);
}

/** Field names are exact here, unlike in records (contract/database-schema.md §7). */
function requireFields({ field, name }: TableDescription, names: string[] | undefined): FieldDescription[] {
  const wantedNames = names && new Set(names);
  const found = wantedNames ? field.filter((candidate) => wantedNames.has(candidate.name)) : field;
  if (found.length === 0) throw fail('table.noFields', { table: name });
  return found;
}
