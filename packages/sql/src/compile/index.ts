// Queries to SQL text and parameters. Kysely's compilers write each engine's quoting and placeholders; identifiers come
// only from Table and Column, values are always parameters.
import { type Dialect, DummyDriver, Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Expression, isExpression } from '../convert/native.ts';
import type { BoundFilter, BoundValue, CompareOperator, OrderTerm, Select, Write } from '../query/index.ts';
import type { Column, Table } from '../schema/index.ts';
import { Slot } from './slot.ts';

/** A statement ready for a driver. */
export interface Compiled {
  sql: string;
  parameters: readonly unknown[];
}

/** What differs between engines when SQL is written; what is absent is written as the standard has it. */
export interface Grammar {
  /** Compiles only: a Kysely whose driver does nothing. */
  kysely: Kysely<unknown>;
  /** Whether writes can tell the rows they touched (`RETURNING`). */
  returning: { insert: boolean; update: boolean; delete: boolean };
  /** A list of values too long to be written out one by one, as one parameter; absent where there is no such form. */
  list?: ListGrammar;
  /** A value to compare a column with, where the engine would not give it the column's type by itself. */
  comparable?(column: Column, value: RawBuilder<unknown>): RawBuilder<unknown> | undefined;
  /** Whether a boolean column reads as true, or as false, where the engine keeps more than two values in one. */
  truth?(compared: RawBuilder<unknown>, isTrue: boolean, column: Column): RawBuilder<SqlBool>;
  /** What a condition has for a column as LIKE can compare it, where it takes text alone. */
  likeable?(column: Column, compared: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A term of an order with its nulls at one end, where the engine has no words for that. */
  nulls?(column: RawBuilder<unknown>, term: RawBuilder<unknown>, which: 'first' | 'last'): RawBuilder<unknown>;
  /** LIKE where it is not the engine's own: in it no character takes their meaning from the wildcards. */
  like?(compared: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** What follows a pattern that is no pattern language of the caller (`contains` and its like): `escape ''`. */
  patternEnd?: RawBuilder<unknown>;
  /** A pattern as `escape '|'` would read it, or `patternEnd` without a sign, where the engine has no ESCAPE. */
  pattern?(pattern: RawBuilder<unknown>, sign: '|' | null): RawBuilder<unknown>;
  /** Texts put together; `a || b` when absent. */
  concat?(parts: RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** What follows `insert into t` when no value is given; `default values` when absent. */
  noValues?: RawBuilder<unknown>;
}

export interface ListGrammar {
  /** The parameter; undefined for values that have no place in one. */
  parameter(values: readonly unknown[], column: Column): string | undefined;
  /** Whether `compared`, which stands for the column, is (not) in the list that the parameter carries. */
  membership(
    compared: RawBuilder<unknown>,
    parameter: RawBuilder<unknown>,
    column: Column,
    negated: boolean,
  ): RawBuilder<SqlBool>;
  /** The same for tuples of several columns; absent where there is no such form. */
  tuples?: TupleGrammar;
}

export interface TupleGrammar {
  /** The parameters, as many for any number of tuples; undefined for values that have no place in them. */
  parameters(tuples: readonly (readonly unknown[])[], columns: readonly Column[]): readonly string[] | undefined;
  /** Whether `compared`, which stand for the columns, are together in the list that the parameters carry. */
  membership(
    compared: readonly RawBuilder<unknown>[],
    parameters: readonly RawBuilder<unknown>[],
    columns: readonly Column[],
  ): RawBuilder<SqlBool>;
}

/** A Kysely that compiles for a dialect and runs nothing. */
export const makeCompiler = (dialect: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>) =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  });

/** A list longer than this is sent as one parameter where the engine can. */
const maxInlineValues = 500;

/**
 * The SQL of a bound filter, for `where(…)` of any Kysely query whose table has these columns.
 * XOR and NOR are written with operators every engine has.
 */
export function filterExpression(filter: BoundFilter, grammar: Grammar): RawBuilder<SqlBool> {
  const nestedSql = (node: BoundFilter) => filterExpression(node, grammar);
  const groupSql = (node: BoundFilter) => sql<SqlBool>`(${nestedSql(node)})`;
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const left =
        filter.left.kind === filter.kind || !isJoined(filter.left) ? nestedSql(filter.left) : groupSql(filter.left);
      const right = isJoined(filter.right) ? groupSql(filter.right) : nestedSql(filter.right);
      return filter.kind === 'and' ? sql`${left} and ${right}` : sql`${left} or ${right}`;
    }
    case 'xor':
      return sql`(${groupSql(filter.left)} <> ${groupSql(filter.right)})`;
    case 'nor':
      return sql`not (${groupSql(filter.left)} or ${groupSql(filter.right)})`;
    case 'not':
      return sql`not ${groupSql(filter.node)}`;
    case 'null':
      return filter.negated
        ? sql`${comparedSql(filter.column)} is not null`
        : sql`${comparedSql(filter.column)} is null`;
    case 'between': {
      const not = filter.negated ? sql`not ` : sql``;
      const low = comparableValue(filter.column, filter.low, grammar);
      const high = comparableValue(filter.column, filter.high, grammar);
      return sql`${comparedSql(filter.column)} ${not}between ${low} and ${high}`;
    }
    case 'in':
      return inList(filter, grammar);
    case 'tuples':
      return inTuples(filter, grammar);
    case 'compare':
      return comparison(filter, grammar);
  }
}

