// The tables of a database as the API names them, with what its service says of them. Addresses use a table's API name
// (its alias where it has one), the `_schema` paths and what points from table to table use its real name
// (contract/database-tables.md §1).
import { chain, fail, type MaybePromise } from '@sluice/contract';
import { type Database, naturalOrder, type Table, type TableEntry } from '@sluice/sql';
import { dress, type Extras, labels, type ServiceExtras } from './extras/index.ts';

/** How old a description may be: `Database.table` tells what both mean. */
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
  /** In natural order of the names asked for. */
  list(options?: { refresh?: boolean; by?: 'name' | 'realName' }): Promise<ListedTable[]>;
  /** The table an address names, in any case; `table.unknown` otherwise. */
  byName(name: string, options?: Freshness): MaybePromise<Table>;
  /** The table of a real name; `table.unknown` otherwise. */
  byRealName(name: string, options?: Freshness): MaybePromise<Table>;
  /** As the database has it, by its real name. */
  bare(name: string, options?: Freshness): MaybePromise<Table>;
}

/** The tables of the database that `open` opens. */
export function tablesOf(open: () => MaybePromise<Database>, extras: Pick<ServiceExtras, 'current'>): Tables {
  const bare = (name: string, options?: Freshness) => chain(open(), (database) => database.table(name, options));
  return {
    bare,
    async list({ refresh, by = 'name' } = {}) {
      const entries = await (await open()).tables({ refresh });
      const current = await extras.current();
      return current.isEmpty ? entries : listed(entries, current, by);
    },
    byName: (name, options) =>
      chain(extras.current(), (it) => (it.isEmpty ? bare(name, options) : aliased(name, it, options, bare))),
    byRealName: (name, options) =>
      chain(extras.current(), (it) =>
        it.isEmpty ? bare(name, options) : chain(bare(name, options), (table) => dress(table, it)),
      ),
  };
}

/** The table of an API name; by its real name one with an alias is not to be had. */
function aliased(
  name: string,
  extras: Extras,
  options: Freshness | undefined,
  bare: Tables['bare'],
): MaybePromise<Table> {
  const real = extras.aliases.get(name.toLowerCase());
  return chain(bare(real ?? name, options), (table) => {
    const alias = extras.tables.get(table.name)?.own?.alias ?? null;
    if (alias !== null && real === undefined) throw fail('table.unknown', { table: name.slice(0, 200) });
    return dress(table, extras);
  });
}

function listed(entries: TableEntry[], extras: Extras, by: 'name' | 'realName'): ListedTable[] {
  const shown = entries.map((entry): ListedTable => {
    const own = extras.tables.get(entry.name)?.own;
    if (!own) return entry;
    return { ...entry, ...labels(entry, own), ...(own.alias === null ? {} : { alias: own.alias }) };
  });
  return by === 'name' ? shown.sort((a, b) => naturalOrder(a.alias ?? a.name, b.alias ?? b.name)) : shown;
}
