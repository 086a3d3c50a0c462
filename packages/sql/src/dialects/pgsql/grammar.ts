import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { type Grammar, makeCompiler } from '../../compile/index.ts';
import { arrayText } from '../../convert/array.ts';
import type { Column } from '../../schema/index.ts';

/** How SQL is written for PostgreSQL. */
export const grammar: Grammar = {
  kysely: makeCompiler({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
  returning: { insert: true, update: true, delete: true },
  /** An array carries the list in one parameter: a statement takes 65,535 of them. */
  list: {
    parameter: (values, column) => (arrayOf(column) === undefined ? undefined : arrayText(values)),
    membership(compared, parameter, column, negated) {
      const list = sql`${parameter}::${sql.raw(arrayOf(column) ?? '')}[]`;
      return negated ? sql`${compared} <> all(${list})` : sql`${compared} = any(${list})`;
    },
    /** An array for each column: `unnest` of several makes their rows. */
    tuples: {
      parameters: (tuples, columns) =>
        columns.some((column) => arrayOf(column) === undefined)
          ? undefined
          : columns.map((_, index) => arrayText(tuples.map((tuple) => tuple[index]))),
      membership(compared, parameters, columns) {
        const lists = columns.map((column, index) => sql`${parameters[index]}::${sql.raw(arrayOf(column) ?? '')}[]`);
        return sql`(${sql.join(compared)}) in (select * from unnest(${sql.join(lists)}))`;
      },
    },
  },
  /** LIKE takes text alone; blanks that pad a `character(n)` are no part of its text. */
  likeable: (column, compared) => (isText(column) && !column.expression ? compared : sql`${compared}::text`),
  patternEnd: sql` escape ''`,
  /** The type of a parameter does not follow from `||` alone. */
  concat: (parts) =>
    sql.join(
      parts.map((part): RawBuilder<unknown> => sql`${part}::text`),
      sql` || `,
    ),
};

const isText = ({ description }: Column) =>
  /^(text|character varying|citext|name)\b(?!.*\[\])/.test(description.db_type ?? '');

/**
 * The type of a list's elements. Without its sizes: a cast to `varchar(3)` or `numeric(4,1)` would cut the values.
 * `character` and `bit` alone mean a size of 1. Undefined for arrays: an array of them is another thing in SQL.
 */
function arrayOf({ description }: Column): string | undefined {
  const type = (description.db_type ?? '').replace(/\(\d+(,-?\d+)?\)/, '');
  if (type === '' || type.endsWith(']')) return undefined;
  if (type === 'character') return 'bpchar';
  return type === 'bit' ? 'bit varying' : type;
}
