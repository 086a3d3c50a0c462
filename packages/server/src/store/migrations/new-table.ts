import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';

/** Begins a table that is made unless it is there, with what the engine wants at its end. */
export function newTable(db: Kysely<unknown>, { tableEnd }: Pick<StoreDialect, 'tableEnd'>, name: string) {
  const made = db.schema.createTable(name).ifNotExists();
  return tableEnd ? made.modifyEnd(tableEnd) : made;
}
