import { errorsOfArea } from './catalogue.ts';

/** What steps and handlers meet on calls of their own and on replies (docs/design.md, "The life of a call"). */
export const callErrors = errorsOfArea('call', {
  answerTooLarge: {
    status: 400,
    message: (p: { limit: number }) => `The answer is larger than the limit of ${p.limit} bytes.`,
    hint: 'Ask for less: fewer records, or fewer fields.',
  },
  tooDeep: {
    status: 508,
    message: (p: { limit: number }) => `More than ${p.limit} calls were made inside each other.`,
    hint: 'Look for a script or a service that calls itself.',
  },
});
