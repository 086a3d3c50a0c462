import { type RawBuilder, sql } from 'kysely';
import type { Grammar } from '../../compile/index.ts';
import type { Column } from '../../schema/index.ts';
import { grammar as pgsql } from '../pgsql/grammar.ts';

/** The longest text there is: `text` and a bare `varchar` mean one of 256 bytes, to which a cast would cut. */
const longestText = sql.raw('varchar(65535)');

/**
 * How SQL is written for Amazon Redshift where it differs from PostgreSQL: no RETURNING, and no `unnest` of an array
 * (https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-features.html). ESCAPE takes one sign
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_patternmatching_condition_like.html): one that no text is written with.
 */
export const grammar: Grammar = {
  ...pgsql,
  returning: { insert: false, update: false, delete: false },
  list: undefined,
  likeable: (column, compared) =>
    isText(column) && !column.expression ? compared : sql`cast(${compared} as ${longestText})`,
  patternEnd: sql` escape ${sql.lit('\u0001')}`,
  concat: (parts) =>
    sql.join(
      parts.map((part): RawBuilder<unknown> => sql`cast(${part} as ${longestText})`),
      sql` || `,
    ),
};

const isText = ({ description }: Column) => /^(character varying|text)\b/.test(description.db_type ?? '');
