// Plans: a query is compiled once for its shape and run with other values after that. The shape is everything but the
// values: table, columns, operators, the length of lists. Plans are cached by the table object, so a table that is
// described again has none.
import { isExpression } from '../convert/native.ts';
import type { RowLayout } from '../convert/wire.ts';
import {
  type BoundFilter,
  type BoundValue,
  type CompareOperator,
  maxCachedText,
  type Row,
  type Select,
  SizedCache,
  type Write,
} from '../query/index.ts';
import { type Column, oncePerTable, type Table } from '../schema/index.ts';
import {
  type Compiled,
  comparedValue,
  compileCount,
  compileSelect,
  compileWrite,
  type Grammar,
  listParameter,
  truthOf,
  tupleParameters,
} from './index.ts';
import { Slot } from './slot.ts';

/** A plan and the values to run it with. */
export interface PlannedQuery<P> {
  plan: P;
  parameters: readonly unknown[];
}

export interface Planner<P> {
  select(query: Select): PlannedQuery<P>;
  count(query: Pick<Select, 'table' | 'where' | 'group'>): PlannedQuery<P>;
  write(write: Exclude<Write, { kind: 'refuse' }>): PlannedQuery<P>;
}

/** Plans cached for one table. */
const maxPlans = 200;
/** Characters of the SQL of all plans cached for one table. */
const maxPlanCharacters = 512 * 1024;
/** A longer list of single values is not planned: every length would be a shape of its own. */
const maxListLength = 50;

/** A plan, and for each of its parameters a slot with the number of its value, or a value that never changes. */
interface CachedPlan<P> {
  plan: P;
  parameters: readonly unknown[];
  /** The parameters are the values in their order: they need not be put together. */
  isInOrder: boolean;
}

/**
 * Makes plans for one engine. `makePlan` turns SQL, its columns and how rows are written into what the engine's driver
 * needs at hand; it is called once for each plan. Throws what compiling throws.
 */
export function makePlanner<P>(
  grammar: Grammar,
  makePlan: (sql: string, columns: Column[], layout?: RowLayout) => P,
): Planner<P> {
  const tables = new WeakMap<Table, SizedCache<CachedPlan<P>>>();

  function findOrMakePlan(
    table: Table,
    shape: Shape,
    columns: Column[],
    compile: (values: Slot[] | undefined) => Compiled,
    layout?: RowLayout,
  ) {
    if (!shape.isShort || shape.key.length > maxCachedText) {
      const { sql, parameters } = compile(undefined);
      return { plan: makePlan(sql, columns, layout), parameters };
    }
    const plans = tables.get(table) ?? new SizedCache<CachedPlan<P>>(maxPlans, maxPlanCharacters);
    if (plans.count === 0) tables.set(table, plans);
    let cached = plans.get(shape.key);
    if (!cached) {
      const { sql, parameters } = compile(shape.values.map((_, index) => new Slot(index)));
      const isInOrder =
        parameters.length === shape.values.length &&
        parameters.every((value, index) => value instanceof Slot && value.index === index);
      cached = { plan: makePlan(sql, columns, layout), parameters, isInOrder };
      plans.set(shape.key, cached, sql.length);
    }
    if (cached.isInOrder) return { plan: cached.plan, parameters: shape.values };
    return {
      plan: cached.plan,
      parameters: cached.parameters.map((value) => (value instanceof Slot ? shape.values[value.index] : value)),
    };
  }

  return {
    select(original) {
      const { query, layout } = original.sideColumns
        ? withSideColumns(original, original.sideColumns)
        : { query: original, layout: undefined };
      const shape = new Shape(grammar, query.table, 's');
      addColumns(shape, query.columns);
      if (layout) shape.key += `|${layout.shownCount};${layout.sideIndexes.join(',')}|`;
      addFilter(shape, query.where);
      for (const { column, direction, nulls } of query.order ?? [])
        shape.key += `${direction[0]}${shape.columnNumber(column)}${nulls ?? ''},`;
      if (query.group) addColumns(shape, query.group);
      const { limit, offset } = query;
      if (limit !== undefined) addValue(shape, 'l', limit);
      if (offset) addValue(shape, 'o', offset);
      const compile = (slots: Slot[] | undefined) => {
        if (!slots) return compileSelect(query, grammar);
        const nextSlot = slotReader(slots);
        const where = query.where && withSlots(query.where, nextSlot, grammar);
        return compileSelect(
          {
            ...query,
            where,
            limit: limit === undefined ? undefined : (nextSlot() as never),
            offset: offset ? (nextSlot() as never) : undefined,
          },
          grammar,
        );
      };
      return findOrMakePlan(query.table, shape, query.columns, compile, layout);
    },
    count(query) {
      const shape = new Shape(grammar, query.table, 'c');
      addFilter(shape, query.where);
      if (query.group) addColumns(shape, query.group);
      return findOrMakePlan(query.table, shape, [], (slots) =>
        compileCount(
          slots ? { ...query, where: query.where && withSlots(query.where, slotReader(slots), grammar) } : query,
          grammar,
        ),
      );
    },
    write(write) {
      const shape = new Shape(grammar, write.table, write.kind);
      addColumns(shape, write.returning);
      if (write.kind !== 'delete') addValues(shape, write.table, write.values);
      if (write.kind === 'insert') for (const row of write.moreValues ?? []) addValues(shape, write.table, row);
      if (write.kind !== 'insert') addFilter(shape, write.where);
      return findOrMakePlan(write.table, shape, write.returning, (slots) => {
        if (!slots) return compileWrite(write, grammar);
        const nextSlot = slotReader(slots);
        const values = write.kind === 'delete' ? {} : valuesWithSlots(write.table, write.values, nextSlot);
        const where = write.kind !== 'insert' && write.where ? withSlots(write.where, nextSlot, grammar) : undefined;
        const moreValues =
          write.kind === 'insert' && write.moreValues?.map((row) => valuesWithSlots(write.table, row, nextSlot));
        return compileWrite(
          { ...write, values, where, ...(moreValues ? { moreValues } : {}) } as typeof write,
          grammar,
        );
      });
    },
  };
}

