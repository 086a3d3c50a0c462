import { errorsOfArea } from './catalogue.ts';

/** Writing what a service says of its tables (contract/database-schema.md §4, §6, §7). */
export const schemaErrors = errorsOfArea('schema', {
  noData: {
    status: 400,
    message: (p: { act: 'create' | 'update' | 'delete' }) => `No data in schema ${p.act} request.`,
  },
  tableName: { status: 400, message: 'Table schema received does not have a valid name.' },
  tableExists: {
    status: 400,
    message: (p: { table: string }) => `A table with name '${p.table}' already exist in the database.`,
  },
  noFieldNames: {
    status: 400,
    message: 'The request contains no valid table field names or properties.',
  },
  noName: { status: 400, message: 'Invalid schema detected - no name element.' },
  relationType: { status: 400, message: 'Invalid schema detected - invalid or missing type element.' },
  relationElement: {
    status: 400,
    message: (p: { element: string }) => `Invalid schema detected - no ${p.element} element for virtual relationship.`,
  },
  relationField: {
    status: 400,
    message: (p: { field: string; table: string }) =>
      `Invalid schema detected - no field '${p.field}' in table '${p.table}' for virtual relationship.`,
  },
  relationService: {
    status: 400,
    message: (p: { service: string }) =>
      `Invalid schema detected - no service '${p.service}' for virtual relationship.`,
  },
  relationExists: {
    status: 400,
    message: (p: { relation: string; table: string }) =>
      `Relationship '${p.relation}' already exists as non-virtual in table '${p.table}'.`,
  },
  notVirtual: {
    status: 400,
    message: (p: { field: string; table: string }) =>
      `Field '${p.field}' already exists as non-virtual in table '${p.table}'.`,
  },
  virtual: {
    status: 400,
    message: (p: { field: string; table: string }) =>
      `Field '${p.field}' already exists as virtual in table '${p.table}'.`,
  },
  fieldType: {
    status: 400,
    message: (p: { field: string; type: string }) =>
      `Invalid schema detected - unknown type '${p.type}' of virtual field '${p.field}'.`,
  },
  value: {
    status: 400,
    message: (p: { name: string; key: string; problem: string }) => `The ${p.key} of '${p.name}' ${p.problem}.`,
  },
  nameTaken: {
    status: 400,
    message: (p: { name: string; place: string }) => `The name '${p.name}' is already used in ${p.place}.`,
  },
  tooMany: {
    status: 400,
    message: (p: { table: string; limit: number }) =>
      `Table '${p.table}' would have more than ${p.limit} virtual fields and relationships.`,
  },
  adminOnly: {
    status: 403,
    message: (p: { what: string }) => `Only administrators may change ${p.what}.`,
    hint: 'Roles and their record filters go by the names of the API, and functions are SQL that runs for everybody.',
  },
  function: {
    status: 400,
    message: (p: { field: string; problem: string }) =>
      `The db_function of field '${p.field}' is not usable: ${p.problem}.`,
  },
});
