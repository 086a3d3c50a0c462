import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';

/** Begins CREATE TABLE IF NOT EXISTS, with the engine's suffix. */
export function createTable(db: Kysely<unknown>, { tableSuffix }: Pick<StoreDialect, 'tableSuffix'>, name: string) {
  const table = db.schema.createTable(name).ifNotExists();
  return tableSuffix ? table.modifyEnd(tableSuffix) : table;
}
