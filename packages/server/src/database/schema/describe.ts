// Descriptions of tables, their fields and relations (contract/database-schema.md §1–2). Reading only; write.ts
// writes what a service says of them.
import { fail, type RelationDescription, type TableDescription } from '@sluice/contract';
import type { Table } from '@sluice/sql';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { listQuery } from '../../call/list-query.ts';
import type { RecordInput } from '../../call/payload.ts';
import type { DatabaseParts } from '../parts.ts';

/** `GET {db}/_schema/{table}[/_field[/{f}] | /_related[/{r}] | /{f}]`. */
export async function readSchema(call: Call, segments: string[], parts: DatabaseParts): Promise<Reply> {
  const [name = '', second, third, ...more] = segments;
  const { refresh, ids } = listQuery(call, await call.body());
  const table = await parts.tables.byRealName(name, { refresh });
  const { id } = parts.context;
  if (second === undefined) return answer(describedTable(table, id, maskOf(call.caller, call.service, call.path)));
  const isList = second === '_field' || second === '_related';
  if (more.length > 0 || (!isList && third !== undefined)) throw fail('table.schemaPath', { act: 'describe' });
  const description = ownDescription(table, id);
  if (second === '_related') return related(description, third);
  const field = second === '_field' ? third : second;
  return fields(description, field === undefined ? ids?.map(String) : [field], field !== undefined);
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
  const lower = String(name).trim().toLowerCase();
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
function fields(description: TableDescription, names: string[] | undefined, isOne: boolean): Reply {
  const found = names ? description.field.filter(({ name }) => names.includes(name)) : description.field;
  if (found.length === 0) throw fail('table.noFields', { table: description.name });
  return answer(isOne ? found[0] : { resource: found });
}

function related(description: TableDescription, name: string | undefined): Reply {
  if (name === undefined) return answer({ resource: description.related });
  const found = description.related.find((relation) => relation.name === name);
  if (!found) throw fail('table.noRelations', { table: description.name });
  return answer(found);
}
