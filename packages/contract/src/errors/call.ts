import { catalogue } from './catalogue.ts';

/** What steps and handlers meet on calls of their own and on replies (docs/design.md, "The life of a call"). */
export const callErrors = catalogue('call', {
  answerTooLarge: {
    status: 400,
    message: (p: { limit: number }) => `The answer is larger than the limit of ${p.limit} bytes.`,
    hint: 'Ask for less: fewer records, or fewer fields.',
  },
});
