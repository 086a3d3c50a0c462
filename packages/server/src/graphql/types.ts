// The types of tables: records as they are read, as a write answers them, and as they are written, made of the descriptions of tables
// as API docs are (openapi/table-schemas.ts).
import { type FieldDescription, graphqlField, type TableDescription } from '@sluice/contract';
import { pause } from '@sluice/sql';
import {
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { CatalogRelation, CatalogTable } from './catalog.ts';
import type { RequestContext } from './context.ts';
import { readScalar, writtenScalar } from './scalars.ts';
import type { FieldMeaning } from './selection.ts';

const ownTypes: readonly string[] = [
  ...['timestamp_on_create', 'timestamp_on_update', 'user_id_on_create', 'user_id_on_update'],
];

const isWritable = ({ type, is_aggregate }: FieldDescription): boolean => !is_aggregate && !ownTypes.includes(type);

/** The fields of the key of a table, in its order; none where it has no key. */
export const keyOf = ({ field }: TableDescription): FieldDescription[] =>
  field.filter(({ is_primary_key }) => is_primary_key);

export const nonNull = <T extends GraphQLScalarType | GraphQLInputObjectType>(type: T) => new GraphQLNonNull(type);

/** The types of one schema; each is made once. */
export class TableTypes {
  private readonly made = new Map<string, GraphQLObjectType | GraphQLInputObjectType>();

  /** A record as GET shows it. */
  read(table: CatalogTable): GraphQLObjectType {
    return this.object(table, '', (field) => !field.allow_null && !field.is_virtual && !field.is_aggregate);
  }

  /** A record as a write answers it: what the caller may not read of it is null. */
  answer(table: CatalogTable): GraphQLObjectType {
    return this.object(table, 'Answer', ({ is_primary_key }) => is_primary_key);
  }

  create(table: CatalogTable): GraphQLInputObjectType {
    return this.input(table, 'New', (field) => field.required && isWritable(field) && !field.is_virtual);
  }

  change(table: CatalogTable): GraphQLInputObjectType {
    return this.input(table, 'Change', () => false);
  }

  /** Those of a table that something refers to. */
  ofTable({ typeName }: CatalogTable): (GraphQLObjectType | GraphQLInputObjectType)[] {
    return ['', 'Answer', 'New', 'Change'].flatMap((suffix) => this.made.get(`${typeName}${suffix}`) ?? []);
  }

  private once<T extends GraphQLObjectType | GraphQLInputObjectType>(name: string, make: () => T): T {
    const type = (this.made.get(name) as T | undefined) ?? make();
    this.made.set(name, type);
    return type;
  }

  private object(
    table: CatalogTable,
    suffix: Suffix,
    isThere: (field: FieldDescription) => boolean,
  ): GraphQLObjectType {
    const name = `${table.typeName}${suffix}`;
    const { description } = table;
    return this.once(
      name,
      () =>
        new GraphQLObjectType<unknown, RequestContext>({
          ...{ name, description: tableText(table, suffix) },
          fields: () => {
            const fields: GraphQLFieldConfigMap<unknown, RequestContext> = Object.create(null);
            for (const field of description.field) {
              const type = readScalar(field);
              fields[graphqlField(field.name)] = {
                ...{ type: isThere(field) ? nonNull(type) : type, description: fieldText(field) },
                extensions: { field: field.name } satisfies FieldMeaning,
                resolve: (record, _args, context) => memberIn(record, field.name, context),
              };
            }
            for (const relation of table.relations) if (relation.canRead) this.addRelation(fields, relation);
            return fields;
          },
        }),
    );
  }

  private addRelation(fields: GraphQLFieldConfigMap<unknown, RequestContext>, relation: CatalogRelation): void {
    const { name, type: kind, description } = relation.relation;
    const isMany = kind === 'has_many' || kind === 'many_many';
    const type = () => this.read(relation.target);
    // A record that is called as a relation is stays.
    fields[graphqlField(name)] ??= {
      get type(): GraphQLOutputType {
        return isMany ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type()))) : type();
      },
      ...{ description, args: isMany ? relationArguments : {} },
      extensions: { relation, type } satisfies FieldMeaning,
      resolve: (record, _args, context) => {
        const value = memberIn(record, name, context);
        // Nothing found is an empty list, for one record, too (contract/database-tables.md §6.1).
        if (!isMany) return Array.isArray(value) ? (value[0] ?? null) : value;
        return recordsOf(value, context);
      },
    };
  }

  private input(
    table: CatalogTable,
    suffix: Suffix,
    isRequired: (field: FieldDescription) => boolean,
  ): GraphQLInputObjectType {
    const name = `${table.typeName}${suffix}`;
    return this.once(
      name,
      () =>
        new GraphQLInputObjectType({
          ...{ name, description: tableText(table, suffix) },
          fields: () => {
            const fields: GraphQLInputFieldConfigMap = Object.create(null);
            for (const field of table.description.field.filter(isWritable)) {
              const type = writtenScalar(field);
              fields[graphqlField(field.name)] = {
                ...{ type: isRequired(field) ? nonNull(type) : type, description: fieldText(field) },
                extensions: { field: field.name },
              };
            }
            for (const { relation, target, canWrite } of table.relations) {
              if (!canWrite) continue;
              const type = this.change(target);
              const isMany = relation.type === 'has_many' || relation.type === 'many_many';
              fields[graphqlField(relation.name)] ??= {
                ...{ type: isMany ? new GraphQLList(nonNull(type)) : type, description: relation.description },
                extensions: { field: relation.name },
              };
            }
            return fields;
          },
        }),
    );
  }
}

