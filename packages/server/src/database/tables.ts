// The tables of a database as the API names them. Addresses use a table's API name (its alias where it has one), the
// `_schema` paths and what points from table to table use its real name (contract/database-tables.md §1).
import { type Soon, soon } from '@sluice/contract';
import type { Database, Table, TableEntry } from '@sluice/sql';

/** How old a description may be: `Database.table` tells what both mean. */
export interface Freshness {
  refresh?: boolean;
  recheck?: boolean;
}

export interface Tables {
  /** In natural order of the real names. */
  list(options?: { refresh?: boolean }): Promise<TableEntry[]>;
  /** The table an address names, in any case; `table.unknown` otherwise. */
  byName(name: string, options?: Freshness): Soon<Table>;
  /** The table of a real name; `table.unknown` otherwise. */
  byRealName(name: string, options?: Freshness): Soon<Table>;
}

/** The tables of the database that `open` opens. */
export function tablesOf(open: () => Soon<Database>): Tables {
  const table = (name: string, options?: Freshness) => soon(open(), (database) => database.table(name, options));
  return {
    list: async (options) => (await open()).tables(options),
    byName: table,
    byRealName: table,
  };
}
