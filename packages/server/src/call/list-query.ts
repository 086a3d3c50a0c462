// The list parameters of a call, whichever of their names was used and wherever they were sent
// (contract/http-basics.md §10, contract/database-tables.md §2).
import {
  batchLimit,
  ExactNumber,
  Failure,
  fail,
  type ListParameter,
  listParameters,
  splitList,
  splitNames,
  truthy,
} from '@sluice/contract';
import { queryOf } from './address.ts';
import type { Call, Payload, Query } from './call.ts';
import { parseJson } from './formats/json.ts';
import { isRecord, refuseStructure, stringifyInput } from './payload.ts';

/** Parameters that may stand in the query only. */
const queryOnly = new Set<ListParameter>([
  'related',
  'include_count',
  'include_schema',
  'id_field',
  'as_list',
  'refresh',
  'force',
]);

export interface ListQuery {
  fields: string | string[] | undefined;
  related: string[];
  filter: string | undefined;
  params: Record<string, unknown>;
  limit: number | undefined;
  offset: number;
  /** Where the page before ended; empty for the first page (database/record/keyset.ts). */
  after: string | undefined;
  order: string | undefined;
  group: string | undefined;
  /** Scalars, or objects of key parts when they came in the body. */
  ids: unknown[] | undefined;
  idField: string[] | undefined;
  includeCount: boolean;
  includeSchema: boolean;
  countOnly: boolean;
  asList: boolean;
  continue: boolean;
  rollback: boolean;
  force: boolean;
  refresh: boolean;
}

/**
 * Reads the list parameters; `payload` is the parsed body where the call has one (a tunnelled GET, a write). Throws
 * `record.batchTooLarge` for more `ids` than a batch may hold.
 */
export function readListQuery({ query, verb }: Pick<Call, 'query' | 'verb'>, payload?: Payload): ListQuery {
  const body = isRecord(payload) ? payload : {};
  const isBare = query.isEmpty && !Object.keys(body).some((name) => spellings.has(name));
  if (isBare) return emptyListQuery;
  // The one record of a write may have fields that are called like parameters, with values of any kind.
  if (verb === 'GET' || verb === 'DELETE' || Object.hasOwn(body, 'resource')) refuseStructures(body);
  const parsed = parseParameters(query, body);
  // The record that is created may have a field of that name.
  if (verb !== 'POST' && parsed.ids && parsed.ids.length > batchLimit)
    throw fail('record.batchTooLarge', { limit: batchLimit });
  return parsed;
}

/** What a parameter of a body has to be; lists and the parameters of `queryOnly` are left out. */
const expectedKinds = new Map<ListParameter, string>([
  ['filter', 'a text'],
  ['after', 'a text'],
  ['order', 'a text'],
  ['group', 'a text'],
  ['limit', 'a number'],
  ['offset', 'a number'],
  ['count_only', 'true or false'],
  ['continue', 'true or false'],
  ['rollback', 'true or false'],
]);

function refuseStructures(body: Record<string, unknown>): void {
  for (const [name, expected] of expectedKinds)
    for (const spelling of listParameters[name])
      if (Object.hasOwn(body, spelling)) refuseStructure(spelling, body[spelling], expected);
}

const spellings = new Set<string>([...Object.values(listParameters).flat(), 'params']);

function parseParameters(query: Query, body: Record<string, unknown>): ListQuery {
  const read = (name: ListParameter): unknown => {
    for (const spelling of listParameters[name]) {
      const value = query.get(spelling);
      if (value !== undefined) return value;
    }
    if (queryOnly.has(name)) return undefined;
    for (const spelling of listParameters[name]) if (body[spelling] !== undefined) return body[spelling];
    return undefined;
  };
  const readText = (name: ListParameter) => {
    const value = read(name);
    return typeof value === 'string' ? value : undefined;
  };
  const fields = read('fields');
  const idField = readText('id_field');
  return {
    fields: Array.isArray(fields) ? fields.slice(0, batchLimit + 1).map(stringifyInput) : readText('fields'),
    related: splitNames(readText('related') ?? ''),
    filter: readText('filter'),
    params: isRecord(body.params) ? body.params : parseJsonObject(query.get('params')),
    limit: parseWholeNumber(read('limit')),
    offset: Math.max(0, parseWholeNumber(read('offset')) ?? 0),
    after: readText('after'),
    order: readText('order'),
    group: readText('group'),
    ids: parseIdList(read('ids')),
    idField: idField === undefined ? undefined : splitNames(idField),
    includeCount: truthy(read('include_count')),
    includeSchema: truthy(read('include_schema')),
    countOnly: truthy(read('count_only')),
    asList: truthy(read('as_list')),
    continue: truthy(read('continue')),
    rollback: truthy(read('rollback')),
    force: truthy(read('force')),
    refresh: truthy(read('refresh')),
  };
}

/** The parameters of most calls on one record: none. */
export const emptyListQuery = Object.freeze(parseParameters(queryOf(new Map()), {}));

/** As `splitList`, but undefined stays undefined. */
export function parseCommaList(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : splitList(value);
}

function parseIdList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === 'number' || value instanceof ExactNumber) return [value];
  return typeof value === 'string' ? parseCommaList(value) : undefined;
}

function parseWholeNumber(value: unknown): number | undefined {
  if (value === undefined || value === '' || typeof value === 'object') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function parseJsonObject(value: string | undefined): Record<string, unknown> {
  if (value === undefined) return {};
  try {
    const parsed = parseJson(value);
    return isRecord(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof Failure && error.key === 'http.unsafeInteger') throw error;
    return {};
  }
}
