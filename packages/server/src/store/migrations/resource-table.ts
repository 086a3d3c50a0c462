import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/**
 * A column as a step keeps it. A step never changes its meaning, so it has words of its own: tables.test.ts writes them
 * from the declaration once, and fails when the declaration says something else later.
 */
export interface ColumnSnapshot {
  /** `text` can have an index; flags and references are integers. */
  type: 'integer' | 'text' | 'longText';
  /** Characters of a `text`. */
  length?: number;
  isRequired?: true;
  default?: number | string;
  /** Rows differ in it, whatever the case of A–Z: a column `<name>_folded` has the unique index. */
  isUnique?: true;
  /** No two rows have the same value. */
  isOnce?: true;
  /** The table whose `id` it holds, and what becomes of the row with that one. */
  references?: readonly [table: string, onDelete: 'cascade' | 'set null'];
}

/** Makes the table of a system resource with `version` and, unless a column is its key, the counted key `id`. */
export async function createResourceTable(
  db: Kysely<unknown>,
  dialect: StoreDialect,
  name: string,
  columns: Readonly<Record<string, ColumnSnapshot>>,
  key = 'id',
): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const typeOf = ({ type, length = 255 }: ColumnSnapshot) =>
    type === 'text' ? text(length) : type === 'integer' ? integer : longText;
  let table = createTable(db, dialect, name) as CreateTableBuilder<string, string>;
  if (key === 'id') table = table.addColumn('id', id, dialect.countedKey);
  table = table.addColumn('version', integer, (column) => column.notNull().defaultTo(1));
  for (const [column, snapshot] of Object.entries(columns)) {
    const build = (added: ColumnDefinitionBuilder) => {
      let built = snapshot.isRequired ? added.notNull() : added;
      if (snapshot.default !== undefined) built = built.defaultTo(snapshot.default);
      if (snapshot.isOnce) built = built.unique();
      return column === key ? built.primaryKey() : built;
    };
    table = table.addColumn(column, typeOf(snapshot), build);
    if (snapshot.isUnique)
      table = table.addColumn(`${column}_folded`, typeOf(snapshot), (added) =>
        added.generatedAlwaysAs(dialect.folded(column)).stored().unique(),
      );
    // As table constraints: MySQL reads references written beside a column and ignores them.
    if (snapshot.references) {
      const [target, onDelete] = snapshot.references;
      table = table.addForeignKeyConstraint(`${name}_${column}_fk`, [column], target, ['id'], (constraint) =>
        constraint.onDelete(onDelete),
      );
    }
  }
  await table.execute();
  for (const [column, { references }] of Object.entries(columns))
    if (references) await dialect.createIndex(db, name, column);
}
