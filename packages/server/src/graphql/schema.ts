// The schema of a caller. For a query, it has what the query names and no more, so that a query of one table costs the same beside a
// thousand others; for introspection, all of it.
import { fail, graphqlField } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { GraphQLBoolean, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { type Catalog, type CatalogRoutine, type CatalogTable, routineWords } from './catalog.ts';
import type { RequestContext } from './context.ts';
import { addOperations, addRoutine, type RootFields, routineOfField, tableOfField } from './operations.ts';
import { TableTypes } from './types.ts';

/** Tables that one query leads to, and those that introspection shows; others can be used all the same. */
const maxTables = 200;
const maxListed = 1000;
/** Milliseconds that introspection waits for a service that does not open. */
const openTimeout = 5_000;

/** The schema as far as a query has its names. */
export async function schemaOf(names: ReadonlySet<string>, catalog: Catalog): Promise<GraphQLSchema> {
  const tables = new Map<string, CatalogTable>();
  for (const name of names) {
    const named = tableOfField(name);
    const table = named && (await catalog.table(named.service, named.table));
    if (table) tables.set(table.typeName, table);
    if (tables.size > maxTables) throw fail('graphql.tooManyTables', { limit: maxTables });
  }
  const roots = [...tables.values()];
  await relateAll(tables, catalog, (relation) => names.has(graphqlField(relation)));
  const { query, mutation } = await rootFields({ tables: roots, routines: await routinesOf(names, catalog) });
  for (const fields of [query, mutation]) for (const name of fields.keys()) if (!names.has(name)) fields.delete(name);
  return makeSchema({ query, mutation }, true);
}

const afterOpening = () => new Promise<string[]>((resolve) => setTimeout(resolve, openTimeout, []).unref());

async function routinesOf(names: ReadonlySet<string>, catalog: Catalog): Promise<CatalogRoutine[]> {
  const routines: CatalogRoutine[] = [];
  for (const name of names) {
    const named = routineOfField(name);
    const routine = named && (await catalog.routine(named.service, named.word, named.routine));
    if (routine) routines.push(routine);
    if (routines.length > maxTables) throw fail('graphql.tooManyTables', { limit: maxTables });
  }
  return routines;
}

/** What a schema is made of. */
export interface Listed {
  tables: readonly CatalogTable[];
  routines: readonly CatalogRoutine[];
}

/** All that the caller may use, of the first tables and routines by services. */
export async function everything(catalog: Catalog): Promise<Listed> {
  return { tables: await tablesOf(catalog), routines: await allRoutines(catalog) };
}

async function allRoutines(catalog: Catalog): Promise<CatalogRoutine[]> {
  const routines: CatalogRoutine[] = [];
  for (const service of await catalog.serviceKeys())
    for (const word of routineWords)
      for (const name of await inTime(catalog.routineNames(service, word))) {
        await pause();
        const routine = routines.length < maxListed ? await catalog.routine(service, word, name) : undefined;
        if (routine) routines.push(routine);
      }
  return routines;
}

/** Of a service that does not open, or not in time, nothing: as in documents. */
const inTime = (names: Promise<string[]>): Promise<string[]> => Promise.race([names.catch(() => []), afterOpening()]);

async function tablesOf(catalog: Catalog): Promise<CatalogTable[]> {
  const tables = new Map<string, CatalogTable>();
  for (const service of await catalog.serviceKeys()) {
    for (const name of await inTime(catalog.tableNames(service))) {
      await pause();
      const table = tables.size < maxListed ? await catalog.table(service, name) : undefined;
      if (table) tables.set(table.typeName, table);
    }
  }
  for (const table of tables.values()) {
    await catalog.relate(table, 'all');
    // One of another table is left out with it.
    table.relations = table.relations.filter(({ target }) => tables.has(target.typeName));
  }
  return [...tables.values()];
}

export async function wholeSchema(listed: Listed): Promise<GraphQLSchema> {
  const fields = await rootFields(listed);
  // A type of a query has a field at least.
  if (fields.query.size === 0)
    fields.query.set('_empty', { type: GraphQLBoolean, description: 'There is no table that this caller may read.' });
  return makeSchema(fields, fields.mutation.size > 0);
}

async function rootFields({ tables, routines }: Listed): Promise<RootFields> {
  const fields: RootFields = { query: new Map(), mutation: new Map() };
  const types = new TableTypes();
  for (const table of tables) {
    addOperations(fields, table, types);
    // Types make their fields when somebody asks for them, here one by one.
    for (const type of types.ofTable(table)) {
      await pause();
      type.getFields();
    }
  }
  for (const routine of routines) addRoutine(fields, routine);
  return fields;
}

/** Finds relations, the tables they lead to, and those of these. */
async function relateAll(
  tables: Map<string, CatalogTable>,
  catalog: Catalog,
  isWanted: (relation: string) => boolean,
): Promise<void> {
  for (const table of tables.values()) {
    await catalog.relate(table, isWanted);
    // Those that are added are visited, too.
    for (const { target } of table.relations) tables.set(target.typeName, target);
    if (tables.size > maxTables) throw fail('graphql.tooManyTables', { limit: maxTables });
  }
}

const description =
  'Tables and routines of services, as GET /api/v2/api_docs describes them. Of a name, `_0x20_` is the character of that code; a table ' +
  'begins with a capital, or with an underscore where its name begins otherwise than with a small letter.';

function makeSchema({ query, mutation }: RootFields, hasMutations: boolean): GraphQLSchema {
  const root = (name: string, fields: RootFields['query']) =>
    new GraphQLObjectType<unknown, RequestContext>({ name, description, fields: Object.fromEntries(fields) });
  return new GraphQLSchema({
    query: root('Query', query),
    ...(hasMutations ? { mutation: root('Mutation', mutation) } : {}),
    assumeValid: true,
  });
}
