import { errorsOfArea } from './catalogue.ts';

/** Tables, their schema and their records (contract/database-tables.md, contract/database-schema.md §7). */
export const tableErrors = errorsOfArea('table', {
  unknown: {
    status: 404,
    message: (p: { table: string }) => `Table "${p.table}" does not exist in the database.`,
    hint: 'If it was created a moment ago, ask with refresh=true.',
  },
  bothModes: {
    status: 400,
    message: 'Rollback and continue operations can not be requested at the same time.',
  },
  noKey: { status: 400, message: 'Identifying field(s) could not be determined.', hint: 'Name them with id_field=.' },
  idMissing: {
    status: 400,
    message: (p: { index: number }) => `Required id field(s) not found in record ${p.index}`,
  },
  idInvalid: {
    status: 400,
    message: (p: { index: number; text: string }) => `Required id field(s) not valid in request ${p.index}: ${p.text}`,
  },
  noValidFields: { status: 400, message: 'No valid fields were found in record.' },
  emptyRecord: { status: 400, message: 'The request contains no valid record fields.' },
  requiredField: { status: 400, message: (p: { field: string }) => `Required field '${p.field}' can not be NULL.` },
  blankDeleteFilter: { status: 400, message: 'Filter for delete request can not be empty.' },
  noFields: { status: 404, message: (p: { table: string }) => `No requested fields found in table '${p.table}'.` },
  noRelations: {
    status: 404,
    message: (p: { table: string }) => `No requested relationships found in table '${p.table}'.`,
  },
  loadedShape: {
    status: 400,
    message: "'loaded' has to hold, for each record in its place, the record as it was loaded, or null.",
  },
  loadedByFilter: {
    status: 400,
    message: "Records found by a filter, or all of a table, can not be compared with 'loaded'.",
    hint: 'Name them by ids, or send them as records.',
  },
  schemaPath: {
    status: 400,
    message: (p: { act: 'describe' | 'create' | 'update' | 'delete' }) => `Invalid schema path in ${p.act} request.`,
  },
});