/** Reads the side columns with the others, each once. */
function withSideColumns(query: Select, sideColumns: Column[]): { query: Select; layout: RowLayout } {
  const hidden = sideColumns.filter(
    (column, index) => !query.columns.includes(column) && sideColumns.indexOf(column) === index,
  );
  const columns = hidden.length === 0 ? query.columns : [...query.columns, ...hidden];
  return {
    query: { ...query, columns },
    layout: { shownCount: query.columns.length, sideIndexes: sideColumns.map((column) => columns.indexOf(column)) },
  };
}

/** What a query is apart from its values, as text, and the values in the order they are met. */
class Shape {
  key: string;
  values: unknown[] = [];
  isShort = true;
  readonly grammar: Grammar;
  private readonly columnNumbers: Map<Column, number>;

  constructor(grammar: Grammar, table: Table, kind: string) {
    this.grammar = grammar;
    this.key = kind;
    this.columnNumbers = columnNumbersOf(table);
  }

  columnNumber(column: Column): number {
    const number = this.columnNumbers.get(column);
    // A column that is not the table's own has no place in its plans.
    if (number === undefined) this.isShort = false;
    return number ?? -1;
  }
}

const columnNumbersOf = oncePerTable(({ columns }) => new Map(columns.map((column, index) => [column, index])));

const columnKeys = new WeakMap<Column[], string>();

/** A list of columns that was met before, as that of `fields=*`, has its text ready. */
function addColumns(shape: Shape, columns: Column[]): void {
  let key = columnKeys.get(columns);
  if (key === undefined) {
    key = `(${columns.map((column) => shape.columnNumber(column)).join(',')})`;
    if (shape.isShort) columnKeys.set(columns, key);
  }
  shape.key += key;
}

function addValue(shape: Shape, tag: string, value: unknown): void {
  shape.key += tag;
  shape.values.push(value);
}

function addValues(shape: Shape, table: Table, values: Row): void {
  shape.key += '{';
  for (const name of Object.keys(values)) {
    const column = table.column(name);
    // Compiling says what is wrong with the name.
    if (!column) {
      shape.isShort = false;
      return;
    }
    const value = values[name];
    if (column.autoValue === 'generated') continue;
    if (isExpression(value)) shape.key += `${shape.columnNumber(column)}!${value.expression}`;
    else addValue(shape, `${shape.columnNumber(column)};`, value);
  }
  shape.key += '}';
}

