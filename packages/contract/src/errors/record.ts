import { errorsOfArea } from './catalogue.ts';

const part = { created: 'created', updated: 'updated', deleted: 'deleted', retrieved: 'retrieved' } as const;

/** Records of system resources and tables: payloads, batches, validation (contract/http-basics.md §7–8). */
export const recordErrors = errorsOfArea('record', {
  none: {
    status: 400,
    message:
      'No record(s) detected in request. Please make sure record(s) are wrapped in a \'resource\' tag. Example: {"resource":[{"record":1},{"record":2}]}',
  },
  notFound: { status: 404, message: (p: { id: string }) => `Record with identifier '${p.id}' not found.` },
  invalid: {
    status: 400,
    message: (p: { messages: string[] }) => `Invalid data supplied. ${p.messages.join(' ')}`,
  },
  batch: {
    status: 400,
    code: 1000,
    message: (p: { verb: keyof typeof part; rolledBack: boolean }) =>
      `Batch Error: Not all requested records could be ${part[p.verb]}.${p.rolledBack ? ' All changes rolled back.' : ''}`,
  },
  batchFault: {
    status: 500,
    code: 1000,
    message: (p: { verb: keyof typeof part; rolledBack: boolean }) =>
      `Batch Error: Not all requested records could be ${part[p.verb]}.${p.rolledBack ? ' All changes rolled back.' : ''}`,
  },
  batchTooLarge: {
    status: 400,
    message: (p: { limit: number }) => `A batch may hold ${p.limit} records at most.`,
  },
  createById: { status: 400, message: 'Create record by identifier not currently supported.' },
  noneToDelete: { status: 400, message: 'No filter or records given for delete request.' },
  byFilter: {
    status: 400,
    message: 'Records of this resource can not be deleted by filter.',
    hint: 'Send ids or records; force=true without a filter deletes all.',
  },
  idEmpty: {
    status: 400,
    message: (p: { field: string }) => `Identifying field "${p.field}" can not be empty for update request . `,
  },
  moreThanOne: { status: 400, message: 'A request for one record may carry only one record.' },
  notAnObject: { status: 400, message: (p: { index: number }) => `Record ${p.index} is not an object.` },
  unknownRelation: { status: 400, message: (p: { name: string }) => `Unknown relationship: ${p.name}` },
  relatedNotArray: {
    status: 400,
    message: (p: { relation: string }) =>
      `Bad data supplied for ${p.relation}. Related data must be supplied as array.`,
  },
  relatedNotCreatable: {
    status: 501,
    message: (p: { kind: string }) => `Creating related record of relation type "${p.kind}" is not supported.`,
  },
  stale: {
    status: 412,
    message: 'The record was changed by someone else in the meantime.',
    hint: 'Read it again; send the ETag of that answer as If-Match or, for a table, the record as loaded.',
  },
  database: { status: 400, message: (p: { text: string }) => p.text },
});
