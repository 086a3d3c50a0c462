import { errorsOfArea } from './catalogue.ts';

/** Pages by `after=`. */
export const pageErrors = errorsOfArea('page', {
  after: {
    status: 400,
    message: 'The value of after= is none that this table gave for this order.',
    hint: 'Send meta.after of the answer before, with the same order; after= alone asks for the first page.',
  },
  together: {
    status: 400,
    message: 'after= does not go with offset, group, as_list or file.',
  },
  order: {
    status: 400,
    message: 'after= needs an order by fields that are columns of the table.',
  },
});
