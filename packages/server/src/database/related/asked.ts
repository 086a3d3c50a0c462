// The relations a call asks for, `related=a,b.c` with `a.fields`, `a.order`, `a.limit` and `a.group`, and those its
// tables always give (contract/database-tables.md §2, §6.2).
import { fail } from '@sluice/contract';
import { type Column, type OrderTerm, parseFields, parseGroup, parseOrder, type Table } from '@sluice/sql';
import type { Call, Query } from '../../call/call.ts';
import type { DatabaseParts } from '../parts.ts';
import { areAggregated, isAggregate } from '../record/columns.ts';
import type { RecordReader } from '../record-filter/scoped-database.ts';
import { accessTo, isJoinedByOne, mostOf, nameOf, type Relation, relationOf } from './reach.ts';

/** A relation to read, with what to read of it. */
export interface Asked extends Relation {
  /** As `related=` names it, from the table of the call on. */
  path: string;
  reader: RecordReader;
  /** Of the junction, where there is one. */
  junctionReader?: RecordReader;
  columns: Column[];
  order: OrderTerm[];
  group?: Column[];
  limit: number;
  /** The caller named the limit: what is beyond it is not missed. */
  isLimitAsked: boolean;
  deeper: Asked[];
}

/** Levels of relations below the table of the call, and relations of all levels together. */
const deepest = 5;
const most = 50;

/**
 * Everything a call reads by relations; unknown names are ignored. Throws `related.tooDeep`, `related.tooMany` and what
 * finding and deciding throws: nothing was read by then.
 */
export async function askedRelations(
  call: Call,
  names: readonly string[],
  root: Table,
  parts: DatabaseParts,
): Promise<Asked[]> {
  const options = optionsOf(call.query);
  let count = 0;

  async function level(parts: DatabaseParts, table: Table, names: readonly string[], above: Asked[]) {
    const passed = [root, ...above.map(({ target }) => target.table)].map(({ description }) => description.name);
    const wanted = wantedOf(table, names, passed);
    if (wanted.size > 0 && above.length >= deepest) throw fail('related.tooDeep', { limit: deepest });
    const asked: Asked[] = [];
    for (const [description, deeperNames] of wanted) {
      count += 1;
      if (count > most) throw fail('related.tooMany', { limit: most });
      const relation = await relationOf(parts, table, description);
      const path = [...above.map(({ name }) => name), relation.name].join('.');
      const it = await withOptions(call, relation, path, options);
      const { target } = it;
      // Grouped rows are no records: nothing is related to them.
      if (!it.group) it.deeper = await level(target.parts, target.table, deeperNames, [...above, it]);
      asked.push(it);
    }
    return asked;
  }

  return level(parts, root, names, []);
}

/** Whether a table has relations that are read unasked. */
export function alwaysFetches(table: Table): boolean {
  let always = known.get(table);
  if (always === undefined) {
    always = table.description.related.some((it) => it.always_fetch);
    known.set(table, always);
  }
  return always;
}

const known = new WeakMap<Table, boolean>();

/** The relations to read, and below each the names that begin with it; `passed` are the tables on the way there. */
function wantedOf({ description: { related } }: Table, names: readonly string[], passed: readonly string[]) {
  const wanted = new Map<(typeof related)[number], string[]>();
  const want = (relation: (typeof related)[number], rest?: string) => {
    const below = wanted.get(relation) ?? [];
    if (rest !== undefined) below.push(rest);
    wanted.set(relation, below);
  };
  for (const name of names) {
    if (name === '*') for (const relation of related.filter(isJoinedByOne)) want(relation);
    else {
      const found = longest(related, name.toLowerCase());
      if (found) want(found.relation, found.rest);
    }
  }
  // What comes unasked must come to an end.
  for (const relation of related)
    if (
      relation.always_fetch &&
      isJoinedByOne(relation) &&
      !passed.includes(relation.ref_table) &&
      passed.length <= deepest
    )
      want(relation);
  return wanted;
}

/** Names may have points in them: the longest one that fits is meant. */
function longest(related: Table['description']['related'], name: string) {
  const fitting = related
    .filter((it) => name === nameOf(it).toLowerCase() || name.startsWith(`${nameOf(it).toLowerCase()}.`))
    .sort((a, b) => nameOf(b).length - nameOf(a).length);
  const [relation] = fitting;
  if (!relation) return undefined;
  return { relation, rest: name.slice(nameOf(relation).length + 1) || undefined };
}

/** The parameters of relations: a point and an underscore are the same in their names, as is letter case. */
function optionsOf(query: Query): (path: string, option: string) => string | undefined {
  const folded = (name: string) => name.replaceAll('.', '_').toLowerCase();
  const options = new Map(query.names().map((name) => [folded(name), query.get(name)]));
  return (path, option) => options.get(folded(`${path}.${option}`));
}

async function withOptions(
  call: Call,
  relation: Relation,
  path: string,
  option: ReturnType<typeof optionsOf>,
): Promise<Asked> {
  const { target, junction } = relation;
  const { table, column } = target;
  const grouped = option(path, 'group');
  const asked = grouped?.trim() ? parseGroup(grouped, table) : undefined;
  const columns = parseFields(option(path, 'fields') ?? (asked ? grouped : '*'), table);
  // Aggregates are of the records of one parent, and of the groups within them.
  const group = asked || columns.some(isAggregate) ? [...new Set([...(asked ?? []), column])] : undefined;
  areAggregated(columns, group);
  const orderText = option(path, 'order');
  const order = orderText?.trim()
    ? parseOrder(orderText, table)
    : group
      ? []
      : table.key.map((it): OrderTerm => ({ column: it, direction: 'asc' }));
  const limit = Number(option(path, 'limit') ?? '');
  const isLimitAsked = Number.isSafeInteger(limit) && limit >= 1 && limit <= mostOf(target);
  return {
    ...relation,
    path,
    reader: (await accessTo(call, target, 'GET')).database,
    ...(junction ? { junctionReader: (await accessTo(call, junction, 'GET')).database } : {}),
    columns,
    order,
    ...(group ? { group } : {}),
    limit: isLimitAsked ? limit : mostOf(target),
    isLimitAsked,
    deeper: [],
  };
}
