// Plans: a query is compiled once for its shape and run with other values after that. The shape is everything but the
// values: table, columns, operators, the length of lists. Plans are kept with the table they are for, so a table that is
// described anew has none.
import { isExpression } from '../convert/native.ts';
import type { RowLayout } from '../convert/wire.ts';
import type { BoundFilter, BoundValue, Row, Select, Write } from '../query/index.ts';
import type { Column, Table } from '../schema/index.ts';
import {
  type Compiled,
  comparedValue,
  compileCount,
  compileSelect,
  compileWrite,
  type Grammar,
  listParameter,
} from './index.ts';
import { Slot } from './slot.ts';

/** A plan and the values to run it with. */
export interface Planned<P> {
  plan: P;
  parameters: readonly unknown[];
}

export interface Planner<P> {
  select(query: Select): Planned<P>;
  count(query: Pick<Select, 'table' | 'where' | 'group'>): Planned<P>;
  write(write: Exclude<Write, { kind: 'refuse' }>): Planned<P>;
}

/** Plans kept for one table. */
const keptPlans = 200;
/** A list of more values that stand one by one is compiled for itself: every length would be a shape of its own. */
const longestList = 50;

/** A plan, and for each of its parameters the number of the value that goes there, or what always does. */
interface Kept<P> {
  plan: P;
  parameters: readonly unknown[];
  /** The parameters are the values in their order: they need not be put together. */
  isInOrder: boolean;
}

/**
 * Makes plans for one engine. `make` makes of SQL, the columns it answers and how rows are written what the engine's
 * driver wants to have at hand; it is called once for each plan. Throws what compiling throws.
 */
export function planner<P>(
  grammar: Grammar,
  make: (sql: string, columns: Column[], frame?: RowLayout) => P,
): Planner<P> {
  const tables = new WeakMap<Table, Map<string, Kept<P>>>();

  function planned(
    table: Table,
    shape: Shape,
    columns: Column[],
    compile: (values: Slot[] | undefined) => Compiled,
    frame?: RowLayout,
  ) {
    if (!shape.isShort) {
      const { sql, parameters } = compile(undefined);
      return { plan: make(sql, columns, frame), parameters };
    }
    const plans = tables.get(table) ?? new Map<string, Kept<P>>();
    if (plans.size === 0) tables.set(table, plans);
    let kept = plans.get(shape.key);
    if (!kept) {
      const { sql, parameters } = compile(shape.values.map((_, index) => new Slot(index)));
      const isInOrder =
        parameters.length === shape.values.length &&
        parameters.every((value, index) => value instanceof Slot && value.index === index);
      kept = { plan: make(sql, columns, frame), parameters, isInOrder };
      const [oldest] = plans.keys();
      if (plans.size >= keptPlans && oldest !== undefined) plans.delete(oldest);
      plans.set(shape.key, kept);
    }
    if (kept.isInOrder) return { plan: kept.plan, parameters: shape.values };
    return {
      plan: kept.plan,
      parameters: kept.parameters.map((value) => (value instanceof Slot ? shape.values[value.index] : value)),
    };
  }

  return {
    select(asked) {
      const { query, frame } = asked.sideColumns
        ? framed(asked, asked.sideColumns)
        : { query: asked, frame: undefined };
      const shape = new Shape(grammar, query.table, 's');
      addColumns(shape, query.columns);
      if (frame) shape.key += `|${frame.shown};${frame.beside.join(',')}|`;
      addFilter(shape, query.where);
      for (const { column, direction, nulls } of query.order ?? [])
        shape.key += `${direction[0]}${shape.number(column)}${nulls ?? ''},`;
      if (query.group) addColumns(shape, query.group);
      const { limit, offset } = query;
      if (limit !== undefined) addValue(shape, 'l', limit);
      if (offset) addValue(shape, 'o', offset);
      const compile = (slots: Slot[] | undefined) => {
        if (!slots) return compileSelect(query, grammar);
        const next = inTurn(slots);
        const where = query.where && withSlots(query.where, next, grammar);
        return compileSelect(
          {
            ...query,
            where,
            limit: limit === undefined ? undefined : (next() as never),
            offset: offset ? (next() as never) : undefined,
          },
          grammar,
        );
      };
      return planned(query.table, shape, query.columns, compile, frame);
    },
    count(query) {
      const shape = new Shape(grammar, query.table, 'c');
      addFilter(shape, query.where);
      if (query.group) addColumns(shape, query.group);
      return planned(query.table, shape, [], (slots) =>
        compileCount(
          slots ? { ...query, where: query.where && withSlots(query.where, inTurn(slots), grammar) } : query,
          grammar,
        ),
      );
    },
    write(write) {
      const shape = new Shape(grammar, write.table, write.kind);
      addColumns(shape, write.returning);
      if (write.kind !== 'delete') addValues(shape, write.table, write.values);
      if (write.kind === 'insert') for (const row of write.more ?? []) addValues(shape, write.table, row);
      if (write.kind !== 'insert') addFilter(shape, write.where);
      return planned(write.table, shape, write.returning, (slots) => {
        if (!slots) return compileWrite(write, grammar);
        const next = inTurn(slots);
        const values = write.kind === 'delete' ? {} : valuesWithSlots(write.table, write.values, next);
        const where = write.kind !== 'insert' && write.where ? withSlots(write.where, next, grammar) : undefined;
        const more = write.kind === 'insert' && write.more?.map((row) => valuesWithSlots(write.table, row, next));
        return compileWrite({ ...write, values, where, ...(more ? { more } : {}) } as typeof write, grammar);
      });
    },
  };
}

