// Queries to SQL text and parameters. Kysely's compilers write each engine's quoting and placeholders; identifiers come
// only from Table and Column, values are always parameters.
import { type Dialect, DummyDriver, Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Expression, isExpression } from '../convert/native.ts';
import type { BoundFilter, BoundValue, Column, Select, Table, Write } from '../types.ts';

/** A statement ready for a driver. */
export interface Compiled {
  sql: string;
  parameters: readonly unknown[];
}

/** What differs between engines when SQL is written. */
export interface Grammar {
  /** Compiles only: a Kysely whose driver does nothing. */
  kysely: Kysely<unknown>;
  /** A list of values too long to be written out one by one, as one parameter; absent where there is no such form. */
  longList?(values: readonly unknown[]): RawBuilder<unknown> | undefined;
}

/** How `now` and `today` are written; by default as the database's own functions. */
export interface FilterOptions {
  now?: RawBuilder<unknown>;
  today?: RawBuilder<unknown>;
  longList?: Grammar['longList'];
}

/** A Kysely that compiles for a dialect and runs nothing. */
export const compilerOf = (dialect: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>) =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  });

/** A list longer than this is sent as one parameter where the engine can. */
const longListFrom = 500;

/**
 * The SQL of a bound filter, for `where(…)` of any Kysely query whose table has these columns.
 * XOR and NOR are written with operators every engine has.
 */
export function filterExpression(filter: BoundFilter, options: FilterOptions = {}): RawBuilder<SqlBool> {
  const nested = (it: BoundFilter) => filterExpression(it, options);
  const group = (it: BoundFilter) => sql<SqlBool>`(${nested(it)})`;
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const left =
        filter.left.kind === filter.kind || !isJoined(filter.left) ? nested(filter.left) : group(filter.left);
      const right = isJoined(filter.right) ? group(filter.right) : nested(filter.right);
      return filter.kind === 'and' ? sql`${left} and ${right}` : sql`${left} or ${right}`;
    }
    case 'xor':
      return sql`(${group(filter.left)} <> ${group(filter.right)})`;
    case 'nor':
      return sql`not (${group(filter.left)} or ${group(filter.right)})`;
    case 'not':
      return sql`not ${group(filter.node)}`;
    case 'null':
      return filter.negated ? sql`${name(filter.column)} is not null` : sql`${name(filter.column)} is null`;
    case 'between': {
      const not = filter.negated ? sql`not ` : sql``;
      const low = boundValue(filter.low, options);
      return sql`${name(filter.column)} ${not}between ${low} and ${boundValue(filter.high, options)}`;
    }
    case 'in': {
      const not = filter.negated ? sql`not ` : sql``;
      return sql`${name(filter.column)} ${not}in (${listOf(filter.values, options)})`;
    }
    case 'compare':
      return comparison(filter, options);
  }
}

const isJoined = (filter: BoundFilter) => filter.kind === 'and' || filter.kind === 'or';

function listOf(values: BoundValue[], options: FilterOptions): RawBuilder<unknown> {
  if (values.length > longListFrom && options.longList) {
    const plain = values.map((it) => (it.kind === 'value' ? it.value : undefined));
    const list = plain.includes(undefined) ? undefined : options.longList(plain);
    if (list) return list;
  }
  return sql.join(values.map((it) => boundValue(it, options)));
}

function comparison(filter: Extract<BoundFilter, { kind: 'compare' }>, options: FilterOptions): RawBuilder<SqlBool> {
  const { operator, negated, value } = filter;
  const column = name(filter.column);
  const not = negated ? sql`not ` : sql``;
  switch (operator) {
    case 'like':
      return sql`${column} ${not}like ${boundValue(value, options)}`;
    case 'contains':
      return sql`${column} ${not}like ${pattern('%', value, '%', options)}`;
    case 'starts with':
      return sql`${column} ${not}like ${pattern('', value, '%', options)}`;
    case 'ends with':
      return sql`${column} ${not}like ${pattern('%', value, '', options)}`;
    default:
      // One of the six words of CompareOperator, never text of a request.
      return sql`${column} ${sql.raw(operator)} ${boundValue(value, options)}`;
  }
}

function pattern(before: string, value: BoundValue, after: string, options: FilterOptions): RawBuilder<unknown> {
  if (value.kind === 'value') return sql`${value.value === null ? null : `${before}${String(value.value)}${after}`}`;
  return sql`${before} || ${boundValue(value, options)} || ${after}`;
}

