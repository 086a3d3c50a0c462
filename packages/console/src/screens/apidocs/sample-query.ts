import { graphqlField, graphqlTable } from '@sluice/contract';
import type { Json, OpenApiDocument } from './document.ts';

/** Fields that the sample names. */
const maxFields = 4;

/** A query of GraphQL for the first table that the document lets one read; undefined where there is none. */
export function sampleQuery(service: string, document: OpenApiDocument): string | undefined {
  const path = Object.entries(document.paths ?? {}).find(([path, item]) => /^\/_table\/[^/{]+$/.test(path) && item.get);
  if (!path) return undefined;
  const table = decodeURIComponent(path[0].slice('/_table/'.length));
  const fields = fieldsOf(table, document).map(graphqlField);
  return `{ get${graphqlTable(service, table)}List(limit: 5) { ${fields.join(' ') || '__typename'} } }`;
}

/** Those with a value of their own, not related records. */
function fieldsOf(table: string, { components }: OpenApiDocument): string[] {
  const schemas = new Map(Object.entries(components?.schemas ?? {}));
  const properties =
    (schemas.get(`${table}.part`) as { properties?: Record<string, Json> } | undefined)?.properties ?? {};
  const names = Object.entries(properties).filter(([, schema]) => typeof schema['x-type'] === 'string');
  return names.slice(0, maxFields).map(([name]) => name);
}
