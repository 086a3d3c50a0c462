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
  relationLengths: {
    status: 400,
    message: 'Invalid schema detected - lists of fields that differ in length for virtual relationship.',
    hint: 'Each field of one side is joined with the field at the same place of the other.',
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
  tooManyParts: {
    status: 400,
    message: (p: { table: string; limit: number }) =>
      `A change of table '${p.table}' names at most ${p.limit} fields, relations or constraints.`,
    hint: 'Send the others in calls of their own: PATCH leaves alone what it does not name.',
  },
  adminOnly: {
    status: 403,
    message: (p: { what: string }) => `Only administrators may change ${p.what}.`,
    hint: 'Roles and their record filters go by the names of the API, and functions are SQL that runs for everybody.',
  },
  filtered: {
    status: 403,
    message: (p: { table: string; field: string }) =>
      `Field '${p.field}' of table '${p.table}' decides which records somebody may see: only administrators may drop, add or retype it.`,
    hint: 'A record filter of a role goes by it. An administrator sees which one in the plan of the change.',
  },
  function: {
    status: 400,
    message: (p: { field: string; problem: string }) =>
      `The db_function of field '${p.field}' is not usable: ${p.problem}.`,
  },
  noTypedFields: { status: 400, message: 'Invalid schema detected - no type or db_type element.' },
  noFields: { status: 400, message: 'No valid fields exist in the received table schema.' },
  noReferenceTable: {
    status: 400,
    message: (p: { field: string }) => `Invalid schema detected - no table element for reference type of ${p.field}.`,
  },
  misfit: {
    status: 400,
    message: (p: { table: string; problems: string }) =>
      `Records of table '${p.table}' do not fit the change: ${p.problems}.`,
    hint: 'Nothing was changed. Change those records first, or allow null, give a default, or choose another type.',
  },
  unsupported: {
    status: 400,
    message: (p: { table: string; problem: string }) => `Table '${p.table}' can not be changed that way: ${p.problem}.`,
  },
  cannotUndo: {
    status: 400,
    message: (p: { table: string }) =>
      `The database can not undo the change of table '${p.table}', so that it can not be rolled back with the others.`,
    hint: 'Nothing was changed. Send the tables without rollback, or one by one.',
  },
  unrecorded: {
    status: 503,
    message: (p: { table: string; text: string }) =>
      `Table '${p.table}' was changed, but what the service says of it could not be saved: ${p.text}`,
    hint: 'It is saved as soon as the store takes it. The change of the database itself stays.',
  },
  busy: {
    status: 503,
    message: (p: { table: string; seconds: number }) =>
      `Table '${p.table}' was in use for ${p.seconds} s. Nothing was changed.`,
    hint: 'Try again in a moment. A long transaction of another program, or an export, may hold the table.',
  },
  notTried: {
    status: 400,
    message: 'This table was not tried, since another one failed before it.',
  },
  planPath: {
    status: 400,
    message: (p: { path: string }) => `There is no write of a schema at '${p.path}'.`,
    hint: 'Send {"verb": "PATCH", "path": "_schema/todo", "body": {…}} as the write itself would be sent.',
  },
  halfChanged: {
    status: 503,
    message: (p: { table: string; text: string }) =>
      `Table '${p.table}' could not be changed, nor put back as it was: ${p.text}`,
    hint: 'The database failed while a change was undone. See what the table is now before it is changed again.',
  },
  notOffered: {
    status: 501,
    message: 'The schema of databases of this type can not be changed here.',
    hint: 'Labels, aliases, rules, virtual fields and virtual relations can be saved; nothing of this request was.',
  },
});
