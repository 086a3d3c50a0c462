import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely';
import { type Grammar, type ListGrammar, makeCompiler } from '../../compile/index.ts';
import type { Column } from '../../schema/index.ts';
import { typeOfColumn } from './types.ts';

/** What servers of this family differ in; asked of each at connect (driver.ts). */
export interface GrammarFacts {
  /** INSERT and DELETE can tell the rows they touched: MariaDB from 10.5 on (https://mariadb.com/kb/en/insertreturning/). */
  returns: boolean;
  /** JSON_TABLE: MariaDB from 10.6, MySQL from 8.0.4 on. */
  jsonTable: boolean;
}

const kysely = makeCompiler({
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (db) => new MysqlIntrospector(db),
  createQueryCompiler: () => new MysqlQueryCompiler(),
});

/** How SQL is written for MySQL and MariaDB. No server of the family knows UPDATE … RETURNING. */
export const grammarFor = ({ returns, jsonTable }: GrammarFacts): Grammar => ({
  kysely,
  returning: { insert: returns, update: false, delete: returns },
  /** A statement takes 65,535 parameters at most; JSON carries a long list in one. */
  ...(jsonTable ? { list: jsonList } : {}),
  comparable,
  /** A `tinyint(1)` holds any small number. */
  truth: (compared, isTrue) => (isTrue ? sql`${compared} <> 0` : sql`${compared} = 0`),
  /**
   * A backslash in a text is a backslash: without this it would escape what follows it in the pattern. An empty escape
   * means the usual one to MariaDB, so it is the one character no text has (convert/native.ts).
   */
  patternEnd: sql` escape x'00'`,
  /** `||` means OR unless the session has PIPES_AS_CONCAT. */
  concat: (parts) => sql`concat(${sql.join(parts)})`,
  noValues: sql`() values ()`,
  nulls: (column, term, which) => sql`${column} is null${which === 'first' ? sql` desc` : sql``}, ${term}`,
});

/** Only integers: texts of a list and of a column would have to agree on a collation. */
const jsonList: ListGrammar = {
  parameter: integersOf,
  membership(compared, parameter, column, negated) {
    const list = sql`select v from json_table(${parameter}, '$[*]' columns (v ${integerType(column)} path '$')) as list`;
    return sql`${compared} ${negated ? sql`not ` : sql``}in (${list})`;
  },
  tuples: {
    parameters(tuples) {
      const items = tuples.map(integersOf);
      return items.includes(undefined) ? undefined : [`[${items.join(',')}]`];
    },
    membership(compared, [parameter], columns) {
      const names = columns.map((_, index) => sql.raw(`v${index}`));
      const parts = columns.map(
        (column, index) => sql`${names[index]} ${integerType(column)} path ${sql.lit(`$[${index}]`)}`,
      );
      const list = sql`json_table(${parameter}, '$[*]' columns (${sql.join(parts)})) as list`;
      return sql`(${sql.join(compared)}) in (select ${sql.join(names)} from ${list})`;
    },
  },
};

function integersOf(values: readonly unknown[]): string | undefined {
  const areIntegers = values.every((value) => Number.isInteger(value) || typeof value === 'bigint');
  return areIntegers ? `[${values.join(',')}]` : undefined;
}

const integerType = (column: Column) => (typeOfColumn(column).isUnsigned ? sql`bigint unsigned` : sql`bigint`);

/**
 * Exact numbers travel as text, and a column compared with text is compared as a double, losing digits; a column of
 * single precision equals none of the doubles it was written from
 * (https://dev.mysql.com/doc/refman/8.0/en/type-conversion.html).
 */
const comparable: Grammar['comparable'] = (column, value) => {
  const type = typeOfColumn(column);
  if (type.name === 'float') return sql`cast(${value} as float)`;
  if (type.name !== 'decimal') return undefined;
  // The server's most digits are 65, of them 30 behind the point: as many of these as the column's own digits leave.
  const scale = Math.min(30, 65 - ((type.precision ?? type.length ?? 10) - (type.scale ?? 0)));
  return sql`cast(${value} as decimal(65, ${sql.raw(String(scale))}))`;
};

/** The grammar of whatever server was connected to last. */
export const liveGrammar = (facts: () => GrammarFacts): Grammar => ({
  ...grammarFor(facts()),
  get returning() {
    return grammarFor(facts()).returning;
  },
  get list() {
    return grammarFor(facts()).list;
  },
});

/** The grammar of a MariaDB of today, and that of MySQL 8. */
export const grammar = grammarFor({ returns: true, jsonTable: true });
export const mysql8Grammar = grammarFor({ returns: false, jsonTable: true });
