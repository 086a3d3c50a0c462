import { errorsOfArea } from './catalogue.ts';

/** The filter language, field lists and orders (contract/database-tables.md §4–5). */
export const filterErrors = errorsOfArea('filter', {
  unparsable: { status: 400, message: 'Invalid or unparsable filter request.' },
  field: {
    status: 400,
    message: (p: { field: string }) => `Invalid or unparsable field in filter request: '${p.field}'`,
  },
  list: { status: 400, message: 'Filter value lists must be wrapped in parentheses.' },
  tooDeep: { status: 400, message: (p: { limit: number }) => `The filter is nested more than ${p.limit} levels deep.` },
  tooLong: {
    status: 400,
    message: (p: { limit: number; unit: string }) => `The filter is longer than ${p.limit} ${p.unit}.`,
    hint: 'Send long lists of values as ids, or ask in several calls.',
  },
  function: {
    status: 400,
    message: (p: { text: string }) => `The function '${p.text}' is not allowed in a filter.`,
    hint: 'Allowed are (NOW()), (CURRENT_TIMESTAMP), (CURRENT_DATE), (CURDATE()) and (other_field).',
  },
  order: { status: 400, message: 'Invalid order by clause in request.' },
  orderField: { status: 400, message: (p: { field: string }) => `Invalid field '${p.field}' in order by clause.` },
  sleep: { status: 400, message: 'Use of the sleep() function not supported.' },
  group: { status: 400, message: 'Invalid group by clause in request.' },
  groupField: { status: 400, message: (p: { field: string }) => `Invalid field '${p.field}' in group by clause.` },
  tooManyNames: {
    status: 400,
    message: (p: { parameter: string; limit: number }) => `More than ${p.limit} names in '${p.parameter}'.`,
  },
  ungrouped: {
    status: 400,
    message: (p: { field: string }) => `Field '${p.field}' has to be in group to be asked for beside an aggregate.`,
    hint: 'Name it in group= as well, or leave it out of fields=.',
  },
  requestedField: { status: 400, message: (p: { field: string }) => `Invalid field requested: ${p.field}` },
});
