// The tables of a database as the API names them, with the overrides of its service. Addresses use a table's API name
// (its alias where it has one), the `_schema` paths and what points from table to table use its real name
// (contract/database-tables.md §1).
import { chain, fail, type MaybePromise, type RelationDescription } from '@sluice/contract';
import { type Database, makeTable, naturalOrder, oncePerTable, type Table, type TableEntry } from '@sluice/sql';
import { applyOverrides, type Extras, overrideLabels, type ServiceExtras } from './extras/index.ts';

/** How old a description may be: see `Database.table`. */
export interface Freshness {
  refresh?: boolean;
  recheck?: boolean;
}

/** An entry by its real name. */
export interface ListedTable extends TableEntry {
  /** Absent without one. */
  alias?: string;
}

export interface Tables {
  /** In natural order of the names of that kind. */
  list(options?: { refresh?: boolean; orderBy?: 'name' | 'realName' }): Promise<ListedTable[]>;
  /** The table an address names, in any case; `table.unknown` otherwise. */
  byName(name: string, options?: Freshness): MaybePromise<Table>;
  /** The table of a real name; `table.unknown` otherwise. */
  byRealName(name: string, options?: Freshness): MaybePromise<Table>;
  /** As the database has it, by its real name; without fields that no record can have. */
  withoutOverrides(name: string, options?: Freshness): MaybePromise<Table>;
}

/** The tables of the database that `open` opens. */
export function tablesWithExtras(open: () => MaybePromise<Database>, extras: Pick<ServiceExtras, 'current'>): Tables {
  const withoutOverrides = (name: string, options?: Freshness) =>
    chain(open(), (database) => chain(database.table(name, options), withoutUnusable));
  return {
    withoutOverrides,
    async list({ refresh, orderBy = 'name' } = {}) {
      const entries = await (await open()).tables({ refresh });
      const current = await extras.current();
      return current.isEmpty ? entries : listWithOverrides(entries, current, orderBy);
    },
    byName: (name, options) =>
      chain(extras.current(), (current) =>
        current.isEmpty ? withoutOverrides(name, options) : tableByApiName(name, current, options, withoutOverrides),
      ),
    byRealName: (name, options) =>
      chain(extras.current(), (current) =>
        current.isEmpty
          ? withoutOverrides(name, options)
          : chain(withoutOverrides(name, options), (table) => applyOverrides(table, current)),
      ),
  };
}

/** Names that the driver of MySQL refuses in answers; a member called `__proto__` would be the prototype of its record. */
const unusableNames = new Set<unknown>([
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
]);

/**
 * The table without fields of these names, and without what goes by them: a key that has one identifies no record, and
 * relations by one are none. The columns stay in the database.
 */
const withoutUnusable = oncePerTable((table) => {
  const columns = table.columns.filter(({ native }) => !unusableNames.has(native));
  if (columns.length === table.columns.length && !table.description.related.some(goesByUnusable)) return table;
  const { primary_key, related } = table.description;
  const description = {
    ...table.description,
    primary_key: primary_key.some((name) => unusableNames.has(name)) ? [] : primary_key,
    field: columns.map((column) => column.description),
    related: related.filter((relation) => !goesByUnusable(relation)),
  };
  return makeTable({ ...table, description, columns });
});

const goesByUnusable = ({ field, ref_field, junction_field, junction_ref_field }: RelationDescription): boolean =>
  [field, ref_field, junction_field, junction_ref_field].some((name) => unusableNames.has(name));

/** The table of an API name; one with an alias is not found by its real name. */
function tableByApiName(
  name: string,
  extras: Extras,
  options: Freshness | undefined,
  findTable: Tables['withoutOverrides'],
): MaybePromise<Table> {
  const realName = extras.tableOfAlias(name);
  return chain(findTable(realName ?? name, options), (table) => {
    const alias = extras.row(table.name)?.alias ?? null;
    if (alias !== null && realName === undefined) throw fail('table.unknown', { table: name.slice(0, 200) });
    return applyOverrides(table, extras);
  });
}

function listWithOverrides(entries: TableEntry[], extras: Extras, orderBy: 'name' | 'realName'): ListedTable[] {
  const shown = entries.map((entry): ListedTable => {
    const row = extras.row(entry.name);
    if (!row) return entry;
    return { ...entry, ...overrideLabels(entry, row), ...(row.alias === null ? {} : { alias: row.alias }) };
  });
  return orderBy === 'name' ? shown.sort((a, b) => naturalOrder(a.alias ?? a.name, b.alias ?? b.name)) : shown;
}
