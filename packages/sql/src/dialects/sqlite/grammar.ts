import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { type Grammar, makeCompiler } from '../../compile/index.ts';

/** How SQL is written for SQLite. */
export const grammar: Grammar = {
  kysely: makeCompiler({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  returning: { insert: true, update: true, delete: true },
  /**
   * A column holds what is put into it: numbers but zero and the words of `toWire` read as true, other texts and bytes as false.
   * Numbers come before texts, so each part is found by an index.
   */
  truth(compared, isTrue) {
    const isWord = sql`(typeof(${compared}) = 'text' and lower(${compared}) in ('true', 'yes', 'on', 'y', 't', '1'))`;
    return isTrue
      ? sql`(${compared} < 0 or (${compared} > 0 and ${compared} < '') or (${compared} >= '' and ${isWord}))`
      : sql`(${compared} = 0 or (${compared} >= '' and not ${isWord}))`;
  },
  /** JSON carries the list in one parameter: SQLite takes 32,766 of them in one statement. */
  list: {
    parameter: jsonOf,
    membership: (compared, parameter, _column, negated) =>
      sql`${compared} ${negated ? sql`not ` : sql``}in (select value from json_each(${parameter}))`,
    tuples: {
      parameters(tuples) {
        const items = tuples.map(jsonOf);
        return items.includes(undefined) ? undefined : [`[${items.join(',')}]`];
      },
      membership(compared, [parameter]) {
        const parts = compared.map((_, index) => sql`json_extract(value, ${sql.lit(`$[${index}]`)})`);
        return sql`(${sql.join(compared)}) in (select ${sql.join(parts)} from json_each(${parameter}))`;
      },
    },
  },
};

/** Values as a JSON array; undefined where one has no place there. */
function jsonOf(values: readonly unknown[]): string | undefined {
  if (!values.every((value) => ['string', 'number', 'bigint'].includes(typeof value))) return undefined;
  // An integer past 2^53 keeps its digits as JSON text.
  const items = values.map((value) => (typeof value === 'bigint' ? value.toString() : JSON.stringify(value)));
  return `[${items.join(',')}]`;
}
