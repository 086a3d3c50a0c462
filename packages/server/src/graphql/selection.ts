// What of a record is selected, as the call of the API asks for it: fields, relations and those of the relations. One call has it all.
import { fail, type TableDescription } from '@sluice/contract';
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  type SelectionNode,
} from 'graphql';
import type { CatalogRelation, CatalogTable } from './catalog.ts';

/** What fields of types stand for, in their `extensions`. */
export type FieldMeaning = {
  /** The name in records. */
  field?: string;
  relation?: CatalogRelation;
  /** The type of its records. */
  type?: () => GraphQLObjectType;
};

export interface Selection {
  fields: string[];
  relations: Map<string, { options: Record<string, unknown>; selection: Selection; target: CatalogTable }>;
}

type Info = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/** Levels of relations and relations of all levels, as the API has them. */
const maxDepth = 5;
const maxRelations = 50;

/** Of the records of a type, selected at nodes of one field. */
export function selectionOf(nodes: readonly FieldNode[], type: GraphQLObjectType, info: Info): Selection {
  let count = 0;
  const select = (nodes: readonly FieldNode[], type: GraphQLObjectType, depth: number): Selection => {
    const selection: Selection = { fields: [], relations: new Map() };
    for (const [name, fieldNodes] of collect(nodes, info)) {
      const definition = type.getFields()[name];
      const { field, relation, type: target } = (definition?.extensions ?? {}) as FieldMeaning;
      if (field !== undefined) selection.fields.push(field);
      if (!definition || !relation || !target) continue;
      count += 1;
      if (depth >= maxDepth) throw fail('related.tooDeep', { limit: maxDepth });
      if (count > maxRelations) throw fail('related.tooMany', { limit: maxRelations });
      const [options = {}, ...others] = fieldNodes.map((node) =>
        getArgumentValues(definition, node, info.variableValues),
      );
      if (others.some((other) => JSON.stringify(other) !== JSON.stringify(options)))
        throw fail('graphql.relationTwice', { relation: name });
      const nested = select(fieldNodes, target(), depth + 1);
      selection.relations.set(relation.relation.name, { options, selection: nested, target: relation.target });
    }
    return selection;
  };
  return select(nodes, type, 0);
}

/** The nodes of each field that is selected, by its name: what has several aliases is read once. `all`: whatever directives say. */
export function collect(nodes: readonly FieldNode[], info: Info, all = false): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const visit = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!all && !isIncluded(selection, info)) continue;
      if (selection.kind === 'InlineFragment') visit(selection.selectionSet.selections);
      else if (selection.kind === 'Field') {
        const found = fields.get(selection.name.value);
        if (found) found.push(selection);
        else fields.set(selection.name.value, [selection]);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        visit(info.fragments[selection.name.value]?.selectionSet.selections ?? []);
      }
    }
  };
  for (const { selectionSet } of nodes) visit(selectionSet?.selections ?? []);
  return fields;
}

function isIncluded(node: SelectionNode, { variableValues }: Info): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The parameters `fields`, `related` and those of each relation; where no field of records is selected, their key is read. */
export function selectionParameters(selection: Selection, { description }: CatalogTable): Map<string, string> {
  const query = new Map([['fields', listed(selection.fields, description)]]);
  const related: string[] = [];
  const add = (path: readonly string[], { relations }: Selection) => {
    for (const [relation, { options, selection: nested, target }] of relations) {
      const nestedPath = [...path, relation];
      const name = nestedPath.join('.');
      related.push(nestedPath.map(quoted).join('.'));
      query.set(`${name}.fields`, listed(nested.fields, target.description));
      for (const option of ['limit', 'order'] as const)
        if (options[option] !== undefined && options[option] !== null)
          query.set(`${name}.${option}`, String(options[option]));
      add(nestedPath, nested);
    }
  };
  add([], selection);
  if (related.length > 0) query.set('related', related.join(','));
  return query;
}

function listed(fields: readonly string[], { field }: TableDescription): string {
  if (fields.length > 0) return fields.map(quoted).join(',');
  const key = field.filter(({ is_primary_key }) => is_primary_key);
  return (key.length > 0 ? key : field.slice(0, 1)).map(({ name }) => quoted(name)).join(',');
}
