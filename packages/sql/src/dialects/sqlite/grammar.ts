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
  /** JSON carries the list in one parameter: SQLite takes 32,766 of them in one statement. */
  list: {
    parameter(values) {
      if (!values.every((value) => ['string', 'number', 'bigint'].includes(typeof value))) return undefined;
      // An integer past 2^53 keeps its digits as JSON text.
      const items = values.map((value) => (typeof value === 'bigint' ? value.toString() : JSON.stringify(value)));
      return `[${items.join(',')}]`;
    },
    membership: (compared, parameter, _column, negated) =>
      sql`${compared} ${negated ? sql`not ` : sql``}in (select value from json_each(${parameter}))`,
  },
};
