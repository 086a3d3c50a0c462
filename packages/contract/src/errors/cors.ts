import { errorsOfArea } from './catalogue.ts';

/** Rules for calls by pages of other origins (contract/http-basics.md §11). */
export const corsErrors = errorsOfArea('cors', {
  tooManyRules: {
    status: 400,
    message: (p: { limit: number }) => `There may be ${p.limit} CORS entries at most.`,
    hint: 'One path may stand for several, with * or as a regular expression.',
  },
});
