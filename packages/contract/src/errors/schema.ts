import { catalogue } from './catalogue.ts';

/** Writing what a service says of its tables (contract/database-schema.md §4, §6, §7). */
export const schemaErrors = catalogue('schema', {
  function: {
    status: 400,
    message: (p: { field: string; problem: string }) =>
      `The db_function of field '${p.field}' is not usable: ${p.problem}.`,
  },
});