const isJoined = (filter: BoundFilter) => filter.kind === 'and' || filter.kind === 'or';

function inList(filter: InFilter, grammar: Grammar): RawBuilder<SqlBool> {
  const { column, values, negated } = filter;
  const parameter = listParameter(filter, grammar);
  if (parameter !== undefined && grammar.list)
    return grammar.list.membership(comparedSql(column), sql`${parameter}`, column, negated);
  if (readsAsBoolean(filter, grammar)) {
    const any = anyOf(values.map((value) => equality(column, value, grammar)));
    return negated ? sql`not ${any}` : any;
  }
  const list = sql.join(values.map((value) => comparableValue(column, value, grammar)));
  return sql`${comparedSql(column)} ${negated ? sql`not ` : sql``}in (${list})`;
}

export type InFilter = Extract<BoundFilter, { kind: 'in' }>;

/** The one parameter that carries the values of a list; undefined where they are written out one by one. */
export function listParameter(filter: InFilter, grammar: Grammar): unknown {
  const { list } = grammar;
  if (filter.parameter !== undefined) return filter.parameter;
  if (!list || (filter.values.length <= maxInlineValues && !filter.isJoin)) return undefined;
  if (readsAsBoolean(filter, grammar)) return undefined;
  const plain = filter.values.map((value) => (value.kind === 'value' ? value.value : undefined));
  return plain.includes(undefined) ? undefined : list.parameter(plain, filter.column);
}

export type TuplesFilter = Extract<BoundFilter, { kind: 'tuples' }>;

/** The few parameters that carry tuples; undefined where they are written out one by one. */
export function tupleParameters(filter: TuplesFilter, { list }: Grammar): readonly unknown[] | undefined {
  return filter.parameters ?? list?.tuples?.parameters(filter.tuples, filter.columns);
}

/**
 * Whether a boolean column is to read as true or as false to equal a value; undefined where it equals the value as it is.
 * What it says is a part of the SQL, not a parameter.
 */
export function truthOf(column: Column, value: BoundValue, { truth }: Grammar): boolean | undefined {
  if (!truth || column.description.type !== 'boolean' || value.kind !== 'value') return undefined;
  return typeof value.value === 'boolean' || typeof value.value === 'number' ? Boolean(value.value) : undefined;
}

/** Whether a list is one of true and false. Values of other records equal what the database says they do. */
const readsAsBoolean = ({ column, isJoin }: InFilter, { truth }: Grammar): boolean =>
  truth !== undefined && !isJoin && column.description.type === 'boolean';

