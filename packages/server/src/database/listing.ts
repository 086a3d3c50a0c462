// The lists of tables below `_table` and `_schema` (contract/database-tables.md §1, contract/database-schema.md §9).
import { Failure, fail, verbMask, verbsOf } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { readListQuery } from '../call/list-query.ts';
import { type Outcome, recordsOf, settleBatch, stringifyInput } from '../call/payload.ts';
import { callerMask, selectKeys, withAccess } from '../service/root.ts';
import { filterByName } from './name-filter.ts';
import type { DatabaseParts } from './parts.ts';
import { describeTable } from './schema/describe.ts';
import type { ListedTable } from './tables.ts';

/** `GET {db}/_table` and `GET {db}/_schema`: the tables the caller may touch in any way. */
export async function listTables(call: Call, resource: '_table' | '_schema', parts: DatabaseParts): Promise<Reply> {
  const payload = await call.body();
  const query = readListQuery(call, payload);
  const names = query.ids?.map(stringifyInput) ?? recordsOf(payload).map(({ name }) => stringifyInput(name));
  if (resource === '_schema' && names.length > 0) return describeTables(call, names, query.refresh, parts);
  const entries = await listTableEntries(resource, parts, query.refresh);
  const wantedEntries = filterByName(entries, names, call.query.get('schema'));
  const visibleEntries = wantedEntries.filter(({ name }) => callerMask(call, `${resource}/${name}`) !== 0);
  if (query.asList) return answer({ resource: visibleEntries.map(({ name }) => name) });
  const fields = query.fields ?? 'name';
  return answer({
    resource: visibleEntries.map((entry) => {
      const component = `${resource}/${entry.name}`;
      return withAccess(call, selectKeys(describeEntry(call, entry, resource), fields), component);
    }),
  });
}

/** What an address takes for two parts is no table's name there; an alias without a slash is one. */
const isAddressable = ({ name }: ListedTable): boolean => !name.includes('/');

/** The tables by their names below a resource, which are the names that roles use; those alone that an address can name. */
export async function listTableEntries(
  resource: string,
  { tables }: DatabaseParts,
  refresh = false,
): Promise<ListedTable[]> {
  if (resource === '_schema') return (await tables.list({ refresh, orderBy: 'realName' })).filter(isAddressable);
  const entries = await tables.list({ refresh });
  return entries
    .map((entry) => (entry.alias === undefined ? entry : { ...entry, name: entry.alias }))
    .filter(isAddressable);
}

async function describeTables(call: Call, names: string[], refresh: boolean, parts: DatabaseParts): Promise<Reply> {
  const described: Outcome<unknown>[] = [];
  for (const [index, name] of names.entries()) {
    const component = `_schema/${name}`;
    if ((callerMask(call, component) & verbMask.GET) === 0)
      throw fail('access.deniedInside', { verb: call.verb, component, service: call.service });
    try {
      const table = await parts.tables.byRealName(name, { refresh: refresh && index === 0 });
      described.push({ result: describeTable(table, parts.context.id, callerMask(call, component)) });
    } catch (error) {
      // The tables beside it are described.
      if (!(error instanceof Failure) || error.key !== 'database.broken') throw error;
      described.push({ failure: error });
    }
  }
  return answer({ resource: settleBatch('retrieved', described) });
}

function describeEntry(call: Call, entry: ListedTable, resource: '_table' | '_schema'): Record<string, unknown> {
  const { name, label, description, plural, is_view } = entry;
  const access = verbsOf(callerMask(call, `${resource}/${name}`));
  const record = { name, label, description, native: [], plural, is_view, access };
  return resource === '_schema' ? { alias: entry.alias ?? null, ...record } : record;
}