const relationArguments = {
  limit: { type: GraphQLInt, description: 'Of the related records of all records together.' },
  order: { type: GraphQLString, description: 'As the parameter order of the API: `name desc,id`.' },
};

/** A member of a record; what a caller may not read is not there. */
function memberIn(record: unknown, name: string, context: RequestContext): unknown {
  context.countField();
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return null;
  return (record as Record<string, unknown>)[name] ?? null;
}

/** Records that are completed in one go. */
const recordsAtOnce = 20;

/** The records of a list; of a long one a few at a time, so that others have their turn in between. */
export function recordsOf(value: unknown, context: RequestContext): unknown[] {
  const records: unknown[] = Array.isArray(value) ? value : [];
  if (records.length <= recordsAtOnce) return records;
  let turn = Promise.resolve();
  return records.map((record, index) => {
    if (index % recordsAtOnce === 0) turn = turn.then(pause).then(() => context.checkFields());
    return turn.then(() => record);
  });
}

/** A record as it was written, by the names of records. */
export function recordOf(value: unknown, type: GraphQLInputObjectType): Record<string, unknown> {
  const fields = type.getFields();
  // Assigning `__proto__` would not make a member.
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => {
      const { extensions, type: memberType } = fields[name] as (typeof fields)[string];
      return [String(extensions.field), memberOf(member, memberType)];
    }),
  );
}

function memberOf(value: unknown, type: unknown): unknown {
  if (value === null) return value;
  if (type instanceof GraphQLNonNull) return memberOf(value, type.ofType);
  if (type instanceof GraphQLList) return (value as unknown[]).map((item) => memberOf(item, type.ofType));
  return type instanceof GraphQLInputObjectType ? recordOf(value, type) : value;
}

type Suffix = '' | 'Answer' | 'New' | 'Change';

const what: Readonly<Record<Suffix, string>> = {
  '': 'A record',
  Answer: 'A record as a write answers it; what the caller may not read is null',
  New: 'A record to create',
  Change: 'What to change of a record',
};

const tableText = ({ description, service, name }: CatalogTable, suffix: Suffix): string =>
  `${what[suffix]}: ${service}/_table/${name}.${description.description ? ` ${description.description}` : ''}`;

/** The name that the field has in the API, where it is another one; its own words; the values it may have. */
function fieldText({ name, description, picklist }: FieldDescription): string | null {
  const values = picklist && picklist.length > 0 ? `One of: ${picklist.slice(0, 50).join(', ')}` : '';
  const own = graphqlField(name) === name ? '' : `The field ${JSON.stringify(name)}.`;
  return [own, description ?? '', values].filter((text) => text !== '').join(' ') || null;
}