/** Whether a column equals a value: a boolean that reads as true equals true, whatever number or word is stored. */
function equality(column: Column, value: BoundValue, grammar: Grammar, negated = false): RawBuilder<SqlBool> {
  const truth = truthOf(column, value, grammar);
  if (truth !== undefined && grammar.truth) return grammar.truth(comparedSql(column), truth !== negated, column);
  return sql`${comparedSql(column)} ${negated ? sql`!=` : sql`=`} ${comparableValue(column, value, grammar)}`;
}

/** Written out, each tuple is a comparison of each column: what every engine knows, and finds by an index. */
function inTuples(filter: TuplesFilter, grammar: Grammar): RawBuilder<SqlBool> {
  const { columns, tuples } = filter;
  const parameters = tupleParameters(filter, grammar);
  if (parameters !== undefined && grammar.list?.tuples)
    return grammar.list.tuples.membership(
      columns.map(comparedSql),
      parameters.map((parameter) => sql`${parameter}`),
      columns,
    );
  const names = columns.map(comparedSql);
  const tupleSql = (tuple: readonly unknown[]) => {
    const comparisons = columns.map((column, index) => {
      const value = comparableValue(column, { kind: 'value', value: tuple[index] }, grammar);
      return sql`${names[index]} = ${value}`;
    });
    return sql`(${sql.join(comparisons, sql` and `)})`;
  };
  return anyOf(tuples.map(tupleSql));
}

/** Conditions of one term: databases limit how deep an expression may nest, and some take each OR for a level. */
const maxTerms = 100;

/** One of the conditions, in brackets. */
function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> {
  if (conditions.length <= maxTerms) return sql`(${sql.join(conditions, sql` or `)})`;
  const terms = Array.from({ length: Math.ceil(conditions.length / maxTerms) }, (_, index) =>
    anyOf(conditions.slice(index * maxTerms, (index + 1) * maxTerms)),
  );
  return anyOf(terms);
}

function comparison(filter: Extract<BoundFilter, { kind: 'compare' }>, grammar: Grammar): RawBuilder<SqlBool> {
  const { operator, negated, value, column } = filter;
  const not = negated ? sql`not ` : sql``;
  const text = () => grammar.likeable?.(column, comparedSql(column)) ?? comparedSql(column);
  if (grammar.like && isPatternOperator(operator)) {
    const pattern = operator === 'like' ? boundValue(value) : wildcardPattern(operator, value, grammar);
    const found = grammar.like(comparedSql(column), pattern);
    return negated ? sql`not (${found})` : found;
  }
  switch (operator) {
    case 'like':
      // Said outright, it is the same in every engine, and a backslash is a backslash.
      return sql`${text()} ${not}like ${filter.escaped ? withEscape(boundValue(value), '|', grammar) : boundValue(value)}`;
    case 'contains':
    case 'starts with':
    case 'ends with':
      return sql`${text()} ${not}like ${withEscape(wildcardPattern(operator, value, grammar), null, grammar)}`;
    case '=':
    case '!=':
      return equality(column, value, grammar, operator === '!=');
    default:
      // One of the words of CompareOperator, never text of a request.
      return sql`${comparedSql(column)} ${sql.raw(operator)} ${comparableValue(column, value, grammar)}`;
  }
}

/** A pattern in which a sign takes their meaning from wildcards; nothing does where it is null. */
function withEscape(pattern: RawBuilder<unknown>, sign: '|' | null, grammar: Grammar): RawBuilder<unknown> {
  if (grammar.pattern) return grammar.pattern(pattern, sign);
  return sql`${pattern}${sign ? sql` escape '|'` : (grammar.patternEnd ?? sql``)}`;
}

type WildcardOperator = 'contains' | 'starts with' | 'ends with';

/** Whether an operator compares with a pattern, be its wildcards the caller's or its own. */
export const isPatternOperator = (operator: CompareOperator): operator is WildcardOperator | 'like' =>
  operator === 'like' || Object.hasOwn(wildcards, operator);

