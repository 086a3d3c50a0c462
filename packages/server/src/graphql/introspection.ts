// Introspection: answered in parts, a few types at a time, so that a schema of a thousand tables holds nobody up; and what it may ask,
// since a query of a few lines could ask for every field of every field of every type.
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../call/payload.ts';
import type { Platform } from '../gateway/platform.ts';
import type { Catalog } from './catalog.ts';
import { everything, type Listed, wholeSchema } from './schema.ts';

/** Types that are answered at once, and fields of a type. */
const typesAtOnce = 10;
const fieldsAtOnce = 100;
/** Fields that a query of the schema selects, fragments written out. */
const maxSelected = 2_000;
/** Levels of such a query. */
const maxDepth = 30;
/** Types that are asked for by name. */
const maxNamed = 10;

const isMeta = (name: string): boolean => name === '__schema' || name === '__type';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Whether an operation asks for the schema. Throws where it asks for it otherwise than clients do. */
export function checkIntrospection(operation: OperationDefinitionNode, fragments: Fragments): void {
  let selected = 0;
  let named = 0;
  const visit = (selections: readonly SelectionNode[], depth: number, lists: number): void => {
    if (depth > maxDepth) throw refusal('it is nested too deep');
    for (const selection of selections) {
      selected += 1;
      if (selected > maxSelected) throw refusal('it selects too much');
      if (selection.kind === 'InlineFragment') visit(selection.selectionSet.selections, depth + 1, lists);
      else if (selection.kind === 'FragmentSpread')
        visit(fragments[selection.name.value]?.selectionSet.selections ?? [], depth + 1, lists);
      else {
        const { value: name } = selection.name;
        const isRoot = depth === 0 || isMeta(name);
        if (isMeta(name)) named += 1;
        else if (isRoot && name !== '__typename') throw refusal('it asks for records, too');
        else if (selection.alias && selection.alias.value !== name) throw refusal('it has aliases');
        const isList = ['fields', 'inputFields', 'interfaces', 'possibleTypes'].includes(name);
        if (isList && lists > 0) throw refusal(`${name} stands within another list`);
        visit(selection.selectionSet?.selections ?? [], depth + 1, isList ? lists + 1 : lists);
      }
    }
  };
  visit(operation.selectionSet.selections, 0, 0);
  if (named > maxNamed) throw refusal('it asks for too much at once');
}

const refusal = (problem: string) => fail('graphql.introspection', { problem });

// ---- schemas ----

const maxSchemas = 4;
const schemas = new WeakMap<Platform, LRUCache<string, GraphQLSchema>>();
const turns = new WeakMap<Platform, Promise<unknown>>();

/** One schema is answered at a time: it takes its processor long, and others wait for their records. */
export function inTurn<T>(platform: Platform, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(platform) ?? Promise.resolve()).then(work);
  turns.set(
    platform,
    turn.catch(() => undefined),
  );
  return turn;
}

/** The whole schema of a caller: the same for all who may do the same, made again when a table or a role changes. */
export async function fullSchema(catalog: Catalog, platform: Platform): Promise<GraphQLSchema> {
  const listed = await everything(catalog);
  const key = await fingerprint(listed);
  const cache = schemas.get(platform) ?? new LRUCache<string, GraphQLSchema>({ max: maxSchemas });
  schemas.set(platform, cache);
  const schema = cache.get(key) ?? (await wholeSchema(listed));
  cache.set(key, schema);
  return schema;
}

async function fingerprint({ tables, routines }: Listed): Promise<string> {
  const hash = createHash('sha256');
  for (const { typeName, description, verbs, relations } of tables) {
    await pause();
    const related = relations.map(({ relation, target, canRead, canWrite }) => [
      ...[relation.name, target.typeName, canRead, canWrite],
    ]);
    hash.update(JSON.stringify([typeName, description, [...verbs.one], [...verbs.list], related]));
  }
  for (const { service, name, word, description } of routines) {
    await pause();
    hash.update(JSON.stringify([service, word, name, description]));
  }
  return hash.digest('base64');
}

// ---- answers ----

export interface Introspection {
  document: DocumentNode;
  schema: GraphQLSchema;
  operationName: string | undefined;
  variableValues: Record<string, unknown>;
}

type Types = Record<string, GraphQLNamedType>;

/** Answers what is asked of the schema; its types a few at a time, put together afterwards. */
export async function introspect({ schema, ...args }: Introspection): Promise<ExecutionResult> {
  let whole: ExecutionResult | undefined;
  for (const types of partsOf(schema)) {
    await pause();
    const part = (await execute({ ...args, schema: withTypes(schema, types) })) as ExecutionResult;
    if (!whole) whole = part;
    else addTypes(whole, part);
    // What asks for no list of types is answered with the first part.
    if (part.errors || !holdsTypes(part)) break;
  }
  return whole ?? {};
}

/** The types, a few at a time; those of thousands of fields, which the roots are, by some of their fields. */
function* partsOf(schema: GraphQLSchema): Generator<Types> {
  let some: Types = {};
  let count = 0;
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    const fields = isObjectType(type) ? Object.entries(type.getFields()) : [];
    if (fields.length > fieldsAtOnce) {
      for (let start = 0; start < fields.length; start += fieldsAtOnce) {
        const part = Object.fromEntries(fields.slice(start, start + fieldsAtOnce));
        yield { [name]: Object.create(type, { getFields: { value: () => part } }) };
      }
      continue;
    }
    some[name] = type;
    count += 1;
    if (count % typesAtOnce > 0) continue;
    yield some;
    some = {};
  }
  yield some;
}

/** The same schema, which lists some of its types. */
const withTypes = (schema: GraphQLSchema, types: Types): GraphQLSchema =>
  Object.create(schema, {
    getTypeMap: { value: () => types },
    getType: { value: (name: string) => schema.getTypeMap()[name] },
  });

const typeLists = ({ data }: ExecutionResult): unknown[][] =>
  Object.values(data ?? {}).flatMap((value) => (isRecord(value) && Array.isArray(value.types) ? [value.types] : []));

const holdsTypes = (result: ExecutionResult): boolean => typeLists(result).length > 0;

function addTypes(whole: ExecutionResult, part: ExecutionResult): void {
  const lists = typeLists(whole);
  for (const [index, types] of typeLists(part).entries()) {
    const list = lists[index] as unknown[];
    for (const type of types) if (!addFields(list.at(-1), type)) list.push(type);
  }
}

/** Of a type that comes in parts, the fields are added to those before; each part is one after the other, and has one type. */
function addFields(before: unknown, type: unknown): boolean {
  if (!isRecord(before) || !isRecord(type)) return false;
  if (before.name === undefined || before.name !== type.name || !Array.isArray(before.fields)) return false;
  for (const field of type.fields as unknown[]) before.fields.push(field);
  return true;
}