function boundValue(value: BoundValue, options: FilterOptions): RawBuilder<unknown> {
  switch (value.kind) {
    case 'value':
      return sql`${value.value}`;
    case 'column':
      return name(value.column);
    case 'now':
      return options.now ?? sql`current_timestamp`;
    case 'today':
      return options.today ?? sql`current_date`;
  }
}

const name = (column: Column): RawBuilder<unknown> => sql.id(column.native);

const names = (columns: readonly Column[]): RawBuilder<unknown> => sql.join(columns.map(name));

const tableName = ({ native }: Table): RawBuilder<unknown> =>
  native.schema === null ? sql.id(native.name) : sql.id(native.schema, native.name);

const where = (filter: BoundFilter | undefined, grammar: Grammar): RawBuilder<unknown> =>
  filter ? sql` where ${filterExpression(filter, { longList: grammar.longList })}` : sql``;

/** Columns come in the order of `columns`; without any, rows are empty. */
export function compileSelect(query: Select, grammar: Grammar): Compiled {
  const { columns, order = [], group = [] } = query;
  const parts = [
    sql`select ${columns.length > 0 ? names(columns) : sql`1`} from ${tableName(query.table)}${where(query.where, grammar)}`,
  ];
  if (group.length > 0) parts.push(sql` group by ${names(group)}`);
  if (order.length > 0) {
    const terms = order.map((it) => (it.direction === 'desc' ? sql`${name(it.column)} desc` : name(it.column)));
    parts.push(sql` order by ${sql.join(terms)}`);
  }
  // Engines know no OFFSET without a LIMIT.
  const limit = query.limit ?? (query.offset ? Number.MAX_SAFE_INTEGER : undefined);
  if (limit !== undefined) parts.push(sql` limit ${limit}`);
  if (query.offset) parts.push(sql` offset ${query.offset}`);
  return compiled(sql.join(parts, sql``), grammar);
}

/** One row with one number: the rows that match, or the groups. */
export function compileCount(query: Pick<Select, 'table' | 'where' | 'group'>, grammar: Grammar): Compiled {
  const from = sql`from ${tableName(query.table)}${where(query.where, grammar)}`;
  const statement =
    query.group && query.group.length > 0
      ? sql`select count(*) from (select 1 ${from} group by ${names(query.group)}) as ${sql.id('groups')}`
      : sql`select count(*) ${from}`;
  return compiled(statement, grammar);
}

/** An update without values changes nothing and reads the rows it would have touched. */
export function compileWrite(write: Exclude<Write, { kind: 'refuse' }>, grammar: Grammar): Compiled {
  const { table, returning } = write;
  const back = returning.length > 0 ? sql` returning ${names(returning)}` : sql``;
  switch (write.kind) {
    case 'insert': {
      const values = assignments(write.table, write.values);
      const what =
        values.length > 0
          ? sql`(${names(values.map((it) => it.column))}) values (${sql.join(values.map((it) => written(it.value)))})`
          : sql`default values`;
      return compiled(sql`insert into ${tableName(table)} ${what}${back}`, grammar);
    }
    case 'update': {
      const values = assignments(write.table, write.values);
      if (values.length === 0) return compileSelect({ table, columns: returning, where: write.where }, grammar);
      const set = values.map((it) => sql`${name(it.column)} = ${written(it.value)}`);
      return compiled(
        sql`update ${tableName(table)} set ${sql.join(set)}${where(write.where, grammar)}${back}`,
        grammar,
      );
    }
    case 'delete':
      return compiled(sql`delete from ${tableName(table)}${where(write.where, grammar)}${back}`, grammar);
  }
}

/** Columns the database computes itself are never written. */
function assignments(table: Table, values: Record<string, unknown>): { column: Column; value: unknown }[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const column = table.column(field);
    if (!column) throw new Error(`Table ${table.name} has no column ${field}`);
    return column.made === 'generated' ? [] : [{ column, value }];
  });
}

const written = (value: unknown): RawBuilder<unknown> => (isExpression(value) ? moment(value) : sql`${value}`);

const moment = ({ expression }: Expression): RawBuilder<unknown> =>
  expression === 'now' ? sql`current_timestamp` : sql`current_date`;

function compiled(statement: RawBuilder<unknown>, grammar: Grammar): Compiled {
  const { sql: text, parameters } = statement.compile(grammar.kysely);
  return { sql: text, parameters };
}