/** What stands beside the rows is read with them, once. */
function framed(query: Select, beside: Column[]): { query: Select; frame: RowLayout } {
  const hidden = beside.filter((column, index) => !query.columns.includes(column) && beside.indexOf(column) === index);
  const columns = hidden.length === 0 ? query.columns : [...query.columns, ...hidden];
  return {
    query: { ...query, columns },
    frame: { shown: query.columns.length, beside: beside.map((column) => columns.indexOf(column)) },
  };
}

/** What a query is apart from its values, as text, and the values in the order they are met. */
class Shape {
  key: string;
  values: unknown[] = [];
  isShort = true;
  readonly grammar: Grammar;
  private readonly numbers: Map<Column, number>;

  constructor(grammar: Grammar, table: Table, kind: string) {
    this.grammar = grammar;
    this.key = kind;
    let numbers = numbersOf.get(table);
    if (!numbers) {
      numbers = new Map(table.columns.map((column, index) => [column, index]));
      numbersOf.set(table, numbers);
    }
    this.numbers = numbers;
  }

  number(column: Column): number {
    const number = this.numbers.get(column);
    // A column that is not the table's own has no place in its plans.
    if (number === undefined) this.isShort = false;
    return number ?? -1;
  }
}

const numbersOf = new WeakMap<Table, Map<Column, number>>();

const columnKeys = new WeakMap<Column[], string>();

/** A list of columns that was met before, as that of `fields=*`, has its text ready. */
function addColumns(shape: Shape, columns: Column[]): void {
  let key = columnKeys.get(columns);
  if (key === undefined) {
    key = `(${columns.map((column) => shape.number(column)).join(',')})`;
    if (shape.isShort) columnKeys.set(columns, key);
  }
  shape.key += key;
}

function addValue(shape: Shape, mark: string, value: unknown): void {
  shape.key += mark;
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
    if (column.made === 'generated') continue;
    if (isExpression(value)) shape.key += `${shape.number(column)}!${value.expression}`;
    else addValue(shape, `${shape.number(column)};`, value);
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
  }
  shape.key += `${filter.negated ? '~' : ''}${shape.number(filter.column)}`;
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
      if (filter.values.length > longestList) shape.isShort = false;
      else for (const value of filter.values) addBound(shape, value);
      return;
    }
    case 'compare':
      shape.key += filter.escaped ? `${filter.operator}|` : filter.operator;
      if (filter.value.kind === 'value') addValue(shape, '?', comparedValue(filter.operator, filter.value.value));
      else addBound(shape, filter.value);
  }
}

function addBound(shape: Shape, value: BoundValue): void {
  if (value.kind === 'value') addValue(shape, '?', value.value);
  else shape.key += value.kind === 'column' ? `c${shape.number(value.column)}` : value.kind;
}

// ---- the same query with slots in the place of values, met in the same order ----

const inTurn = (slots: Slot[]) => {
  let at = 0;
  return (): Slot => slots[at++] as Slot;
};

function withSlots(filter: BoundFilter, next: () => Slot, grammar: Grammar): BoundFilter {
  const slot = (value: BoundValue): BoundValue => (value.kind === 'value' ? { kind: 'value', value: next() } : value);
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor': {
      const left = withSlots(filter.left, next, grammar);
      return { ...filter, left, right: withSlots(filter.right, next, grammar) };
    }
    case 'not':
      return { ...filter, node: withSlots(filter.node, next, grammar) };
    case 'null':
      return filter;
    case 'between': {
      const low = slot(filter.low);
      return { ...filter, low, high: slot(filter.high) };
    }
    case 'in':
      if (listParameter(filter, grammar) !== undefined) return { ...filter, parameter: next() };
      return { ...filter, values: filter.values.map(slot) };
    case 'compare':
      return { ...filter, value: slot(filter.value) };
  }
}

function valuesWithSlots(table: Table, values: Row, next: () => Slot): Row {
  const slotted: Row = {};
  for (const [name, value] of Object.entries(values))
    if (table.column(name)?.made !== 'generated') slotted[name] = isExpression(value) ? value : next();
  return slotted;
}
