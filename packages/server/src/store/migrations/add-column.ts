import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { ColumnType, StoreDialect } from '../dialects/index.ts';

/** Adds a column unless it is there: not every engine knows IF NOT EXISTS here. */
export async function addColumn(
  db: Kysely<unknown>,
  dialect: Pick<StoreDialect, 'columnsOf'>,
  { table, column, type }: { table: string; column: string; type: ColumnType },
  build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder = (added) => added,
): Promise<void> {
  if ((await dialect.columnsOf(db, table)).includes(column)) return;
  await db.schema.alterTable(table).addColumn(column, type, build).execute();
}
