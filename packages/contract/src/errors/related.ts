import { errorsOfArea } from './catalogue.ts';

/** Relations between records (contract/database-tables.md §6). */
export const relatedErrors = errorsOfArea('related', {
  broken: {
    status: 400,
    message: (p: { relation: string; column: string; table: string }) =>
      `The relation '${p.relation}' names the field '${p.column}', which table '${p.table}' does not have.`,
    hint: 'A virtual relation has to be changed when its fields are.',
  },
  unequal: {
    status: 400,
    message: (p: { relation: string }) => `The relation '${p.relation}' joins lists of fields that differ in length.`,
    hint: 'Each field of one side is joined with the field at the same place of the other.',
  },
  otherService: {
    status: 501,
    message: (p: { id: number }) => `The service with the id ${p.id} has no records to relate to.`,
    hint: 'Relations lead to tables of database services.',
  },
  parent: { status: 400, message: (p: { text: string }) => `Failed to update belongs-to assignment.\n${p.text}` },
  children: { status: 400, message: (p: { text: string }) => `Failed to update many to one assignment.\n${p.text}` },
  map: { status: 400, message: (p: { text: string }) => `Failed to update many to one map assignment.\n${p.text}` },
  noKey: {
    status: 400,
    message: (p: { field: string }) => `Related record has no primary key value for '${p.field}'.`,
  },
  noLocal: {
    status: 400,
    message: (p: { table: string }) => `The ${p.table} referencing field id can not be empty.`,
  },
  notRecord: {
    status: 400,
    message: (p: { relation: string }) => `What is sent as '${p.relation}' is no record.`,
    hint: 'A relation takes an object with the fields of a record, or a list of such objects.',
  },
  untold: {
    status: 400,
    message: 'The database does not tell the key it made, which the related records need.',
    hint: 'Send the key with the record, or write the related records by calls of their own.',
  },
  byFilter: {
    status: 400,
    message: 'Related records can not be written with a filter.',
    hint: 'Name the records by ids, or send each with its own id.',
  },
  writeElsewhere: {
    status: 501,
    message: (p: { relation: string }) =>
      `The relation '${p.relation}' leads to another service, whose records can not be written together with this one's.`,
    hint: 'Write them by calls to that service.',
  },
  tooDeep: {
    status: 400,
    message: (p: { limit: number }) => `Related records are read ${p.limit} levels deep at most.`,
  },
  tooMany: {
    status: 400,
    message: (p: { limit: number }) => `One call reads ${p.limit} relations at most.`,
    hint: 'Name the relations you need in place of *.',
  },
});
