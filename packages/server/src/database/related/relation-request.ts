// The relations a call requests, `related=a,b.c` with `a.fields`, `a.order`, `a.limit` and `a.group`, and those that are
// always read (contract/database-tables.md §2, §6.2).
import { fail, quotedStart } from '@sluice/contract';
import {
  type Column,
  nameIndex,
  type OrderTerm,
  oncePerTable,
  parseFields,
  parseGroup,
  parseOrder,
  parseRecordOrder,
  type Table,
} from '@sluice/sql';
import type { Call, Query } from '../../call/call.ts';
import type { DatabaseParts } from '../parts.ts';
import { checkAggregates, isAggregate } from '../record/columns.ts';
import type { RecordReader } from '../record-filter/scoped-database.ts';
import { maxRecordsOfTable, type Relation, relationName, requireAccess, resolveRelation } from './relation.ts';

/** A relation to read, with what to read of it. */
export interface RelationRequest extends Relation {
  /** As `related=` names it, from the table of the call on. */
  path: string;
  reader: RecordReader;
  /** Of the junction, where there is one. */
  junctionReader?: RecordReader;
  columns: Column[];
  order: readonly OrderTerm[];
  group?: Column[];
  limit: number;
  /** The caller set the limit: what is beyond it does not count as truncated. */
  hasExplicitLimit: boolean;
  nested: RelationRequest[];
}

/** Levels of relations below the table of the call, and relations of all levels together. */
const maxDepth = 5;
const maxRelations = 50;
/** Names at most that are looked up; those of no relation mean nothing. */
const maxNames = 1000;

/**
 * All relations that a call reads; unknown names are ignored. Throws `related.tooDeep`, `related.tooMany` and whatever finding
 * the relations and deciding access throws: nothing was read by then.
 */
export async function resolveRelationRequests(
  call: Call,
  names: readonly string[],
  root: Table,
  parts: DatabaseParts,
): Promise<RelationRequest[]> {
  const optionOf = relationOptions(call.query);
  let count = 0;

  async function resolveLevel(
    parts: DatabaseParts,
    table: Table,
    names: readonly string[],
    ancestors: RelationRequest[],
  ) {
    const visitedTables = [root, ...ancestors.map(({ target }) => target.table)].map(
      ({ description }) => description.name,
    );
    const selected = selectRelations(table, names, visitedTables);
    if (selected.size > 0 && ancestors.length >= maxDepth) throw fail('related.tooDeep', { limit: maxDepth });
    const requests: RelationRequest[] = [];
    for (const [description, nestedNames] of selected) {
      count += 1;
      if (count > maxRelations) throw fail('related.tooMany', { limit: maxRelations });
      const relation = await resolveRelation(parts, table, description);
      const path = [...ancestors.map(({ name }) => name), relation.name].join('.');
      const request = await buildRequest(call, relation, path, optionOf);
      const { target } = request;
      // Grouped rows are no records: nothing is related to them.
      if (!request.group)
        request.nested = await resolveLevel(target.parts, target.table, nestedNames, [...ancestors, request]);
      requests.push(request);
    }
    return requests;
  }

  const namesOnce = [...new Set(names)];
  if (namesOnce.length > maxNames) throw fail('related.tooMany', { limit: maxRelations });
  return resolveLevel(parts, root, namesOnce, []);
}

/** Whether a table has relations that are always read. */
export const alwaysFetches = oncePerTable(({ description }) =>
  description.related.some(({ always_fetch }) => always_fetch),
);

/** The relations to read, and below each the names that begin with it; `visitedTables` are those on the way there. */
function selectRelations(
  { description: { related } }: Table,
  names: readonly string[],
  visitedTables: readonly string[],
) {
  const selected = new Map<(typeof related)[number], string[]>();
  const add = (relation: (typeof related)[number], rest?: string) => {
    const nestedNames = selected.get(relation) ?? [];
    if (rest !== undefined) nestedNames.push(rest);
    selected.set(relation, nestedNames);
  };
  for (const name of names) {
    if (name === '*') for (const relation of related) add(relation);
    else {
      const match = longestMatch(related, name);
      if (match) add(match.relation, match.rest);
    }
  }
  // Relations that are always read must come to an end.
  for (const relation of related)
    if (relation.always_fetch && !visitedTables.includes(relation.ref_table) && visitedTables.length <= maxDepth)
      add(relation);
  return selected;
}

/** Names may contain points: the longest one that matches is meant, as written or else in any case. A name may be quoted. */
function longestMatch(related: Table['description']['related'], path: string) {
  const quoted = quotedStart(path);
  if (quoted) {
    const relation = nameIndex(related, relationName)(quoted.name);
    if (relation && (quoted.rest === '' || quoted.rest.startsWith('.')))
      return { relation, rest: quoted.rest.slice(1) || undefined };
  }
  for (const fold of [(text: string) => text, (text: string) => text.toLowerCase()]) {
    const folded = fold(path);
    const matching = related
      .map((relation) => ({ relation, name: fold(relationName(relation)) }))
      .filter(({ name }) => folded === name || folded.startsWith(`${name}.`))
      .sort((a, b) => b.name.length - a.name.length);
    const [first, second] = matching;
    // Names that differ by letter case alone are meant by no other spelling.
    if (first && first.name !== second?.name)
      return { relation: first.relation, rest: path.slice(first.name.length + 1) || undefined };
  }
  return undefined;
}

/** The parameters of relations: in their names a point equals an underscore, and letter case does not matter. */
function relationOptions(query: Query): (path: string, option: string) => string | undefined {
  const find = nameIndex(query.names(), (name) => name.replaceAll('.', '_'));
  return (path, option) => {
    const name = `${path}.${option}`;
    const spelling = query.has(name) ? name : find(name.replaceAll('.', '_'));
    return spelling === undefined ? undefined : query.get(spelling);
  };
}

async function buildRequest(
  call: Call,
  relation: Relation,
  path: string,
  option: ReturnType<typeof relationOptions>,
): Promise<RelationRequest> {
  const { target, junction } = relation;
  const { table, columns: joinColumns } = target;
  const groupText = option(path, 'group');
  const requestedGroup = groupText?.trim() ? parseGroup(groupText, table) : undefined;
  const columns = parseFields(option(path, 'fields') ?? (requestedGroup ? groupText : '*'), table);
  // Aggregates are of the records of one parent, and of the groups within them.
  const group =
    requestedGroup || columns.some(isAggregate) ? [...new Set([...(requestedGroup ?? []), ...joinColumns])] : undefined;
  checkAggregates(columns, group);
  const orderText = option(path, 'order');
  const order = group ? (orderText?.trim() ? parseOrder(orderText, table) : []) : parseRecordOrder(orderText, table);
  const limit = Number(option(path, 'limit') ?? '');
  const hasExplicitLimit = Number.isSafeInteger(limit) && limit >= 1 && limit <= maxRecordsOfTable(target);
  return {
    path,
    reader: (await requireAccess(call, target, 'GET')).database,
    ...(junction ? { junctionReader: (await requireAccess(call, junction, 'GET')).database } : {}),
    columns,
    order,
    ...(group ? { group } : {}),
    limit: hasExplicitLimit ? limit : maxRecordsOfTable(target),
    hasExplicitLimit,
    nested: [],
    ...relation,
  };
}
