// The lists above the records: the service's own root, its tables, and the components roles may name
// (contract/database-tables.md §1, contract/database-schema.md §9).
import { fail, verbMask, verbsOf } from '@sluice/contract';
import type { TableEntry } from '@sluice/sql';
import { answer, type Call, type Reply } from '../gateway/call.ts';
import { listQuery } from '../gateway/list-query.ts';
import { recordsOf } from '../gateway/payload.ts';
import { callerMask, listResources, project, withAccess } from '../services/root.ts';
import { describedTable } from './schema.ts';
import type { DatabaseParts } from './table-call.ts';

const resources = [
  { name: '_schema', class_name: 'Schema', label: 'Schema' },
  { name: '_table', class_name: 'Table', label: 'Tables' },
];

/** `GET {db}`: what the service consists of, or with `as_access_list` the components a role may name. */
export const listRoot = (call: Call, parts: DatabaseParts): Promise<Reply> =>
  listResources(call, resources, (allowed) => accessList(parts, allowed));

/** `GET {db}/_table` and `GET {db}/_schema`: the tables the caller may touch in any way. */
export async function listTables(call: Call, resource: '_table' | '_schema', parts: DatabaseParts): Promise<Reply> {
  const payload = await call.body();
  const query = listQuery(call, payload);
  const names = query.ids?.map(String) ?? recordsOf(payload).map(({ name }) => String(name ?? ''));
  if (resource === '_schema' && names.length > 0) return describeTables(call, names, query.refresh, parts);
  const entries = await parts.tables.list({ refresh: query.refresh });
  const shown = entries.filter(
    ({ name }) => isAsked(name, names, call.query.get('schema')) && callerMask(call, `${resource}/${name}`) !== 0,
  );
  if (query.asList) return answer({ resource: shown.map(({ name }) => name) });
  const fields = query.fields ?? 'name';
  return answer({
    resource: shown.map((entry) => {
      const component = `${resource}/${entry.name}`;
      return withAccess(call, project(entryRecord(call, entry, resource), fields), component);
    }),
  });
}

/** Components usable in role rows: the root, then each resource and its tables as far as the caller may see them. */
export async function accessList(parts: DatabaseParts, allowed: (component: string) => number): Promise<string[]> {
  const names = (await parts.tables.list()).map(({ name }) => name);
  const list = allowed('') === 0 ? [] : ['', '*'];
  for (const { name: resource } of resources) {
    if (allowed(resource) === 0) continue;
    list.push(`${resource}/`, `${resource}/*`);
    for (const name of names)
      if (allowed(`${resource}/${name}`) !== 0) list.push(`${resource}/${name}/`, `${resource}/${name}/*`);
  }
  return list;
}

async function describeTables(call: Call, names: string[], refresh: boolean, parts: DatabaseParts): Promise<Reply> {
  const described: unknown[] = [];
  for (const name of names) {
    const component = `_schema/${name}`;
    if ((callerMask(call, component) & verbMask.GET) === 0)
      throw fail('access.deniedInside', { verb: call.verb, component, service: call.service });
    described.push(
      describedTable(await parts.tables.byRealName(name, { refresh }), parts.context.id, callerMask(call, component)),
    );
  }
  return answer({ resource: described });
}

function isAsked(name: string, names: string[], schema: string | undefined): boolean {
  const lower = name.toLowerCase();
  if (names.length > 0 && !names.some((asked) => asked.toLowerCase() === lower)) return false;
  return !schema || lower.startsWith(`${schema.toLowerCase()}.`);
}

function entryRecord(call: Call, entry: TableEntry, resource: '_table' | '_schema'): Record<string, unknown> {
  const { name, label, description, plural, is_view } = entry;
  const access = verbsOf(callerMask(call, `${resource}/${name}`));
  const record = { name, label, description, native: [], plural, is_view, access };
  return resource === '_schema' ? { alias: null, ...record } : record;
}