function addFilter(shape: Shape, filter: BoundFilter | undefined): void {
  if (!filter) return;
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      shape.key += '[';
      addFilter(shape, filter.left);
      shape.key += filter.kind;
      addFilter(shape, filter.right);
      shape.key += ']';
      return;
    case 'not':
      shape.key += '~[';
      addFilter(shape, filter.node);
      shape.key += ']';
      return;
    case 'tuples': {
      const parameters = tupleParameters(filter, shape.grammar);
      shape.key += `(${filter.columns.map((column) => shape.columnNumber(column)).join(',')})`;
      if (parameters !== undefined) {
        for (const parameter of parameters) addValue(shape, 'in[]', parameter);
        return;
      }
      shape.key += `in${filter.tuples.length}`;
      if (filter.tuples.length * filter.columns.length > maxListLength) shape.isShort = false;
      else for (const value of filter.tuples.flat()) addValue(shape, '?', value);
      return;
    }
  }
  shape.key += `${filter.negated ? '~' : ''}${shape.columnNumber(filter.column)}`;
  switch (filter.kind) {
    case 'null':
      shape.key += 'null';
      return;
    case 'between':
      shape.key += 'between';
      addBound(shape, filter.low);
      addBound(shape, filter.high);
      return;
    case 'in': {
      const parameter = listParameter(filter, shape.grammar);
      if (parameter !== undefined) {
        addValue(shape, 'in[]', parameter);
        return;
      }
      shape.key += `in${filter.values.length}`;
      if (filter.values.length > maxListLength) shape.isShort = false;
      else for (const value of filter.values) addBound(shape, value, filter.isJoin ? undefined : filter.column);
      return;
    }
    case 'compare':
      shape.key += filter.escaped ? `${filter.operator}|` : filter.operator;
      if (filter.value.kind === 'value' && !isEquality(filter.operator))
        addValue(shape, '?', comparedValue(filter.operator, filter.value.value));
      else addBound(shape, filter.value, filter.column);
  }
}

const isEquality = (operator: CompareOperator) => operator === '=' || operator === '!=';

/** `equals`: the column that the value is to equal. */
function addBound(shape: Shape, value: BoundValue, equals?: Column): void {
  const truth = equals && truthOf(equals, value, shape.grammar);
  if (truth !== undefined) shape.key += truth;
  else if (value.kind === 'value') addValue(shape, '?', value.value);
  else shape.key += value.kind === 'column' ? `c${shape.columnNumber(value.column)}` : value.kind;
}

// ---- the same query with slots in the place of values, met in the same order ----

const slotReader = (slots: Slot[]) => {
  let index = 0;
  return (): Slot => slots[index++] as Slot;
};

function withSlots(filter: BoundFilter, nextSlot: () => Slot, grammar: Grammar): BoundFilter {
  const withSlot = (value: BoundValue, equals?: Column): BoundValue =>
    value.kind === 'value' && (!equals || truthOf(equals, value, grammar) === undefined)
      ? { kind: 'value', value: nextSlot() }
      : value;
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor': {
      const left = withSlots(filter.left, nextSlot, grammar);
      return { ...filter, left, right: withSlots(filter.right, nextSlot, grammar) };
    }
    case 'not':
      return { ...filter, node: withSlots(filter.node, nextSlot, grammar) };
    case 'null':
      return filter;
    case 'between': {
      const low = withSlot(filter.low);
      return { ...filter, low, high: withSlot(filter.high) };
    }
    case 'in':
      if (listParameter(filter, grammar) !== undefined) return { ...filter, parameter: nextSlot() };
      return {
        ...filter,
        values: filter.values.map((value) => withSlot(value, filter.isJoin ? undefined : filter.column)),
      };
    case 'tuples': {
      const parameters = tupleParameters(filter, grammar);
      if (parameters !== undefined) return { ...filter, parameters: parameters.map(nextSlot) };
      return { ...filter, tuples: filter.tuples.map((tuple) => tuple.map(nextSlot)) };
    }
    case 'compare':
      return { ...filter, value: withSlot(filter.value, isEquality(filter.operator) ? filter.column : undefined) };
  }
}

function valuesWithSlots(table: Table, values: Row, nextSlot: () => Slot): Row {
  const rowWithSlots: Row = {};
  for (const [name, value] of Object.entries(values))
    if (table.column(name)?.autoValue !== 'generated') rowWithSlots[name] = isExpression(value) ? value : nextSlot();
  return rowWithSlots;
}