/** The wildcards an operator puts around its value. */
const wildcards: Record<WildcardOperator, [before: string, after: string]> = {
  contains: ['%', '%'],
  'starts with': ['', '%'],
  'ends with': ['%', ''],
};

/** What is bound for the value of a comparison: a pattern has its wildcards in it. */
export function comparedValue(operator: CompareOperator, value: unknown): unknown {
  if (!Object.hasOwn(wildcards, operator) || value === null || value instanceof Slot) return value;
  const [before, after] = wildcards[operator as WildcardOperator];
  return `${before}${String(value)}${after}`;
}

function wildcardPattern(operator: WildcardOperator, value: BoundValue, grammar: Grammar): RawBuilder<unknown> {
  if (value.kind === 'value') return sql`${comparedValue(operator, value.value)}`;
  const [before, after] = wildcards[operator];
  const parts = [sql`${before}`, boundValue(value), sql`${after}`];
  return grammar.concat?.(parts) ?? sql.join(parts, sql` || `);
}

function comparableValue(column: Column, value: BoundValue, grammar: Grammar): RawBuilder<unknown> {
  const bound = boundValue(value);
  return (value.kind === 'value' && grammar.comparable?.(column, bound)) || bound;
}

function boundValue(value: BoundValue): RawBuilder<unknown> {
  switch (value.kind) {
    case 'value':
      return sql`${value.value}`;
    case 'column':
      return comparedSql(value.column);
    case 'now':
      return momentSql({ expression: 'now' });
    case 'today':
      return momentSql({ expression: 'today' });
  }
}

const columnName = (column: Column): RawBuilder<unknown> => sql.id(column.native);

const columnNames = (columns: readonly Column[]): RawBuilder<unknown> => sql.join(columns.map(columnName));

/** In brackets: whatever it says, it is one expression. */
const rawExpression = (text: string): RawBuilder<unknown> => sql`(${sql.raw(text)})`;

/** A column as it is read, ordered and grouped by. */
function shownSql(column: Column): RawBuilder<unknown> {
  const text = column.expression?.select;
  return text === undefined ? columnName(column) : rawExpression(text);
}

const shownListSql = (columns: readonly Column[]): RawBuilder<unknown> => sql.join(columns.map(shownSql));

/** A column as conditions compare it. */
function comparedSql(column: Column): RawBuilder<unknown> {
  const { filter, select } = column.expression ?? {};
  const text = filter ?? (column.description.is_virtual ? select : undefined);
  return text === undefined ? columnName(column) : rawExpression(text);
}

/** The SQL of one term of an order, for `orderBy(…)` of any Kysely query whose table has the column. */
export function orderExpression({ column, direction, nulls }: OrderTerm, grammar: Grammar): RawBuilder<unknown> {
  const columnSql = shownSql(column);
  const term = direction === 'desc' ? sql`${columnSql} desc` : columnSql;
  if (nulls === undefined) return term;
  return (
    grammar.nulls?.(columnSql, term, nulls) ?? (nulls === 'first' ? sql`${term} nulls first` : sql`${term} nulls last`)
  );
}

const tableName = ({ native }: Table): RawBuilder<unknown> =>
  native.schema === null ? sql.id(native.name) : sql.id(native.schema, native.name);

const whereClause = (filter: BoundFilter | undefined, grammar: Grammar): RawBuilder<unknown> =>
  filter ? sql` where ${filterExpression(filter, grammar)}` : sql``;

