// What `system/import` takes and answers, for the API docs.
import type { ObjectShape } from '../../service/operation.ts';

export const importFields: ObjectShape = {
  import_url: { type: 'string', description: 'An address to take the file from; its name ends in .csv.' },
  service: { type: 'string', description: 'A database service; absent: db.', example: 'db' },
  resource: { type: 'string', description: 'The name of the new table; absent: import_ and the time in seconds.' },
};

export const importAnswer: ObjectShape = {
  resource: { type: 'string', description: 'The address of the table.' },
};
