import { bindFilter, parseFilter } from '../filter/index.ts';
import type { Database, Row, RunOptions, Select } from '../query/index.ts';

/** The rows that a filter finds, with all columns of their table unless `more` says otherwise. */
export async function rowsOf(
  database: Database,
  name: string,
  filter?: string,
  overrides: Partial<Select> = {},
  options: RunOptions = {},
): Promise<Row[]> {
  const table = await database.table(name);
  const where = filter === undefined ? undefined : bindFilter(parseFilter(filter), table);
  return (await database.select({ table, columns: table.columns, where, ...overrides }, options)).list();
}