/** Columns come in the order of `columns`; without any, rows are empty. */
export function compileSelect(query: Select, grammar: Grammar): Compiled {
  const { columns, order = [], group = [] } = query;
  const parts = [
    sql`select ${columns.length > 0 ? shownListSql(columns) : sql`1`} from ${tableName(query.table)}${whereClause(query.where, grammar)}`,
  ];
  if (group.length > 0) parts.push(sql` group by ${shownListSql(group)}`);
  if (order.length > 0) parts.push(sql` order by ${sql.join(order.map((term) => orderExpression(term, grammar)))}`);
  // Engines know no OFFSET without a LIMIT.
  const limit = query.limit ?? (query.offset ? Number.MAX_SAFE_INTEGER : undefined);
  if (limit !== undefined) parts.push(sql` limit ${limit}`);
  if (query.offset) parts.push(sql` offset ${query.offset}`);
  return compileStatement(sql.join(parts, sql``), grammar);
}

/** One row with one number: the rows that match, or the groups. */
export function compileCount(query: Pick<Select, 'table' | 'where' | 'group'>, grammar: Grammar): Compiled {
  const from = sql`from ${tableName(query.table)}${whereClause(query.where, grammar)}`;
  const statement =
    query.group && query.group.length > 0
      ? sql`select count(*) from (select 1 ${from} group by ${shownListSql(query.group)}) as ${sql.id('groups')}`
      : sql`select count(*) ${from}`;
  return compileStatement(statement, grammar);
}

/**
 * An update without values changes nothing and reads the rows it would have touched. Where the engine knows no
 * RETURNING for a kind of write, `returning` is left out: its dialect reads the rows in another way.
 */
export function compileWrite(write: Exclude<Write, { kind: 'refuse' }>, grammar: Grammar): Compiled {
  const { table, returning } = write;
  const returningClause =
    returning.length > 0 && grammar.returning[write.kind] ? sql` returning ${shownListSql(returning)}` : sql``;
  switch (write.kind) {
    case 'insert': {
      const [first = [], ...more] = [write.values, ...(write.moreValues ?? [])].map((row) => assignments(table, row));
      const row = (values: typeof first) =>
        sql`(${sql.join(values.map((assignment) => assignedValue(assignment.value, assignment.column.expression?.insert)))})`;
      const valuesClause =
        first.length > 0
          ? sql`(${columnNames(first.map((assignment) => assignment.column))}) values ${sql.join([first, ...more].map(row))}`
          : (grammar.noValues ?? sql`default values`);
      return compileStatement(sql`insert into ${tableName(table)} ${valuesClause}${returningClause}`, grammar);
    }
    case 'update': {
      const values = assignments(write.table, write.values);
      if (values.length === 0) return compileSelect({ table, columns: returning, where: write.where }, grammar);
      const assignmentsSql = values.map(
        (assignment) =>
          sql`${columnName(assignment.column)} = ${assignedValue(assignment.value, assignment.column.expression?.update)}`,
      );
      return compileStatement(
        sql`update ${tableName(table)} set ${sql.join(assignmentsSql)}${whereClause(write.where, grammar)}${returningClause}`,
        grammar,
      );
    }
    case 'delete':
      return compileStatement(
        sql`delete from ${tableName(table)}${whereClause(write.where, grammar)}${returningClause}`,
        grammar,
      );
  }
}

/** Columns the database computes itself are never written. */
function assignments(table: Table, values: Record<string, unknown>): { column: Column; value: unknown }[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const column = table.column(field);
    if (!column) throw new Error(`Table ${table.name} has no column ${field}`);
    return column.autoValue === 'generated' ? [] : [{ column, value }];
  });
}

/** A value as it is put into a column; an expression has it in the place of each `{value}`. */
function assignedValue(value: unknown, text?: string): RawBuilder<unknown> {
  const bound = isExpression(value) ? momentSql(value) : sql`${value}`;
  if (text === undefined) return bound;
  const parts = text.split('{value}').map((part) => sql.raw(part));
  return sql`(${sql.join(parts, bound)})`;
}

const momentSql = ({ expression }: Expression): RawBuilder<unknown> =>
  expression === 'now' ? sql`current_timestamp` : sql`current_date`;

function compileStatement(statement: RawBuilder<unknown>, grammar: Grammar): Compiled {
  const { sql: text, parameters } = statement.compile(grammar.kysely);
  return { sql: text, parameters };
}
